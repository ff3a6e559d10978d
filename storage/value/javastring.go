package value

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JavaString is what Java's String.valueOf prints: v[1], e[7][1-knows->2], {a=1},
// [a, b]. Stored elements show their internal ids; see JavaStringWith.
func (v Value) JavaString() string { return v.JavaStringWith(nil) }

// JavaStringWith is JavaString with stored elements shown by the ids users know.
// An element that r cannot resolve shows its internal id.
func (v Value) JavaStringWith(r Resolver) string {
	if v.kind == KindString {
		return v.Str()
	}
	return string(AppendJavaString(nil, v, r))
}

// AppendJavaString appends JavaStringWith to dst.
func AppendJavaString(dst []byte, v Value, r Resolver) []byte {
	if short, ok := appendShort(dst, v); ok {
		return short
	}
	t := JavaText{Resolver: r}
	return t.append(dst, v)
}

// appendShort appends a value whose text has a length that nobody decides, and nothing of
// other values.
func appendShort(dst []byte, v Value) ([]byte, bool) {
	switch v.kind {
	case KindNull:
		return append(dst, "null"...), true
	case KindBool:
		return strconv.AppendBool(dst, v.Bool()), true
	case KindByte, KindShort, KindInt, KindLong:
		return strconv.AppendInt(dst, int64(v.num), 10), true
	case KindFloat:
		return appendFloat(dst, v.Float64(), 32), true
	case KindDouble:
		return appendFloat(dst, v.Float64(), 64), true
	case KindChar:
		return append(dst, string(rune(v.num))...), true
	}
	return dst, false
}

func (t *JavaText) append(dst []byte, v Value) []byte {
	if t.over(dst) {
		return dst
	}
	if short, ok := appendShort(dst, v); ok {
		return short
	}
	switch v.kind {
	case KindString:
		return t.Text(dst, v.Str())
	case KindClass:
		return t.Text(append(dst, classPrefix(v.Str())...), v.Str())
	case KindVertex, KindEdge:
		return t.appendElement(dst, v)
	case KindList:
		return t.appendListString(dst, v.Elems())
	case KindBinary:
		n := len(v.Bytes())
		return fmt.Appendf(dst, "java.nio.HeapByteBuffer[pos=0 lim=%d cap=%d]", n, n)
	}
	if v.kind.IsEnum() {
		return append(dst, v.Str()...)
	}
	if v.kind >= KindDate && v.kind <= KindYearMonth {
		return appendTimeString(dst, v)
	}
	if v.ptr == nil {
		return append(dst, "null"...)
	}
	return t.appendObjectString(dst, v)
}

// The kinds that other packages define implement one of these: javaTexter where there is
// no telling how much they hold.
type (
	javaTexter interface {
		AppendJavaString(t *JavaText, dst []byte) []byte
	}
	javaStringer interface{ JavaString() string }
)

func (t *JavaText) appendObjectString(dst []byte, v Value) []byte {
	switch v.kind {
	case KindBigInteger:
		return t.number(dst, v.BigInt())
	case KindBigDecimal:
		if d := v.Decimal(); t.brief && d.unscaled().BitLen() > briefBits {
			return t.number(dst, d.unscaled())
		}
		return append(dst, v.Decimal().String()...)
	case KindUUID:
		return append(dst, v.UUID().String()...)
	case KindInetAddress:
		return appendInet(append(dst, '/'), v.InetAddress())
	case KindSet:
		return t.appendListString(dst, v.Set().Elems())
	case KindMap:
		return t.appendMapString(dst, v.Map())
	case KindMapEntry:
		dst = t.append(dst, v.MapEntry().Key)
		return t.append(append(dst, '='), v.MapEntry().Value)
	case KindBulkSet:
		return t.appendBulkSetString(dst, v.BulkSet())
	case KindTree:
		return t.appendTreeString(dst, v.Tree())
	case KindPath:
		return t.appendListString(append(dst, "path"...), v.Path().Objects)
	case KindVertexProperty:
		return t.appendProperty(dst, "vp[", v.VertexProperty().Key, v.VertexProperty().Value)
	case KindProperty:
		return t.appendProperty(dst, "p[", v.Property().Key, v.Property().Value)
	case KindGraph:
		g := v.Subgraph()
		return fmt.Appendf(dst, "tinkergraph[vertices:%d edges:%d]", len(g.Vertices), len(g.Edges))
	case KindTraverser:
		return t.append(dst, v.Traverser().Value)
	}
	switch x := v.Object().(type) {
	case javaTexter:
		return x.AppendJavaString(t, dst)
	case javaStringer:
		if !t.brief { // in a message nobody wants a whole report
			return append(dst, x.JavaString()...)
		}
	case fmt.Stringer:
		return append(dst, x.String()...)
	}
	return append(dst, v.kind.String()...)
}

func (t *JavaText) appendElement(dst []byte, v Value) []byte {
	e := t.resolve(v)
	if e == nil {
		e = &Element{ID: Long(int64(v.num))}
	}
	if v.kind == KindVertex {
		dst = t.append(append(dst, "v["...), e.ID)
		return append(dst, ']')
	}
	dst = t.append(append(dst, "e["...), e.ID)
	dst = t.appendID(append(dst, "]["...), e.Out)
	dst = append(t.Text(append(dst, '-'), e.Label), "->"...)
	return append(t.appendID(dst, e.In), ']')
}

// appendID appends the id of an edge's endpoint.
func (t *JavaText) appendID(dst []byte, v Value) []byte {
	if v.kind != KindVertex {
		return append(dst, '?')
	}
	e := t.resolve(v)
	if e == nil {
		return strconv.AppendUint(dst, v.num, 10)
	}
	return t.append(dst, e.ID)
}

// resolve is nil for an element that is not found.
func (t *JavaText) resolve(v Value) *Element {
	e, err := v.Resolve(t.Resolver, false)
	if err == nil {
		return e
	}
	if t.strict && t.err == nil && !errors.Is(err, ErrNoElement) {
		t.err = err
	}
	return nil
}

// propertyWidth is how many UTF-16 units of a value a property's text shows.
const propertyWidth = 20

func (t *JavaText) appendProperty(dst []byte, head, key string, v Value) []byte {
	dst = append(t.Text(append(dst, head...), key), "->"...)
	return append(append(dst, abbreviate(t.beginning(v, utf8.UTFMax*propertyWidth), propertyWidth)...), ']')
}

// abbreviate cuts s to width UTF-16 units, the last three of them dots.
func abbreviate(s string, width int) string {
	units, cut := 0, len(s)
	for i, c := range s {
		if units <= width-3 {
			cut = i
		}
		units++
		if c > 0xFFFF {
			units++
		}
		if units > width {
			return s[:cut] + "..."
		}
	}
	return s
}

func (t *JavaText) appendListString(dst []byte, elems []Value) []byte {
	return append(t.Values(append(dst, '['), elems), ']')
}

func (t *JavaText) appendMapString(dst []byte, m *Map) []byte {
	dst = append(dst, '{')
	for i := range m.Len() {
		if t.Ended() {
			return dst
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		k, v := m.Entry(i)
		dst = t.append(dst, k)
		dst = t.append(append(dst, '='), v)
	}
	return append(dst, '}')
}

func (t *JavaText) appendBulkSetString(dst []byte, s *BulkSet) []byte {
	dst = append(dst, '{')
	for i := range s.Len() {
		if t.Ended() {
			return dst
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		v, n := s.Entry(i)
		dst = strconv.AppendInt(append(t.append(dst, v), '='), n, 10)
	}
	return append(dst, '}')
}

func (t *JavaText) appendTreeString(dst []byte, tree *Tree) []byte {
	dst = append(dst, '{')
	for i, k := range tree.Keys {
		if t.Ended() {
			return dst
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = t.appendTreeString(append(t.append(dst, k), '='), tree.Children[i])
	}
	return append(dst, '}')
}

// appendInet prints all groups of an IPv6 address, as Java does.
func appendInet(dst []byte, a netip.Addr) []byte {
	if !a.Is6() {
		return a.AppendTo(dst)
	}
	b := a.As16()
	for i := 0; i < 16; i += 2 {
		if i > 0 {
			dst = append(dst, ':')
		}
		dst = strconv.AppendUint(dst, uint64(b[i])<<8|uint64(b[i+1]), 16)
	}
	return dst
}

// classPrefix says whether a class of Java's or TinkerPop's own is an interface.
func classPrefix(name string) string {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Map", "List", "Set", "Collection", "Iterable", "Vertex", "Edge", "VertexProperty",
		"Property", "Element", "Graph", "Path", "Traverser", "Traversal":
		return "interface "
	}
	return "class "
}

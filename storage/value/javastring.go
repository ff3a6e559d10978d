package value

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
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
	switch v.kind {
	case KindNull:
		return append(dst, "null"...)
	case KindBool:
		return strconv.AppendBool(dst, v.Bool())
	case KindByte, KindShort, KindInt, KindLong:
		return strconv.AppendInt(dst, int64(v.num), 10)
	case KindFloat:
		return appendFloat(dst, v.Float64(), 32)
	case KindDouble:
		return appendFloat(dst, v.Float64(), 64)
	case KindChar:
		return append(dst, string(rune(v.num))...)
	case KindString:
		return append(dst, v.Str()...)
	case KindClass:
		return append(append(dst, classPrefix(v.Str())...), v.Str()...)
	case KindVertex, KindEdge:
		return appendElement(dst, v, r)
	case KindList:
		return appendListString(dst, v.Elems(), r)
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
	return appendObjectString(dst, v, r)
}

// javaStringer is implemented by the kinds that other packages define.
type javaStringer interface{ JavaString() string }

func appendObjectString(dst []byte, v Value, r Resolver) []byte {
	switch v.kind {
	case KindBigInteger:
		return v.BigInt().Append(dst, 10)
	case KindBigDecimal:
		return append(dst, v.Decimal().String()...)
	case KindUUID:
		return append(dst, v.UUID().String()...)
	case KindInetAddress:
		return appendInet(append(dst, '/'), v.InetAddress())
	case KindSet:
		return appendListString(dst, v.Set().Elems(), r)
	case KindMap:
		return appendMapString(dst, v.Map(), r)
	case KindMapEntry:
		dst = AppendJavaString(dst, v.MapEntry().Key, r)
		return AppendJavaString(append(dst, '='), v.MapEntry().Value, r)
	case KindBulkSet:
		return appendBulkSetString(dst, v.BulkSet(), r)
	case KindTree:
		return appendTreeString(dst, v.Tree(), r)
	case KindPath:
		return appendListString(append(dst, "path"...), v.Path().Objects, r)
	case KindVertexProperty:
		return appendProperty(dst, "vp[", v.VertexProperty().Key, v.VertexProperty().Value, r)
	case KindProperty:
		return appendProperty(dst, "p[", v.Property().Key, v.Property().Value, r)
	case KindGraph:
		g := v.Subgraph()
		return fmt.Appendf(dst, "tinkergraph[vertices:%d edges:%d]", len(g.Vertices), len(g.Edges))
	case KindTraverser:
		return AppendJavaString(dst, v.Traverser().Value, r)
	}
	switch x := v.Object().(type) {
	case javaStringer:
		return append(dst, x.JavaString()...)
	case fmt.Stringer:
		return append(dst, x.String()...)
	}
	return append(dst, v.kind.String()...)
}

func appendElement(dst []byte, v Value, r Resolver) []byte {
	e, err := v.Resolve(r, false)
	if err != nil || e == nil {
		e = &Element{ID: Long(int64(v.num))}
	}
	if v.kind == KindVertex {
		dst = AppendJavaString(append(dst, "v["...), e.ID, r)
		return append(dst, ']')
	}
	dst = AppendJavaString(append(dst, "e["...), e.ID, r)
	dst = appendID(append(dst, "]["...), e.Out, r)
	dst = append(append(append(dst, '-'), e.Label...), "->"...)
	return append(appendID(dst, e.In, r), ']')
}

// appendID appends the id of an edge's endpoint.
func appendID(dst []byte, v Value, r Resolver) []byte {
	if v.kind != KindVertex {
		return append(dst, '?')
	}
	e, err := v.Resolve(r, false)
	if err != nil || e == nil {
		return strconv.AppendUint(dst, v.num, 10)
	}
	return AppendJavaString(dst, e.ID, r)
}

// propertyWidth is how many UTF-16 units of a value a property's text shows.
const propertyWidth = 20

func appendProperty(dst []byte, head, key string, v Value, r Resolver) []byte {
	dst = append(append(append(dst, head...), key...), "->"...)
	return append(append(dst, abbreviate(v.JavaStringWith(r), propertyWidth)...), ']')
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

func appendListString(dst []byte, elems []Value, r Resolver) []byte {
	dst = append(dst, '[')
	for i, e := range elems {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendJavaString(dst, e, r)
	}
	return append(dst, ']')
}

func appendMapString(dst []byte, m *Map, r Resolver) []byte {
	dst = append(dst, '{')
	for i := range m.Len() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		k, v := m.Entry(i)
		dst = AppendJavaString(dst, k, r)
		dst = AppendJavaString(append(dst, '='), v, r)
	}
	return append(dst, '}')
}

func appendBulkSetString(dst []byte, s *BulkSet, r Resolver) []byte {
	dst = append(dst, '{')
	for i := range s.Len() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		v, n := s.Entry(i)
		dst = strconv.AppendInt(append(AppendJavaString(dst, v, r), '='), n, 10)
	}
	return append(dst, '}')
}

func appendTreeString(dst []byte, t *Tree, r Resolver) []byte {
	dst = append(dst, '{')
	for i, k := range t.Keys {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendTreeString(append(AppendJavaString(dst, k, r), '='), t.Children[i], r)
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

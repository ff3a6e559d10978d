package differential

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Printer writes values so that equal results give equal texts, with the types of numbers.
type Printer struct {
	// Resolver reads stored elements; results of a server need none.
	Resolver value.Resolver
	// AnyOrder writes lists as if they were bags; Hashed writes maps as if they had no order.
	AnyOrder, Hashed bool
	// New reports whether a number is the id of a vertex or an edge that a traversal made
	// (of either for any other kind): each run gives others. Nil means that none is.
	New func(k value.Kind, id int64) bool

	printed map[any]string // texts of collections within the one that is printed
}

// nestedMax bounds the text of a collection within another, in bytes: a hash stands for a
// longer one. Trees of trees share what they hold, and would take texts without end.
const nestedMax = 16 << 10

// Value is the text of a result.
func (p Printer) Value(v value.Value) string {
	if p.printed == nil {
		p.printed = map[any]string{}
		return p.text(v)
	}
	of := identity(v)
	if of == nil {
		return p.text(v)
	}
	text, found := p.printed[of]
	if !found {
		if text = p.text(v); len(text) > nestedMax {
			h := fnv.New64a()
			_, _ = h.Write([]byte(text))
			text = fmt.Sprintf("%s of %d bytes, hash %x", v.Kind(), len(text), h.Sum64())
		}
		p.printed[of] = text
	}
	return text
}

// identity tells collections that are one from others; nil for what is short.
func identity(v value.Value) any {
	switch v.Kind() {
	case value.KindList:
		if l := v.Elems(); len(l) > 0 {
			return &l[0]
		}
	case value.KindSet:
		return v.Set()
	case value.KindBulkSet:
		return v.BulkSet()
	case value.KindMap:
		return v.Map()
	case value.KindMapEntry:
		return v.MapEntry()
	case value.KindPath:
		return v.Path()
	case value.KindTree:
		return v.Tree()
	case value.KindGraph:
		return v.Subgraph()
	}
	return nil
}

// text is the text of a value.
func (p Printer) text(v value.Value) string {
	switch v.Kind() {
	case value.KindVertex, value.KindEdge:
		return p.element(v)
	case value.KindVertexProperty:
		x := v.VertexProperty()
		return "vp[" + x.Key + "->" + p.Value(x.Value) + "]"
	case value.KindProperty:
		return "p[" + v.Property().Key + "->" + p.Value(v.Property().Value) + "]"
	case value.KindList:
		return "[" + p.list(v.Elems(), p.AnyOrder) + "]"
	case value.KindSet:
		return "(" + p.list(v.Set().Elems(), true) + ")"
	case value.KindBulkSet:
		return p.bulk(v.BulkSet())
	case value.KindMap:
		return p.mapOf(v.Map())
	case value.KindMapEntry:
		return p.entry(v.MapEntry().Key, v.MapEntry().Value)
	case value.KindPath:
		return p.path(v.Path())
	case value.KindTree:
		return p.tree(v.Tree())
	case value.KindGraph:
		g := v.Subgraph()
		return "graph{" + p.list(g.Vertices, true) + " | " + p.list(g.Edges, true) + "}"
	}
	return p.scalar(v)
}

func (p Printer) list(vs []value.Value, anyOrder bool) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = p.Value(v)
	}
	if anyOrder {
		slices.Sort(parts)
	}
	return strings.Join(parts, ", ")
}

func (p Printer) scalar(v value.Value) string {
	switch k := v.Kind(); {
	case k == value.KindString:
		return strconv.Quote(idText.ReplaceAllStringFunc(v.Str(), p.idInText))
	case k == value.KindFloat || k == value.KindDouble:
		// The last digits of sums depend on the order of what is added.
		return strconv.FormatFloat(value.AsFloat64(v), 'g', 12, 64) + k.String()
	case k == value.KindTraversalMetrics || k == value.KindExplanation || k == value.KindMetrics:
		return k.String() // durations
	case k == value.KindTraverser:
		return p.Value(v.Traverser().Value)
	default:
		return v.JavaString() + k.String()
	}
}

func (p Printer) element(v value.Value) string {
	e := v.Detached()
	if e == nil {
		var err error
		if e, err = v.Resolve(p.Resolver, false); err != nil {
			return "gone " + v.Kind().String()
		}
	}
	if v.Kind() == value.KindVertex {
		return "v[" + p.id(value.KindVertex, e.ID) + ":" + e.Label + "]"
	}
	ends := ""
	if o, i := e.Out.Detached(), e.In.Detached(); o != nil && i != nil {
		ends = p.id(value.KindVertex, o.ID) + "->" + p.id(value.KindVertex, i.ID)
	}
	return "e[" + p.id(value.KindEdge, e.ID) + ":" + e.Label + ":" + ends + "]"
}

// idText is how ids of elements show in texts.
var idText = regexp.MustCompile(`\b[ve]\[\d+\]`)

func (p Printer) idInText(text string) string {
	k := value.KindVertex
	if text[0] == 'e' {
		k = value.KindEdge
	}
	if id, err := strconv.ParseInt(text[2:len(text)-1], 10, 64); err == nil && p.New != nil && p.New(k, id) {
		return text[:2] + "new]"
	}
	return text
}

func (p Printer) id(k value.Kind, v value.Value) string {
	if p.New != nil && v.Kind().IsNumber() && p.New(k, value.AsInt64(v)) {
		return "new"
	}
	return p.Value(v)
}

func (p Printer) mapOf(m *value.Map) string {
	parts := make([]string, m.Len())
	for i := range parts {
		parts[i] = p.entry(m.Entry(i))
	}
	if p.AnyOrder || p.Hashed {
		slices.Sort(parts)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (p Printer) entry(k, v value.Value) string {
	text := p.Value(v)
	if k.Kind() == value.KindT && k.Str() == "id" {
		text = p.id(value.KindT, v)
	}
	return p.Value(k) + "=" + text
}

func (p Printer) bulk(s *value.BulkSet) string {
	parts := make([]string, s.Len())
	for i := range parts {
		v, n := s.Entry(i)
		parts[i] = p.Value(v) + " x" + strconv.FormatInt(n, 10)
	}
	slices.Sort(parts)
	return "bulk(" + strings.Join(parts, ", ") + ")"
}

func (p Printer) path(x *value.Path) string {
	parts := make([]string, len(x.Objects))
	for i, o := range x.Objects {
		parts[i] = p.Value(o)
		if i < len(x.Labels) && len(x.Labels[i]) > 0 {
			parts[i] += " as " + strings.Join(slices.Sorted(slices.Values(x.Labels[i])), "+")
		}
	}
	return "path[" + strings.Join(parts, ", ") + "]"
}

func (p Printer) tree(t *value.Tree) string {
	parts := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		parts[i] = p.Value(k) + "=" + p.Value(t.Children[i].Value())
	}
	slices.Sort(parts)
	return "tree{" + strings.Join(parts, ", ") + "}"
}

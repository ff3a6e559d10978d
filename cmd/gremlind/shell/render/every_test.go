package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// everyRows are results of every shape, by what they are.
func everyRows() (names []string, rows map[string][]value.Value) {
	rows = map[string][]value.Value{}
	add := func(name string, vs ...value.Value) {
		names = append(names, name)
		rows[name] = vs
	}
	a, b := vertex(1, "person", "name", "a name of some length", "age", 29), vertex(22, "software", "lang", "java")
	e := edge(7, "created", a, b)
	add("vertices", a, b)
	add("edges", e, edge(8, "knows", a, a))
	add("properties", a.Detached().Properties[0], value.OfProperty(&value.Property{Key: "k", Value: value.Of(1)}))
	add("maps with tokens", object(value.Enum(value.KindT, "id"), 1, value.Enum(value.KindT, "label"), "x", "name", value.Of([]any{"a", "b"})))
	add("a map of pairs", object("a", 1, "b", object("c", 2)))
	path := func(os ...value.Value) value.Value { return (&value.Path{Objects: os}).Value() }
	add("paths", path(a, e, b), path(b, e, a), path(a), path(a, b, value.Of("x")), path(e, a), path(a, e))
	leaf := func() *value.Tree { return &value.Tree{} }
	tree := &value.Tree{Keys: []value.Value{a, b}, Children: []*value.Tree{
		{Keys: []value.Value{value.Of("x"), value.Of("y")}, Children: []*value.Tree{leaf(), {Keys: []value.Value{value.Of("z")}, Children: []*value.Tree{leaf()}}}}, leaf()}}
	add("a tree", tree.Value())
	add("numbers", value.Of(1), value.Of(-22.5), value.Long(1<<40))
	add("long texts", value.Of(strings.Repeat("words and more ", 9)), value.Of("日本語のテキストです。とても長い"))
	add("lists", value.Of([]any{1, "a"}), value.Of([]any{}))
	add("mixed", a, value.Of("x"), value.Null)
	m := &traversal.TraversalMetrics{DurationNS: int64(2 * time.Second)}
	for i, d := range []time.Duration{0, 999, 12_345, 1_234_567, 123_456_789, time.Second, 1999 * time.Millisecond} {
		m.Metrics = append(m.Metrics, &traversal.Metrics{Name: fmt.Sprint("Step", strings.Repeat("X", 5*i), "()"), DurationNS: int64(d),
			Counts: map[string]int64{"elementCount": int64(i) * 12_345, "traverserCount": int64(i)}})
	}
	m.Metrics[2].Nested = []*traversal.Metrics{{Name: "inner", DurationNS: 5000, Counts: map[string]int64{"traverserCount": 1}}}
	m.Metrics[3].Annotations = []traversal.Annotation{{Key: "index", Value: value.Of("name")}}
	add("a profile", value.Object(value.KindTraversalMetrics, m))
	add("a step's metrics", value.Object(value.KindMetrics, m.Metrics[4]))
	steps := value.Of([]any{"GraphStep(vertex,[])", "VertexStep(OUT,vertex)", "CountGlobalStep"})
	explained := object("original", steps, "intermediate", value.Of([]any{
		object("strategy", "CountStrategy", "category", "OptimizationStrategy", "traversal", value.Of([]any{"GraphStep(vertex,[])"})),
		object("strategy", "IdleStrategy", "category", "OptimizationStrategy", "traversal", value.Of([]any{"GraphStep(vertex,[])"})),
	}), "final", value.Of([]any{"GraphStep(vertex,[])"}), "unknown", value.Of([]any{"no label x"}))
	add("an explanation", explained)
	return names, rows
}

// TestFormats_EveryShape shows results of every shape in every format and width.
func TestFormats_EveryShape(t *testing.T) {
	var out strings.Builder
	names, rows := everyRows()
	for _, name := range names {
		for _, f := range []Format{Table, CSV, JSON, GraphSON} {
			for _, width := range []int{0, 24, 45, 60, 100} {
				if f != Table && width > 0 {
					break
				}
				var b strings.Builder
				w := New(f, &b, Options{Width: width})
				err := w.Write(rows[name])
				if err == nil {
					err = w.Close()
				}
				fmt.Fprintf(&out, "== %s as %s, %d columns: %v\n%s", name, f, width, err, b.String())
			}
		}
	}
	golden.Check(t, "testdata/every", out.String())
}

package differential

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestPrinter_Shared prints what holds the same thing many times, on many levels: what is
// equal has equal texts, what differs deep inside has others.
func TestPrinter_Shared(t *testing.T) {
	nested := map[string]func(v value.Value) value.Value{
		"tree": func(v value.Value) value.Value {
			tree := &value.Tree{}
			for _, k := range []value.Value{v, value.Int(1)} {
				child := &value.Tree{Keys: []value.Value{v}, Children: []*value.Tree{{}}}
				tree.Keys, tree.Children = append(tree.Keys, k), append(tree.Children, child)
			}
			return tree.Value()
		},
		"list": func(v value.Value) value.Value { return value.List([]value.Value{v, v}) },
		"map": func(v value.Value) value.Value {
			m := value.NewMap()
			m.Put(v, v)
			return m.Value()
		},
	}
	for name, nest := range nested {
		deep := func(v value.Value) string {
			for range 60 {
				v = nest(v)
			}
			return Printer{}.Value(v)
		}
		a, b := deep(value.String("a")), deep(value.String("b"))
		if again := deep(value.String("a")); a != again || a == b || len(a) > 10*nestedMax {
			t.Errorf("%s: %d bytes, again %d, another %d", name, len(a), len(again), len(b))
		}
		if text := (Printer{}).Value(nest(value.Int(7))); !strings.Contains(text, "7Int") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

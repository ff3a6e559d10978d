package blueprints

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestNames: all labels and keys that are stored are named, from the first on, until nobody wants more.
func TestNames(t *testing.T) {
	_, g := openCached(t, 0)
	commit(t, g, func(tx *Tx) error {
		v := ok[VertexID](t)(tx.AddVertex("person", value.Null))
		ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "name", value.Int(1), value.Null, nil))
		ok[EdgeID](t)(tx.AddEdge("knows", v, v, value.Null))
		return nil
	})
	tx := reader(t, g)
	defer tx.Close()
	if got := fmt.Sprint(slices.Sorted(tx.Names())); got != "[knows name person]" {
		t.Error(got)
	}
	n := 0
	for range tx.Names() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Error(n)
	}
}

package blueprints

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestRestriction_Lasts: one Restriction serves transactions that come later, and what is
// denied gets a name, or edges, only then.
func TestRestriction_Lasts(t *testing.T) {
	db, _ := openCached(t, 1<<20)
	g := ok[*Graph](t)(db.CreateGraph("one", Options{}))
	other := ok[*Graph](t)(db.CreateGraph("other", Options{}))
	by := &Restriction{Denied: Denied{Keys: []string{"ssn"}, EdgeLabels: []string{"pays"}, VertexLabels: []string{"spy"}}}
	seen := func(g *Graph, o TxOptions) string {
		tx := ok[*Tx](t)(g.Begin(t.Context(), o))
		r := tx.Restrict(by)
		if tx.Restrict(by) != r {
			t.Error("a transaction has one view of what is denied")
		}
		text := fmt.Sprint(ok[int64](t)(r.VertexCount()), ok[int64](t)(r.EdgeCount()))
		if knows, known := r.Symbol("knows"); known {
			text += fmt.Sprint(" ", ok[int64](t)(r.EdgeCount(knows)))
		}
		it := r.Vertices()
		buf := make([]VertexID, 16)
		for n := it.Next(buf); n > 0; n = it.Next(buf) {
			for _, v := range buf[:n] {
				for _, p := range ok[[]PropertyEntry](t)(r.VertexProperties(nil, v, nil)) {
					text += " " + r.Name(p.Key)
				}
			}
		}
		if err := it.Close(); err != nil {
			t.Error(err)
		}
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
		tx.Recycle()
		return text
	}
	var a VertexID
	add := func(label, key, edge string) {
		commit(t, g, func(tx *Tx) error {
			v := ok[VertexID](t)(tx.AddVertex(label, value.Null))
			if a == 0 {
				a = v
			}
			ok[EdgeID](t)(tx.AddEdge(edge, a, v, value.Null))
			_, err := tx.SetVertexProperty(v, "single", key, value.String("x"), value.Null, nil)
			return err
		})
	}
	for _, step := range []struct{ label, key, edge, want string }{
		{"person", "name", "knows", "1 1 1 name"}, {"person", "ssn", "knows", "2 2 2 name"}, {"spy", "name", "knows", "2 2 2 name"},
		{"person", "name", "pays", "3 2 2 name name"}, {"person", "age", "knows", "4 3 3 name name age"},
	} {
		add(step.label, step.key, step.edge)
		for range 2 {
			for _, o := range []TxOptions{{ReadOnly: true}, {}} {
				if got := seen(g, o); got != step.want {
					t.Errorf("after %v, %+v: %s", step, o, got)
				}
			}
			if got := seen(other, TxOptions{ReadOnly: true}); !strings.HasPrefix(got, "0 0") || strings.Contains(got, "1") {
				t.Errorf("another graph: %s", got)
			}
		}
	}
}

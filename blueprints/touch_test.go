package blueprints

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// touchGraph makes n vertices with a property and an edge each, and returns them mixed.
func touchGraph(t tb, g *Graph, n int) []value.Value {
	t.Helper()
	var objs []value.Value
	commit(t, g, func(tx *Tx) error {
		objs = objs[:0]
		var last VertexID
		for i := range n {
			v := ok[VertexID](t)(tx.AddVertex("v", value.Null))
			ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "k", value.Int(int32(i)), value.Null, nil))
			objs = append(objs, value.VertexRef(uint64(v)))
			if i > 0 {
				objs = append(objs, value.EdgeRef(uint64(ok[EdgeID](t)(tx.AddEdge("e", last, v, value.Null)))))
			}
			last = v
		}
		return nil
	})
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(objs), func(i, j int) { objs[i], objs[j] = objs[j], objs[i] })
	return objs
}

// shown is what is encoded of each value.
func shown(tx *Tx, objs []value.Value) string {
	text := ""
	for _, o := range objs {
		if !o.IsStored() {
			text += o.JavaString()
			continue
		}
		e, err := o.Resolve(tx, true)
		text += fmt.Sprint(o.Kind(), err)
		if err == nil {
			text += fmt.Sprint(e.ID.JavaString(), e.Label, e.Properties)
		}
	}
	return text
}

// TestAheadWhole: what is told changes no answer, whatever is told of: elements that were
// changed, are gone or never were, in cache or not, and values of other kinds.
func TestAheadWhole(t *testing.T) {
	for name, bytes := range map[string]int64{"cached": 0, "never cached": -1} {
		t.Run(name, func(t *testing.T) {
			_, g := openCached(t, bytes)
			objs := touchGraph(t, g, 3*stage)
			objs = append(objs, value.String("none"), value.Null, value.VertexRef(1<<40), value.EdgeRef(1<<40))
			tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
			defer tx.Close()
			for _, o := range objs[:10] {
				if o.Kind() == value.KindVertex {
					if err := tx.RemoveVertex(VertexID(o.Ref())); err != nil {
						t.Fatal(err)
					}
				}
			}
			want := shown(tx.storeOnly(), objs)
			for n := range 2 { // nothing is in memory the first time
				tx.AheadWhole(objs)
				if got := shown(tx, objs); got != want {
					t.Fatalf("time %d: got\n%s\nwant\n%s", n+1, got, want)
				}
			}
			tx.AheadWhole(nil)
			tx.AheadWhole(objs[:1])
		})
	}
}

// BenchmarkResolve shows elements of a graph that is larger than the processor's caches, in
// lists as long as those of neighbours are.
func BenchmarkResolve(b *testing.B) {
	const list = 16
	for _, ahead := range []bool{false, true} {
		b.Run(map[bool]string{false: "one at a time", true: "ahead"}[ahead], func(b *testing.B) {
			_, g := openCached(b, 0)
			objs := touchGraph(b, g, 100_000)
			tx := reader(b, g)
			room := &value.Element{}
			show := func(objs []value.Value) {
				if ahead {
					tx.AheadWhole(objs)
				}
				for _, o := range objs {
					ok[*value.Element](b)(o.ResolveIn(tx, true, room))
				}
			}
			show(objs)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := i * list % (len(objs) - list)
				show(objs[at : at+list])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/list, "ns/element")
		})
	}
}

package blueprints_test

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// BenchmarkAsOf measures reads of the past in turns with the same of now, both without cache, in a
// store that is on disk but for its log: times is how many times as long they take.
func BenchmarkAsOf(b *testing.B) {
	g := memoryGraph(b)
	vs := overwritten(b, g, 1000)
	hub := vs[0]
	update(b, g, func(tx *blueprints.Tx) error {
		for i, v := range vs[1:] { // each has ten
			for n := range 10 {
				if _, err := tx.AddEdge("to", v, vs[(i*7+n*13)%len(vs)], value.Null); err != nil {
					return err
				}
			}
		}
		return nil
	})
	at := lastStamp(b, g)
	name := func(v blueprints.VertexID, n int) {
		update(b, g, func(tx *blueprints.Tx) error {
			_, err := tx.SetVertexProperty(v, "single", "name", value.Long(int64(n)), value.Null, nil)
			return err
		})
	}
	name(vs[1], 1)
	for n := range 100_000 {
		name(vs[2], n)
	}
	read := func(v blueprints.VertexID, at storage.Stamp) func() { return func() { readName(b, g, v, at) } }
	b.Run("point", func(b *testing.B) { turns(b, read(vs[1], 0), read(vs[1], at)) })
	b.Run("point, never changed", func(b *testing.B) { turns(b, read(vs[3], 0), read(vs[3], at)) })
	b.Run("point, 100000 later versions by 1", func(b *testing.B) { turns(b, read(vs[1], at), read(vs[2], at)) })
	hops := func(at storage.Stamp) func() {
		n := 0
		return func() { n++; twoHops(b, g, vs[1+n%900], at) }
	}
	b.Run("two hops", func(b *testing.B) { turns(b, hops(0), hops(at)) })
	update(b, g, func(tx *blueprints.Tx) error {
		for _, v := range vs[1:] {
			if _, err := tx.AddEdge("to", v, hub, value.Null); err != nil {
				return err
			}
		}
		return nil
	})
	b.Run("two hops, all vertices changed", func(b *testing.B) { turns(b, hops(0), hops(at)) })
}

func memoryGraph(b *testing.B) *blueprints.Graph {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, MemTableBytes: 1 << 20})
	if err != nil {
		b.Fatal(err)
	}
	db := must[*blueprints.Database](b)(blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: -1}))
	b.Cleanup(func() { db.Close() })
	return must[*blueprints.Graph](b)(db.CreateGraph("g", blueprints.Options{History: blueprints.Forever}))
}

// turns reports how many times as long then takes as first does.
func turns(b *testing.B, first, then func()) {
	const turn = 50
	var took [2]time.Duration
	b.ResetTimer()
	for range b.N {
		for i, fn := range [...]func(){first, then} {
			begun := time.Now()
			for range turn {
				fn()
			}
			took[i] += time.Since(begun)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "times")
	b.ReportMetric(float64(took[1].Nanoseconds())/float64(turn*b.N), "ns/read")
	b.ReportMetric(0, "ns/op")
}

func readName(b *testing.B, g *blueprints.Graph, v blueprints.VertexID, at storage.Stamp) {
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at})
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Close()
	key, _ := tx.Symbol("name")
	if _, ok, err := tx.VertexValue(v, key); !ok || err != nil {
		b.Fatal(ok, err)
	}
}

func twoHops(b *testing.B, g *blueprints.Graph, v blueprints.VertexID, at storage.Stamp) {
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at})
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Close()
	near := []blueprints.VertexID{v}
	for range 2 {
		var next []blueprints.VertexID
		err := tx.Expand(near, blueprints.Expansion{Dir: blueprints.Out}, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
			for i := range e.Edges {
				next = append(next, e.Edges[i].Other)
			}
			return nil
		}))
		if err != nil {
			b.Fatal(err)
		}
		near = next
	}
	if len(near) < 90 {
		b.Fatal(len(near))
	}
}

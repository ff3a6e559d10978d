package blueprints_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// BenchmarkHistory compares a graph that keeps what commits overwrite with one that does not:
// adding vertices and overwriting a property, by 16 clients.
func BenchmarkHistory(b *testing.B) {
	for _, keep := range []blueprints.Retention{blueprints.NoHistory, blueprints.Forever} {
		b.Run(fmt.Sprint("add/", keep), func(b *testing.B) {
			g := historyGraph(b, keep)
			clients(b, func(tx *blueprints.Tx, n int64) error {
				v, err := tx.AddVertex("person", value.Null)
				if err == nil {
					_, err = tx.SetVertexProperty(v, "single", "name", value.Long(n), value.Null, nil)
				}
				return err
			}, g)
		})
		b.Run(fmt.Sprint("overwrite/", keep), func(b *testing.B) {
			g := historyGraph(b, keep)
			vs := overwritten(b, g, 1<<12)
			clients(b, func(tx *blueprints.Tx, n int64) error {
				_, err := tx.SetVertexProperty(vs[n%int64(len(vs))], "single", "name", value.Long(n), value.Null, nil)
				return err
			}, g)
		})
	}
}

func historyGraph(b *testing.B, keep blueprints.Retention) *blueprints.Graph {
	s, err := pebble.Open(b.TempDir(), pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	db := must[*blueprints.Database](b)(blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: -1}))
	b.Cleanup(func() { db.Close() })
	return must[*blueprints.Graph](b)(db.CreateGraph("g", blueprints.Options{History: keep}))
}

func overwritten(b *testing.B, g *blueprints.Graph, n int) (vs []blueprints.VertexID) {
	update(b, g, func(tx *blueprints.Tx) error {
		for range n {
			v := addVertex(b, tx, "person")
			if _, err := tx.SetVertexProperty(v, "single", "name", value.Long(0), value.Null, nil); err != nil {
				return err
			}
			vs = append(vs, v)
		}
		return nil
	})
	return vs
}

func clients(b *testing.B, fn func(tx *blueprints.Tx, n int64) error, g *blueprints.Graph) {
	var n atomic.Int64
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := g.Update(ctx, func(tx *blueprints.Tx) error { return fn(tx, n.Add(1)) }); err != nil {
				b.Error(err)
			}
		}
	})
}

func lastStamp(b *testing.B, g *blueprints.Graph) storage.Stamp {
	snap := must[storage.Snapshot](b)(g.Store().Snapshot())
	defer snap.Close()
	v, _ := snap.Get(table.Layout.Stamp)
	n, _ := storage.Count(v)
	return storage.Stamp(n)
}

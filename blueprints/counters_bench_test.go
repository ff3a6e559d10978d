package blueprints_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// BenchmarkIncrement is 64 clients who count at one counter, and at one each: both in
// transactions of their own, which are synced.
func BenchmarkIncrement(b *testing.B) {
	const clients = 64
	for _, places := range []int{1, clients} {
		b.Run(fmt.Sprintf("%d counters", places), func(b *testing.B) {
			s := must[*pebble.Store](b)(pebble.Open(b.TempDir(), pebble.Options{Layout: table.Layout}))
			db := must[*blueprints.Database](b)(blueprints.Open(s, blueprints.DatabaseOptions{}))
			defer db.Close()
			g := must[*blueprints.Graph](b)(db.CreateGraph("g", blueprints.Options{}))
			var vs []blueprints.VertexID
			update(b, g, func(tx *blueprints.Tx) error {
				for range places {
					v := addVertex(b, tx, "page", "name", "a page")
					increment(b, tx, v, "views", 0)
					vs = append(vs, v)
				}
				return nil
			})
			b.ResetTimer()
			var wg sync.WaitGroup
			for i := range clients {
				wg.Go(func() {
					for k := i; k < b.N; k += clients {
						if err := g.Update(ctx, func(tx *blueprints.Tx) error {
							return tx.Increment(blueprints.VertexClass, uint64(vs[i%places]), "views", 1)
						}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			var sum int64
			view(b, g, func(tx *blueprints.Tx) {
				views, _ := tx.Symbol("views")
				for _, v := range vs {
					n, _, err := tx.VertexValue(v, views)
					if err != nil {
						b.Fatal(err)
					}
					sum += n.Int64()
				}
			})
			if sum != int64(b.N) {
				b.Errorf("%d of %d", sum, b.N)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "increments/s")
		})
	}
}

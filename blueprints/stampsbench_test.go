package blueprints_test

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/value"
)

// BenchmarkStamps compares graphs whose elements have stamps, or may expire, with one without, in
// turn: adding vertices and overwriting a property, by 16 clients. rate is that of commits, work
// the processor time of one. Bar: rate of overwrite 0.9.
func BenchmarkStamps(b *testing.B) {
	for name, o := range map[string]blueprints.Options{"stamps": {Stamps: true}, "ttl": {TTL: true}} {
		graphs := [...]*blueprints.Graph{historyGraph(b, blueprints.Options{}), historyGraph(b, o)}
		vs := [...][]blueprints.VertexID{overwritten(b, graphs[0], 1<<12), overwritten(b, graphs[1], 1<<12)}
		for what, write := range map[string]func(tx *blueprints.Tx, vs []blueprints.VertexID, n int64) error{
			"addV": func(tx *blueprints.Tx, _ []blueprints.VertexID, n int64) error {
				v, err := tx.AddVertex("person", value.Null)
				if err == nil {
					_, err = tx.SetVertexProperty(v, "single", "name", value.Long(n), value.Null, nil)
				}
				return err
			},
			"overwrite": func(tx *blueprints.Tx, vs []blueprints.VertexID, n int64) error {
				_, err := tx.SetVertexProperty(vs[n%int64(len(vs))], "single", "name", value.Long(n), value.Null, nil)
				return err
			},
		} {
			b.Run(what+"/"+name, func(b *testing.B) {
				var took, work [2]time.Duration
				for range b.N {
					for i, g := range graphs {
						begun, used := time.Now(), cputime.Own()
						clients(b, g, func(tx *blueprints.Tx, n int64) error { return write(tx, vs[i], n) })
						took[i] += time.Since(begun)
						work[i] += cputime.Own() - used
					}
				}
				b.ReportMetric(float64(took[0])/float64(took[1]), "rate")
				b.ReportMetric(float64(work[1])/float64(work[0]), "work")
			})
		}
	}
}

// BenchmarkDropExpired says how many vertices that are due go in a second, while what drops them rests
// half of the time. Bar: 5,000, so that none goes more than two seconds late.
func BenchmarkDropExpired(b *testing.B) {
	g := historyGraph(b, blueprints.Options{TTL: true})
	at := time.Now().Add(time.Hour)
	addExpiring(b, g, b.N, at)
	b.ResetTimer()
	begun := time.Now()
	if n, err := g.DropExpired(ctx, at.Add(time.Second)); n != b.N || err != nil {
		b.Fatal(n, err)
	}
	b.ReportMetric(float64(b.N)/time.Since(begun).Seconds(), "vertices/s")
}

// addExpiring adds n vertices that end at a time.
func addExpiring(b *testing.B, g *blueprints.Graph, n int, at time.Time) {
	for left := n; left > 0; left -= 512 {
		update(b, g, func(tx *blueprints.Tx) error {
			for range min(left, 512) {
				if err := tx.Expire(blueprints.VertexClass, uint64(addVertex(b, tx, "p", "name", "x")), at); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

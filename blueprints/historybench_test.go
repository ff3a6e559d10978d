package blueprints_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// BenchmarkHistory compares, in turns, writes of 16 clients to a graph that keeps what commits
// overwrite with the same to one that does not: rate is how many times as many are done with
// history, and work how many times as much processor time one takes.
func BenchmarkHistory(b *testing.B) {
	without, with := historyGraph(b, blueprints.Options{History: blueprints.NoHistory}), historyGraph(b, blueprints.Options{History: blueprints.Forever})
	vs := [2][]blueprints.VertexID{overwritten(b, without, 1<<12), overwritten(b, with, 1<<12)}
	for name, write := range map[string]func(tx *blueprints.Tx, vs []blueprints.VertexID, n int64) error{
		"addV": func(tx *blueprints.Tx, _ []blueprints.VertexID, n int64) error {
			v, err := tx.AddVertex("person", value.Null)
			if err == nil {
				_, err = tx.SetVertexProperty(v, "single", "name", value.Long(n), value.Null, nil)
			}
			return err
		},
		"addE": func(tx *blueprints.Tx, vs []blueprints.VertexID, n int64) error {
			_, err := tx.AddEdge("knows", vs[n%int64(len(vs))], vs[n*31%int64(len(vs))], value.Null)
			return err
		},
		"overwrite": func(tx *blueprints.Tx, vs []blueprints.VertexID, n int64) error {
			_, err := tx.SetVertexProperty(vs[n%int64(len(vs))], "single", "name", value.Long(n), value.Null, nil)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took, work [2]time.Duration
			for range b.N {
				for i, g := range [...]*blueprints.Graph{without, with} {
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

// clients has 16 clients make 50 commits each.
func clients(b *testing.B, g *blueprints.Graph, write func(tx *blueprints.Tx, n int64) error) {
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 50 {
				if err := g.Update(ctx, func(tx *blueprints.Tx) error { return write(tx, writes.Add(1)) }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

var writes atomic.Int64

// BenchmarkHistory_Overwritten overwrites a property of 8 bytes b.N times and reports what that takes
// on disk when it is compacted, and then how long it takes to forget all of it. Bars, for 10^6
// times: 45 MB, 10 s.
func BenchmarkHistory_Overwritten(b *testing.B) {
	dir := b.TempDir()
	s := must[*pebble.Store](b)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
	db := must[*blueprints.Database](b)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	b.Cleanup(func() { db.Close() })
	g := must[*blueprints.Graph](b)(db.CreateGraph("g", blueprints.Options{History: blueprints.Retention(time.Hour)}))
	vs := overwritten(b, g, 1<<12)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for n := i; n < b.N; n += 64 {
				err := g.Update(ctx, func(tx *blueprints.Tx) error {
					_, err := tx.SetVertexProperty(vs[n%len(vs)], "single", "name", value.Long(int64(n)), value.Null, nil)
					return err
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	from := table.AppendGraph(nil, g.Number())
	if err := s.Compact(ctx, from, table.PrefixEnd(nil, from)); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(must[int64](b)(g.DiskBytes()))/1e6, "MB")
	begun := time.Now()
	rows, err := g.ForgetHistory(ctx, time.Now().Add(time.Hour+time.Second))
	if err != nil || rows < b.N {
		b.Fatal(rows, err)
	}
	b.ReportMetric(time.Since(begun).Seconds()/float64(rows)*1e6, "s/10^6-rows")
}

// BenchmarkHistory_Import compares, in turns, loads into an empty graph that keeps history with loads
// into one that does not: rate is how many times as fast the former are. Bar: 0.97.
func BenchmarkHistory_Import(b *testing.B) {
	const n = 50_000
	records := func(s blueprints.RecordSink) error {
		for i := range int64(n) {
			name := []blueprints.PropertyRecord{{Key: "name", Value: value.Long(i)}}
			if err := s.Vertex(&blueprints.VertexRecord{ID: value.Long(i), Label: "person", Properties: name}); err != nil {
				return err
			}
		}
		for i := range int64(n) {
			if err := s.Edge(&blueprints.EdgeRecord{ID: value.Long(n + i), Label: "knows", Out: value.Long(i), In: value.Long(i * 31 % n)}); err != nil {
				return err
			}
		}
		return nil
	}
	var took [2]time.Duration
	for range b.N {
		for i, keep := range []blueprints.Retention{blueprints.NoHistory, blueprints.Forever} {
			g := historyGraph(b, blueprints.Options{History: keep})
			begun := time.Now()
			if _, err := load.Graph(ctx, g, load.Options{}, records); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(begun)
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "rate")
}

func historyGraph(b *testing.B, o blueprints.Options) *blueprints.Graph {
	s, err := pebble.Open(b.TempDir(), pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	db := must[*blueprints.Database](b)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	b.Cleanup(func() { db.Close() })
	return must[*blueprints.Graph](b)(db.CreateGraph("g", o))
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

func lastStamp(b *testing.B, g *blueprints.Graph) storage.Stamp {
	snap := must[storage.Snapshot](b)(g.Store().Snapshot())
	defer snap.Close()
	v, _ := snap.Get(table.Layout.Stamp)
	n, _ := storage.Count(v)
	return storage.Stamp(n)
}

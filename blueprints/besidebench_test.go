package blueprints_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// What happens beside writers has parts. Some of them happen for as long as nothing does, in turns:
// what else the machine and its disk do meets both, and where the disk is slow for a while, as much
// waits behind it. A part of retention is many pieces: behind its last one it does not rest.
const (
	expiryParts    = 256
	retentionParts = 16
)

// BenchmarkBeside says how much longer commits take, at their 99th percentile, while b.N rows of
// history are forgotten, or b.N vertices expire: of 16 writers who do half of what they could. Bar
// of times: 2, where 10^6 take at most 10 s of retention, and 200 s of expiry.
func BenchmarkBeside(b *testing.B) {
	b.Run("retention", func(b *testing.B) {
		g := historyGraph(b, blueprints.Options{History: blueprints.Retention(time.Hour)})
		vs := overwritten(b, g, 1<<12)
		var until [retentionParts]time.Time
		for n, part := 0, 0; part < retentionParts; part++ {
			for ; n < b.N*(part+1)/retentionParts; n += 512 {
				update(b, g, func(tx *blueprints.Tx) (err error) {
					for i := n; i < min(n+512, b.N) && err == nil; i++ {
						_, err = tx.SetVertexProperty(vs[i%len(vs)], "single", "name", value.Long(int64(i)), value.Null, nil)
					}
					return err
				})
			}
			until[part] = time.Now().Add(time.Hour)
		}
		beside(b, overwriting(g, vs), shortly, retentionParts, nothing, func(part int) error {
			_, err := g.ForgetHistory(ctx, until[part])
			return err
		})
	})
	b.Run("expiry", func(b *testing.B) {
		g := historyGraph(b, blueprints.Options{TTL: true})
		vs, at := overwritten(b, g, 1<<12), time.Now().Add(time.Hour)
		for part := range expiryParts {
			addExpiring(b, g, b.N/expiryParts, at.Add(time.Duration(part)*time.Minute))
		}
		beside(b, overwriting(g, vs), shortly, expiryParts, nothing, func(part int) error {
			n, err := g.DropExpired(ctx, at.Add(time.Duration(part)*time.Minute+time.Second))
			if n != b.N/expiryParts {
				b.Errorf("%d are gone", n)
			}
			return err
		})
	})
}

// overwriting is a write of a property of the n-th of some vertices.
func overwriting(g *blueprints.Graph, vs []blueprints.VertexID) func(n int64) error {
	return func(n int64) error {
		return g.Update(ctx, func(tx *blueprints.Tx) error {
			_, err := tx.SetVertexProperty(vs[n%int64(len(vs))], "single", "name", value.Long(n), value.Null, nil)
			return err
		})
	}
}

func nothing(int) error { return nil }

// shortly is how long commits are alone where a chore has many parts.
const shortly = 400 * time.Millisecond

// beside reports how commits are slowed by a chore beside them. Before each of its parts, or of
// several short ones, they are alone for a time, in which the store has to do all that it does now
// and then, and everything is prepared without a hurry.
func beside(b *testing.B, write func(n int64) error, alone time.Duration, parts int, prepare, chore func(part int) error) {
	const warm = time.Second
	most := len(paced(b, write, 0, after(warm)))
	every := 2 * 16 * warm / time.Duration(most)
	var before, while []time.Duration
	var chores time.Duration
	turns := 0
	for part := 0; part < parts; turns++ {
		before = append(before, paced(b, write, every, after(alone))...)
		if err := prepare(part); err != nil {
			b.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			begun := time.Now()
			for ; part < parts && time.Since(begun) < alone; part++ {
				if err := chore(part); err != nil {
					b.Error(err)
				}
			}
			chores += time.Since(begun)
		}()
		while = append(while, paced(b, write, every, ended)...)
	}
	b.ReportMetric(chores.Seconds()/float64(b.N)*1e6, "s/10^6")
	b.ReportMetric(float64(len(before))/(float64(turns)*alone.Seconds()), "writes/s")
	b.ReportMetric(float64(percentile(before).Microseconds()), "alone-p99-us")
	b.ReportMetric(float64(percentile(while).Microseconds()), "beside-p99-us")
	b.ReportMetric(float64(percentile(while))/float64(percentile(before)), "times")
}

func after(d time.Duration) <-chan struct{} {
	end := make(chan struct{})
	time.AfterFunc(d, func() { close(end) })
	return end
}

// paced has 16 clients write until end, each once in every, and returns how long
// it took from when it was due.
func paced(b *testing.B, write func(n int64) error, every time.Duration, end <-chan struct{}) []time.Duration {
	var wg sync.WaitGroup
	var took [16][]time.Duration
	for c := range took {
		wg.Go(func() {
			for due := time.Now(); ; due = due.Add(every) {
				select {
				case <-end:
					return
				case <-time.After(time.Until(due)):
				}
				if every == 0 {
					due = time.Now()
				}
				if err := write(writes.Add(1)); err != nil {
					b.Error(err)
					return
				}
				took[c] = append(took[c], time.Since(due))
			}
		})
	}
	wg.Wait()
	return slices.Concat(took[:]...)
}

func percentile(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)*99/100]
}

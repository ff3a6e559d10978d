package blueprints_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/value"
)

// TestManyOpen leaves many scans of one transaction open, or closes them in any order: what
// that takes grows as they do.
func TestManyOpen(t *testing.T) {
	const scans = 100_000
	g := newGraph(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error {
		_, err := tx.AddVertex("a", value.Null)
		return err
	})
	for _, c := range []struct {
		name  string
		order func(n int) []int
	}{
		{"the end of the transaction", func(int) []int { return nil }},
		{"the oldest first", func(n int) []int {
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			return all
		}},
		{"at random, and again", func(n int) []int { return append(rand.Perm(n), rand.Perm(n)[:n/2]...) }},
	} {
		var took time.Duration
		view(t, g, func(tx *blueprints.Tx) {
			open := make([]blueprints.VertexIterator, scans)
			for i := range open {
				open[i] = tx.Vertices()
			}
			began := cputime.Own()
			for _, i := range c.order(scans) {
				if err := open[i].Close(); err != nil {
					t.Fatal(err)
				}
			}
			_ = tx.Close()
			took = cputime.Own() - began
			if n := open[0].Next(make([]blueprints.VertexID, 1)); n != 0 {
				t.Error("a scan goes on behind the end of its transaction")
			}
		})
		if took > 2*time.Second { // some 20 ms; a square is 10^10 looks
			t.Errorf("%s: closing %d scans took %v of computing", c.name, scans, took)
		}
	}
}

package pebble

import (
	"sync/atomic"
	"testing"
	"time"
)

// Who has passed waits as long before it passes again as others took.
func TestTurns(t *testing.T) {
	var turns turns
	before := time.Since(epoch)
	turns.pass()
	if due := time.Duration(turns.due.Load()); due < before {
		t.Errorf("passed at %v, and again at %v", before, due)
	}
	later := int64(time.Since(epoch) + time.Hour)
	turns.due.Store(later)
	turns.pass()
	if turns.due.Load() != later {
		t.Error("passed before it was due")
	}
}

// TestTurns_Beside: beside somebody who commits, who writes tables rests for a while, and does not
// rest again for as long; when that was long ago he does not.
func TestTurns_Beside(t *testing.T) {
	var commit atomic.Int64
	turns := turns{commit: &commit}
	for _, c := range []struct {
		ago   time.Duration
		rests bool
	}{{-time.Hour, true}, {time.Hour, false}} { // far enough for pass to be late
		turns.due.Store(0)
		before := time.Since(epoch)
		commit.Store(int64(before - c.ago))
		turns.pass()
		took := time.Since(epoch) - before
		if c.rests && (took < restEach || time.Duration(turns.due.Load()) < before+2*restEach) {
			t.Errorf("rested for %v, and again at %v behind that", took, time.Duration(turns.due.Load())-before)
		}
		if ahead := time.Duration(turns.due.Load()) - time.Since(epoch); !c.rests && ahead >= took {
			t.Errorf("rests again only in %v, others took %v", ahead, took)
		}
	}
}

package pebble

import (
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

package pebble

import (
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
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

// TestTurns_Beside: beside somebody who commits, who writes tables rests for a while, longer where there
// is time, and does not rest again for as long as restEach; when that was long ago he does not.
func TestTurns_Beside(t *testing.T) {
	var beside beside
	turns := turns{beside: &beside}
	for _, c := range []struct {
		ago   time.Duration
		rests bool
		calm  bool
	}{{-time.Hour, true, false}, {-time.Hour, true, true}, {time.Hour, false, true}} { // far enough for pass to be late
		beside.calm.Store(c.calm)
		turns.due.Store(0)
		before := time.Since(epoch)
		beside.last.Store(int64(before - c.ago))
		turns.pass()
		took := time.Since(epoch) - before
		if c.rests && (took < beside.rest() || time.Duration(turns.due.Load()) < before+beside.rest()+restEach) {
			t.Errorf("rested for %v, and again at %v behind that", took, time.Duration(turns.due.Load())-before)
		}
		if ahead := time.Duration(turns.due.Load()) - time.Since(epoch); !c.rests && ahead >= took {
			t.Errorf("rests again only in %v, others took %v", ahead, took)
		}
	}
}

// TestTurns_Both: two who write tables at once share the time that one has, unless tables wait.
func TestTurns_Both(t *testing.T) {
	for _, late := range []bool{false, true} {
		var beside beside
		beside.look(&pebble.Metrics{}, 1<<20)
		if late {
			m := pebble.Metrics{}
			m.MemTable.Size = 3 << 20
			beside.look(&m, 1<<20)
		}
		want := restEach / 2
		if late {
			want = restEach
		}
		turns := turns{beside: &beside}
		turns.resting.Store(1) // the other one
		before := time.Since(epoch)
		beside.last.Store(int64(before + time.Hour))
		turns.pass()
		if n := turns.resting.Load(); n != 1 {
			t.Errorf("%d rest", n)
		}
		if ahead := time.Duration(turns.due.Load()) - time.Since(epoch); ahead > want || beside.work(2) != want {
			t.Errorf("late %v: rests again in %v of %v, want %v", late, ahead, beside.work(2), want)
		}
	}
}

// TestBeside: there is time while little is written, and none of it waits.
func TestBeside(t *testing.T) {
	b := beside{flushed: time.Since(epoch) - time.Minute}
	b.wrote(calmRate)
	if b.rest() != restCalm {
		t.Error("no time beside who writes little")
	}
	for name, m := range map[string]pebble.Metrics{"memory": {}, "levels": {}} {
		if name == "memory" {
			m.MemTable.Size = 3 << 20
		} else {
			m.Levels[0].Sublevels = calmLevels + 1
		}
		b.calm.Store(true)
		b.look(&pebble.Metrics{}, 1<<20)
		if !b.calm.Load() {
			t.Error("no time where nothing waits")
		}
		if b.look(&m, 1<<20); b.rest() != restEach {
			t.Error("time, where tables wait:", name)
		}
	}
	b.calm.Store(true)
	b.wrote(100 * calmRate) // within a moment
	if b.rest() != restEach {
		t.Error("time beside who writes much")
	}
}

// TestBeside_Store: a store knows which of the two it is.
func TestBeside_Store(t *testing.T) {
	s, err := Open("", Options{InMemory: true, MemTableBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.beside.flushed = time.Since(epoch) - time.Hour
	if err := s.db.Set([]byte("k"), make([]byte, 1000), pebble.NoSync); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Flush(); err != nil {
		t.Fatal(err)
	}
	if !s.beside.calm.Load() {
		t.Error("no time beside who has written a kilobyte within an hour")
	}
}

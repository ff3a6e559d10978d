package keyindex

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// counted is a Store of which nothing but the number of its commits is asked.
type counted struct {
	storage.Store
	seq atomic.Uint64
}

func (c *counted) Seq() uint64 { return c.seq.Load() }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A builder goes on at once while nobody else commits, and at besideRate beside others, who
// are seen until besideFor behind their last commit.
func TestPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counted{}
		p := newPacer(s)
		turns := func(n int) time.Duration {
			began := time.Now()
			for range n {
				must(t, p.turn(t.Context(), besideRate/100))
			}
			return time.Since(began)
		}
		s.seq.Add(1)
		if took := turns(1); took != 10*time.Millisecond {
			t.Errorf("beside others from the first turn on: %v", took)
		}
		must(t, sleep(t.Context(), besideFor))
		s.seq.Add(3)
		p.own(3)
		if took := turns(100); took != 0 || p.beside() {
			t.Errorf("alone: %v", took)
		}
		s.seq.Add(1)
		if took := turns(50); took < 480*time.Millisecond || took > 500*time.Millisecond || !p.beside() {
			t.Errorf("beside others: %v", took)
		}
		must(t, sleep(t.Context(), besideFor))
		if took := turns(100); took != 0 || p.beside() {
			t.Errorf("alone again: %v", took)
		}
		s.seq.Add(1)
		turns(1)
		must(t, sleep(t.Context(), besideFor/2)) // held up: that is made good, but not at once
		s.seq.Add(1)
		if took := turns(10); took < 60*time.Millisecond || took > 80*time.Millisecond {
			t.Errorf("behind a delay: %v", took)
		}
		turns(190)
		s.seq.Add(1)
		if took := turns(10); took < 95*time.Millisecond {
			t.Errorf("when it was made good: %v", took)
		}
	})
}

// What a builder takes on: little at first, when it does not know of others yet; alone, tables, ever
// larger ones; beside others tables of many, which are halved where they have no room in memory. What
// no tables are made of goes by small transactions, beside others as large as they come to the rate.
func TestBuilder_Size(t *testing.T) {
	s := &counted{}
	b := &builder{pace: newPacer(s)}
	building, dropping := &Definition{State: Building}, &Definition{State: Dropping}
	n := newSize(building)
	if got := b.size(&n, building); got != batchMax {
		t.Errorf("at first: %d", got)
	}
	n.won(batchMax)
	if got := b.size(&n, building); got != tablesFirst {
		t.Errorf("alone: %d", got)
	}
	b.pace.others = time.Now().Add(time.Hour)
	if got := b.size(&n, dropping); got != besideBatch {
		t.Errorf("dropped beside others: %d", got)
	}
	for range 100 {
		b.pace.spent(5 * time.Millisecond)
	}
	if got := b.size(&n, dropping); got < besideRate*4/1000 || got > besideRate*5/1000 {
		t.Errorf("dropped beside others whose commits take 5 ms: %d", got)
	}
	if got := b.size(&n, building); got != tablesFirst {
		t.Errorf("beside others at first: %d", got)
	}
	n.won(tablesFirst)
	if got := b.size(&n, building); got != tablesMax {
		t.Errorf("beside others: %d", got)
	}
	n.lost(tablesMax)
	n.won(tablesMax / 2)
	if got := b.size(&n, building); got != tablesMax {
		t.Errorf("beside others, behind a lost conflict: %d", got)
	}
	n.full(tablesMax)
	n.won(tablesMax / 2)
	if got := b.size(&n, building); got != tablesMax/2 {
		t.Errorf("beside others, without room for more: %d", got)
	}
	for range 20 {
		n.lost(besideBatch)
	}
	if got := b.size(&n, dropping); got != 1 {
		t.Errorf("behind lost conflicts: %d", got)
	}
}

// TestBuilder_SizeUnique: tables of a unique index beside others are of few elements at first, and each
// time that they are lost twice as many go by small transactions before they are tried again.
func TestBuilder_SizeUnique(t *testing.T) {
	b, d := &builder{pace: newPacer(&counted{})}, &Definition{State: Building, Unique: true}
	b.pace.others = time.Now().Add(time.Hour)
	n := newSize(d)
	n.won(batchMax)
	for _, want := range []int{tablesFirst, 2 * tablesFirst, 4 * tablesFirst} {
		if got := b.size(&n, d); got != want {
			t.Errorf("%d elements, want %d", got, want)
		}
		n.won(want)
	}
	for _, want := range []int{againFirst, 2 * againFirst, 4 * againFirst} {
		n.lost(b.size(&n, d))
		small := 0
		for got := b.size(&n, d); got <= batchMax; got = b.size(&n, d) {
			small += got
			n.won(got)
		}
		if small < want || small >= want+batchMax {
			t.Errorf("%d elements by small transactions, want %d", small, want)
		}
		if got := b.size(&n, d); got != tablesFirst {
			t.Errorf("%d elements behind that", got)
		}
	}
}

// TestStages: each stage has as much of the time as it has worked on those before, but never all.
func TestStages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := &stages{}, newPacer(&counted{})
		work := func(finding, writing time.Duration) {
			s.begin()
			for _, each := range []struct {
				stint *stint
				took  time.Duration
			}{{s.find(p), finding}, {s.write(p), writing}} {
				each.stint.since = time.Now()
				must(t, sleep(t.Context(), each.took))
				must(t, each.stint.turn(t.Context(), 1))
			}
		}
		work(time.Second, time.Second)
		if s.found != foundFirst {
			t.Errorf("finding has %v at first", s.found)
		}
		for _, c := range []struct {
			finding, writing time.Duration
			want             float64
		}{{time.Second, 3 * time.Second, .25}, {9 * time.Second, time.Second, .9}, {time.Second, 0, .9}, {time.Hour, time.Second, foundMax}, {time.Second, time.Hour, foundMin}} {
			work(c.finding, c.writing)
			s.begin()
			if s.found < c.want-.01 || s.found > c.want+.01 {
				t.Errorf("finding has %v of the time when it takes %v, and writing %v", s.found, c.finding, c.writing)
			}
		}
	})
}

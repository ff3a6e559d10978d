package keyindex

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// pauseMin and pauseMax bound the wait after a lost conflict.
const (
	pauseMin = time.Millisecond
	pauseMax = 64 * time.Millisecond
)

// tablesMin is how many elements are worth tables, tablesMax how many are gathered at once at
// most, and tablesFirst at first.
const (
	tablesMin   = 1 << 12
	tablesFirst = 1 << 13
	tablesMax   = 1 << 17
)

// size is how much the builder of an index takes on at once.
type size struct {
	batch  int // elements of a small transaction
	tables int // elements of which tables are made
	small  int // elements that go by small transactions before tables are tried again
	pause  time.Duration
}

func newSize() size { return size{batch: batchMax, tables: tablesFirst, pause: pauseMin} }

// elements is how many come next: of more than batchMax tables are made.
func (s *size) elements() int {
	if s.small > 0 {
		return s.batch
	}
	return s.tables
}

// won asks for more after some elements.
func (s *size) won(elements int) {
	s.pause = pauseMin
	if elements > batchMax {
		s.tables = min(2*s.tables, tablesMax)
		return
	}
	s.batch, s.small = min(2*s.batch, batchMax), max(s.small-elements, 0)
}

// lost asks for less after a lost conflict, or after tables that could not be.
func (s *size) lost(elements int) {
	s.pause = min(2*s.pause, pauseMax)
	switch {
	case elements <= batchMax:
		s.batch = max(s.batch/2, 1)
	case s.tables > tablesMin:
		s.tables /= 2
	default:
		s.small = tablesMin
	}
}

// Beside others who commit, a builder goes through besideRate elements a second and no more, in
// small transactions: tables have the store write what it has in memory, and others wait for
// that. Where an element has many entries (trigrams), as many small writes are still worse.
// Who has not been seen for besideFor is gone. The numbers are measured (BenchmarkBuildBeside).
const (
	besideRate   = 52_000
	besideBatch  = 1 << 6  // elements of a small transaction
	besideTables = 1 << 15 // and of tables
	besideFor    = time.Second
)

// size is how many elements the builder takes on next.
func (b *builder) size(s *size, d *Definition) int {
	n := s.elements()
	switch {
	case !b.pace.beside():
		return n
	case n > batchMax && d.Analyzer == Trigram:
		return min(n, besideTables)
	}
	return min(s.batch, besideBatch)
}

// pacer holds a builder back beside others. Its goroutines share it.
type pacer struct {
	store storage.Store

	mu     sync.Mutex
	seq    uint64    // as seen last
	others time.Time // until when there are others
	due    time.Time // when the elements so far may be done
}

func newPacer(s storage.Store) *pacer { return &pacer{store: s, seq: s.Seq()} }

// own takes commits of the builder's own for nobody's.
func (p *pacer) own(commits uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seq += commits
}

// turn is called behind some elements, and returns when there is time for more.
func (p *pacer) turn(ctx context.Context, elements int) error {
	runtime.Gosched() // others have waited for as long as these took
	return sleep(ctx, p.rest(elements))
}

func (p *pacer) beside() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Before(p.others)
}

func (p *pacer) rest(elements int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if seq := p.store.Seq(); seq > p.seq {
		p.seq = seq
		p.others = now.Add(besideFor)
	}
	if now.After(p.others) {
		p.due = now
		return 0
	}
	if behind := now.Add(-restMax); p.due.Before(behind) {
		p.due = behind
	}
	p.due = p.due.Add(time.Duration(elements) * time.Second / besideRate)
	return p.due.Sub(now)
}

// restMax is how long a builder that was held up may go on without a rest.
const restMax = 10 * time.Millisecond

func sleep(ctx context.Context, d time.Duration) error {
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
	return ctx.Err()
}

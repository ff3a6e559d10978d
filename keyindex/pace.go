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
	beside int // and of which beside others
	most   int // of either: as many as have room in memory
	small  int // elements that go by small transactions before tables are tried again
	again  int // and how many once tables were lost to others; 0: smaller tables are tried
	pause  time.Duration
}

// newSize begins with a small transaction, behind which it is known whether there are others, and small
// tables, behind which it is known how much work they are. Tables of a unique index lose to whoever
// changes one of their elements. So they grow slowly, and where that was of no use they are tried ever
// less often.
func newSize(d *Definition) size {
	s := size{batch: batchMax, tables: tablesFirst, beside: tablesFirst, most: tablesMax, small: 1, pause: pauseMin}
	if d.Unique {
		s.again = againFirst
	}
	return s
}

// againFirst is how many elements of a unique index go by small transactions behind tables that were
// lost, at first, and againMax at most.
const (
	againFirst = 1 << 15
	againMax   = 1 << 20
)

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
		s.tables, s.beside = min(2*s.tables, s.most), min(2*s.beside, s.most)
		if s.again == 0 {
			s.beside = s.most // each time that tables are taken in others wait
		}
		return
	}
	s.batch, s.small = min(2*s.batch, batchMax), max(s.small-elements, 0)
}

// lost asks for less after a lost conflict.
func (s *size) lost(elements int) {
	s.pause = min(2*s.pause, pauseMax)
	switch {
	case elements <= batchMax:
		s.batch = max(s.batch/2, 1)
	case s.again > 0:
		s.tables, s.beside = tablesFirst, tablesFirst
		s.small, s.again = s.again, min(2*s.again, againMax)
	case elements > tablesMin:
		less := max(elements/2, tablesMin)
		s.tables, s.beside = min(s.tables, less), min(s.beside, less)
	default:
		s.small = tablesMin
	}
}

// full asks for less, and no more again, where tables have no room in memory.
func (s *size) full(elements int) {
	s.lost(elements)
	s.most = min(s.most, max(elements/2, tablesMin))
}

// Beside others who commit, a builder goes through besideRate elements a second and no more. It makes
// tables of many elements each: while they are taken in nobody commits, for a few milliseconds, and a
// 99th percentile does not see what happens seldom. For each small transaction they would wait while it
// is compared and written, though it shares their syncs. Who has not been seen for besideFor is gone.
// The numbers are measured (BenchmarkBuildBeside; that tables are better than small transactions on a
// disk, in row 19 of make bench).
const (
	besideRate  = 55_000
	besideBatch = 1 << 6 // elements of a small transaction, at least
	besideFor   = time.Second
)

// size is how many elements the builder takes on next.
func (b *builder) size(s *size, d *Definition) int {
	switch n := s.elements(); {
	case !b.pace.beside():
		return n
	case n > batchMax && d.State == Building:
		return s.beside
	}
	return min(s.batch, b.pace.batch())
}

// pacer holds a builder back beside others. Its goroutines share it.
type pacer struct {
	store storage.Store

	mu     sync.Mutex
	seq    uint64        // as seen last
	others time.Time     // until when there are others
	due    time.Time     // when the elements so far may be done
	owed   time.Duration // that it is late besides
	step   time.Duration // what a small transaction takes, of late
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
	return p.turnOf(ctx, float64(elements))
}

// turnOf is turn behind a part of what elements take.
func (p *pacer) turnOf(ctx context.Context, elements float64) error {
	runtime.Gosched() // others have waited for as long as these took
	return sleep(ctx, p.rest(elements))
}

func (p *pacer) beside() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Before(p.others)
}

// batch is how many elements a small transaction beside others has: as many as come to besideRate,
// however long a commit takes.
func (p *pacer) batch() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(besideBatch, int(p.step*besideRate/time.Second))
}

// spent notes how long a small transaction took.
func (p *pacer) spent(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step += (d - p.step) / 8
}

// patience is how long a commit of the builder waits for one of others.
func (p *pacer) patience() time.Duration {
	if p.beside() {
		return patienceMax
	}
	return 0
}

// patienceMax is several syncs: others who write come by then.
const patienceMax = 3 * time.Millisecond

func (p *pacer) rest(elements float64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.After(p.others) {
		p.due, p.owed = now, 0
	}
	if seq := p.store.Seq(); seq > p.seq {
		p.seq = seq
		p.others = now.Add(besideFor)
	}
	if now.After(p.others) {
		return 0
	}
	if behind := now.Add(-restMax); p.due.Before(behind) {
		p.owed = min(p.owed+behind.Sub(p.due), owedMax)
		p.due = behind
	}
	step := time.Duration(elements * float64(time.Second) / besideRate)
	made := min(p.owed, step/owedPart)
	p.owed -= made
	p.due = p.due.Add(step - made)
	return p.due.Sub(now)
}

// A builder that was held up, as while tables are taken in, goes on without a rest for restMax. What it
// lost besides, owedMax at most, it makes good by taking an owedPart of the time off what follows.
const (
	restMax  = 10 * time.Millisecond
	owedMax  = time.Second
	owedPart = 4
)

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

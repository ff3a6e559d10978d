package engine

import (
	"maps"
	"runtime"
	"sync/atomic"
	"weak"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/graphs"
)

// A script starts traversals in its loops, takes a result or two of each and forgets
// it, or keeps it. What each takes while it runs is charged, and is given back when it
// has ended or when nobody can reach it any more, which the collector tells.

// collectedEvery is how many bytes are charged before garbage is looked for to make room.
const collectedEvery = 16 << 20

// started counts the running traversals of one query of a script.
type started struct {
	account *account.Account
	over    atomic.Int64 // bytes of those that have ended, still charged
	since   int64        // bytes charged since garbage was looked for
}

// running is what is charged for one traversal.
type running struct {
	of    *started
	bytes int64
	done  atomic.Bool
}

// end takes note that it runs no more.
func (r *running) end() {
	if r != nil && r.done.CompareAndSwap(false, true) {
		r.of.over.Add(r.bytes)
	}
}

// starts charges for a traversal that a script is about to start.
func (w *work) starts(b *traversal.Bytecode) (*running, error) {
	if w.started == nil {
		w.started = &started{account: w.q.Account}
	}
	s := w.started
	r := &running{of: s, bytes: int64(graphs.RunningBytes(b))}
	s.account.Release(s.over.Swap(0))
	err := s.account.Charge(r.bytes)
	if err != nil && s.since > collectedEvery {
		s.since = 0
		runtime.GC()
		s.account.Release(s.over.Swap(0))
		err = s.account.Charge(r.bytes)
	}
	s.since += r.bytes
	return r, err
}

// watch has the charge of r given back when nobody can reach the run.
func (w *work) watch(r *run, c *running) {
	r.charge = c
	if r == &w.run { // which is used again
		return
	}
	runtime.AddCleanup(r, (*running).end, c)
	if w.o.Session {
		w.live.add(r)
	}
}

// liveRuns are those of a session that may have results left, for as long as a variable
// reaches them.
type liveRuns struct {
	runs  map[weak.Pointer[run]]struct{}
	prune int // how many there are before those that are gone are looked for
}

const pruneLeast = 256

func (l *liveRuns) add(r *run) {
	if len(l.runs) >= l.prune {
		maps.DeleteFunc(l.runs, func(p weak.Pointer[run], _ struct{}) bool { return p.Value() == nil })
		l.prune = max(2*len(l.runs), pruneLeast)
	}
	if l.runs == nil {
		l.runs = map[weak.Pointer[run]]struct{}{}
	}
	l.runs[weak.Make(r)] = struct{}{}
}

func (l *liveRuns) remove(r *run) { delete(l.runs, weak.Make(r)) }

// of reports whether one of them reads in a transaction.
func (l *liveRuns) of(t *blueprints.Tx) bool {
	for p := range l.runs {
		if r := p.Value(); r != nil && r.tx == t {
			return true
		}
	}
	return false
}

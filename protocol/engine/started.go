package engine

import (
	"runtime"
	"slices"
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
	// What follows is of a session, whose variables may keep the traversal.
	run    weak.Pointer[run]
	memory account.Account // what its steps hold: of its query, and behind it of the session
	kept   bool            // memory counts on the session
}

// end takes note that it runs no more.
func (r *running) end() {
	if r != nil && r.done.CompareAndSwap(false, true) {
		r.of.over.Add(r.bytes)
	}
}

// starts charges for a traversal that a script is about to start.
func (w *work) starts(b *traversal.Bytecode) (*running, error) {
	r := w.starting(int64(graphs.RunningBytes(b)))
	s := r.of
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

func (w *work) starting(bytes int64) *running {
	if w.started == nil {
		w.started = &started{account: w.q.Account}
	}
	r := &running{of: w.started, bytes: bytes}
	if w.o.Session {
		r.memory.Init(w.q.Account, "queryMemory", account.Unlimited)
	}
	return r
}

// holds is what the steps of a traversal that a script starts are charged to.
func (w *work) holds(c *running) *account.Account {
	if w.o.Session {
		return &c.memory
	}
	return w.q.Account
}

// watch has the charge of r given back when nobody can reach the run.
func (w *work) watch(r *run, c *running) {
	if r.charge = c; c == nil || r == &w.run { // nothing is charged, or it is used again
		return
	}
	runtime.AddCleanup(r, (*running).end, c)
	if w.o.Session {
		c.run = weak.Make(r)
		w.live.add(c)
	}
}

// over reports whether it has ended or nobody can reach it.
func (r *running) over() bool { return r.done.Load() || r.run.Value() == nil }

// liveRuns are those of a session that may have results left, for as long as a variable
// reaches them.
type liveRuns struct {
	list  []*running
	prune int // how many there are before those that are gone are looked for
}

const pruneLeast = 256

func (l *liveRuns) add(r *running) {
	if len(l.list) >= l.prune {
		l.forgetOver()
		l.prune = max(2*len(l.list), pruneLeast)
	}
	l.list = append(l.list, r)
}

// forgetOver gives back what is charged for those that are over.
func (l *liveRuns) forgetOver() {
	l.list = slices.DeleteFunc(l.list, func(r *running) bool {
		over := r.over()
		if over && r.kept {
			r.memory.Clear()
		}
		return over
	})
}

// of reports whether one of them reads in a transaction.
func (l *liveRuns) of(t *blueprints.Tx) bool {
	return slices.ContainsFunc(l.list, func(r *running) bool {
		x := r.run.Value()
		return x != nil && x.tx == t && !r.done.Load()
	})
}

// rest charges a session for what its variables keep of the traversals of a query that has
// ended.
func (l *liveRuns) rest(session *account.Account) {
	l.forgetOver()
	if l.unpaid() > session.Max()-session.Used() {
		runtime.GC()
		l.forgetOver()
	}
	for _, r := range l.list {
		if !r.kept {
			r.keep(session)
		}
	}
}

// unpaid is how much the session is to be charged.
func (l *liveRuns) unpaid() (bytes int64) {
	for _, r := range l.list {
		if !r.kept {
			bytes += r.memory.Used()
		}
	}
	return bytes
}

// keep charges a session. Where that has no room the traversal ends, and says so to who
// wants more of it.
func (r *running) keep(session *account.Account) {
	r.kept = true
	if err := r.memory.Move(session); err != nil {
		if x := r.run.Value(); x != nil {
			x.err, x.r = err, traversal.Run{}
		}
	}
}

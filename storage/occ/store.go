package occ

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Store is the transactions over a Base: what of a storage.Store is not the engine's. All
// its methods may be called from any goroutine.
type Store struct {
	base Base
	opts Options
	log  *slog.Logger

	lifetimes lifetimes
	committer *committer
	seq       atomic.Uint64 // last published commit
	listeners atomic.Pointer[[]func(storage.Commit)]
	watchers  atomic.Pointer[[]func()]
	listening sync.Mutex // held while listeners are added
	counts    counts

	failed atomic.Bool
	dead   chan struct{} // closed behind failed
}

// New returns a Store over base. Before Start it can do nothing but fail.
func New(base Base, o Options) *Store {
	o.setDefaults()
	return &Store{base: base, opts: o, log: o.Logger, dead: make(chan struct{})}
}

// Start publishes what the Base holds, whose last commit has the number seq and whose last
// stamp is given, and lets transactions begin. It is called once; End stops what it starts.
func (s *Store) Start(seq uint64, stamp storage.Stamp) error {
	s.committer = &committer{
		store: s, seq: seq, stamp: stamp, queue: newQueue(), done: make(chan struct{}),
		recent: newRecent(&s.opts.Limits, &s.opts.Layout, seq),
	}
	s.seq.Store(seq)
	if err := s.lifetimes.publish(s, s.base.State(), seq); err != nil {
		return err
	}
	go s.committer.run()
	return nil
}

// Fail has the Store answer nothing any more, neither reads nor commits: nobody knows
// what the Base holds. It may be called more than once, and before Start.
func (s *Store) Fail() {
	if !s.failed.Swap(true) {
		close(s.dead)
	}
}

// Failed returns a channel that closes with Fail.
func (s *Store) Failed() <-chan struct{} { return s.dead }

// Alive returns an error once the Store has failed.
func (s *Store) Alive() error {
	if s.failed.Load() {
		return errFailed
	}
	return nil
}

var errFailed = fmt.Errorf("the store has failed: %w", storage.ErrUnavailable)

// End lets nothing begin any more, waits Options.CloseWait for open readers and
// transactions, which may still commit, and ends the committer. idle closes when the
// last reader is gone: until then the Base must stay open. The error, with which idle may
// come later, says that some stayed; after Fail there is an error and no idle.
func (s *Store) End() (idle <-chan struct{}, err error) {
	idle, err = s.lifetimes.retire()
	if err != nil {
		s.log.Error("release a snapshot", "err", err)
	}
	timer := time.NewTimer(s.opts.CloseWait)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-s.dead:
	}
	s.committer.queue.close()
	select {
	case <-s.committer.done:
	case <-s.dead: // the committer never comes back
		return nil, s.Alive()
	}
	select {
	case <-idle:
		return idle, nil
	default:
	}
	n, _, age := s.lifetimes.openStates()
	return idle, fmt.Errorf("%d readers still open after %v, the oldest for %v: %w", n, s.opts.CloseWait, age, storage.ErrUnavailable)
}

// Seq is the number of the last published commit.
func (s *Store) Seq() uint64 { return s.seq.Load() }

// Snapshot returns the latest published snapshot.
func (s *Store) Snapshot() (storage.Snapshot, error) {
	if err := s.Alive(); err != nil {
		return nil, err
	}
	sh := s.lifetimes.acquire(false)
	if sh == nil {
		return nil, storage.ErrClosed
	}
	return &snapshot{sh: sh}, nil
}

// WithState calls fn with the published state, which stays open meanwhile, and does
// nothing once the Store has ended.
func (s *Store) WithState(fn func(State) error) error {
	sh := s.lifetimes.acquire(false)
	if sh == nil {
		return nil
	}
	err := fn(sh.state)
	if rerr := sh.release(); err == nil {
		err = rerr
	}
	return err
}

// Begin opens a transaction, see storage.Store.
func (s *Store) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if err := s.Alive(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	t := txs.Get().(*Tx)
	t.store, t.opts, t.finished = s, o, false
	if !o.ReadOnly {
		t.paid.Account = o.Account
		t.reads = newReadSet(&s.opts, o.Account)
	}
	if o.Alone && !o.ReadOnly {
		if _, err := s.committer.submit(ctx, newRequest(acquireAlone, t)); err != nil {
			return nil, fmt.Errorf("begin alone: %w", err)
		}
	}
	sh := s.lifetimes.acquire(!o.ReadOnly)
	if sh == nil {
		s.release(t)
		return nil, storage.ErrClosed
	}
	t.own = snapshot{sh: sh, owned: true, ctx: ctx, scans: scansOf(&o)}
	t.base = &t.own
	return t, nil
}

// txDone takes a transaction off the books.
func (s *Store) txDone(t *Tx) {
	if t.opts.ReadOnly {
		return
	}
	if s.lifetimes.ended(t.base.sh.seq) {
		s.committer.idle()
	}
	s.release(t)
}

// release lets others commit again after a transaction that was alone.
func (s *Store) release(t *Tx) {
	if !t.opts.Alone || t.opts.ReadOnly {
		return
	}
	// Without a context: only a dead or a closed store does not answer, and then
	// there is nothing to release.
	_, _ = s.committer.submit(context.Background(), newRequest(releaseAlone, t))
}

// OnCommit registers a listener, see storage.Store.
func (s *Store) OnCommit(fn func(storage.Commit)) {
	s.listening.Lock()
	defer s.listening.Unlock()
	register(&s.listeners, fn)
}

// OnShown registers a watcher, see storage.Store.
func (s *Store) OnShown(fn func()) {
	s.listening.Lock()
	defer s.listening.Unlock()
	register(&s.watchers, fn)
}

// register adds fn to a list that others may go through.
func register[F any](list *atomic.Pointer[[]F], fn F) {
	var fns []F
	if old := list.Load(); old != nil {
		fns = append(fns, *old...)
	}
	fns = append(fns, fn)
	list.Store(&fns)
}

// publish tells the listeners about durable commits and makes them visible.
func (s *Store) publish(commits []*request) {
	if fns := s.listeners.Load(); fns != nil {
		for _, r := range commits {
			for _, fn := range *fns {
				fn(storage.Commit{Seq: r.Seq, Each: r.each})
			}
		}
	}
	last := commits[len(commits)-1].Seq
	if err := s.lifetimes.publish(s, s.base.State(), last); err != nil {
		s.log.Error("release a snapshot", "err", err)
	}
	s.seq.Store(last)
	if fns := s.watchers.Load(); fns != nil {
		for _, fn := range *fns {
			fn()
		}
	}
}

// PassStamp is that of a storage.Store. Commits that are under way may have s or less, and
// whoever asks is to see them: so the committer does it between two groups.
func (s *Store) PassStamp(ctx context.Context, stamp storage.Stamp) error {
	if err := s.Alive(); err != nil {
		return err
	}
	r := newRequest(passStamp, nil)
	r.pass = stamp
	_, err := s.committer.submit(ctx, r)
	return err
}

// CommitBy commits what write puts into [from, to) in a way of the Base's own: all that
// it writes is durable when it returns nil, and nothing is there when it returns an
// error. It runs on the committer's goroutine and gets the commit's number. Whoever read or
// wrote in the range meanwhile loses a conflict; listeners hear of a range that changed.
func (s *Store) CommitBy(ctx context.Context, from, to []byte, write func(seq uint64) error) error {
	r := newRequest(commitBy, nil)
	r.Ranges, r.by = []Span{{from, to}}, write
	_, err := s.committer.submit(ctx, r)
	return err
}

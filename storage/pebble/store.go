package pebble

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// Store is a storage.Store over one Pebble database in one data directory. All its
// methods may be called from any goroutine.
type Store struct {
	dir  string
	fs   vfs.FS // with the disk guard around Options.FS
	opts Options
	log  *slog.Logger
	db   *pebble.DB
	// writerOptions are those of tables to be ingested.
	writerOptions sstable.WriterOptions
	lock          *pebble.Lock
	format        format

	lifetimes lifetimes
	committer *committer
	seq       atomic.Uint64 // last published commit
	listeners atomic.Pointer[[]func(storage.Commit)]
	listening sync.Mutex // held while listeners are added

	mark    watermark
	disk    diskGuard
	metrics metrics
	keeper  keeper

	dead  chan struct{} // closed when the process is about to end
	dying sync.Once

	using   sync.RWMutex // held for reading while db is used outside of readers
	closed  bool         // under using
	closing sync.Once
	closeMu error
}

var _ interface {
	storage.Store
	storage.Checkpointer
	storage.Measured
	storage.Ready
} = (*Store)(nil)

// enter keeps the database open until leave; false when it is closed.
func (s *Store) enter() bool {
	s.using.RLock()
	if s.closed {
		s.using.RUnlock()
		return false
	}
	return true
}

func (s *Store) leave() { s.using.RUnlock() }

// Seq implements storage.Store.
func (s *Store) Seq() uint64 { return s.seq.Load() }

// Snapshot implements storage.Store.
func (s *Store) Snapshot() (storage.Snapshot, error) {
	if err := s.alive(); err != nil {
		return nil, err
	}
	sh := s.lifetimes.acquire(false)
	if sh == nil {
		return nil, storage.ErrClosed
	}
	return &snapshot{sh: sh}, nil
}

// Begin implements storage.Store.
func (s *Store) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if err := s.alive(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	t := txs.Get().(*Tx)
	t.store, t.opts, t.over_ = s, o, false
	if !o.ReadOnly {
		t.reads = newReadSet(&s.opts.Limits, &s.opts.Layout)
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
	t.own = snapshot{sh: sh, owned: true}
	t.base = &t.own
	return t, nil
}

// txDone takes a transaction off the books.
func (s *Store) txDone(t *Tx) {
	if t.opts.ReadOnly {
		return
	}
	s.lifetimes.ended(t.base.sh.seq)
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

// writable refuses writes while the disk is nearly full.
func (s *Store) writable() error {
	if s.disk.full.Load() {
		return fmt.Errorf("disk full: server is read-only until more than %d bytes are free (diskReserve): %w", s.disk.reserve.Load(), storage.ErrReadOnly)
	}
	return nil
}

// Ready implements storage.Ready.
func (s *Store) Ready() error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.writable()
}

// OnCommit implements storage.Store.
func (s *Store) OnCommit(fn func(storage.Commit)) {
	s.listening.Lock()
	defer s.listening.Unlock()
	var fns []func(storage.Commit)
	if old := s.listeners.Load(); old != nil {
		fns = append(fns, *old...)
	}
	fns = append(fns, fn)
	s.listeners.Store(&fns)
}

// publish tells the listeners about durable commits and makes them visible.
func (s *Store) publish(commits []*request) {
	if fns := s.listeners.Load(); fns != nil {
		for _, r := range commits {
			for _, fn := range *fns {
				fn(storage.Commit{Seq: r.seq, Each: r.each})
			}
		}
	}
	last := commits[len(commits)-1].seq
	if err := s.lifetimes.publish(s, s.db.NewSnapshot(), last); err != nil {
		s.log.Error("release a snapshot", "err", err)
	}
	s.seq.Store(last)
}

// each implements storage.Commit.Each.
func (r *request) each(fn func(storage.Change)) {
	for _, s := range r.ranges {
		to := s.to
		if to == nil {
			to = []byte{}
		}
		fn(storage.Change{Key: s.from, To: to, Deleted: r.kind != commitIngest})
	}
	for _, w := range r.writes {
		fn(storage.Change{Key: w.key, Value: w.value, Deleted: w.del})
	}
}

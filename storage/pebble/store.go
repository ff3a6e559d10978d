package pebble

import (
	"context"
	"log/slog"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// Store is a storage.Store over one Pebble database in one data directory. All its
// methods may be called from any goroutine.
type Store struct {
	dir    string
	fs     vfs.FS // with the disk guard around Options.FS
	opts   Options
	log    *slog.Logger
	db     *pebble.DB
	beside beside
	// writerOptions are those of tables to be ingested.
	writerOptions sstable.WriterOptions
	lock          *pebble.Lock
	format        format

	engine engine
	occ    *occ.Store // the transactions over engine

	mark    watermark
	disk    diskGuard
	metrics metrics
	keeper  keeper
	blocks  blockCache

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

// Begin implements storage.Store.
func (s *Store) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	return s.occ.Begin(ctx, o)
}

// Snapshot implements storage.Store.
func (s *Store) Snapshot() (storage.Snapshot, error) { return s.occ.Snapshot() }

// OnCommit implements storage.Store.
func (s *Store) OnCommit(fn func(storage.Commit)) { s.occ.OnCommit(fn) }

// Seq implements storage.Store.
func (s *Store) Seq() uint64 { return s.occ.Seq() }

// OnShown implements storage.Store.
func (s *Store) OnShown(fn func()) { s.occ.OnShown(fn) }

// PassStamp implements storage.Store.
func (s *Store) PassStamp(ctx context.Context, stamp storage.Stamp) error {
	return s.occ.PassStamp(ctx, stamp)
}

// Ready implements storage.Ready.
func (s *Store) Ready() error {
	if err := s.occ.Alive(); err != nil {
		return err
	}
	return s.engine.Writable()
}

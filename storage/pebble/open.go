package pebble

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// Open opens the data directory, making it when missing. It returns ErrLocked while
// another process holds it, ErrFormat for a newer layout, ErrCorrupt for damaged files
// and when less was recovered than is known to have been durable.
func Open(dir string, o Options) (*Store, error) {
	o.setDefaults()
	s := &Store{dir: dir, opts: o, log: o.Logger}
	s.engine.s = s
	s.occ = occ.New(&s.engine, o.transactions())
	if o.InMemory {
		s.dir = "/"
	}
	s.fs = s.disk.wrap(s)
	if err := s.open(); err != nil {
		if s.lock != nil {
			_ = s.lock.Close() // the error of opening counts
		}
		if errors.Is(err, syscall.ENOSPC) && !errors.Is(err, storage.ErrNoSpace) {
			err = fmt.Errorf("%w: %w", storage.ErrNoSpace, err)
		}
		return nil, fmt.Errorf("open data directory %s: %w", dir, err)
	}
	return s, nil
}

func (s *Store) open() (err error) {
	fresh, err := s.prepareDir()
	if err != nil {
		return err
	}
	if err := s.mark.open(s.fs, s.path(watermarkName), fresh); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = s.mark.close() // the error of opening counts
		}
	}()
	if err := s.mark.get().manifest.check(s.fs, s.path(dbName)); err != nil {
		return err
	}
	if err := s.checkLog(); err != nil {
		return err
	}
	s.blocks.init(&s.opts)
	o := s.pebbleOptions()
	if s.db, err = s.openUnlessFull(o); err != nil {
		return err
	}
	s.writerOptions = o.MakeWriterOptions(6, formatMajorVersion.MaxTableFormat()) // as the lowest level has them
	s.writerOptions.Comparer = comparerOf(s.opts.Layout, &turns{})                // who makes them has a pace of his own
	seq, err := s.recoveredSeq()
	stamp := storage.Stamp(0)
	if err == nil {
		stamp, err = s.recoveredStamp()
	}
	if err != nil {
		_ = s.db.Close() // the error of opening counts
		s.blocks.cache.Unref()
		return err
	}
	if err := s.occ.Start(seq, stamp); err != nil {
		return err
	}
	if err := s.noteDurable(); err != nil {
		return err
	}
	s.disk.start(s)
	s.keeper.start(s)
	return nil
}

// openUnlessFull opens the database. Pebble waits for tables of what the log holds, and
// goes on trying when the disk has no room for them.
func (s *Store) openUnlessFull(o *pebble.Options) (*pebble.DB, error) {
	type result struct {
		db  *pebble.DB
		err error
	}
	opened := make(chan result, 1)
	go func() {
		db, err := openDB(s.path(dbName), o)
		opened <- result{db, err}
	}()
	select {
	case r := <-opened:
		if r.err != nil {
			s.blocks.cache.Unref()
			return nil, databaseError(r.err)
		}
		return r.db, nil
	case <-s.disk.stuck:
	}
	go func() { // until the process ends
		if r := <-opened; r.err == nil {
			_ = r.db.Close() // nobody used it
		}
	}()
	return nil, fmt.Errorf("%w: there is no room to recover what the log holds", storage.ErrNoSpace)
}

// openDB is pebble.Open, which panics when some of its writes fail.
func openDB(dir string, o *pebble.Options) (db *pebble.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open the database: %v", p)
			if cause, ok := p.(error); ok {
				err = fmt.Errorf("open the database: %w", cause)
			}
		}
	}()
	return pebble.Open(dir, o)
}

// noteDurable moves the watermark up to what is published.
func (s *Store) noteDurable() error {
	if s.opts.InMemory {
		return nil
	}
	m := mark{seq: s.Seq()}
	for try := 0; ; try++ {
		var err error
		m.manifest, err = markManifest(s.opts.FS, s.path(dbName), s.mark.get().manifest)
		if errors.Is(err, fs.ErrNotExist) && try < 3 {
			continue // Pebble went on to the next MANIFEST meanwhile
		}
		if err != nil {
			return fmt.Errorf("sync the MANIFEST: %w", err)
		}
		return s.mark.note(m)
	}
}

const (
	dbName     = "db"
	ingestName = "ingest"
)

func (s *Store) path(name string) string { return s.fs.PathJoin(s.dir, name) }

// prepareDir makes, locks and checks the directory. fresh is true when no database
// has ever been completed in it.
func (s *Store) prepareDir() (fresh bool, err error) {
	if err := s.refuseForeign(); err != nil { // before anything of ours is in it
		return false, err
	}
	if err := s.fs.MkdirAll(s.dir, 0o700); err != nil {
		return false, openError(err)
	}
	if s.lock, err = pebble.LockDirectory(s.dir, s.fs); err != nil {
		return false, lockError(err)
	}
	if fresh, err = s.checkFormat(); err != nil {
		return false, err
	}
	if err := s.fs.RemoveAll(s.path(ingestName)); err != nil { // left by a crash
		return false, openError(err)
	}
	return fresh, nil
}

// recoveredSeq returns the last commit that the database holds, which must not be
// less than the watermark.
func (s *Store) recoveredSeq() (uint64, error) {
	n, err := readCounter(s.db, s.opts.Layout.Seq)
	if err != nil {
		if pebble.IsCorruptionError(err) {
			err = fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
		}
		return 0, err
	}
	if durable := s.mark.noted.Load(); uint64(n) < durable && !s.opts.InMemory {
		return 0, fmt.Errorf("%w: DATA LOSS: recovered %d < durable %d: commits that were acknowledged are missing; restore a backup",
			storage.ErrCorrupt, n, durable)
	}
	return uint64(n), nil
}

// lockError tells a held lock from other errors of locking.
func lockError(err error) error {
	var path *fs.PathError // from making the lock file, not from locking it
	if !errors.As(err, &path) && (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "lock held")) {
		return fmt.Errorf("%w (%w)", storage.ErrLocked, err)
	}
	return openError(err)
}

// openError gives an error of opening its class.
func openError(err error) error {
	switch {
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: the server must be able to write its data directory: %w", storage.ErrReadOnly, err)
	case pebble.IsCorruptionError(err):
		return fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
	}
	return err
}

// databaseError is openError for Pebble's own errors about its files. What the operating
// system did not refuse is damage: a file that is missing, or that holds something else.
func databaseError(err error) error {
	var refused syscall.Errno
	switch {
	case strings.Contains(err.Error(), "unknown format major version"):
		return fmt.Errorf("%w: this program knows formats of the database up to %d: %w", storage.ErrFormat, pebble.FormatNewest, err)
	case strings.Contains(err.Error(), "comparer name"):
		return fmt.Errorf("%w: it was written with another layout of keys: %w", storage.ErrFormat, err)
	case errors.As(err, &refused) && refused != syscall.ENOENT, errors.Is(err, fs.ErrPermission), errors.Is(err, pebble.ErrClosed):
		return openError(err)
	}
	return fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
}

// syncDir makes the names in dir durable.
func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}

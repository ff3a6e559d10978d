package occ

import (
	"context"

	"github.com/gremlind/gremlind/storage"
)

// snapshot reads one published state.
type snapshot struct {
	sh     *shared
	point  Cursor    // for Get; nil until the first
	open   *iterator // list of the iterators not yet closed
	closed bool
	owned  bool            // by a Tx, which closes it
	ctx    context.Context // that reads end with; nil: none
	scans  scans           // of open
}

var _ storage.Snapshot = (*snapshot)(nil)

func (s *snapshot) usable() error {
	if s.closed {
		return storage.ErrClosed
	}
	return s.sh.store.Alive()
}

// Seq implements storage.Snapshot.
func (s *snapshot) Seq() uint64 { return s.sh.seq }

// Get implements storage.Reader.
func (s *snapshot) Get(key []byte) ([]byte, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if s.point == nil {
		c, err := s.sh.state.Cursor()
		if err != nil {
			return nil, err
		}
		s.point = c
	}
	return s.point.Get(key)
}

// Scan implements storage.Reader.
func (s *snapshot) Scan(o storage.ScanOptions) storage.Iterator {
	it := &iterator{snap: s, from: o.From, to: o.To, reverse: o.Reverse}
	it.start(s.usable())
	return it
}

// Fork implements storage.Snapshot.
func (s *snapshot) Fork() (storage.Snapshot, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	s.sh.refs.Add(1) // s holds one
	return &snapshot{sh: s.sh, ctx: s.ctx, scans: s.scans.another()}, nil
}

// Close implements storage.Snapshot. That of a Tx lives as long as the Tx.
func (s *snapshot) Close() error {
	if s.owned {
		return nil
	}
	return s.close()
}

func (s *snapshot) close() error {
	if s.closed {
		return nil
	}
	for s.open != nil {
		_ = s.open.Close() // the reader of the iterator saw its error
	}
	s.closed = true
	s.scans.paid.Clear()
	err := s.dropPoint()
	if rerr := s.sh.release(); err == nil {
		err = rerr
	}
	return err
}

// dropPoint leaves the cursor of Get to other readers of the state.
func (s *snapshot) dropPoint() error {
	if s.point == nil {
		return nil
	}
	c := s.point
	s.point = nil
	return c.Close()
}

package pebble

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// snapshot reads one published state.
type snapshot struct {
	sh     *shared
	point  *pebble.Iterator // for Get; nil until the first
	open   *iterator        // list of the iterators not yet closed
	closed bool
	owned  bool // by a Tx, which closes it
}

var _ storage.Snapshot = (*snapshot)(nil)

func (s *snapshot) usable() error {
	if s.closed {
		return storage.ErrClosed
	}
	return s.sh.store.alive()
}

// Seq implements storage.Snapshot.
func (s *snapshot) Seq() uint64 { return s.sh.seq }

// Get implements storage.Reader.
func (s *snapshot) Get(key []byte) ([]byte, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if s.point == nil {
		it, err := s.sh.iterator()
		if err != nil {
			return nil, err
		}
		it.SetBounds(nil, nil)
		s.point = it
	}
	if s.point.SeekPrefixGE(key) && bytes.Equal(s.point.Key(), key) {
		v, err := s.point.ValueAndErr()
		return v, s.sh.store.readError(err)
	}
	if err := s.point.Error(); err != nil {
		return nil, s.sh.store.readError(err)
	}
	return nil, storage.ErrNotFound
}

// Scan implements storage.Reader.
func (s *snapshot) Scan(o storage.ScanOptions) storage.Iterator {
	it := &iterator{snap: s, from: o.From, to: o.To, reverse: o.Reverse}
	it.start(s.usable())
	return it
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
	err := s.dropPoint()
	if rerr := s.sh.release(); err == nil {
		err = rerr
	}
	return err
}

// dropPoint leaves the iterator of Get to other readers of the state.
func (s *snapshot) dropPoint() error {
	if s.point == nil {
		return nil
	}
	it := s.point
	s.point = nil
	return s.sh.recycle(it)
}

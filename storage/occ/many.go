package occ

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// pageKeys is after how many keys a read asks whether its context has ended: a power of
// two.
const pageKeys = 1 << 10

// GetMany implements storage.Reader.
func (s *snapshot) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	return getMany(s, s.ended, keys, fn)
}

// GetMany implements storage.Reader.
func (t *Tx) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	return getMany(t, t.base.ended, keys, fn)
}

func getMany(r storage.Reader, ended func() error, keys [][]byte, fn func(int, []byte) error) error {
	for i, key := range keys {
		if i%pageKeys == 0 {
			if err := ended(); err != nil {
				return err
			}
		}
		v, err := r.Get(key)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			v = nil
		case err != nil:
			return err
		case v == nil:
			v = []byte{}
		}
		if err := fn(i, v); err != nil {
			return err
		}
	}
	return nil
}

// ended returns why what reads the snapshot is no longer wanted.
func (s *snapshot) ended() error {
	if s.ctx == nil || s.ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("read: %w", s.ctx.Err())
}

// ScanMany implements storage.Reader.
func (s *snapshot) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	if err := s.usable(); err != nil {
		return err
	}
	return s.scanMany(ranges, nil, fn)
}

// ScanMany implements storage.Reader.
func (t *Tx) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	if err := t.usable(); err != nil {
		return err
	}
	if t.over.empty() {
		return t.base.scanMany(ranges, t, fn)
	}
	for i, o := range ranges {
		it := t.Scan(o)
		err := each(i, it, fn)
		if cerr := it.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return t.base.ended()
}

// each calls fn for the keys of an iterator.
func each(i int, it storage.Iterator, fn func(int, []byte, []byte) (bool, error)) error {
	for it.Next() {
		if more, err := fn(i, it.Key(), it.Value()); !more || err != nil {
			return err
		}
	}
	return nil
}

// manyScan is one cursor that goes from range to range.
type manyScan struct {
	s    *snapshot
	c    Cursor
	fn   func(i int, key, value []byte) (bool, error)
	keys int // read so far
	// behind is the end of the range before, nil when nothing lies behind it.
	behind []byte
}

// scanMany reads ranges without an overlay; t, unless nil, observes them.
func (s *snapshot) scanMany(ranges []storage.ScanOptions, t *Tx, fn func(int, []byte, []byte) (bool, error)) (err error) {
	c, err := s.sh.state.Cursor()
	if err != nil {
		return err
	}
	m := &manyScan{s: s, c: c, fn: fn}
	defer func() {
		if cerr := c.Close(); err == nil {
			err = cerr
		}
	}()
	for i := range ranges {
		o := &ranges[i]
		if !before(o.From, o.To) {
			continue
		}
		last, err := m.scan(i, o)
		if t != nil && t.strict() && !o.Unobserved {
			t.observeScan(o, last)
		}
		if err != nil {
			return err
		}
	}
	return s.ended()
}

// scan reads the i-th range, and returns the last key that it showed when it did not come
// to its end.
func (m *manyScan) scan(i int, o *storage.ScanOptions) (last []byte, err error) {
	from, to := o.From, o.To
	if len(from) == 0 {
		from = nil
	}
	if len(to) == 0 {
		to = nil // to the end
	}
	key, val, err := m.seek(from, to, o.Reverse)
	for ; key != nil; key, val, err = m.c.Next() {
		if m.keys++; m.keys%pageKeys == 0 {
			if err := m.s.alive(); err != nil {
				return key, err
			}
		}
		if more, err := m.fn(i, key, val); !more || err != nil {
			return key, err
		}
	}
	return nil, err
}

// seek goes to a range.
func (m *manyScan) seek(from, to []byte, reverse bool) (key, value []byte, err error) {
	forward := m.behind != nil && !reverse && bytes.Compare(m.behind, from) <= 0
	if m.behind = to; reverse {
		m.behind = nil
	}
	if forward {
		return m.c.Forward(from, to)
	}
	return m.c.Seek(from, to, reverse)
}

// alive is asked now and then while many keys are read.
func (s *snapshot) alive() error {
	if err := s.sh.store.Alive(); err != nil {
		return err
	}
	return s.ended()
}

// observeScan adds to the read set what a scan has shown: all that was asked for, or what
// lies up to the last key.
func (t *Tx) observeScan(o *storage.ScanOptions, last []byte) {
	switch {
	case last == nil:
		t.reads.add(o.From, o.To)
	case o.Reverse:
		t.reads.add(last, o.To)
	default:
		t.reads.add(o.From, append(bytes.Clone(last), 0))
	}
}

// SetContext implements storage.Tx.
func (t *Tx) SetContext(ctx context.Context) {
	t.base.ctx = ctx
	for _, s := range t.olds {
		s.ctx = ctx
	}
}

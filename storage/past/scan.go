package past

import (
	"bytes"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// scan shows cells as of a stamp: those that are the same now, and those that history has.
type scan struct {
	rows
	now     storage.Iterator
	nowKey  []byte // under now; nil behind its end
	nowRead bool   // nowKey is not yet returned
	hasCell bool   // that under rows is not yet returned
	key     []byte
	val     []byte
	done    bool
	reverse bool
	failed  error
}

var _ storage.Iterator = (*scan)(nil)

// newScan scans a range. rows are of its history, and stand on the first row or have failed.
func newScan(r *reader, o storage.ScanOptions, rows storage.Iterator) *scan {
	s := &scan{now: r.now.Scan(o), reverse: o.Reverse, failed: rows.Err()}
	s.done = s.failed != nil
	s.open(r, o, rows)
	return s
}

// order compares keys in the order in which they are shown.
func (s *scan) order(a, b []byte) int {
	if s.reverse {
		a, b = b, a
	}
	return bytes.Compare(a, b)
}

// load reads what comes next on both sides.
func (s *scan) load() bool {
	if !s.nowRead {
		s.nowKey = nil
		if s.now.Next() {
			s.nowKey = s.now.Key()
		} else if s.failed = s.now.Err(); s.failed != nil {
			return false
		}
		s.nowRead = true
	}
	if !s.hasCell && !s.ended {
		if s.hasCell = s.changed(); s.err != nil {
			s.failed = s.err
			return false
		}
	}
	return s.nowKey != nil || s.hasCell
}

// changed goes to the next cell that was another.
func (s *scan) changed() bool {
	if s.reverse {
		return s.rows.backward()
	}
	return s.rows.forward()
}

// Next implements storage.Iterator.
func (s *scan) Next() bool {
	for !s.done && s.load() {
		c := -1 // what there is now comes first
		switch {
		case s.nowKey == nil:
			c = 1
		case s.hasCell:
			c = s.order(s.nowKey, s.cell)
		}
		if c < 0 {
			s.key, s.val, s.nowRead = s.nowKey, s.now.Value(), false
			return true
		}
		if s.hasCell = false; c == 0 {
			s.nowRead = false
		}
		if s.there {
			s.key, s.val = s.cell, s.was
			return true
		}
	}
	s.done, s.key, s.val = true, nil, nil
	return false
}

// Seek implements storage.Iterator.
func (s *scan) Seek(key []byte) {
	if s.failed != nil || s.reverse {
		return
	}
	if bytes.Compare(key, s.low) < 0 {
		key = s.low
	}
	s.now.Seek(key)
	s.from = append([]byte(nil), key...)
	s.it.Seek(table.AppendPastFrom(nil, s.r.graph, s.from))
	s.done, s.ended, s.held, s.nowRead, s.hasCell, s.cell = false, false, false, false, false, s.cell[:0]
}

// Key implements storage.Iterator.
func (s *scan) Key() []byte { return s.key }

// Value implements storage.Iterator.
func (s *scan) Value() []byte { return s.val }

// Err implements storage.Iterator.
func (s *scan) Err() error { return s.failed }

// Close implements storage.Iterator.
func (s *scan) Close() error {
	s.done, s.key, s.val = true, nil, nil
	for _, it := range [...]storage.Iterator{s.now, s.it} {
		if err := it.Close(); err != nil && s.failed == nil {
			s.failed = err
		}
	}
	return s.failed
}

package past

import (
	"encoding/binary"
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Span reads cells of a graph as of two stamps at once: rows of history of the one lie right in
// front of those of the other. It is for one goroutine.
type Span struct{ before, after *reader }

// Around reads cells as of a stamp and as of a later one through now, which it does not close.
func Around(now storage.Reader, graph uint32, before, after storage.Stamp) *Span {
	return &Span{&reader{now: now, graph: graph, at: before}, &reader{now: now, graph: graph, at: after}}
}

// Before reads cells as of the first stamp, After as of the second.
func (s *Span) Before() storage.Reader { return s.before }

// After reads cells as of the second stamp.
func (s *Span) After() storage.Reader { return s.after }

// Get returns what a cell was as of both, nil where there was none. The slices are the caller's.
func (s *Span) Get(cell []byte) (before, after []byte, err error) {
	r, n := s.before, 0
	known := false // what it was as of the second
	if r.keeps(cell) {
		r.from = table.AppendPastRow(r.from[:0], cell, r.at+1)
		r.to = table.AppendPastEnd(r.to[:0], cell)
		rows := [1]storage.ScanOptions{{From: r.from, To: r.to, Unobserved: true, Limit: 2}}
		err = r.now.ScanMany(rows[:], func(_ int, key, val []byte) (bool, error) {
			was, err := pastValue(val)
			if n++; n == 1 {
				before = was
			}
			if known = untilOf(key) > s.after.at; known {
				after = was
			}
			return !known, err
		})
	}
	switch {
	case err != nil || known:
		return before, after, err
	case n == 2: // it has changed between them several times
		after, err = valueOf(s.after, cell)
	default:
		after, err = valueOf(r.now, cell)
	}
	if n == 0 {
		before = after
	}
	return before, after, err
}

// untilOf reads the end of the key of a row of history.
func untilOf(key []byte) storage.Stamp {
	return storage.Stamp(binary.BigEndian.Uint64(key[len(key)-storage.StampSize:]))
}

// pastValue is what a row of history says that a cell was, nil for none.
func pastValue(val []byte) ([]byte, error) {
	was, there, err := table.DecodePastValue(val)
	if err != nil || !there {
		return nil, err
	}
	return append([]byte{}, was...), nil
}

// valueOf reads a cell, nil for none.
func valueOf(r storage.Reader, cell []byte) ([]byte, error) {
	b, err := r.Get(cell)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return append([]byte{}, b...), nil
}

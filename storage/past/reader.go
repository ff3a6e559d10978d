package past

import (
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// reader reads the cells of a graph as of a stamp, beneath history.
type reader struct {
	now   storage.Reader
	graph uint32
	at    storage.Stamp
	from  []byte // scratch
	to    []byte
}

var _ storage.Reader = (*reader)(nil)

// keeps reports whether the past of a key may be another than what there is now.
func (r *reader) keeps(key []byte) bool {
	graph, _, ok := table.Head(key)
	return ok && graph == r.graph && table.Kept(key)
}

// Get implements storage.Reader.
func (r *reader) Get(key []byte) ([]byte, error) {
	if !r.keeps(key) {
		return r.now.Get(key)
	}
	was, there, decided, err := r.decide(key)
	switch {
	case err != nil:
		return nil, err
	case !decided:
		return r.now.Get(key)
	case !there:
		return nil, storage.ErrNotFound
	}
	return was, nil
}

// decide looks in history for what a cell was. The value is the caller's.
func (r *reader) decide(cell []byte) (was []byte, there, decided bool, err error) {
	r.from = table.AppendPastRow(r.from[:0], cell, r.at+1)
	r.to = table.AppendPastEnd(r.to[:0], cell)
	it := r.now.Scan(storage.ScanOptions{From: r.from, To: r.to, Unobserved: true, Limit: 1})
	defer it.Close()
	if !it.Next() {
		return nil, false, false, it.Err()
	}
	was, there, err = table.DecodePastValue(it.Value())
	return append([]byte{}, was...), there, true, err
}

// Scan implements storage.Reader.
func (r *reader) Scan(o storage.ScanOptions) storage.Iterator {
	if !r.changes(o.From, o.To) {
		return r.now.Scan(o)
	}
	return newScan(r, o)
}

// changes reports whether there may be cells in a range that history keeps.
func (r *reader) changes(from, to []byte) bool {
	_, first, ok1 := table.Head(from)
	graph, last, ok2 := table.Head(to)
	if !ok1 || !ok2 || graph != r.graph {
		return true
	}
	return last >= table.Vertices && first < table.ElementsEnd
}

// GetMany implements storage.Reader.
func (r *reader) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	for i, key := range keys {
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

// ScanMany implements storage.Reader.
func (r *reader) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	for i, o := range ranges {
		it := r.Scan(o)
		err := each(i, it, fn)
		if cerr := it.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls fn for the keys of an iterator.
func each(i int, it storage.Iterator, fn func(int, []byte, []byte) (bool, error)) error {
	for it.Next() {
		if more, err := fn(i, it.Key(), it.Value()); !more || err != nil {
			return err
		}
	}
	return it.Err()
}

package past

import (
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// reader reads the cells of a graph as of a stamp, beneath history. What has none, as nearly all
// has in most graphs, it leaves to the reader of now as soon as a look into history says so: one
// that a Bloom filter answers for what lies in one row.
type reader struct {
	now   storage.Reader
	graph uint32
	at    storage.Stamp
	many  many
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
	row := [1]storage.ScanOptions{{From: r.from, To: r.to, Unobserved: true, Limit: 1}}
	err = r.now.ScanMany(row[:], func(_ int, _, val []byte) (bool, error) {
		b, ok, err := table.DecodePastValue(val)
		was, there, decided = append([]byte{}, b...), ok, true
		return false, err
	})
	return was, there, decided, err
}

// Scan implements storage.Reader.
func (r *reader) Scan(o storage.ScanOptions) storage.Iterator {
	if !r.changes(o.From, o.To) {
		return r.now.Scan(o)
	}
	rows := r.history(o)
	if !rows.Next() && rows.Err() == nil && rows.Close() == nil {
		return r.now.Scan(o)
	}
	return newScan(r, o, rows)
}

// history scans what history has of a range.
func (r *reader) history(o storage.ScanOptions) storage.Iterator {
	r.from = table.AppendPastFrom(r.from[:0], r.graph, o.From)
	r.to = table.AppendPastTo(r.to[:0], r.graph, o.To)
	return r.now.Scan(storage.ScanOptions{From: r.from, To: r.to, Reverse: o.Reverse, Unobserved: true})
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

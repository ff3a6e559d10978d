package past

import (
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// manyMax is how many keys or ranges are looked up in history at a time.
const manyMax = 256

// many is memory for reading many cells at once: first history is asked about all of them, then
// what is now about those that history says nothing of.
type many struct {
	bounds []byte // of rows, which alias it
	rows   []storage.ScanOptions
	of     []int // the places of rows among what was asked for
	known  [manyMax]bool
	keys   [][]byte
	ranges []storage.ScanOptions
	left   []int // the places of keys or ranges that history says nothing of
}

// begin makes room for n of them.
func (m *many) begin() {
	m.bounds, m.rows, m.of, m.left = m.bounds[:0], m.rows[:0], m.of[:0], m.left[:0]
	m.keys, m.ranges = m.keys[:0], m.ranges[:0]
	clear(m.known[:])
}

// add notes that rows between two bounds, of which the second begins at to, are looked at for
// the i-th.
func (m *many) add(i, from, to int) {
	end := len(m.bounds)
	m.rows = append(m.rows, storage.ScanOptions{From: m.bounds[from:to:to], To: m.bounds[to:end:end], Unobserved: true, Limit: 1})
	m.of = append(m.of, i)
}

// GetMany implements storage.Reader.
func (r *reader) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	for at := 0; at < len(keys); at += manyMax {
		then := func(i int, val []byte) error { return fn(at+i, val) }
		if err := r.getSome(keys[at:min(at+manyMax, len(keys))], then); err != nil {
			return err
		}
	}
	return nil
}

// getSome is GetMany of no more than manyMax.
func (r *reader) getSome(keys [][]byte, fn func(i int, value []byte) error) error {
	m := &r.many
	m.begin()
	for i, key := range keys {
		if r.keeps(key) {
			from := len(m.bounds)
			m.bounds = table.AppendPastRow(m.bounds, key, r.at+1)
			to := len(m.bounds)
			m.bounds = table.AppendPastEnd(m.bounds, key)
			m.add(i, from, to)
		}
	}
	err := r.now.ScanMany(m.rows, func(row int, _, val []byte) (bool, error) {
		was, there, err := table.DecodePastValue(val)
		if err != nil {
			return false, err
		}
		if !there {
			was = nil
		}
		m.known[m.of[row]] = true
		return false, fn(m.of[row], was)
	})
	if err != nil {
		return err
	}
	for i, key := range keys {
		if !m.known[i] {
			m.keys, m.left = append(m.keys, key), append(m.left, i)
		}
	}
	return r.now.GetMany(m.keys, func(k int, val []byte) error { return fn(m.left[k], val) })
}

// ScanMany implements storage.Reader.
func (r *reader) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	for at := 0; at < len(ranges); at += manyMax {
		then := func(i int, key, val []byte) (bool, error) { return fn(at+i, key, val) }
		if err := r.scanSome(ranges[at:min(at+manyMax, len(ranges))], then); err != nil {
			return err
		}
	}
	return nil
}

// scanSome is ScanMany of no more than manyMax. Ranges in which something changed are read one
// by one.
func (r *reader) scanSome(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	m := &r.many
	m.begin()
	for i, o := range ranges {
		if r.changes(o.From, o.To) {
			from := len(m.bounds)
			m.bounds = table.AppendPastFrom(m.bounds, r.graph, o.From)
			to := len(m.bounds)
			m.bounds = table.AppendPastTo(m.bounds, r.graph, o.To)
			m.add(i, from, to)
		}
	}
	err := r.now.ScanMany(m.rows, func(row int, _, _ []byte) (bool, error) {
		m.known[m.of[row]] = true
		return false, nil
	})
	if err != nil {
		return err
	}
	for i, o := range ranges {
		if !m.known[i] {
			m.ranges, m.left = append(m.ranges, o), append(m.left, i)
		}
	}
	err = r.now.ScanMany(m.ranges, func(k int, key, val []byte) (bool, error) { return fn(m.left[k], key, val) })
	if err != nil {
		return err
	}
	for i, o := range ranges {
		if m.known[i] {
			if err := r.scanOne(i, o, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanOne calls fn for the keys of a range in which something changed.
func (r *reader) scanOne(i int, o storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	it := r.Scan(o)
	err := each(i, it, fn)
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	return err
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

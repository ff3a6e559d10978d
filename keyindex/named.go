package keyindex

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Entries of named indexes. The cell of an entry is empty when its key tells the
// value; a value too long for a key stands in the cell, beside others of the same
// form, in msgpack form one after the other.

// Put adds an entry; one that is there already is no error.
func Put(tx storage.Tx, e table.NamedEntry, v value.Value) error {
	form, exact, err := value.AppendOrdered(nil, v)
	if err != nil {
		return fmt.Errorf("index value %s: %w", v.Brief(), err)
	}
	e.Value = form
	key := table.AppendNamedEntry(nil, e)
	var cell []byte
	if !exact {
		if cell, err = tx.Get(key); err != nil && err != storage.ErrNotFound {
			return err
		}
		values, err := cellValues(cell)
		if err != nil {
			return err
		}
		if contains(values, v, value.Identical) {
			return nil
		}
		if cell, err = encodeValues(append(values, v)); err != nil {
			return err
		}
	}
	if err := tx.Set(key, cell); err != nil {
		return err
	}
	return tx.Set(table.AppendNamedOwnedEntry(nil, e), nil)
}

// Take removes the entries of an element under key whose value equals v.
func Take(tx storage.Tx, e table.NamedEntry, v value.Value) error {
	from := table.AppendNamedOwnedRow(nil, e.Graph, e.Index, e.Element)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		own, err := table.DecodeNamedOwnedEntry(it.Key())
		if err != nil {
			return fmt.Errorf("reverse row: %w: %w", storage.ErrCorrupt, err)
		}
		if own.Key == e.Key {
			if err := takeEqual(tx, own, v); err != nil {
				return err
			}
		}
	}
	return it.Err()
}

// takeEqual removes what equals v from one entry, and the entry once it is empty.
func takeEqual(tx storage.Tx, e table.NamedEntry, v value.Value) error {
	key := table.AppendNamedEntry(nil, e)
	cell, err := tx.Get(key)
	if err != nil {
		return fmt.Errorf("index entry: %w", err)
	}
	values, err := entryValues(e, cell)
	if err != nil {
		return err
	}
	rest := values[:0:0]
	for _, x := range values {
		if !value.Equal(x, v) && !value.Identical(x, v) {
			rest = append(rest, x)
		}
	}
	switch {
	case len(rest) == len(values):
		return nil
	case len(rest) > 0:
		if cell, err = encodeValues(rest); err != nil {
			return err
		}
		return tx.Set(key, cell)
	}
	if err := tx.Delete(key); err != nil {
		return err
	}
	return tx.Delete(table.AppendNamedOwnedEntry(nil, e))
}

// removeNamedElement deletes all entries of an element in one index.
func removeNamedElement(tx storage.Tx, graph, index uint32, element uint64) error {
	from := table.AppendNamedOwnedRow(nil, graph, index, element)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		e, err := table.DecodeNamedOwnedEntry(it.Key())
		if err != nil {
			return fmt.Errorf("reverse row: %w: %w", storage.ErrCorrupt, err)
		}
		if err := tx.Delete(table.AppendNamedEntry(nil, e)); err != nil {
			return err
		}
		if err := tx.Delete(table.AppendNamedOwnedEntry(nil, e)); err != nil {
			return err
		}
	}
	return it.Err()
}

// Get walks the elements with an entry that equals v.
func Get(tx storage.Reader, graph, index, key uint32, v value.Value, gone func(uint64) bool) *Hits {
	h := Query(tx, graph, index, key, Range{Min: v, Max: v, HasMin: true, HasMax: true}, gone, nil)
	if !h.exact {
		h.check(func(x value.Value) bool { return value.Equal(x, v) })
	}
	return h
}

// Query walks the elements with an entry in the range whose value test, when it is not
// nil, accepts.
func Query(tx storage.Reader, graph, index, key uint32, r Range, gone func(uint64) bool, test func(value.Value) bool) *Hits {
	h, s := &Hits{}, Scratch{key: table.AppendNamedKey(nil, graph, index, key)}
	s.lookup(h, tx, r, gone)
	if test != nil {
		h.check(test)
	}
	return h
}

// check leaves out entries of a named index none of whose values passes.
func (h *Hits) check(test func(value.Value) bool) {
	h.exact = true
	h.accept = func(k, cell []byte) (bool, error) {
		e, err := table.DecodeNamedEntry(k)
		if err != nil {
			return false, fmt.Errorf("index entry: %w: %w", storage.ErrCorrupt, err)
		}
		values, err := entryValues(e, cell)
		return slices.ContainsFunc(values, test), err
	}
}

// Count counts the elements with an entry that equals v.
func Count(tx storage.Reader, graph, index, key uint32, v value.Value) (int64, error) {
	h := Get(tx, graph, index, key, v, nil)
	defer h.Close()
	var buf [64]uint64
	var n int64
	for k := h.Next(buf[:]); k > 0; k = h.Next(buf[:]) {
		n += int64(k)
	}
	return n, h.Err()
}

// entryValues returns the values that an entry stands for.
func entryValues(e table.NamedEntry, cell []byte) ([]value.Value, error) {
	if len(cell) > 0 {
		return cellValues(cell)
	}
	v, rest, exact, err := value.ReadOrdered(e.Value)
	if err != nil || !exact || len(rest) > 0 {
		return nil, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
	}
	return []value.Value{v}, nil
}

func cellValues(cell []byte) ([]value.Value, error) {
	var values []value.Value
	for len(cell) > 0 {
		v, rest, err := value.ReadMsgpack(cell)
		if err != nil {
			return nil, fmt.Errorf("index entry: %w: %w", storage.ErrCorrupt, err)
		}
		values, cell = append(values, v), rest
	}
	return values, nil
}

func encodeValues(values []value.Value) ([]byte, error) {
	var cell []byte
	var err error
	for _, v := range values {
		if cell, err = value.AppendMsgpack(cell, v); err != nil {
			return nil, err
		}
	}
	return cell, nil
}

func contains(values []value.Value, v value.Value, same func(a, b value.Value) bool) bool {
	for _, x := range values {
		if same(x, v) {
			return true
		}
	}
	return false
}

// CheckEntry reports why an entry and its cell do not say which values they stand for.
func CheckEntry(e table.NamedEntry, cell []byte) error {
	_, err := entryValues(e, cell)
	return err
}

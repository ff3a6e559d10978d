package keyindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Index is an index as those see it who change elements, build it, take it down and check
// it; which entries an element has is Entries.Find's to say. An Index belongs to one
// goroutine at a time.
type Index interface {
	// Definition is what the index is about.
	Definition() *Definition
	// Put writes the entry of an element, in all tables that have it. Another owner of a
	// unique entry is a DuplicateError, and nothing is written.
	Put(tx storage.Tx, els Elements, e *Element, values []byte, exact bool) error
	// Take removes the entry of an element; one that is not there is no error.
	Take(tx storage.Tx, e *Element, values []byte) error
	// Holds reports whether the entry of an element is there, in all tables.
	Holds(r storage.Reader, e *Element, values []byte) (bool, error)
	// Range is where all entries of the index stand, together with those of others when
	// Owner says of a key that it is not its own.
	Range() (from, to []byte)
	// Owner returns whose an entry in Range is, with the values; of a unique one there may
	// be several. own is false for what is another index's.
	Owner(dst []uint64, key, val []byte) (elements []uint64, values []byte, own bool, err error)
	// Erase removes what Owner was asked about, in all tables.
	Erase(tx storage.Tx, key, val []byte) error
}

// Open returns the index of a definition of a graph.
func (d *Definition) Open(graph uint32) Index {
	base := opened{def: d, graph: graph}
	switch {
	case d.Kind == EdgeCentric:
		return &edgeIndex{opened: base}
	case d.Kind == Composite && d.Unique:
		return &uniqueIndex{opened: base}
	case d.Kind == Composite:
		return &compositeIndex{opened: base}
	case d.Kind == Text:
		return &textIndex{opened: base}
	case d.Kind == Geo:
		return &geoIndex{opened: base}
	}
	return &keyIndex{opened: base}
}

type opened struct {
	def      *Definition
	graph    uint32
	key      []byte
	row      []byte
	elements []uint64
}

func (o *opened) Definition() *Definition { return o.def }

func has(r storage.Reader, key []byte) (bool, error) {
	_, err := r.Get(key)
	if isAbsent(err) {
		return false, nil
	}
	return err == nil, err
}

func isAbsent(err error) bool { return errors.Is(err, storage.ErrNotFound) }

// keyIndex is an index on one property key.
type keyIndex struct{ opened }

func (x *keyIndex) keys(id uint64, values []byte) (forward, reverse []byte) {
	e := table.KeyIndex{Graph: x.graph, Class: x.def.Class, Key: x.def.Symbol, Value: values, Element: id}
	x.key, x.row = table.AppendKeyIndex(x.key[:0], e), table.AppendKeyOwned(x.row[:0], e)
	return x.key, x.row
}

func (x *keyIndex) Put(tx storage.Tx, _ Elements, e *Element, values []byte, _ bool) error {
	forward, reverse := x.keys(e.ID, values)
	if err := tx.Set(forward, nil); err != nil {
		return err
	}
	return tx.Set(reverse, nil)
}

func (x *keyIndex) remove(tx storage.Tx, id uint64, values []byte) error {
	forward, reverse := x.keys(id, values)
	if err := tx.Delete(forward); err != nil {
		return err
	}
	return tx.Delete(reverse)
}

func (x *keyIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	return x.remove(tx, e.ID, values)
}

func (x *keyIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	forward, reverse := x.keys(e.ID, values)
	if ok, err := has(r, forward); !ok || err != nil {
		return false, err
	}
	return has(r, reverse)
}

func (x *keyIndex) Range() (from, to []byte) {
	from = table.AppendKeyIndexKey(nil, x.graph, x.def.Class, x.def.Symbol)
	return from, table.PrefixEnd(nil, from)
}

func (x *keyIndex) Owner(dst []uint64, key, _ []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeKeyIndex(key)
	return append(dst, e.Element), e.Value, true, damaged(err)
}

func (x *keyIndex) Erase(tx storage.Tx, key, _ []byte) error {
	e, err := table.DecodeKeyIndex(key)
	if err != nil {
		return damaged(err)
	}
	return x.remove(tx, e.Element, e.Value)
}

func damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("index entry: %w: %w", storage.ErrCorrupt, err)
}

// compositeIndex is an index on several keys, whose entries end in their element. There are
// no reverse rows: which entries an element has follows from its properties, which whoever
// changes or removes it knows.
type compositeIndex struct{ opened }

func (x *compositeIndex) entry(id uint64, values []byte) []byte {
	x.key = table.AppendCompositeEntry(x.key[:0], table.CompositeEntry{Graph: x.graph, Index: x.def.Number, Values: values, Element: id})
	return x.key
}

func (x *compositeIndex) Put(tx storage.Tx, _ Elements, e *Element, values []byte, _ bool) error {
	return tx.Set(x.entry(e.ID, values), nil)
}

func (x *compositeIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	return tx.Delete(x.entry(e.ID, values))
}

func (x *compositeIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	return has(r, x.entry(e.ID, values))
}

func (x *opened) compositeRange() (from, to []byte) {
	from = table.AppendCompositeIndex(nil, x.graph, x.def.Number)
	return from, table.PrefixEnd(nil, from)
}

func (x *compositeIndex) Range() (from, to []byte) { return x.compositeRange() }

func (x *compositeIndex) Owner(dst []uint64, key, _ []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeCompositeEntry(key)
	return append(dst, e.Element), e.Values, true, damaged(err)
}

func (x *compositeIndex) Erase(tx storage.Tx, key, _ []byte) error { return tx.Delete(key) }

// uniqueIndex is a composite index whose entries are at most one element's each. Only
// where a form does not tell the values can elements of different values share one.
type uniqueIndex struct {
	opened
	val []byte
}

// ownerLen is the bytes of one owner in the value of a unique entry: element and seal.
const ownerLen = 8 + 4

// Owners appends the elements in the value of a unique entry.
func Owners(dst []uint64, val []byte) ([]uint64, error) {
	if len(val) == 0 || len(val)%ownerLen != 0 {
		return dst, fmt.Errorf("owner of a unique entry: %w", storage.ErrCorrupt)
	}
	for ; len(val) > 0; val = val[ownerLen:] {
		dst = append(dst, binary.BigEndian.Uint64(val))
	}
	return dst, nil
}

// AppendOwner appends an owner to the value of a unique entry.
func AppendOwner(dst []byte, element uint64) []byte {
	return append(binary.BigEndian.AppendUint64(dst, element), 0, 0, 0, 0)
}

func (x *uniqueIndex) forward(values []byte) []byte {
	x.key = table.AppendCompositeValues(x.key[:0], x.graph, x.def.Number, 0, values)
	return x.key
}

// owners returns the elements that an entry names, none when it is not there. They are
// valid until the next call.
func (x *uniqueIndex) owners(r storage.Reader, values []byte) ([]uint64, error) {
	val, err := r.Get(x.forward(values))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	x.elements, err = Owners(x.elements[:0], val)
	return x.elements, err
}

func (x *uniqueIndex) Put(tx storage.Tx, els Elements, e *Element, values []byte, exact bool) error {
	owners, err := x.owners(tx, values)
	if err != nil {
		return err
	}
	val := x.val[:0]
	for _, id := range owners {
		if id == e.ID {
			return nil
		}
		same := exact
		if !exact {
			if same, err = x.def.SameValues(els, id, e.ID, values); err != nil {
				return err
			}
		}
		if same {
			return &DuplicateError{Index: x.def, Other: id, Element: *e, values: slices.Clone(values)}
		}
		val = AppendOwner(val, id)
	}
	x.val = AppendOwner(val, e.ID)
	return tx.Set(x.forward(values), x.val)
}

func (x *uniqueIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	owners, err := x.owners(tx, values)
	if err != nil || !slices.Contains(owners, e.ID) {
		return err
	}
	var val []byte
	for _, id := range owners {
		if id != e.ID {
			val = AppendOwner(val, id)
		}
	}
	if len(val) > 0 {
		return tx.Set(x.forward(values), val)
	}
	return tx.Delete(x.forward(values))
}

func (x *uniqueIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	owners, err := x.owners(r, values)
	return slices.Contains(owners, e.ID), err
}

func (x *uniqueIndex) Range() (from, to []byte) { return x.compositeRange() }

func (x *uniqueIndex) Owner(dst []uint64, key, val []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeUniqueEntry(key)
	if err != nil {
		return dst, nil, true, damaged(err)
	}
	dst, err = Owners(dst, val)
	return dst, e.Values, true, err
}

func (x *uniqueIndex) Erase(tx storage.Tx, key, _ []byte) error { return tx.Delete(key) }

// SameValues reports whether two elements whose entries have one form have equal values,
// too.
func (d *Definition) SameValues(els Elements, a, b uint64, values []byte) (bool, error) {
	for _, symbol := range d.Symbols {
		as, err := els.Values(nil, d.Class, a, symbol)
		if err != nil {
			return false, err
		}
		bs, err := els.Values(nil, d.Class, b, symbol)
		if err != nil {
			return false, err
		}
		n := 0
		for _, v := range as {
			form, _, err := appendColumn(nil, v)
			if err != nil || len(form) > len(values) || string(values[:len(form)]) != string(form) {
				continue
			}
			if slices.ContainsFunc(bs, func(w value.Value) bool { return value.Equal(v, w) }) {
				n = len(form)
				break
			}
		}
		if n == 0 {
			return false, nil
		}
		values = values[n:]
	}
	return true, nil
}

// DuplicateError is returned when an element would have the values of another in a unique
// index.
type DuplicateError struct {
	Index   *Definition
	Other   uint64 // who has them
	Element Element
	values  []byte
}

func (e *DuplicateError) Error() string {
	of := ""
	if e.Index.Label != "" {
		of = " of label " + e.Index.Label
	}
	return fmt.Sprintf("Index %s: another %s%s has the same values", e.Index.Name, e.Index.Class, of)
}

// Text is the error with the values, which els reads from the element.
func (e *DuplicateError) Text(els Elements) string {
	of := ""
	if e.Index.Label != "" {
		of = " of label " + e.Index.Label
	}
	values, err := e.Index.valuesOf(els, e.Element.ID, e.values)
	if err != nil {
		return e.Error()
	}
	return fmt.Sprintf("Index %s: another %s%s has %s", e.Index.Name, e.Index.Class, of, values)
}

// Combination returns the values of an element, one of each key, that stand in one of its
// entries.
func (d *Definition) Combination(els Elements, id uint64, values []byte) ([]value.Value, error) {
	found := make([]value.Value, 0, len(d.Symbols))
	for _, symbol := range d.Symbols {
		vals, err := els.Values(nil, d.Class, id, symbol)
		if err != nil {
			return nil, err
		}
		for _, v := range vals {
			form, _, err := appendColumn(nil, v)
			if err == nil && len(form) <= len(values) && string(values[:len(form)]) == string(form) {
				found, values = append(found, v), values[len(form):]
				break
			}
		}
	}
	return found, nil
}

// valuesOf prints them.
func (d *Definition) valuesOf(els Elements, id uint64, values []byte) (string, error) {
	vals, err := d.Combination(els, id, values)
	return briefly(vals), err
}

func briefly(vals []value.Value) string {
	text := make([]string, len(vals))
	for i, v := range vals {
		text[i] = v.Brief()
	}
	return "[" + strings.Join(text, ", ") + "]"
}

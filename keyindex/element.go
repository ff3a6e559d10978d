package keyindex

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Element is what an index knows of a vertex or an edge besides its properties.
type Element struct {
	Class   table.Class
	ID      uint64
	Label   uint32
	Out, In uint64 // of an edge
}

// Elements reads elements for an index. What it reads is observed.
type Elements interface {
	// Element returns an element, false when there is none.
	Element(c table.Class, id uint64) (Element, bool, error)
	// Values appends an element's values of a property key.
	Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error)
}

// Entries are the entries of one element in one index: the values of each, in the form that
// they have in keys, and whether that form tells the values.
type Entries struct {
	buf  []byte
	list []entry
	last []entry // memory of a list
	vals []value.Value
	// ordered is set when the entries ascend.
	ordered bool
	grams   []uint32
}

type entry struct {
	start, end int
	exact      bool
}

// Len is how many there are.
func (n *Entries) Len() int { return len(n.list) }

// At returns the i-th, valid until the Entries change.
func (n *Entries) At(i int) []byte { return n.buf[n.list[i].start:n.list[i].end] }

// Exact reports whether the i-th tells its values.
func (n *Entries) Exact(i int) bool { return n.list[i].exact }

// Has reports whether there is such an entry.
func (n *Entries) Has(values []byte) bool {
	if n.ordered {
		_, found := sort.Find(len(n.list), func(i int) int { return bytes.Compare(values, n.At(i)) })
		return found
	}
	for i := range n.list {
		if bytes.Equal(n.At(i), values) {
			return true
		}
	}
	return false
}

// Reset forgets all entries and keeps their memory.
func (n *Entries) Reset() { n.buf, n.list, n.ordered = n.buf[:0], n.list[:0], false }

// Shrink forgets all entries, and gives up their memory when it is more than max bytes. The
// values that they were made of are not kept.
func (n *Entries) Shrink(max int) {
	if len(n.vals) > 0 {
		clear(n.vals[:cap(n.vals)])
	}
	n.Reset()
	if cap(n.buf) > max || cap(n.list)+cap(n.last) > max/8 || cap(n.vals) > max/8 || cap(n.grams) > max/8 {
		*n = Entries{}
	}
}

// absent stands in an entry where the element has no value of a key that is not the
// index's first. It is before all values.
const absent = 0x08

// Cut forgets all but the first i.
func (n *Entries) Cut(i int) { n.list = n.list[:i] }

// EntriesMax is how many entries an element may have in one index. Where several keys have
// several values each, every combination is one.
const EntriesMax = 1024

// TooManyError is returned when an element would have more than EntriesMax entries.
type TooManyError struct{ Index string }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("Index %s: more than %d combinations of values on one element", e.Index, EntriesMax)
}

// Find makes n the entries that an element has in an index. One without a value of the
// first key has none; nor has one that lacks a value of any key in a unique index, where
// nulls are none.
func (n *Entries) Find(d *Definition, e *Element, els Elements) error {
	n.Reset()
	if d.Declared() && d.LabelSymbol != 0 && d.LabelSymbol != e.Label {
		return nil
	}
	if !d.Declared() {
		return n.column(d, e, els, d.Symbol, false)
	}
	if d.Kind == Text {
		return n.text(d, e, els)
	}
	if d.Kind == Geo {
		return n.points(d, e, els)
	}
	for i, symbol := range d.Symbols {
		if err := n.column(d, e, els, symbol, i > 0); err != nil || len(n.list) == 0 {
			return err
		}
	}
	return nil
}

// column continues each of the entries with each value of a key; with only that it begins
// them.
func (n *Entries) column(d *Definition, e *Element, els Elements, symbol uint32, goOn bool) error {
	var err error
	if n.vals, err = els.Values(n.vals[:0], e.Class, e.ID, symbol); err != nil {
		return err
	}
	before, next := n.list, n.last[:0]
	if !goOn {
		before = append(before[:0], entry{exact: true})
	}
	for _, b := range before {
		if len(n.vals) == 0 && goOn && !d.Unique {
			start := len(n.buf)
			n.buf = append(append(n.buf, n.buf[b.start:b.end]...), absent)
			next = append(next, entry{start, len(n.buf), b.exact})
		}
		for _, v := range n.vals {
			if d.Unique && v.IsNull() {
				continue
			}
			start := len(n.buf)
			n.buf = append(n.buf, n.buf[b.start:b.end]...)
			var exact bool
			if n.buf, exact, err = d.appendForm(n.buf, v); err != nil {
				return fmt.Errorf("index value %s: %w", v.Brief(), err)
			}
			if !isNew(n.buf, next, start) {
				n.buf = n.buf[:start]
				continue
			}
			next = append(next, entry{start, len(n.buf), b.exact && exact})
		}
		if d.Declared() && len(next) > EntriesMax {
			return &TooManyError{d.Name}
		}
	}
	n.list, n.last = next, before
	return nil
}

// isNew reports whether what stands in buf from start on is none of the entries.
func isNew(buf []byte, list []entry, start int) bool {
	for _, e := range list {
		if bytes.Equal(buf[e.start:e.end], buf[start:]) {
			return false
		}
	}
	return true
}

// appendForm appends the form of a value. In a declared index all numbers that are equal
// have one form, so that what comes behind them stands together; a key index keeps their
// kinds apart.
func (d *Definition) appendForm(dst []byte, v value.Value) ([]byte, bool, error) {
	if !d.Declared() {
		return value.AppendOrdered(dst, v)
	}
	return appendColumn(dst, v)
}

func appendColumn(dst []byte, v value.Value) ([]byte, bool, error) {
	if v.Kind().IsNumber() {
		return value.AppendOrderedEqual(dst, v)
	}
	return value.AppendOrdered(dst, v)
}

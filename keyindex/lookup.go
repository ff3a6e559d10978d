package keyindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Range is an interval of values in the order of value.Order, within one
// comparability class. The zero Range is everything.
type Range struct {
	Min, Max         value.Value
	HasMin, HasMax   bool
	MinOpen, MaxOpen bool
	// Prefix, when set, means strings that start with it; Min and Max are ignored.
	Prefix  string
	Reverse bool
}

// bounds is a Range in bytes: [from, to) behind the prefix of the key.
type bounds struct {
	from, to []byte // nil: from the start, to the end
	exact    bool
	// unique is set when no element can be in the range twice.
	unique bool
}

// bounds uses the memory of form for the equality of a value.
func (r Range) bounds(form []byte) (bounds, error) {
	switch {
	case r.Prefix != "":
		p, exact := value.AppendOrderedPrefix(nil, r.Prefix)
		return bounds{from: p, to: table.PrefixEnd(nil, p), exact: exact}, nil
	case !r.HasMin && !r.HasMax:
		return bounds{exact: true}, nil
	case r.HasMin && r.HasMax && !r.MinOpen && !r.MaxOpen && value.Identical(r.Min, r.Max):
		return equalBounds(form, r.Min)
	}
	b := bounds{exact: true}
	if r.HasMin {
		from, exact, err := lowerBound(r.Min, r.MinOpen)
		if err != nil {
			return b, err
		}
		b.from, b.exact = from, exact
	}
	if r.HasMax {
		to, exact, err := upperBound(r.Max, r.MaxOpen)
		if err != nil {
			return b, err
		}
		b.to, b.exact = to, b.exact && exact
	}
	if !r.HasMin {
		b.from = classStart(b.to, r.Max)
	}
	if !r.HasMax {
		b.to = classEnd(b.from, r.Min)
	}
	return b, nil
}

// equalBounds is where everything stands that Equal finds equal to v.
func equalBounds(form []byte, v value.Value) (bounds, error) {
	if isNaN(v) {
		return bounds{from: []byte{0}, to: []byte{0}, exact: true}, nil // equal to nothing
	}
	lo, hi, exact := value.EqualRange(v)
	from, fromExact, err := value.AppendOrderedEqual(form[:0], lo)
	if err != nil {
		return bounds{}, fmt.Errorf("look up %s: %w", v.Brief(), err)
	}
	if !v.Kind().IsNumber() { // one form for all that is equal
		n := len(from)
		all := table.PrefixEnd(from, from)
		return bounds{from: all[:n], to: all[n:], exact: fromExact, unique: fromExact}, nil
	}
	upper, upperExact, err := value.AppendOrderedEqual(nil, hi)
	if err != nil {
		return bounds{}, fmt.Errorf("look up %s: %w", v.Brief(), err)
	}
	if !bytes.Equal(from, upper) {
		from, upper = uncut(lo, from, fromExact), uncut(hi, upper, upperExact)
	}
	return bounds{from: from, to: table.PrefixEnd(nil, upper), exact: exact && fromExact && upperExact}, nil
}

// The ends of a cut form: see value.AppendOrdered.
const (
	cutString = 2 + 8
	cutNumber = 1 + 8
)

// uncut takes the hash off a cut form, so that it bounds what shares its beginning.
func uncut(v value.Value, form []byte, exact bool) []byte {
	n := 0
	switch {
	case exact:
	case v.Kind().IsNumber():
		n = cutNumber
	case v.Kind() == value.KindString:
		n = cutString
	}
	return form[:max(len(form)-n, 1)]
}

func lowerBound(v value.Value, open bool) ([]byte, bool, error) {
	lo, hi, exact := value.EqualRange(v)
	form, formExact, err := value.AppendOrderedEqual(nil, lo)
	if err != nil {
		return nil, false, fmt.Errorf("look up %s: %w", v.Brief(), err)
	}
	exact = exact && formExact && value.Identical(lo, hi)
	if open && exact {
		return table.PrefixEnd(nil, form), true, nil
	}
	return uncut(lo, form, formExact), exact, nil
}

func upperBound(v value.Value, open bool) ([]byte, bool, error) {
	lo, hi, exact := value.EqualRange(v)
	form, formExact, err := value.AppendOrderedEqual(nil, hi)
	if err != nil {
		return nil, false, fmt.Errorf("look up %s: %w", v.Brief(), err)
	}
	exact = exact && formExact && value.Identical(lo, hi)
	if open && exact {
		return form, true, nil
	}
	return table.PrefixEnd(nil, uncut(hi, form, formExact)), exact, nil
}

// classStart and classEnd bound a half-open interval by what can be compared with its
// bound at all: a form begins with the code of its class.
func classStart(form []byte, v value.Value) []byte { return classOf(form, v) }

func classEnd(form []byte, v value.Value) []byte {
	if v.Kind().IsNumber() {
		nan, _, _ := value.AppendOrderedEqual(nil, value.Double(math.NaN()))
		return nan // NaN sorts behind all numbers and compares with none
	}
	return table.PrefixEnd(nil, classOf(form, v))
}

func classOf(form []byte, v value.Value) []byte {
	own, _, err := value.AppendOrderedEqual(nil, v)
	if err != nil || len(own) == 0 {
		return form[:1]
	}
	const ordOther = 0xA0 // followed by the rank of the class
	if own[0] == ordOther && len(own) > 1 {
		return own[:2]
	}
	return own[:1]
}

func isNaN(v value.Value) bool {
	k := v.Kind()
	return (k == value.KindFloat || k == value.KindDouble) && math.IsNaN(v.Float64())
}

// walk is what Hits needs of a storage.Iterator.
type walk interface {
	Next() bool
	Key() []byte
	Value() []byte
	Err() error
	Close() error
}

// Hits walks the elements that a look-up finds, in the order of values. An element
// comes once, however many of its values are in the range.
type Hits struct {
	it     walk
	seen   *keyed.Set // nil where no element comes twice
	gone   func(uint64) bool
	accept func(key, cell []byte) (bool, error)
	exact  bool
	err    error

	text   *textWalk // in place of it
	unique bool      // owners stand in the values
	queue  []uint64  // of one entry
}

// Lookup makes h walk the entries of a complete key index. gone, when not nil, tells
// which elements are no more.
func (s *Scratch) Lookup(h *Hits, tx storage.Reader, graph uint32, c table.Class, symbol uint32, r Range, gone func(uint64) bool) {
	s.key = table.AppendKeyIndexKey(s.key[:0], graph, c, symbol)
	s.lookup(h, tx, r, gone)
}

// lookup looks below the prefix in s.key.
func (s *Scratch) lookup(h *Hits, tx storage.Reader, r Range, gone func(uint64) bool) {
	b, err := r.bounds(s.form)
	if err != nil {
		*h = Hits{err: err}
		return
	}
	*h = Hits{gone: gone, exact: b.exact}
	if !b.unique {
		h.seen = &keyed.Set{}
	}
	if b.to != nil {
		s.to = append(append(s.to[:0], s.key...), b.to...)
	} else {
		s.to = table.PrefixEnd(s.to[:0], s.key)
	}
	s.key = append(s.key, b.from...)
	to := s.to
	if bytes.Compare(s.key, to) >= 0 {
		to = s.key // an empty interval is still one that was asked for
	}
	if b.unique {
		s.form = b.from
	}
	h.it = tx.Scan(storage.ScanOptions{From: s.key, To: to, Reverse: r.Reverse})
}

// ChargeTo has what h keeps, to show no element twice, charged to a until it is closed. It
// comes before Next.
func (h *Hits) ChargeTo(a *account.Account) {
	if h.seen != nil {
		h.seen.Account = a
	}
}

// Next fills buf with elements and returns how many; 0 at the end or on an error.
func (h *Hits) Next(buf []uint64) int {
	if h.text != nil {
		return h.nextText(buf)
	}
	if h.it == nil {
		return 0
	}
	n := 0
	if h.unique {
		return h.nextOwners(buf)
	}
	for n < len(buf) && h.err == nil && h.it.Next() {
		if id, ok := h.element(); ok {
			buf[n] = id
			n++
		}
	}
	return n
}

const elementLen = 8

func (h *Hits) element() (uint64, bool) {
	k := h.it.Key()
	if len(k) < elementLen {
		h.err = fmt.Errorf("index entry: %w", storage.ErrCorrupt)
		return 0, false
	}
	id := binary.BigEndian.Uint64(k[len(k)-elementLen:])
	if h.gone != nil && h.gone(id) {
		return 0, false
	}
	if h.accept != nil {
		ok, err := h.accept(k, h.it.Value())
		if h.err = err; !ok || err != nil {
			return 0, false
		}
	}
	if h.seen != nil {
		isNew, err := h.seen.Add(id)
		if h.err = err; !isNew || err != nil {
			return 0, false
		}
	}
	return id, true
}

// Exact reports whether every element found satisfies the look-up; otherwise the
// caller has to compare the values.
func (h *Hits) Exact() bool { return h.exact }

// Err returns why the walk ended early.
func (h *Hits) Err() error {
	if h.err != nil || h.it == nil {
		return h.err
	}
	return h.it.Err()
}

// Close releases the look-up; it is idempotent.
func (h *Hits) Close() error {
	if h.seen != nil {
		h.seen.Release()
	}
	if h.text != nil {
		if err := h.text.close(); h.err == nil {
			return err
		}
	}
	if h.it == nil {
		return h.err
	}
	err := h.it.Close()
	if h.err != nil {
		return h.err
	}
	return err
}

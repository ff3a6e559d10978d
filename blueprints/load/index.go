package load

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// keyEntries gathers the entries of one key index. What does not fit into memory waits in
// temporary files.
type keyEntries struct {
	key    uint32
	values spool.Sorter // elements by their places, behind the ordered value
	owned  spool.List   // the same in the order of elements, each value behind its element

	// Entries of the element under way, which may yet be refused: ordered values one
	// behind the other, and where each ends.
	forms []byte
	ends  []int
	buf   []byte
}

func (x *keyEntries) close() {
	x.values.Close()
	x.owned.Close()
}

func (x *keyEntries) add(v value.Value) (err error) {
	if x.forms, _, err = value.AppendOrdered(x.forms, v); err == nil {
		x.ends = append(x.ends, len(x.forms))
	}
	return err
}

// drop forgets the entries of the element under way.
func (x *keyEntries) drop() { x.forms, x.ends = x.forms[:0], x.ends[:0] }

// take keeps the entries of the element under way, which has a place now.
func (x *keyEntries) take(element uint32) error {
	start := 0
	for _, end := range x.ends {
		form := x.forms[start:end]
		if err := x.values.Add(form, element); err != nil {
			return err
		}
		x.buf = append(binary.BigEndian.AppendUint32(x.buf[:0], element), form...)
		if err := x.owned.Write(x.buf); err != nil {
			return err
		}
		start = end
	}
	x.drop()
	return nil
}

// emitEntries emits the key indexes of a class: by key, value, element.
func (l *loader) emitEntries(c table.Class) storage.KeySource {
	return func(add func(key, val []byte) error) error {
		var buf, last []byte
		for _, x := range l.indexes[c-1] {
			before := -1
			err := x.values.Each(func(form []byte, element uint32) error {
				// A list may hold the same value twice.
				if before == int(element) && bytes.Equal(last, form) {
					return nil
				}
				before, last = int(element), append(last[:0], form...)
				buf = table.AppendKeyIndex(buf[:0], l.tableEntry(c, x, element, form))
				return add(buf, nil)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func (l *loader) tableEntry(c table.Class, x *keyEntries, element uint32, form []byte) table.KeyIndex {
	return table.KeyIndex{Graph: l.number, Class: c, Key: x.key, Value: form, Element: l.column(c).first + uint64(element)}
}

// emitOwned emits the reverse rows of a class: by element, key, value.
func (l *loader) emitOwned(c table.Class) storage.KeySource {
	return func(add func(key, val []byte) error) error {
		all := make([]ownedEntries, 0, len(l.indexes[c-1]))
		for _, x := range l.indexes[c-1] {
			o := ownedEntries{x: x, r: x.owned.Reader(spool.Mark{})}
			if err := o.next(); err != nil {
				return err
			}
			all = append(all, o)
		}
		var buf []byte
		for {
			element, ok := firstElement(all)
			if !ok {
				return nil
			}
			for i := range all {
				o := &all[i]
				if o.ended || o.element != element {
					continue
				}
				for _, form := range slices.CompactFunc(o.forms, bytes.Equal) {
					buf = table.AppendKeyOwned(buf[:0], l.tableEntry(c, o.x, element, form))
					if err := add(buf, nil); err != nil {
						return err
					}
				}
				if err := o.next(); err != nil {
					return err
				}
			}
		}
	}
}

// ownedEntries reads the entries of an index, those of one element at a time.
type ownedEntries struct {
	x       *keyEntries
	r       *spool.Reader
	element uint32
	forms   [][]byte // of the element, in order
	mem     []byte   // where they stand
	ahead   []byte   // entry of the next element
	more    bool     // there is one
	begun   bool
	ended   bool
}

func (o *ownedEntries) next() error {
	if !o.begun {
		o.begun = true
		if err := o.read(); err != nil {
			return err
		}
	}
	if o.ended = !o.more; o.ended {
		return nil
	}
	o.element, o.forms, o.mem = binary.BigEndian.Uint32(o.ahead), o.forms[:0], o.mem[:0]
	for o.more && binary.BigEndian.Uint32(o.ahead) == o.element {
		start := len(o.mem)
		o.mem = append(o.mem, o.ahead[4:]...)
		o.forms = append(o.forms, o.mem[start:])
		if err := o.read(); err != nil {
			return err
		}
	}
	if len(o.forms) > 1 {
		slices.SortFunc(o.forms, bytes.Compare)
	}
	return nil
}

func (o *ownedEntries) read() error {
	b, err := o.r.Read()
	if o.more = err == nil; o.more {
		o.ahead = append(o.ahead[:0], b...)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// firstElement is the one with the lowest place, false when all entries were read.
func firstElement(all []ownedEntries) (element uint32, ok bool) {
	for i := range all {
		if o := &all[i]; !o.ended && (!ok || o.element < element) {
			element, ok = o.element, true
		}
	}
	return element, ok
}

// placed is a place with the first bytes of what it is sorted by.
type placed struct {
	prefix uint64
	place  uint32
}

// prefixOf returns the first eight bytes of a key as a number of the same order.
func prefixOf[T string | []byte](key T) uint64 {
	var first [8]byte
	copy(first[:], key)
	return binary.BigEndian.Uint64(first[:])
}

// sortPlaced sorts by prefix, then by compare, stably: a radix sort, which skips the
// bytes that all prefixes share, and leaves little to compare. It may reuse a.
func sortPlaced(a []placed, compare func(p, q uint32) int) []placed {
	var counts [8][256]uint32
	for i := range a {
		for b := range 8 {
			counts[b][byte(a[i].prefix>>(8*b))]++
		}
	}
	var spare []placed
	for b := range 8 {
		if len(a) == 0 || counts[b][byte(a[0].prefix>>(8*b))] == uint32(len(a)) {
			continue
		}
		if spare == nil {
			spare = make([]placed, len(a))
		}
		next := uint32(0)
		for i, n := range counts[b] {
			counts[b][i], next = next, next+n
		}
		for _, p := range a {
			at := &counts[b][byte(p.prefix>>(8*b))]
			spare[*at] = p
			*at++
		}
		a, spare = spare, a
	}
	for i := 0; i < len(a); {
		n := i + 1
		for n < len(a) && a[n].prefix == a[i].prefix {
			n++
		}
		inOrder := func(p, q placed) int { return compare(p.place, q.place) }
		if n > i+1 && !slices.IsSortedFunc(a[i:n], inOrder) {
			slices.SortStableFunc(a[i:n], inOrder)
		}
		i = n
	}
	return a
}

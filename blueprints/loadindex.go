package blueprints

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loadIndex gathers the entries of one key index, in the order of their elements.
type loadIndex struct {
	key     uint32
	entries []loadEntry
	forms   []byte // ordered values of the entries, one behind the other
}

// loadEntry is an entry of a key index.
type loadEntry struct {
	start   uint64 // of the form in loadIndex.forms
	element uint32 // its place
	len     uint32
}

func (x *loadIndex) form(e *loadEntry) []byte { return x.forms[e.start : e.start+uint64(e.len)] }

func (x *loadIndex) add(element uint32, v value.Value) error {
	start := len(x.forms)
	forms, _, err := value.AppendOrdered(x.forms, v)
	if err != nil {
		return err
	}
	x.forms = forms
	x.entries = append(x.entries, loadEntry{start: uint64(start), element: element, len: uint32(len(forms) - start)})
	return nil
}

// drop forgets the entries of the last element.
func (x *loadIndex) drop(element uint32) {
	for n := len(x.entries); n > 0 && x.entries[n-1].element == element; n-- {
		x.forms = x.forms[:x.entries[n-1].start]
		x.entries = x.entries[:n-1]
	}
}

// sorted returns the entries' places by value, then element.
func (x *loadIndex) sorted() []placed {
	a := make([]placed, len(x.entries))
	for i := range x.entries {
		a[i] = placed{prefixOf(x.form(&x.entries[i])), uint32(i)}
	}
	return sortPlaced(a, func(p, q uint32) int { return bytes.Compare(x.form(&x.entries[p]), x.form(&x.entries[q])) })
}

// emitEntries emits the key indexes of a class: by key, value, element.
func (l *loader) emitEntries(c table.Class) storage.KeySource {
	return func(add func(key, val []byte) error) error {
		var buf []byte
		for _, x := range l.indexes[c-1] {
			var last *loadEntry
			for _, p := range x.sorted() {
				e := &x.entries[p.place]
				// A list may hold the same value twice.
				if last != nil && last.element == e.element && bytes.Equal(x.form(last), x.form(e)) {
					continue
				}
				last = e
				buf = table.AppendKeyIndex(buf[:0], l.tableEntry(c, x, e))
				if err := add(buf, nil); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func (l *loader) tableEntry(c table.Class, x *loadIndex, e *loadEntry) table.KeyIndex {
	return table.KeyIndex{Graph: l.g.number, Class: c, Key: x.key, Value: x.form(e), Element: l.column(c).first + uint64(e.element)}
}

// emitOwned emits the reverse rows of a class: by element, key, value.
func (l *loader) emitOwned(c table.Class) storage.KeySource {
	return func(add func(key, val []byte) error) error {
		indexes := l.indexes[c-1]
		rest := make([][]loadEntry, len(indexes))
		for i, x := range indexes {
			rest[i] = x.entries
		}
		var buf []byte
		for {
			element, ok := firstElement(rest)
			if !ok {
				return nil
			}
			for i, x := range indexes {
				own := ownEntries(rest[i], element)
				rest[i] = rest[i][len(own):]
				own = byForm(x, own)
				for k := range own {
					if k > 0 && bytes.Equal(x.form(&own[k]), x.form(&own[k-1])) {
						continue
					}
					buf = table.AppendKeyOwned(buf[:0], l.tableEntry(c, x, &own[k]))
					if err := add(buf, nil); err != nil {
						return err
					}
				}
			}
		}
	}
}

func firstElement(rest [][]loadEntry) (element uint32, ok bool) {
	for _, entries := range rest {
		if len(entries) > 0 && (!ok || entries[0].element < element) {
			element, ok = entries[0].element, true
		}
	}
	return element, ok
}

func ownEntries(entries []loadEntry, element uint32) []loadEntry {
	n := 0
	for n < len(entries) && entries[n].element == element {
		n++
	}
	return entries[:n]
}

func byForm(x *loadIndex, own []loadEntry) []loadEntry {
	if len(own) < 2 {
		return own
	}
	own = slices.Clone(own)
	slices.SortFunc(own, func(a, b loadEntry) int { return bytes.Compare(x.form(&a), x.form(&b)) })
	return own
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

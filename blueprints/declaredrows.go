package blueprints

import (
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

const (
	// rowsGap is among how many elements, at most, each one lies that is read row by row.
	rowsGap = 4
	// rowsSkip is how many properties that nobody asked for are read before a search for the
	// next one that somebody did, which costs about as much.
	rowsSkip = 16
)

// ReadingRows implements keyindex.Source: all cells of elements side by side in one walk, for
// to search for each takes longer.
func (s source) ReadingRows(tx storage.Tx, c table.Class, ids []uint64, symbols []uint32) (keyindex.Elements, error) {
	if len(ids) < 2 || !isNear(ids, rowsGap) {
		return s.ReadingMany(tx, c, ids, symbols)
	}
	m := &storedMany{stored: stored{s, tx}, tx: tx, class: c, ids: ids, symbols: symbols, cells: make([]manyCell, len(ids))}
	m.spans = make([]columnSpan, len(ids)*(1+len(symbols)))
	m.values = make([]value.Value, 0, len(ids)*len(symbols))
	return m, m.walk()
}

// walk reads the rows of all elements.
func (m *storedMany) walk() error {
	from, to := m.Rows(m.class, m.ids[0], m.ids[len(m.ids)-1])
	it := m.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	element, idle, last := 0, 0, lastSymbol(m.symbols)
	for it.Next() {
		key := it.Key()
		if len(key) <= cellRow {
			return corrupt("element", nil)
		}
		id := binary.BigEndian.Uint64(key[cellRow-8:])
		for m.ids[element] < id {
			element, idle = element+1, 0 // the last one is at the end of the walk
		}
		if i := m.rangeOf(element, id, key); i >= 0 {
			if _, err := m.take(i, key, it.Value()); err != nil {
				return err
			}
			continue
		}
		past := isPast(key, last)
		if idle++; idle == rowsSkip || past {
			idle = 0
			it.Seek(m.behind(element, id, key, past))
		}
	}
	return it.Err()
}

// lastSymbol is the highest of some keys, 0 for none.
func lastSymbol(symbols []uint32) (last uint32) {
	for _, s := range symbols {
		last = max(last, s)
	}
	return last
}

// isPast reports whether a key is behind all of its row that is asked for, the properties of the key
// last.
func isPast(key []byte, last uint32) bool {
	switch f := table.Family(key[cellRow]); {
	case f != table.Property:
		return f > table.Property
	case len(key) < cellRow+5:
		return false
	default:
		return binary.BigEndian.Uint32(key[cellRow+1:]) > last
	}
}

// rangeOf is which of the ranges of ReadingMany a key is in, -1 for none.
func (m *storedMany) rangeOf(element int, id uint64, key []byte) int {
	if m.ids[element] != id {
		return -1
	}
	first, k := element*(1+len(m.symbols)), -1
	switch table.Family(key[cellRow]) {
	case table.Exists:
		return first
	case table.Property:
		if len(key) >= cellRow+5 {
			k = slices.Index(m.symbols, binary.BigEndian.Uint32(key[cellRow+1:]))
		}
	}
	if k < 0 {
		return -1
	}
	return first + 1 + k
}

// behind is where the walk goes on from cells that nobody asked for: with the next element,
// unless what comes may be properties of one that was.
func (m *storedMany) behind(element int, id uint64, key []byte, past bool) []byte {
	next := m.ids[element]
	if next == id {
		if !past {
			return append(slices.Clone(key), 0)
		}
		next = id + 1
	}
	m.row = m.appendExists(m.row[:0], m.class, next)
	return m.row[:cellRow] // all of the row, whatever is wrong with it
}

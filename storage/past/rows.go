package past

import (
	"bytes"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// rows walks the history of cells, and stops at each cell that was another as of the stamp than
// it is now.
type rows struct {
	r        *reader
	it       storage.Iterator
	held     bool   // it stands on a row that was not yet read
	low      []byte // the bound of cells
	from, to []byte // bounds of those that are shown from now on
	cell     []byte // under it, as it was: was, if it was there
	was      []byte
	there    bool
	ended    bool
	err      error
	next     []byte // scratch
	seek     []byte
}

// open begins the walk in the direction of it, which stands on the first row.
func (h *rows) open(r *reader, o storage.ScanOptions, it storage.Iterator) {
	h.r, h.it, h.held = r, it, true
	h.low, h.to = append(h.low[:0], o.From...), append(h.to[:0], o.To...)
	h.from = h.low
}

// read decodes the row under the iterator, unless the walk ends.
func (h *rows) read() (until storage.Stamp) {
	if h.held {
		h.held = false
	} else if !h.it.Next() {
		h.ended, h.err = true, h.it.Err()
		return until
	}
	h.next, until, h.err = table.DecodePastRow(h.next[:0], h.it.Key())
	h.ended = h.err != nil
	return until
}

func (h *rows) value() bool {
	h.was, h.there, h.err = table.DecodePastValue(h.it.Value())
	h.ended = h.err != nil
	return h.err == nil
}

// rowsMax is how many rows of a cell a walk passes one by one. Most cells have few, and a step
// costs much less than a search.
const rowsMax = 8

// forward goes to the next cell that was another. The rows of a cell come from the oldest on.
func (h *rows) forward() bool {
	decided := len(h.cell) > 0 // the other rows of the cell under it say nothing
	for passed := 0; !h.ended; {
		until := h.read()
		switch {
		case h.ended:
			return false
		case decided && bytes.Equal(h.next, h.cell):
			if passed++; passed >= rowsMax {
				h.goTo(table.AppendPastEnd(h.seek[:0], h.cell))
				decided = false
			}
		case bytes.Compare(h.next, h.from) < 0:
			h.goTo(table.AppendPastEnd(h.seek[:0], h.next))
		case len(h.to) > 0 && bytes.Compare(h.next, h.to) >= 0:
			h.ended = true
		case until > h.r.at:
			h.cell = append(h.cell[:0], h.next...)
			return h.value()
		default:
			if passed++; passed >= rowsMax {
				h.goTo(table.AppendPastRow(h.seek[:0], h.next, h.r.at+1))
				passed = 0
			}
		}
	}
	return false
}

// backward is forward from the last cell to the first. The rows of a cell come from the newest
// on, and there may be any number that say nothing: the one that does is looked up.
func (h *rows) backward() bool {
	for passed := 0; !h.ended; {
		h.read()
		switch {
		case h.ended:
			return false
		case len(h.to) > 0 && bytes.Compare(h.next, h.to) >= 0:
			continue
		case bytes.Compare(h.next, h.from) < 0:
			continue // it stands among those behind the bound
		case bytes.Equal(h.next, h.cell):
			if passed++; passed >= rowsMax {
				h.reopen()
				passed = 0
			}
			continue
		}
		h.cell, passed = append(h.cell[:0], h.next...), 0
		var decided bool
		if h.was, h.there, decided, h.err = h.r.decide(h.cell); h.err != nil {
			h.ended = true
		} else if decided {
			return true
		}
	}
	return false
}

// reopen goes in front of the rows of the cell under the walk.
func (h *rows) reopen() {
	if err := h.it.Close(); err != nil {
		h.ended, h.err = true, err
		return
	}
	from := table.AppendPastFrom(nil, h.r.graph, h.low)
	h.it = h.r.now.Scan(storage.ScanOptions{From: from, To: table.AppendPast(nil, h.cell), Reverse: true, Unobserved: true})
}

func (h *rows) goTo(key []byte) {
	h.seek = key
	h.it.Seek(key)
}

package keyindex

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// textWalk walks elements, ascending, that have all of some tokens, and those whose texts
// are too long to have any. It keeps nothing but its place in the list of each token.
type textWalk struct {
	lists []*tokenList // the others go on to where the first one stands
	long  *tokenList
	begun bool
	last  uint64 // what was found last
	tried int    // elements that all lists were asked for
}

// tokenList is the elements of one token.
type tokenList struct {
	tx     storage.Reader
	key    []byte // of the token: what its entries begin with
	it     storage.Iterator
	at     uint64 // where it stands, unless it has ended
	ended  bool
	refuse int // elements that were not in it
	err    error
}

// stepsMax is how many entries of a list are passed over before it is opened anew where it
// has to go on: to pass one takes a hundredth of that.
const stepsMax = 64

func (l *tokenList) next() bool {
	if l.ended {
		return false
	}
	if !l.it.Next() {
		l.ended, l.err = true, l.it.Err()
		return false
	}
	k := l.it.Key()
	if len(k) != len(l.key)+elementLen {
		l.ended, l.err = true, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
		return false
	}
	l.at = binary.BigEndian.Uint64(k[len(l.key):])
	return true
}

// open begins with an element.
func (l *tokenList) open(from uint64) bool {
	if l.it != nil {
		if l.err = l.it.Close(); l.err != nil {
			l.ended = true
			return false
		}
	}
	n := len(l.key)
	first := l.key[:n:n]
	if from > 0 {
		first = binary.BigEndian.AppendUint64(first, from)
	}
	l.it = l.tx.Scan(storage.ScanOptions{From: first, To: table.PrefixEnd(nil, l.key)})
	return l.next()
}

// reach goes on to the first element that is not before want.
func (l *tokenList) reach(want uint64) bool {
	for range stepsMax {
		if l.ended || l.at >= want {
			return !l.ended
		}
		l.next()
	}
	return l.open(want)
}

// LookupText makes h walk the elements of a text index whose texts may hold all of the
// patterns, each of which has trigrams.
func (s *Scratch) LookupText(h *Hits, tx storage.Reader, graph uint32, d *Definition, patterns []string, gone func(uint64) bool) {
	list := func(token []byte) *tokenList {
		return &tokenList{tx: tx, key: table.AppendTextToken(nil, graph, d.Number, 0, token)}
	}
	w := &textWalk{long: list(longText)}
	for _, g := range gramsOf(patterns) {
		w.lists = append(w.lists, list([]byte{byte(g >> 16), byte(g >> 8), byte(g)}))
	}
	if *h = (Hits{gone: gone, text: w}); len(w.lists) == 0 {
		*h = Hits{err: fmt.Errorf("Index %s: a text of fewer than %d letters cannot be looked up", d.Name, gramLen)}
	}
}

func (w *textWalk) begin() {
	w.begun = true
	w.long.open(0)
	for _, l := range w.lists {
		l.open(0)
	}
}

// next returns the next element, false at the end.
func (w *textWalk) next() (uint64, bool) {
	first := w.lists[0]
	if !w.begun {
		w.begin()
	} else {
		for _, l := range [...]*tokenList{first, w.long} {
			if !l.ended && l.at == w.last {
				l.next()
			}
		}
	}
	common := w.common()
	if !common && w.long.ended {
		return 0, false
	}
	if w.last = w.long.at; common && (w.long.ended || first.at < w.long.at) {
		w.last = first.at
	}
	return w.last, true
}

// common goes on to an element that all lists have, which is where the first one stands
// then; false when there is none.
func (w *textWalk) common() bool {
	first := w.lists[0]
	for i := 1; i < len(w.lists); i++ {
		if first.ended {
			return false
		}
		l := w.lists[i]
		if !l.reach(first.at) {
			first.ended = true
			return false
		}
		if l.at > first.at {
			if l.refuse++; !first.reach(l.at) {
				return false
			}
			i = 0
		}
	}
	if w.tried++; w.tried == triedMax {
		w.leaveOut()
	}
	return !first.ended
}

// triedMax is how many elements are found before lists that refused few of them are left
// out: to read one takes longer then than to look at what it would refuse.
const triedMax = 64

func (w *textWalk) leaveOut() {
	w.lists = slices.DeleteFunc(w.lists, func(l *tokenList) bool {
		if l == w.lists[0] || l.refuse > triedMax/8 {
			return false
		}
		l.err = l.it.Close()
		l.it = nil
		return l.err == nil
	})
}

func (w *textWalk) each(fn func(*tokenList)) {
	fn(w.long)
	for _, l := range w.lists {
		fn(l)
	}
}

func (w *textWalk) err() (err error) {
	w.each(func(l *tokenList) {
		if err == nil {
			err = l.err
		}
	})
	return err
}

func (w *textWalk) close() (err error) {
	w.each(func(l *tokenList) {
		if l.it == nil {
			return
		}
		if cerr := l.it.Close(); err == nil {
			err = cerr
		}
		l.ended = true
	})
	return err
}

// nextText is Next for a text index.
func (h *Hits) nextText(buf []uint64) int {
	n := 0
	for n < len(buf) && h.err == nil {
		id, ok := h.text.next()
		if h.err = h.text.err(); !ok || h.err != nil {
			break
		}
		if h.gone == nil || !h.gone(id) {
			buf[n] = id
			n++
		}
	}
	return n
}

package occ

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"sort"

	"github.com/gremlind/gremlind/storage"
)

// validate returns a ConflictError when a commit after r's start touched what r read,
// guards or writes:
//
//	read range, guard     any write
//	set, delete           any write
//	delta, SetSame,
//	SetStamped            any write but one of its kind
//	range deletion        any write within it
//
// Ranges of CommitTablesBeside conflict with what others read alone.
func (c *recent) validate(r *request) error {
	if err := c.reaches(r); err != nil {
		return err
	}
	if key, found := c.contested(r); found {
		return c.conflict(key)
	}
	return nil
}

func (c *recent) conflict(key []byte) error {
	return &storage.ConflictError{Key: bytes.Clone(key), What: c.fresh.layout.Describe(key)}
}

// reaches is an error when commits after r's start are forgotten.
func (c *recent) reaches(r *request) error {
	if r.start >= c.floor {
		return nil
	}
	return &storage.ConflictError{What: fmt.Sprintf(
		"the transaction is too old to be validated, others have written more than the %d keys or %d bytes of keys (conflictMemory) that are kept for that",
		c.max, c.maxBytes)}
}

// wrote reports whether a commit after start wrote key.
func (c *recent) wrote(key []byte, start uint64) bool {
	return c.fresh.wroteKey(key, start, false) || slices.ContainsFunc(c.stretches, func(n *stretch) bool { return n.wroteKey(key, start, false) })
}

// touched returns what commits after r's start wrote of what r read.
func (c *recent) touched(r *request) []storage.Touched {
	var all []storage.Touched
	var mem arena // a stretch's memory is used again
	if !r.strict {
		return nil
	}
	keys := func(keys iter.Seq2[[]byte, recentWrite]) {
		for key, w := range keys {
			if w.any > r.start && Within(r.reads, key) {
				all = append(all, storage.Touched{From: mem.copy(key)})
			}
		}
	}
	keys(c.fresh.all()) // which are not sorted
	for _, n := range c.stretches {
		if n.last <= r.start {
			continue
		}
		for _, s := range r.reads {
			keys(n.within(s))
		}
		for _, s := range slices.Concat(n.spans, n.tables) {
			if s.seq > r.start && overlaps(r.reads, s.Span) {
				all = append(all, storage.Touched{From: s.From, To: s.To})
			}
		}
	}
	return all
}

// overlaps reports whether s has a key of one of the spans, which are ascending and disjoint.
func overlaps(spans []Span, s Span) bool {
	i := sort.Search(len(spans), func(i int) bool { return before(s.From, spans[i].To) })
	return i < len(spans) && before(spans[i].From, s.To)
}

// contested returns a key that makes a commit fail.
func (c *recent) contested(r *request) ([]byte, bool) {
	if c.fresh.last > r.start {
		if key, found := touches(&c.fresh, r); found {
			return key, true
		}
	}
	for i := len(c.stretches) - 1; i >= 0 && c.stretches[i].last > r.start; i-- {
		if key, found := touches(c.stretches[i], r); found {
			return key, true
		}
	}
	return nil, false
}

// writes is what a stretch of commits wrote. Each method returns a key that the
// stretch wrote after the commit start, or after r's start.
type writes interface {
	inSpans(spans []Span, start uint64) ([]byte, bool)
	wroteKey(key []byte, start uint64, exceptDeltas bool) bool
	sameKeys(r *request) ([]byte, bool)
}

// touches returns a contested key.
func touches(n writes, r *request) ([]byte, bool) {
	if r.strict {
		if key, found := n.inSpans(r.reads, r.start); found {
			return key, true
		}
	}
	if key, found := n.inSpans(r.Ranges, r.start); found {
		return key, true
	}
	for _, g := range r.guards {
		if n.wroteKey(g, r.start, false) {
			return g, true
		}
	}
	return n.sameKeys(r)
}

// inSpans looks for a write within one of the spans, walking the shorter side.
func (n *stretch) inSpans(spans []Span, start uint64) ([]byte, bool) {
	if len(spans) == 0 {
		return nil, false
	}
	if len(spans) <= len(n.keys) {
		for _, s := range spans {
			i := n.search(s.From)
			for ; i < len(n.keys) && before(n.key(i), s.To); i++ {
				if n.keys[i].any > start {
					return n.key(i), true
				}
			}
		}
	} else if key, found := keysInSpans(n.all(0, len(n.keys)), spans, start); found {
		return key, true
	}
	for _, list := range [][]recentSpan{n.spans, n.tables} {
		for _, s := range list {
			if s.seq > start && overlaps(spans, s.Span) {
				return s.From, true
			}
		}
	}
	return nil, false
}

// keysInSpans looks for a key written after start within one of the spans.
func keysInSpans(keys iter.Seq2[[]byte, recentWrite], spans []Span, start uint64) ([]byte, bool) {
	for key, w := range keys {
		if w.any <= start {
			continue
		}
		if _, found := spanOf(spans, key); found {
			return key, true
		}
	}
	return nil, false
}

// all goes through the keys from one place to another.
func (n *stretch) all(from, to int) iter.Seq2[[]byte, recentWrite] {
	return func(yield func([]byte, recentWrite) bool) {
		for i := from; i < to; i++ {
			if !yield(n.key(i), n.keys[i].recentWrite) {
				return
			}
		}
	}
}

// within goes through the keys within a span.
func (n *stretch) within(s Span) iter.Seq2[[]byte, recentWrite] {
	from, to := n.search(s.From), len(n.keys)
	if len(s.To) > 0 {
		to = n.search(s.To)
	}
	return n.all(from, to)
}

func (n *stretch) search(key []byte) int {
	return sort.Search(len(n.keys), func(i int) bool { return bytes.Compare(n.key(i), key) >= 0 })
}

// wroteKey reports whether key was written after start; exceptDeltas leaves deltas out.
func (n *stretch) wroteKey(key []byte, start uint64, exceptDeltas bool) bool {
	if i := n.search(key); i < len(n.keys) && bytes.Equal(n.key(i), key) && n.keys[i].after(start, exceptDeltas) {
		return true
	}
	return n.wroteRange(key, start)
}

func (w recentWrite) after(start uint64, exceptDeltas bool) bool {
	if exceptDeltas {
		return w.hard > start
	}
	return w.any > start
}

// wroteRange reports whether a range written after start covers key.
func (n *stretch) wroteRange(key []byte, start uint64) bool {
	if len(n.spans) == 0 {
		return false
	}
	i := sort.Search(len(n.spans), func(i int) bool { return before(key, n.spans[i].To) })
	return i < len(n.spans) && bytes.Compare(n.spans[i].From, key) <= 0 && n.spans[i].seq > start
}

// sameKeys looks for a key that both wrote, walking the shorter side.
func (n *stretch) sameKeys(r *request) ([]byte, bool) {
	if len(r.Writes) <= len(n.keys) || len(n.spans) > 0 {
		for _, w := range r.Writes {
			if n.wroteKey(w.Key, r.start, w.soft()) {
				return w.Key, true
			}
		}
		return nil, false
	}
	return keysWritten(n.all(0, len(n.keys)), r)
}

// keysWritten looks for a key that r writes too.
func keysWritten(keys iter.Seq2[[]byte, recentWrite], r *request) ([]byte, bool) {
	for key, w := range keys {
		i := sort.Search(len(r.Writes), func(i int) bool { return bytes.Compare(r.Writes[i].Key, key) >= 0 })
		if i < len(r.Writes) && bytes.Equal(r.Writes[i].Key, key) && w.after(r.start, r.Writes[i].soft()) {
			return key, true
		}
	}
	return nil, false
}

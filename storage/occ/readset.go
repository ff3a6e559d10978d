package occ

import (
	"bytes"
	"sync"

	"github.com/gremlind/gremlind/storage"
)

// readSet is what a transaction read, as the ranges that it asked for. It joins
// ranges as they grow many, coarsens points to whole rows beyond coarsenAt, and gives
// up beyond max.
type readSet struct {
	layout    *storage.Layout
	spans     []Span
	mem       arena // of the spans, and of the transaction's guards
	clean     int   // spans[:clean] are sorted and disjoint
	coarsenAt int
	max       int
	full      bool // more than max: the transaction cannot commit
}

// readSets are empty ones, for the next transactions.
var readSets = sync.Pool{New: func() any { return &readSet{} }}

// newReadSet returns an empty read set.
func newReadSet(l *Limits, keys *storage.Layout) *readSet {
	r := readSets.Get().(*readSet)
	r.layout = keys
	r.coarsenAt, r.max = l.ReadSetCoarsen, l.ReadSetRanges
	return r
}

// spansKept bounds the spans that a recycled read set has room for.
const spansKept = 1 << 12

// recycle gives the memory to another transaction. Nobody holds a span any more.
func (r *readSet) recycle() {
	if r == nil || cap(r.spans) > spansKept {
		return
	}
	clear(r.spans)
	r.spans, r.clean, r.full = r.spans[:0], 0, false
	r.mem.reset()
	readSets.Put(r)
}

// add notes [from, to); an empty to means to the end. It copies.
func (r *readSet) add(from, to []byte) {
	if !before(from, to) {
		return
	}
	if n := len(r.spans); n > 0 { // the same range again, or a part of it
		last := r.spans[n-1]
		if bytes.Compare(last.From, from) <= 0 && !endLess(last.To, to) {
			return
		}
	}
	if r.full {
		return
	}
	r.push(Span{From: r.mem.copy(from), To: r.mem.copy(to)})
}

// addKey notes a single key.
func (r *readSet) addKey(key []byte) {
	if n := len(r.spans); n > 0 {
		last := r.spans[n-1]
		if bytes.Compare(last.From, key) <= 0 && before(key, last.To) {
			return
		}
	}
	if r.full {
		return
	}
	end := r.mem.copyKeyEnd(key)
	r.push(Span{From: end[:len(key):len(key)], To: end})
}

// copyKeyEnd copies key with a zero byte behind it, the smallest key after it.
func (a *arena) copyKeyEnd(key []byte) []byte {
	if len(key)+1 > cap(a.slab)-len(a.slab) {
		a.next = min(max(2*a.next, slabMin), slabMax)
		a.slab = make([]byte, 0, max(a.next, len(key)+1))
	}
	n := len(a.slab)
	a.slab = append(append(a.slab, key...), 0)
	return a.slab[n:len(a.slab):len(a.slab)]
}

const spansMin = 8 // room for what most transactions read

func (r *readSet) push(s Span) {
	if r.spans == nil {
		r.spans = make([]Span, 0, spansMin)
	}
	r.spans = append(r.spans, s)
	if len(r.spans) < max(r.coarsenAt, 2*r.clean) {
		return
	}
	r.tidy()
	if len(r.spans) > r.coarsenAt {
		r.coarsen()
	}
	if len(r.spans) > r.max {
		r.full, r.spans, r.clean, r.mem = true, nil, 0, arena{}
	}
}

// tidy sorts and joins the spans.
func (r *readSet) tidy() []Span {
	r.spans = mergeSpans(r.spans)
	r.clean = len(r.spans)
	return r.spans
}

// coarsen widens every span that lies within one row to that row.
func (r *readSet) coarsen() {
	for i, s := range r.spans {
		row, ok := r.layout.Row(s.From)
		if ok && len(row) < len(s.From) && bytes.HasPrefix(s.To, row) {
			r.spans[i] = Span{From: row, To: r.mem.copy(storage.PrefixEnd(nil, row))}
		}
	}
	r.tidy()
}

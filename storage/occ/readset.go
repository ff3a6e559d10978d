package occ

import (
	"bytes"
	"sync"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
)

// readSet is what a transaction read, as the ranges that it asked for. It joins
// ranges as they grow many, coarsens points to whole rows beyond coarsenAt, and gives
// up beyond max, or when its account has no room.
type readSet struct {
	layout    *storage.Layout
	spans     []Span
	mem       arena // of the spans
	guardMem  arena // of the transaction's guards
	clean     int   // spans[:clean] are sorted and disjoint
	coarsenAt int
	max       int
	full      bool  // it gave up: the transaction cannot commit
	refused   error // why, when it was the account
	bytes     int64 // of the spans' keys, also of those that tidy has joined with others
	guards    int64 // bytes of the guards, with their places
	paid      account.Ledger
}

// readSets are empty ones, for the next transactions.
var readSets = sync.Pool{New: func() any { return &readSet{} }}

// newReadSet returns an empty read set.
func newReadSet(o *Options, a *account.Account) *readSet {
	r := readSets.Get().(*readSet)
	r.layout, r.paid.Account = &o.Layout, a
	r.coarsenAt, r.max = o.Limits.ReadSetCoarsen, o.Limits.ReadSetRanges
	return r
}

// spansKept bounds the spans that a recycled read set has room for.
const spansKept = 1 << 12

// recycle gives the memory to another transaction. Nobody holds a span any more.
func (r *readSet) recycle() {
	if r == nil {
		return
	}
	r.paid.Clear()
	if cap(r.spans) > spansKept {
		return
	}
	clear(r.spans)
	r.mem.reset()
	r.guardMem.reset()
	*r = readSet{spans: r.spans[:0], mem: r.mem, guardMem: r.guardMem}
	readSets.Put(r)
}

// Bytes of a range and of a guard beside their keys.
const (
	spanBytes  = int64(unsafe.Sizeof(Span{}))
	guardBytes = 2 * int64(unsafe.Sizeof([]byte{})) // while a list grows there are two
)

// kept is what the read set takes of memory, in bytes, with what allocations round up.
func (r *readSet) kept() int64 {
	n := r.bytes + r.guards
	return int64(cap(r.spans))*spanBytes + n + n/8
}

// pay charges for what is kept and for more bytes besides, or gives up.
func (r *readSet) pay(more int64) {
	if kept := r.kept() + more; kept > r.paid.Bytes() {
		if err := r.paid.Cover(kept); err != nil {
			r.giveUp(err)
		}
	}
}

// giveUp forgets what was read. A transaction that only reads needs none of it.
func (r *readSet) giveUp(why error) {
	r.full, r.refused = true, why
	r.spans, r.mem, r.bytes = nil, arena{}, 0
	r.paid.Shrink(r.kept())
}

// guard copies a guard of the transaction's.
func (r *readSet) guard(key []byte) []byte {
	r.guards += int64(len(key)) + guardBytes
	r.pay(0)
	return r.guardMem.copy(key)
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
	r.bytes += int64(len(s.From) + len(s.To))
	if r.makeRoom(); r.full {
		return
	}
	r.spans = append(r.spans, s)
	if len(r.spans) < max(min(r.coarsenAt, spansKept), 2*r.clean) {
		return
	}
	r.tidy()
	if len(r.spans) > r.coarsenAt {
		r.coarsen()
	}
	if len(r.spans) > r.max {
		r.giveUp(nil)
	} else {
		r.compact()
	}
}

// makeRoom makes room for one more span, or gives up.
func (r *readSet) makeRoom() {
	n := len(r.spans)
	if n < cap(r.spans) {
		r.pay(0)
		return
	}
	room := max(spansMin, 2*n)
	if n >= spansKept {
		room = n + n/4
	}
	if r.pay(int64(room) * spanBytes); !r.full {
		r.spans = append(make([]Span, 0, room), r.spans...)
	}
}

// compact leaves the keys of ranges that were joined with others behind, when these are
// most of all.
func (r *readSet) compact() {
	bytes := int64(0)
	for _, s := range r.spans {
		bytes += int64(len(s.From) + len(s.To))
	}
	if r.bytes < 2*bytes+slabMax {
		return
	}
	r.mem = arena{}
	for i, s := range r.spans {
		r.spans[i] = Span{From: r.mem.copy(s.From), To: r.mem.copy(s.To)}
	}
	clear(r.spans[len(r.spans):cap(r.spans)])
	r.bytes = bytes
	r.paid.Shrink(r.kept())
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
			end := r.mem.copy(storage.PrefixEnd(nil, row))
			r.spans[i] = Span{From: row, To: end}
			r.bytes += int64(len(end))
		}
	}
	r.tidy()
}

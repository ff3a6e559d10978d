package storagetest

import (
	"cmp"
	"fmt"
	"slices"
)

// record is what one transaction of a random history did and saw.
//
// Every written value is unique. A key's versions are the values that committed
// transactions left in it; version 0 is the key before its first write, that is,
// missing. A scan counts as a read of every key of its range, missing ones included,
// so predicates are checked like items.
type record struct {
	id         int
	readOnly   bool
	begin, end int64 // on a clock that ticks at every begin and end
	start, seq uint64
	committed  bool
	reads      []observed // not those of own writes
	writes     []observed // in order; the last one of a key is what it leaves
	readAt     []uint64   // the snapshot of each of reads
	wroteAt    []uint64   // and of writes
	sums       []summed   // changes of counts, in order
	sees       []sighting // and counts that were read
}

// observed is one version of one key.
type observed struct {
	key     string
	version int
}

// leaves returns the version that r leaves in key, 0 when it does not write it.
func (r *record) leaves(key string) int {
	for i := len(r.writes) - 1; i >= 0; i-- {
		if r.writes[i].key == key {
			return r.writes[i].version
		}
	}
	return 0
}

// keys returns the keys that r writes, each once.
func (r *record) keys() []string {
	var out []string
	for _, w := range r.writes {
		if !slices.Contains(out, w.key) {
			out = append(out, w.key)
		}
	}
	return out
}

// edgeKind says why one transaction comes before another.
type edgeKind uint8

const (
	ww edgeKind = 1 << iota // the next version of a key is the other's
	wr                      // the other read what it left
	rw                      // the other overwrote what it read
	rt                      // it had ended when the other began
)

func (k edgeKind) String() string {
	s := ""
	for i, name := range []string{"ww", "wr", "rw", "rt"} {
		if k&(1<<i) != 0 {
			s += name
		}
	}
	return s
}

type edge struct {
	to   int
	kind edgeKind
}

// history is all records of a run, by number.
type history struct {
	records []*record
	// order holds, when known, the versions that each key went through, as seen from
	// outside after each commit. Without it commit numbers give the order.
	order map[string][]int
	edges [][]edge
	bad   []string // what cannot be a dependency at all
}

// build derives the dependencies.
func (h *history) build() {
	h.edges = make([][]edge, len(h.records))
	writer := map[observed]*record{}
	for _, r := range h.records {
		for _, w := range r.writes {
			writer[w] = r
		}
	}
	next := h.versionOrder(writer)
	for _, r := range h.records {
		if !r.committed {
			continue
		}
		for _, o := range r.reads {
			h.addRead(r, o, writer, next)
		}
	}
	h.addRealTime()
}

// versionOrder adds the write dependencies and returns each version's successor.
func (h *history) versionOrder(writer map[observed]*record) map[observed]*record {
	order := h.order
	if order == nil {
		order = h.orderBySeq()
	}
	next := map[observed]*record{}
	for key, versions := range order {
		before := observed{key, 0}
		for _, v := range versions {
			cur := observed{key, v}
			next[before] = writer[cur]
			if w := writer[before]; w != nil {
				h.add(w, writer[cur], ww)
			}
			before = cur
		}
	}
	return next
}

// orderBySeq puts what committed writers left in the order of their commit numbers.
func (h *history) orderBySeq() map[string][]int {
	var writers []*record
	for _, r := range h.records {
		if r.committed && len(r.writes) > 0 {
			writers = append(writers, r)
		}
	}
	slices.SortFunc(writers, func(a, b *record) int { return cmp.Compare(a.seq, b.seq) })
	order := map[string][]int{}
	for i, r := range writers {
		if i > 0 && writers[i-1].seq == r.seq {
			h.bad = append(h.bad, fmt.Sprintf("transactions %d and %d share commit %d", writers[i-1].id, r.id, r.seq))
		}
		for _, key := range r.keys() {
			order[key] = append(order[key], r.leaves(key))
		}
	}
	return order
}

// addRead adds what one read depends on, or notes that it saw what nobody may see.
func (h *history) addRead(r *record, o observed, writer map[observed]*record, next map[observed]*record) {
	if o.version != 0 {
		w := writer[o]
		switch {
		case w == nil:
			h.bad = append(h.bad, fmt.Sprintf("transaction %d read %s=%d, which nobody wrote", r.id, o.key, o.version))
			return
		case !w.committed:
			h.bad = append(h.bad, fmt.Sprintf("G1a: transaction %d read %s=%d of %d, which did not commit", r.id, o.key, o.version, w.id))
			return
		case w.leaves(o.key) != o.version:
			h.bad = append(h.bad, fmt.Sprintf("G1b: transaction %d read %s=%d, intermediate in %d", r.id, o.key, o.version, w.id))
			return
		}
		h.add(w, r, wr)
	}
	if n := next[o]; n != nil {
		h.add(r, n, rw)
	}
}

// addRealTime adds an edge from each committed transaction to those that began after
// it had ended, but not where a third one lies between.
func (h *history) addRealTime() {
	for _, b := range h.records {
		if !b.committed {
			continue
		}
		latest := int64(-1) // begin of the last one that ended before b
		for _, a := range h.records {
			if a.committed && a.end < b.begin {
				latest = max(latest, a.begin)
			}
		}
		for _, a := range h.records {
			if a.committed && a.end < b.begin && a.end >= latest {
				h.add(a, b, rt)
			}
		}
	}
}

func (h *history) add(a, b *record, k edgeKind) {
	if a != b {
		h.edges[a.id] = append(h.edges[a.id], edge{b.id, k})
	}
}

package occ

import (
	"bytes"
	"fmt"
)

// mustHold panics when what the code relies on does not hold. Call it only where the
// constant invariants is true.
func mustHold(ok bool, format string, args ...any) {
	if !ok {
		panic("storage/occ: invariant broken: " + fmt.Sprintf(format, args...))
	}
}

// checkRequest holds what validation relies on: everything sorted, spans disjoint.
func checkRequest(r *request, published uint64) {
	checkSpans("reads", r.reads)
	checkSpans("ranges", r.Ranges)
	for i := 1; i < len(r.Writes); i++ {
		mustHold(bytes.Compare(r.Writes[i-1].Key, r.Writes[i].Key) < 0, "writes out of order at %x", r.Writes[i].Key)
	}
	mustHold(r.start <= published, "transaction began at %d, published is %d", r.start, published)
	soft := 0
	for i := range r.Writes {
		if r.Writes[i].Delta {
			soft++
		}
	}
	mustHold(soft == len(r.Deltas), "%d soft writes, %d deltas", soft, len(r.Deltas))
}

func checkSpans(what string, spans []Span) {
	for i, s := range spans {
		mustHold(before(s.From, s.To), "%s: empty span %x..%x", what, s.From, s.To)
		if i > 0 {
			mustHold(len(spans[i-1].To) > 0 && bytes.Compare(spans[i-1].To, s.From) <= 0, "%s overlap at %x", what, s.From)
		}
	}
}

// check holds what searches in recent commits rely on.
func (c *recent) check() {
	keys := 0
	for i, r := range c.stretches {
		keys += r.size()
		mustHold(r.first <= r.last && (i == 0 || c.stretches[i-1].last < r.first), "stretches out of order at commit %d", r.first)
		for j, k := range r.keys {
			mustHold(k.any <= r.last && k.hard <= k.any, "key of commit %d in run up to %d", k.any, r.last)
			mustHold(j == 0 || bytes.Compare(r.key(j-1), r.key(j)) < 0, "keys of a run out of order at %x", r.key(j))
		}
		for _, list := range [][]recentSpan{r.spans, r.tables} {
			spans := make([]Span, len(list))
			for j, s := range list {
				spans[j] = s.Span
			}
			checkSpans("spans of a run", spans)
		}
	}
	keys += len(c.fresh.keys)
	c.fresh.check()
	mustHold(len(c.stretches) == 0 || c.fresh.last == 0 || c.stretches[len(c.stretches)-1].last < c.fresh.first, "a stretch is newer than commit %d", c.fresh.first)
	mustHold(keys == c.keys, "%d keys in runs, counted %d", keys, c.keys)
}

// check holds that each key is found in its place.
func (f *fresh) check() {
	for j, k := range f.keys {
		_, i := f.find(k.key)
		mustHold(i == j, "fresh key %x is %d, found %d", k.key, j, i)
		mustHold(k.any >= f.first && k.any <= f.last && k.hard <= k.any, "fresh key of commit %d in %d..%d", k.any, f.first, f.last)
	}
}

// fillUsed has who reads on in memory that is used again see it.
func fillUsed(b []byte) {
	for i := range b {
		b[i] = 0xdb
	}
}

// checkStep holds that an iterator moves in its direction and within its bounds.
func (it *iterator) checkStep() {
	key := it.Key()
	mustHold(bytes.Compare(key, it.from) >= 0 && before(key, it.to), "scan left its bounds: %x", key)
	if it.lastKey != nil {
		cmp := bytes.Compare(it.lastKey, key)
		mustHold(it.reverse && cmp > 0 || !it.reverse && cmp < 0, "scan went from %x to %x", it.lastKey, key)
	}
	it.lastKey = append(it.lastKey[:0], key...)
}

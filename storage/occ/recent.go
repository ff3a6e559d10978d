package occ

import (
	"bytes"
	"slices"
	"sort"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
)

// recent knows which keys were written by the commits that an open transaction may be
// concurrent with. Only the committer uses it.
//
// The newest commits are fresh. Beyond its bound they become a run; neighbouring runs
// of similar size are merged, so that there are logarithmically many and a check costs
// a few binary searches.
type recent struct {
	fresh    fresh  // newer than all runs
	runs     []*run // oldest first
	keys     int    // in all of them, ranges included
	max      int    // above it the oldest runs are forgotten
	bytes    int64  // that keys may take, in all of them
	maxBytes int64  // the same bound for them
	floor    uint64 // commits up to floor are forgotten: no transaction that old can commit
	spare    []*run // that are gone, empty
}

// newRecent returns one that knows nothing of the commits up to floor.
func newRecent(l *Limits, keys *storage.Layout, floor uint64) recent {
	return recent{fresh: fresh{layout: keys}, max: l.RecentKeys, maxBytes: l.RecentBytes, floor: floor}
}

// Bounds of what is kept for new runs.
const (
	spareRuns = 16
	spareKeys = 1 << 12
)

// run returns an empty run with room for n keys.
func (c *recent) run(first, last uint64, n int) *run {
	best := -1
	for i, s := range c.spare {
		if cap(s.keys) >= n && cap(s.keys) <= 4*n+16 && (best < 0 || cap(s.keys) < cap(c.spare[best].keys)) {
			best = i
		}
	}
	if best < 0 {
		return &run{first: first, last: last, keys: make([]recentKey, 0, n)}
	}
	r, end := c.spare[best], len(c.spare)-1
	c.spare[best], c.spare[end] = c.spare[end], nil
	c.spare = c.spare[:end]
	r.first, r.last = first, last
	return r
}

// reuse takes the memory of a run that nobody needs any more.
func (c *recent) reuse(r *run) {
	if len(c.spare) < spareRuns && cap(r.keys) <= spareKeys {
		clear(r.keys)
		*r = run{keys: r.keys[:0]}
		c.spare = append(c.spare, r)
	}
}

// run is the writes of a stretch of commits, first..last.
type run struct {
	first, last uint64
	keys        []recentKey
	spans       []recentSpan // disjoint, sorted
	bytes       int64        // see weigh
}

type recentKey struct {
	key  []byte
	any  uint64 // last commit that wrote it
	hard uint64 // last that did more than add a delta; 0 for none
}

type recentSpan struct {
	Span
	seq uint64
}

func (r *run) size() int { return len(r.keys) + len(r.spans) }

// weigh notes about what the run takes: keys lie in slabs that are half empty at worst.
func (r *run) weigh() *run {
	r.bytes = 0
	for i := range r.keys {
		r.bytes += int64(unsafe.Sizeof(recentKey{})) + 2*int64(len(r.keys[i].key))
	}
	for i := range r.spans {
		r.bytes += int64(unsafe.Sizeof(recentSpan{})) + 2*int64(len(r.spans[i].From)+len(r.spans[i].To))
	}
	return r
}

// writeOf is a write of commit seq.
func writeOf(w *Write, seq uint64) recentKey {
	k := recentKey{key: w.Key, any: seq, hard: seq}
	if w.soft() {
		k.hard = 0
	}
	return k
}

// add notes what r wrote, as commit seq.
func (c *recent) add(r *request, seq, oldest uint64) {
	room := min(freshMax, c.max/2)
	if len(c.fresh.keys)+len(r.Writes) > room || len(r.Ranges) > 0 {
		c.settle(oldest)
	}
	if len(r.Writes) > room || len(r.Ranges) > 0 {
		c.push(c.runOf(r, seq), oldest)
	} else {
		before := len(c.fresh.keys)
		c.fresh.add(r, seq)
		c.keys += len(c.fresh.keys) - before
	}
	c.bound()
}

// settle makes a run of what is fresh.
func (c *recent) settle(oldest uint64) {
	if len(c.fresh.keys) == 0 {
		return
	}
	n := c.run(c.fresh.first, c.fresh.last, len(c.fresh.keys))
	n.keys = append(n.keys, c.fresh.sorted()...)
	c.keys -= len(n.keys)
	c.fresh.reset()
	c.push(n, oldest)
}

// runOf is the writes of one commit.
func (c *recent) runOf(r *request, seq uint64) *run {
	n := c.run(seq, seq, len(r.Writes))
	for i := range r.Writes {
		n.keys = append(n.keys, writeOf(&r.Writes[i], seq))
	}
	for _, s := range r.Ranges {
		n.spans = append(n.spans, recentSpan{Span: s, seq: seq})
	}
	return n
}

// push adds the newest run, and merges.
func (c *recent) push(n *run, oldest uint64) {
	c.runs = append(c.runs, n)
	c.keys += n.size()
	c.bytes += n.weigh().bytes
	for len(c.runs) >= 2 {
		a, b := c.runs[len(c.runs)-2], c.runs[len(c.runs)-1]
		if a.size() > 2*b.size() {
			break
		}
		m := c.merge(a, b, oldest)
		c.keys += m.size() - a.size() - b.size()
		c.bytes += m.weigh().bytes - a.bytes - b.bytes
		c.reuse(a)
		c.reuse(b)
		c.runs = append(c.runs[:len(c.runs)-2], m)
	}
}

// bound forgets the oldest runs when there are too many keys or bytes of them, but keeps the newest commit.
func (c *recent) bound() {
	for (c.keys > c.max || c.bytes > c.maxBytes && c.maxBytes > 0) && (len(c.runs) > 1 || len(c.runs) > 0 && len(c.fresh.keys) > 0) {
		c.floor = c.runs[0].last
		c.drop(1)
	}
}

// prune forgets the commits that every open transaction has seen.
func (c *recent) prune(oldest uint64) {
	n := 0
	for n < len(c.runs) && c.runs[n].last <= oldest {
		n++
	}
	c.drop(n)
	if len(c.fresh.keys) > 0 && c.fresh.last <= oldest {
		c.keys -= len(c.fresh.keys)
		c.fresh.reset()
	}
}

func (c *recent) drop(n int) {
	for _, r := range c.runs[:n] {
		c.keys -= r.size()
		c.bytes -= r.bytes
		c.reuse(r)
	}
	c.runs = slices.Delete(c.runs, 0, n)
}

// merge joins two neighbours; every commit of b is newer than those of a. What
// oldest has seen is left out.
func (c *recent) merge(a, b *run, oldest uint64) *run {
	m := c.run(a.first, b.last, len(a.keys)+len(b.keys))
	i := 0
	keep := func(k recentKey) {
		if k.any > oldest {
			m.keys = append(m.keys, k)
		}
	}
	for _, k := range b.keys {
		for i < len(a.keys) && bytes.Compare(a.keys[i].key, k.key) < 0 {
			keep(a.keys[i])
			i++
		}
		if i < len(a.keys) && bytes.Equal(a.keys[i].key, k.key) {
			k.hard = max(k.hard, a.keys[i].hard)
			i++
		}
		keep(k)
	}
	for ; i < len(a.keys); i++ {
		keep(a.keys[i])
	}
	m.spans = mergeRecentSpans(a.spans, b.spans, oldest)
	return m
}

// mergeRecentSpans lays newer over older.
func mergeRecentSpans(older, newer []recentSpan, oldest uint64) []recentSpan {
	if len(older) == 0 {
		return newer
	}
	out := slices.Clone(newer)
	for _, s := range older {
		if s.seq <= oldest {
			continue
		}
		i := sort.Search(len(newer), func(i int) bool { return before(s.From, newer[i].To) })
		for from := s.From; ; i++ { // the gaps between newer spans
			if i == len(newer) || !before(newer[i].From, s.To) {
				out = append(out, recentSpan{Span{from, s.To}, s.seq})
				break
			}
			if bytes.Compare(from, newer[i].From) < 0 {
				out = append(out, recentSpan{Span{from, newer[i].From}, s.seq})
			}
			if !endLess(newer[i].To, s.To) {
				break
			}
			from = newer[i].To
		}
	}
	slices.SortFunc(out, func(a, b recentSpan) int { return bytes.Compare(a.From, b.From) })
	return out
}

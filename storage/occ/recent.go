package occ

import (
	"bytes"
	"slices"
	"sort"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
)

// recent knows which keys were written lately. A transaction that asks to be committed is
// compared with it: a key that it read, and that a commit wrote after it began, is a
// conflict. What is older than every open transaction is forgotten. Only the committer uses
// it.
//
// What the newest commits wrote is in fresh, unsorted. When that is full it becomes a
// stretch, sorted; neighbouring stretches of similar size are merged, so that there are
// logarithmically many and a comparison costs a few binary searches. Above mergeMax keys they
// are left as they are, for everybody waits while the committer merges: an old transaction is
// compared with more of them then. Where so much is kept that keys which are in several of them
// count, two at a time are merged aside.
type recent struct {
	fresh     fresh      // newer than all stretches
	stretches []*stretch // oldest first
	keys      int        // in all of them, ranges included
	max       int        // above it the oldest stretches are forgotten
	mergeMax  int        // keys of stretches that are merged at once, while everybody waits
	bytes     int64      // that keys may take, in all of them
	maxBytes  int64      // the same bound for them
	floor     uint64     // commits up to floor are forgotten: no transaction that old can commit
	spare     []*stretch // that are gone, empty
	aside     *aside     // nil while nothing is merged there
}

// newRecent returns one that knows nothing of the commits up to floor.
func newRecent(l *Limits, keys *storage.Layout, floor uint64) recent {
	return recent{fresh: fresh{layout: keys}, max: l.RecentKeys, mergeMax: mergeMax, maxBytes: l.RecentBytes, floor: floor}
}

// Bounds of what is kept for new stretches.
const (
	spareStretches = 16
	spareKeys      = 1 << 12
	spareText      = 1 << 18
)

// stretch returns an empty stretch with room for n keys.
func (c *recent) stretch(first, last uint64, n int) *stretch {
	best := -1
	for i, s := range c.spare {
		if cap(s.keys) >= n && cap(s.keys) <= 4*n+16 && (best < 0 || cap(s.keys) < cap(c.spare[best].keys)) {
			best = i
		}
	}
	if best < 0 {
		return &stretch{first: first, last: last, keys: make([]recentKey, 0, n)}
	}
	r, end := c.spare[best], len(c.spare)-1
	c.spare[best], c.spare[end] = c.spare[end], nil
	c.spare = c.spare[:end]
	r.first, r.last = first, last
	return r
}

// reuse takes the memory of a stretch that nobody needs any more.
func (c *recent) reuse(r *stretch) {
	if len(c.spare) < spareStretches && cap(r.keys) <= spareKeys && cap(r.text) <= spareText && !c.aside.has(r) {
		if invariants {
			fillUsed(r.text)
		}
		*r = stretch{keys: r.keys[:0], text: r.text[:0]}
		c.spare = append(c.spare, r)
	}
}

// stretch is what some commits wrote that followed one another, first..last: which keys,
// sorted, and by which commit last. There may be millions of keys beside a long transaction: it
// keeps them in one piece, in which the collector has nothing to look for, and not where their
// transactions had them.
type stretch struct {
	first, last uint64
	keys        []recentKey
	text        []byte       // of the keys, one behind the other
	spans       []recentSpan // disjoint, sorted
	tables      []recentSpan // those of CommitTablesBeside, as spans
	bytes       int64        // see weigh
	apart       bool         // it has hardly a key of the next one: they are not merged aside
}

// recentKey is a key of a stretch.
type recentKey struct {
	end int // in the stretch's text; it begins where the one before ends
	recentWrite
}

// recentWrite says which commits wrote a key.
type recentWrite struct {
	any  uint64 // the last one
	hard uint64 // the last that did more than add a delta; 0 for none
}

type recentSpan struct {
	Span
	seq uint64
}

func (r *stretch) size() int { return len(r.keys) + len(r.spans) + len(r.tables) }

// key returns the key at i.
func (r *stretch) key(i int) []byte {
	from := 0
	if i > 0 {
		from = r.keys[i-1].end
	}
	return r.text[from:r.keys[i].end]
}

// put adds a key behind all others.
func (r *stretch) put(key []byte, w recentWrite) {
	r.text = append(r.text, key...)
	r.keys = append(r.keys, recentKey{len(r.text), w})
}

// weigh notes about what the stretch takes.
func (r *stretch) weigh() *stretch {
	r.bytes = int64(cap(r.keys))*int64(unsafe.Sizeof(recentKey{})) + int64(cap(r.text))
	for _, s := range slices.Concat(r.spans, r.tables) {
		r.bytes += int64(unsafe.Sizeof(recentSpan{})) + 2*int64(len(s.From)+len(s.To))
	}
	return r
}

// writeOf is a write of commit seq.
func writeOf(w *Write, seq uint64) recentWrite {
	if w.soft() {
		return recentWrite{any: seq}
	}
	return recentWrite{any: seq, hard: seq}
}

// and is what two commits, or two stretches of them, wrote of a key: other is the later one.
func (w recentWrite) and(other recentWrite) recentWrite {
	return recentWrite{any: other.any, hard: max(w.hard, other.hard)}
}

// add notes what r wrote, as commit seq.
func (c *recent) add(r *request, seq, oldest uint64) {
	room := min(freshMax, c.max/2)
	if len(c.fresh.keys)+len(r.Writes) > room || r.ranged() {
		c.settle(oldest)
	}
	if len(r.Writes) > room || r.ranged() {
		c.push(c.runOf(r, seq), oldest)
	} else {
		before := len(c.fresh.keys)
		c.fresh.add(r, seq)
		c.keys += len(c.fresh.keys) - before
	}
	c.bound(oldest)
}

// settle makes a stretch of what is fresh.
func (c *recent) settle(oldest uint64) {
	if len(c.fresh.keys) == 0 {
		return
	}
	n := c.stretch(c.fresh.first, c.fresh.last, len(c.fresh.keys))
	for _, k := range c.fresh.sorted() {
		n.put(k.key, k.recentWrite)
	}
	c.keys -= len(n.keys)
	c.fresh.reset()
	c.push(n, oldest)
}

// runOf is the writes of one commit.
func (c *recent) runOf(r *request, seq uint64) *stretch {
	n := c.stretch(seq, seq, len(r.Writes))
	size := 0
	for i := range r.Writes {
		size += len(r.Writes[i].Key)
	}
	n.text = slices.Grow(n.text, size)
	for i := range r.Writes {
		n.put(r.Writes[i].Key, writeOf(&r.Writes[i], seq))
	}
	for _, s := range r.Ranges {
		n.spans = append(n.spans, recentSpan{Span: s, seq: seq})
	}
	if r.beside != nil {
		n.spans, n.tables = nil, n.spans
		for _, s := range r.beside.Over {
			n.spans = append(n.spans, recentSpan{Span: Span(s), seq: seq})
		}
	}
	return n
}

// mergeMax is how many keys stretches have that are merged, about 2 ms of work.
const mergeMax = 1 << 14

// crowded reports whether so much is kept that keys which are in several stretches count.
func (c *recent) crowded() bool { return c.keys > c.max/4 || c.maxBytes > 0 && c.bytes > c.maxBytes/4 }

// push adds the newest stretch, and merges.
func (c *recent) push(n *stretch, oldest uint64) {
	c.stretches = append(c.stretches, n)
	c.keys += n.size()
	c.bytes += n.weigh().bytes
	for len(c.stretches) >= 2 {
		a, b := c.stretches[len(c.stretches)-2], c.stretches[len(c.stretches)-1]
		if a.size() > 2*b.size() || a.size()+b.size() > c.mergeMax || c.aside.has(a) {
			break
		}
		m := c.stretch(a.first, b.last, len(a.keys)+len(b.keys))
		c.replace(len(c.stretches)-2, m.join(a, b, oldest, func() bool { return true }))
	}
	c.mergeAside(oldest)
}

// replace has the stretch at i and the next one be one.
func (c *recent) replace(i int, m *stretch) {
	for _, r := range c.stretches[i : i+2] {
		c.keys -= r.size()
		c.bytes -= r.bytes
		c.reuse(r)
	}
	c.keys += m.size()
	c.bytes += m.bytes
	c.stretches = slices.Replace(c.stretches, i, i+2, m)
}

// bound forgets the oldest stretches when there are too many keys or bytes of them, and merging
// does not help, but keeps the newest commit.
func (c *recent) bound(oldest uint64) {
	for c.full() && (len(c.stretches) > 1 || len(c.stretches) > 0 && len(c.fresh.keys) > 0) {
		if c.mergeAside(oldest); c.aside != nil {
			c.rest()
			continue
		}
		c.floor = c.stretches[0].last
		c.drop(1)
	}
}

// full reports whether more is kept than may be.
func (c *recent) full() bool { return c.keys > c.max || c.maxBytes > 0 && c.bytes > c.maxBytes }

// prune forgets the commits that every open transaction has seen.
func (c *recent) prune(oldest uint64) {
	n := 0
	for n < len(c.stretches) && c.stretches[n].last <= oldest {
		n++
	}
	c.drop(n)
	if len(c.fresh.keys) > 0 && c.fresh.last <= oldest {
		c.keys -= len(c.fresh.keys)
		c.fresh.reset()
	}
}

func (c *recent) drop(n int) {
	for _, r := range c.stretches[:n] {
		c.keys -= r.size()
		c.bytes -= r.bytes
		c.reuse(r)
		if c.aside.has(r) {
			c.aside.gone.Store(true)
		}
	}
	c.stretches = slices.Delete(c.stretches, 0, n)
}

// join makes m of two neighbours; every commit of b is newer than those of a. What oldest has
// seen is left out. It stops half way when more, called for each key of b, says so.
func (m *stretch) join(a, b *stretch, oldest uint64, more func() bool) *stretch {
	m.text = slices.Grow(m.text, len(a.text)+len(b.text))
	i := 0
	keep := func(key []byte, w recentWrite) {
		if w.any > oldest {
			m.put(key, w)
		}
	}
	for j := range b.keys {
		if !more() {
			return m
		}
		key, w := b.key(j), b.keys[j].recentWrite
		for i < len(a.keys) && bytes.Compare(a.key(i), key) < 0 {
			keep(a.key(i), a.keys[i].recentWrite)
			i++
		}
		if i < len(a.keys) && bytes.Equal(a.key(i), key) {
			w = a.keys[i].and(w)
			i++
		}
		keep(key, w)
	}
	for ; i < len(a.keys); i++ {
		keep(a.key(i), a.keys[i].recentWrite)
	}
	m.spans, m.tables = mergeRecentSpans(a.spans, b.spans, oldest), mergeRecentSpans(a.tables, b.tables, oldest)
	return m.weigh()
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

package occ

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

var keys = &table.Layout

var (
	someKeys = rapid.OneOf(
		rapid.Map(rapid.StringMatching(`[ab]{1,2}`), func(s string) []byte { return []byte(s) }),
		rapid.Map(rapid.IntRange(0, 5), func(n int) []byte { // rows of two cells
			return append(table.AppendVertexRow(nil, 1, uint64(254+n/2)), byte(n%2))
		}),
	)
	someSpans = rapid.Custom(func(t *rapid.T) Span {
		s := Span{From: someKeys.Draw(t, "from")}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return Span{From: s.From, To: append(bytes.Clone(s.From), 0)}
		case 1:
			return Span{From: keys.RowOf(s.From), To: storage.PrefixEnd(nil, keys.RowOf(s.From))}
		}
		s.To = someKeys.Draw(t, "to")
		if bytes.Compare(s.From, s.To) >= 0 {
			s.To = nil
		}
		return s
	})
)

// history of single writes for TestRecent, in the plainest form.
type plainWrite struct {
	seq  uint64
	key  []byte // or
	span Span
	soft bool
}

// conflicts says in the plainest way whether r conflicts with one of the writes.
func conflicts(r *request, writes []plainWrite) bool {
	for _, w := range writes {
		if w.seq <= r.start {
			continue
		}
		for _, s := range slices.Concat(r.reads, r.Ranges) {
			if w.key != nil && bytes.Compare(w.key, s.From) >= 0 && before(w.key, s.To) ||
				w.key == nil && before(w.span.From, s.To) && before(s.From, w.span.To) {
				return true
			}
		}
		for _, g := range r.guards {
			if w.hits(g) {
				return true
			}
		}
		for _, k := range r.Writes {
			if w.hits(k.Key) && !(w.soft && k.Delta) {
				return true
			}
		}
	}
	return false
}

func (w plainWrite) hits(key []byte) bool {
	if w.key != nil {
		return bytes.Equal(w.key, key)
	}
	return bytes.Compare(key, w.span.From) >= 0 && before(key, w.span.To)
}

func drawRequest(t *rapid.T, name string, reads bool) *request {
	r := &request{strict: true}
	for _, k := range rapid.SliceOfNDistinct(someKeys, 0, 4, func(k []byte) string { return string(k) }).Draw(t, name+" writes") {
		r.Writes = append(r.Writes, Write{Key: k, Delta: rapid.Bool().Draw(t, "soft")})
	}
	slices.SortFunc(r.Writes, func(a, b Write) int { return bytes.Compare(a.Key, b.Key) })
	r.Ranges = mergeSpans(rapid.SliceOfN(someSpans, 0, rapid.IntRange(0, 2).Draw(t, "n")).Draw(t, name+" ranges"))
	if reads {
		r.reads = mergeSpans(rapid.SliceOfN(someSpans, 0, 3).Draw(t, "reads"))
		r.guards = rapid.SliceOfN(someKeys, 0, 2).Draw(t, "guards")
	}
	return r
}

// TestRecent compares validation with a list of all writes.
func TestRecent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newRecent(&Limits{RecentKeys: 1 << 30}, keys, 0)
		if rapid.Bool().Draw(t, "apart") {
			c.mergeMax = 0
		}
		var writes []plainWrite
		oldest := uint64(0)
		for seq := uint64(1); seq < 20; seq++ {
			r := drawRequest(t, "commit", false)
			c.add(r, seq, oldest)
			if rapid.IntRange(0, 3).Draw(t, "settle") == 0 {
				c.settle(oldest)
			}
			c.check()
			for _, w := range r.Writes {
				writes = append(writes, plainWrite{seq: seq, key: w.Key, soft: w.Delta})
			}
			for _, s := range r.Ranges {
				writes = append(writes, plainWrite{seq: seq, span: s})
			}
			if rapid.IntRange(0, 5).Draw(t, "prune") == 0 {
				oldest = rapid.Uint64Range(oldest, seq).Draw(t, "oldest")
				c.prune(oldest)
				c.check()
			}
			if rapid.Bool().Draw(t, "crowded") {
				c.max = max(c.keys, 1)
				c.mergeAside(oldest)
				if rapid.Bool().Draw(t, "merged") { // else it is at some later commit, or what it was of is gone
					c.rest()
				}
				c.max = 1 << 30
				c.check()
			}
			q := drawRequest(t, "question", true)
			q.start = rapid.Uint64Range(oldest, seq).Draw(t, "start")
			if got, want := c.validate(q) != nil, conflicts(q, writes); got != want {
				t.Fatalf("conflict is %v, want %v: %+v against %+v", got, want, q, writes)
			}
			if got, want := touchedKeys(&c, q), keysTouched(q, writes); !slices.ContainsFunc(writes, endless) && !maps.Equal(got, want) {
				t.Fatalf("touched are %v, want %v: %+v against %+v", got, want, q, writes)
			}
		}
	})
}

// TestTouched_Kept: what was touched stays what it was when the memory that knew of it is used again.
func TestTouched_Kept(t *testing.T) {
	c := newRecent(&Limits{RecentKeys: 100}, keys, 0)
	write := func(key string, seq uint64) {
		c.add(&request{Commit: Commit{Writes: []Write{{Key: []byte(key)}}}}, seq, seq-1)
		c.settle(seq - 1)
	}
	write("first", 1)
	q := &request{strict: true, reads: []Span{{From: []byte("a"), To: []byte("z")}}}
	got := c.touched(q)
	c.prune(1)
	if len(c.spare) != 1 {
		t.Fatalf("%d stretches are kept for new ones", len(c.spare))
	}
	if write("other", 2); len(c.spare) != 0 || len(got) != 1 || string(got[0].From) != "first" {
		t.Errorf("%q was touched, %d stretches are kept", got, len(c.spare))
	}
}

// touchedKeys are those that c knows were written of what q read. A range without an end looks like
// a key; nobody commits one.
func touchedKeys(c *recent, q *request) map[string]bool {
	keys := map[string]bool{}
	for _, at := range c.touched(q) {
		if len(at.To) == 0 {
			keys[string(at.From)] = true
		}
	}
	return keys
}

func endless(w plainWrite) bool { return w.key == nil && len(w.span.To) == 0 }

// keysTouched are the same, of all writes.
func keysTouched(q *request, writes []plainWrite) map[string]bool {
	keys := map[string]bool{}
	for _, w := range writes {
		if q.strict && w.key != nil && w.seq > q.start && Within(q.reads, w.key) {
			keys[string(w.key)] = true
		}
	}
	return keys
}

// TestRecentMergesLittle: of many keys none wait for the merging of more than mergeMax, but where
// room is short those that are written again and again are kept once, and nothing is forgotten.
func TestRecentMergesLittle(t *testing.T) {
	written := func(c *recent, from int) *request {
		r := &request{}
		for i := from; i < from+1000; i++ {
			r.Writes = append(r.Writes, Write{Key: fmt.Appendf(nil, "key %08d", i)})
		}
		return r
	}
	much := newRecent(&Limits{RecentKeys: 1 << 20}, keys, 0)
	for seq := range uint64(100) {
		much.add(written(&much, int(seq)*1000), seq+1, 0)
	}
	much.check()
	for _, n := range much.stretches {
		if n.size() > mergeMax {
			t.Errorf("%d keys were merged", n.size())
		}
	}
	if n := len(much.stretches); n > 2*100_000/mergeMax+6 {
		t.Errorf("%d stretches", n)
	}
	short := newRecent(&Limits{RecentKeys: 80_000}, keys, 0)
	for seq := range uint64(400) {
		short.add(written(&short, int(seq)%20*1000), seq+1, 0)
	}
	short.check()
	if short.floor != 0 {
		t.Errorf("commits up to %d of 400 are forgotten, of 20,000 keys", short.floor)
	}
}

// TestRecentOneKey tries all short histories of one key: a delta conflicts with what is
// no delta, whether other deltas came before, in between or behind, in one run or in
// several.
func TestRecentOneKey(t *testing.T) {
	const commits, choices = 3, 4 // each is a delta or not, and is settled or not
	key := []byte("k")
	for history := range choices * choices * choices {
		for oldest := range uint64(commits + 1) {
			c := newRecent(&Limits{RecentKeys: 1 << 30}, keys, 0)
			var writes []plainWrite
			for seq, rest := uint64(1), history; seq <= commits; seq, rest = seq+1, rest/choices {
				soft, settled := rest&1 != 0, rest&2 != 0
				c.add(&request{Commit: Commit{Writes: []Write{{Key: key, Delta: soft}}}}, seq, min(oldest, seq))
				if settled {
					c.settle(min(oldest, seq))
				}
				writes = append(writes, plainWrite{seq: seq, key: key, soft: soft})
			}
			c.prune(oldest)
			c.check()
			for start := oldest; start <= commits; start++ {
				for _, soft := range []bool{false, true} {
					q := &request{start: start, Commit: Commit{Writes: []Write{{Key: key, Delta: soft}}}}
					if got, want := c.validate(q) != nil, conflicts(q, writes); got != want {
						t.Errorf("a write (delta: %v) after commit %d of %+v: conflict is %v, want %v", soft, start, writes, got, want)
					}
				}
			}
		}
	}
}

// TestRecentForgets: beyond its bound the oldest writes go, and with them everybody
// who would have to be compared with them.
func TestRecentForgets(t *testing.T) {
	c := newRecent(&Limits{RecentKeys: 100}, keys, 0)
	for seq := uint64(1); seq <= 1000; seq++ {
		c.add(&request{Commit: Commit{Writes: []Write{{Key: fmt.Appendf(nil, "k%04d", seq)}}}}, seq, 0)
		if c.keys > 2*c.max {
			t.Fatalf("%d keys are kept", c.keys)
		}
	}
	if err := c.validate(&request{start: 1}); err == nil {
		t.Error("a transaction older than memory was validated")
	}
	if err := c.validate(&request{start: 999, guards: [][]byte{[]byte("k1000")}}); err == nil {
		t.Error("the newest write is forgotten")
	}
	if err := c.validate(&request{start: 999, guards: [][]byte{[]byte("k0999")}}); err != nil {
		t.Error(err)
	}
}

// TestReadSet: what was read stays covered through sorting, joining and coarsening.
func TestReadSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := readSet{layout: keys, coarsenAt: 8, max: 1000}
		var all []Span
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			key := table.AppendVertexProperty(nil, table.VertexProperty{
				Graph: 1, Vertex: rapid.Uint64Range(0, 20).Draw(t, "v"), Key: rapid.Uint32Range(0, 3).Draw(t, "k")})
			if rapid.Bool().Draw(t, "point") {
				r.addKey(key)
				all = append(all, Span{key, append(bytes.Clone(key), 0)})
			} else {
				n := rapid.IntRange(5, len(key)).Draw(t, "prefix")
				s := Span{key[:n], table.PrefixEnd(nil, key[:n])}
				r.add(s.From, s.To)
				all = append(all, s)
			}
		}
		spans := r.tidy()
		checkSpans("reads", spans)
		for _, s := range all {
			got, ok := spanOf(spans, s.From)
			if !ok || endLess(got.To, s.To) {
				t.Fatalf("%x..%x is not covered by %x", s.From, s.To, spans)
			}
		}
	})
}

// TestReadSetBounds: points of few rows become rows, and too many rows are too much.
func TestReadSetBounds(t *testing.T) {
	r := readSet{layout: keys, coarsenAt: 100, max: 1000}
	property := func(v uint64, k uint32) []byte {
		return table.AppendVertexProperty(nil, table.VertexProperty{Graph: 1, Vertex: v, Key: k})
	}
	for k := range uint32(10_000) {
		r.addKey(property(uint64(k%7)*10, k))
	}
	if n := len(r.tidy()); n > 100 || r.full {
		t.Errorf("seven rows are %d ranges, full %v", n, r.full)
	}
	if _, ok := spanOf(r.spans, property(30, 99_999)); !ok {
		t.Error("the row is not covered")
	}
	if _, ok := spanOf(r.spans, property(31, 1)); ok {
		t.Error("a row that nobody read is covered")
	}
	for v := range uint64(10_000) {
		r.addKey(property(v*3, 1))
	}
	if !r.full {
		t.Error("10,000 rows fit into a read set of 1,000")
	}
	if n := r.kept(); n != 0 {
		t.Errorf("%d bytes are charged for what was given up", n)
	}
}

// TestReadSet_Compacts: when many ranges have become few, what is no longer charged is not held.
func TestReadSet_Compacts(t *testing.T) {
	r := readSet{layout: keys, coarsenAt: 1000, max: 1000}
	before := int64(0)
	for k := uint32(0); r.bytes >= before; k++ {
		if before = r.bytes; k > 10_000 {
			t.Fatalf("%d bytes are charged for keys of one row", before)
		}
		r.addKey(table.AppendVertexProperty(nil, table.VertexProperty{Graph: 1, Vertex: 1, Key: k}))
	}
	if n := cap(r.mem.slab); int64(n) > r.bytes+slabMin {
		t.Errorf("%d bytes are held for ranges of %d", n, r.bytes)
	}
	for _, s := range r.spans[len(r.spans):cap(r.spans)] {
		if s.From != nil || s.To != nil {
			t.Fatalf("%x is held", s.From)
		}
	}
}

// TestSkiplist compares with a sorted slice.
func TestSkiplist(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l skiplist
		l.init()
		var want []string
		for _, k := range rapid.SliceOfN(someKeys, 0, 60).Draw(t, "keys") {
			n, isNew := l.insert(k, bytes.Clone)
			i, found := slices.BinarySearch(want, string(k))
			if found == isNew || string(n.key) != string(k) {
				t.Fatalf("insert %s: new %v, found %v", k, isNew, found)
			}
			if !found {
				want = slices.Insert(want, i, string(k))
			}
		}
		var forth, back []string
		for n := l.first(); n != nil; n = n.next[0] {
			forth = append(forth, string(n.key))
		}
		for n := l.last; n != nil; n = n.prev {
			back = append(back, string(n.key))
		}
		slices.Reverse(back)
		if !slices.Equal(forth, want) || !slices.Equal(back, want) {
			t.Fatalf("forth %v, back %v, want %v", forth, back, want)
		}
		k := someKeys.Draw(t, "key")
		i, found := slices.BinarySearch(want, string(k))
		at := func(n *node) string {
			if n == nil {
				return ""
			}
			return string(n.key)
		}
		or := func(i int) string {
			if i < 0 || i >= len(want) {
				return ""
			}
			return want[i]
		}
		floor := i - 1
		if found {
			floor = i
		}
		if at(l.seek(k)) != or(i) || at(l.before(k)) != or(i-1) || at(l.floor(k)) != or(floor) {
			t.Fatalf("%s in %v: seek %s, before %s, floor %s", k, want, at(l.seek(k)), at(l.before(k)), at(l.floor(k)))
		}
	})
}

// TestMergeRecentSpans: newer ranges lie over older ones.
func TestMergeRecentSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(seq uint64, name string) (out []recentSpan) {
			for _, s := range mergeSpans(rapid.SliceOfN(someSpans, 0, 4).Draw(t, name)) {
				out = append(out, recentSpan{s, seq})
			}
			return out
		}
		older, newer := draw(1, "older"), draw(2, "newer")
		got := mergeRecentSpans(older, newer, 0)
		for i := 1; i < len(got); i++ {
			if len(got[i-1].To) == 0 || bytes.Compare(got[i-1].To, got[i].From) > 0 {
				t.Fatalf("%v overlap", got)
			}
		}
		at := func(spans []recentSpan, k []byte) uint64 {
			for _, s := range spans {
				if bytes.Compare(k, s.From) >= 0 && before(k, s.To) {
					return s.seq
				}
			}
			return 0
		}
		k := someKeys.Draw(t, "key")
		if want := cmp.Or(at(newer, k), at(older, k)); at(got, k) != want {
			t.Fatalf("at %s commit %d, want %d", k, at(got, k), want)
		}
	})
}

package past_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

const graph = 7

var ctx = context.Background()

// keys are cells of all kinds that history keeps, some of which it does not, few enough that
// random commits come back to them.
func keys() (all [][]byte) {
	for _, id := range []uint64{1, 2, 255, 256} {
		all = append(all, table.AppendVertexExists(nil, graph, id), table.AppendEdgeExists(nil, graph, id),
			table.AppendVertexProperty(nil, table.VertexProperty{Graph: graph, Vertex: id, Key: 3}),
			table.AppendVertexProperty(nil, table.VertexProperty{Graph: graph, Vertex: id, Key: 256, Ordinal: 1 << 60}),
			table.AppendAdjacency(nil, table.Adjacency{Graph: graph, Vertex: id, Direction: table.OutEdge, Label: 1, Other: 2, Edge: id}),
			table.AppendLabel(nil, table.Label{Graph: graph, Class: table.VertexClass, Label: 1, Element: id}),
			table.AppendKeyIndex(nil, table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: 3, Value: []byte("m\x00"), Element: id}))
	}
	for _, id := range []string{"a", "a\x00", "a\x00\x00", "a\x00b", "a\xff", "", "\x00", "b"} {
		all = append(all, table.AppendUserID(nil, graph, table.VertexClass, []byte(id+"x"))[:5+len(id)])
	}
	all = append(all, table.AppendUserID(nil, graph, table.EdgeClass, []byte("a")))
	all = slices.DeleteFunc(all, func(k []byte) bool { return !table.Kept(k) })
	slices.SortFunc(all, bytes.Compare)
	return slices.CompactFunc(all, bytes.Equal)
}

// state is what a graph held at a stamp.
type state struct {
	at    storage.Stamp
	cells map[string]string
}

// machine writes random commits, and remembers what there was.
type machine struct {
	*rapid.T
	store  storage.Store
	keys   [][]byte
	now    map[string]string
	states []state
	clock  time.Time
}

func (m *machine) ok(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

func (m *machine) key() []byte { return rapid.SampledFrom(m.keys).Draw(m.T, "key") }

// bound is one that scans have: a key, behind a key, the beginning of keys or its end.
func (m *machine) bound() []byte {
	k := bytes.Clone(m.key())
	switch rapid.IntRange(0, 3).Draw(m.T, "bound") {
	case 0:
		return k
	case 1:
		return append(k, 0)
	case 2:
		return k[:rapid.IntRange(4, len(k)-1).Draw(m.T, "cut")]
	}
	return table.PrefixEnd(nil, k[:rapid.IntRange(4, len(k)).Draw(m.T, "cut")])
}

func (m *machine) commit() {
	tx, err := m.store.Begin(ctx, storage.TxOptions{Isolation: storage.SnapshotIsolation})
	m.ok(err)
	defer tx.Close()
	next := maps.Clone(m.now)
	for range rapid.IntRange(1, 6).Draw(m.T, "writes") {
		switch k := m.key(); rapid.IntRange(0, 4).Draw(m.T, "write") {
		case 0:
			m.ok(tx.Delete(k))
			delete(next, string(k))
		case 1:
			from, to := m.bound(), m.bound()
			if bytes.Compare(from, to) >= 0 || len(from) < 5 || len(to) < 5 {
				continue
			}
			m.ok(tx.DeleteRange(from, to))
			for k := range next {
				if k >= string(from) && k < string(to) {
					delete(next, k)
				}
			}
		case 2:
			if _, has := m.now[string(k)]; !has {
				m.ok(tx.SetNew(k, []byte("new")))
				next[string(k)] = "new"
			}
		default:
			v := rapid.StringN(0, 2, 3).Draw(m.T, "value")
			m.ok(tx.Set(k, []byte(v)))
			next[string(k)] = v
		}
	}
	m.ok(past.Keep(tx, graph, []byte("somebody"), nil))
	_, err = tx.Commit(ctx)
	m.ok(err)
	if !maps.Equal(next, m.now) {
		m.now = next
		m.states = append(m.states, state{m.stamp(), next})
	}
}

// stamp is the last one.
func (m *machine) stamp() storage.Stamp {
	snap, err := m.store.Snapshot()
	m.ok(err)
	defer snap.Close()
	b, err := snap.Get(table.Layout.Stamp)
	m.ok(err)
	n, _ := storage.Count(b)
	return storage.Stamp(n)
}

// want are the cells of a state in a range.
func (s state) want(from, to []byte, reverse bool) string { return s.first(from, to, reverse, -1) }

// first are the first of these, or all when n is negative.
func (s state) first(from, to []byte, reverse bool, n int) string {
	all := slices.Sorted(maps.Keys(s.cells))
	all = slices.DeleteFunc(all, func(k string) bool { return k < string(from) || len(to) > 0 && k >= string(to) })
	if reverse {
		slices.Reverse(all)
	}
	if n >= 0 {
		all = all[:min(n, len(all))]
	}
	var b strings.Builder
	for _, k := range all {
		fmt.Fprintf(&b, "%x=%q ", k, s.cells[k])
	}
	return b.String()
}

// read compares what is read as of a state with it.
func (m *machine) read(s state) {
	tx, err := m.store.Begin(ctx, storage.TxOptions{ReadOnly: true})
	m.ok(err)
	defer tx.Close()
	p := past.New(tx, graph, s.at)
	for _, r := range []storage.Reader{p, p.Snapshot()} {
		k := m.key()
		v, err := r.Get(k)
		if want, has := s.cells[string(k)]; has != (err == nil) || has && want != string(v) || !has && !errors.Is(err, storage.ErrNotFound) {
			m.Fatalf("as of %d: %x is %q, %v, want %q, %v", s.at, k, v, err, want, has)
		}
		for range 3 {
			from, to := m.bound(), m.bound()
			if bytes.Compare(from, to) >= 0 {
				from, to = to, from
			}
			o := storage.ScanOptions{From: from, To: to, Reverse: rapid.Bool().Draw(m.T, "reverse")}
			it := r.Scan(o)
			if got, want := m.all(it), s.want(from, to, o.Reverse); got != want {
				m.Fatalf("as of %d: [%x, %x) reverse %v is\n%s, want\n%s", s.at, from, to, o.Reverse, got, want)
			}
			if !o.Reverse {
				at := m.bound()
				it.Seek(at)
				if got, want := m.all(it), s.want(slices.MaxFunc([][]byte{at, from}, bytes.Compare), to, false); got != want {
					m.Fatalf("as of %d: [%x, %x) from %x is\n%s, want\n%s", s.at, from, to, at, got, want)
				}
			}
			m.ok(it.Close())
		}
		m.readMany(s, r)
	}
}

// readMany compares what is read at once as of a state with it: of some keys, and of ranges of
// each of which no more than some keys are asked for.
func (m *machine) readMany(s state, r storage.Reader) {
	n := rapid.SampledFrom([]int{0, 1, 7, 7, 7, 7, 7, 260}).Draw(m.T, "many")
	ask, got := make([][]byte, n), make([]string, n)
	for i := range ask {
		ask[i] = m.keys[i*5%len(m.keys)]
		got[i] = "nothing"
	}
	m.ok(r.GetMany(ask, func(i int, v []byte) error {
		if got[i] != "nothing" {
			m.Fatalf("as of %d: %x is read twice", s.at, ask[i])
		}
		if got[i] = "none"; v != nil {
			got[i] = "=" + string(v)
		}
		return nil
	}))
	for i, k := range ask {
		want := "none"
		if v, has := s.cells[string(k)]; has {
			want = "=" + v
		}
		if got[i] != want {
			m.Fatalf("as of %d: %x is %q, want %q", s.at, k, got[i], want)
		}
	}
	ranges, left := make([]storage.ScanOptions, n), make([]int, n)
	for i := range ranges {
		from, to := m.keys[i*3%len(m.keys)], m.keys[i*7%len(m.keys)]
		if bytes.Compare(from, to) > 0 {
			from, to = to, from
		}
		ranges[i] = storage.ScanOptions{From: from, To: append(bytes.Clone(to), 0), Reverse: i%4 == 0}
		got[i], left[i] = "", i%5
	}
	m.ok(r.ScanMany(ranges, func(i int, key, v []byte) (bool, error) {
		got[i] += fmt.Sprintf("%x=%q ", key, v)
		left[i]--
		return left[i] != 0, nil
	}))
	for i, o := range ranges {
		if want := s.first(o.From, o.To, o.Reverse, cmp.Or(i%5, -1)); got[i] != want {
			m.Fatalf("as of %d: [%x, %x) reverse %v is\n%s, want\n%s", s.at, o.From, o.To, o.Reverse, got[i], want)
		}
	}
}

func (m *machine) all(it storage.Iterator) string {
	var b strings.Builder
	for it.Next() {
		if _, c, _ := table.Head(it.Key()); c < table.Vertices || c >= table.History {
			continue // they are what they are
		}
		fmt.Fprintf(&b, "%x=%q ", it.Key(), it.Value())
	}
	m.ok(it.Err())
	return b.String()
}

// TestReads: random commits, and each state that there was is read as it was, also beneath what
// was forgotten of those before it.
func TestReads(t *testing.T) {
	all := keys()
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{T: t, keys: all, now: map[string]string{}, clock: time.Unix(1700000000, 0)}
		s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, Now: func() time.Time {
			m.clock = m.clock.Add(time.Microsecond * 700)
			return m.clock
		}})
		m.ok(err)
		m.store = s
		defer s.Close()
		m.floor()
		for range rapid.IntRange(1, 12).Draw(t, "commits") {
			if m.commit(); rapid.IntRange(0, 5).Draw(t, "shorten") == 0 {
				m.shorten()
			}
		}
		for range 4 {
			if len(m.states) == 0 {
				return
			}
			m.read(rapid.SampledFrom(m.states).Draw(t, "state"))
		}
		m.read(state{m.stamp() + 5, m.now})
		m.readBoth()
	})
}

// readBoth compares cells as of two states, which are read at once, with them.
func (m *machine) readBoth() {
	i := rapid.IntRange(0, len(m.states)-1).Draw(m.T, "before")
	k := rapid.IntRange(i, len(m.states)-1).Draw(m.T, "after")
	snap, err := m.store.Snapshot()
	m.ok(err)
	defer snap.Close()
	span := past.Around(snap, graph, m.states[i].at, m.states[k].at)
	for _, key := range m.keys {
		before, after, err := span.Get(key)
		m.ok(err)
		for _, x := range []struct {
			got []byte
			s   state
		}{{before, m.states[i]}, {after, m.states[k]}} {
			if want, has := x.s.cells[string(key)]; has != (x.got != nil) || want != string(x.got) {
				m.Fatalf("as of %d between %d and %d: %x is %q, want %q, %v", x.s.at, m.states[i].at, m.states[k].at, key, x.got, want, has)
			}
		}
	}
}

// floor begins the history.
func (m *machine) floor() {
	tx, err := m.store.Begin(ctx, storage.TxOptions{})
	m.ok(err)
	defer tx.Close()
	key := table.FloorKey(graph)
	m.ok(tx.SetStamped(key, make([]byte, 8), len(key)))
	_, err = tx.Commit(ctx)
	m.ok(err)
}

// shorten forgets what was before one of the states, and looks that it is gone.
func (m *machine) shorten() {
	if len(m.states) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.states)-1).Draw(m.T, "horizon")
	horizon := m.states[i].at
	for next, more := (past.Place{}), true; more; more = next != (past.Place{}) {
		var err error
		_, next, err = past.Shorten(ctx, m.store, graph, next, horizon)
		m.ok(err)
	}
	m.states = m.states[i:]
	snap, err := m.store.Snapshot()
	m.ok(err)
	defer snap.Close()
	from := table.AppendTable(nil, graph, table.History)
	it := snap.Scan(storage.ScanOptions{From: from, To: table.AppendCommit(nil, graph, horizon+1)})
	defer it.Close()
	for it.Next() {
		if _, until, err := table.DecodePastRow(nil, it.Key()); err != nil || until <= horizon {
			m.Fatalf("left: %s, %v", table.Describe(it.Key()), err)
		}
	}
	m.ok(it.Err())
}

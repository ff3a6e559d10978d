package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/indexhost"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// model is what the graph should hold: vertices by id with their values by key, the
// ends of edges, and what was put into a named index.
type model struct {
	props   map[blueprints.VertexID]map[string][]string // values in GoString form
	weights map[blueprints.EdgeID]string
	ends    map[blueprints.EdgeID][2]blueprints.VertexID
	named   map[blueprints.VertexID]map[string]bool
}

func newModel() model {
	return model{
		props:   map[blueprints.VertexID]map[string][]string{},
		weights: map[blueprints.EdgeID]string{},
		ends:    map[blueprints.EdgeID][2]blueprints.VertexID{},
		named:   map[blueprints.VertexID]map[string]bool{},
	}
}

func (m model) clone() model {
	c := newModel()
	for v, props := range m.props {
		c.props[v] = map[string][]string{}
		for k, values := range props {
			c.props[v][k] = slices.Clone(values)
		}
	}
	maps.Copy(c.weights, m.weights)
	maps.Copy(c.ends, m.ends)
	for v, n := range m.named {
		c.named[v] = maps.Clone(n)
	}
	return c
}

// machine runs random operations on a graph and on its model.
type machine struct {
	fs        *vfs.MemFS
	db        *blueprints.Database
	g         *blueprints.Graph
	tx        *blueprints.Tx
	now, then model // of the open transaction, of the last commit
}

func (m *machine) open(t *rapid.T) {
	s, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: m.fs, DiskReserve: -1, BallastBytes: -1, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if m.db, err = blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	if m.g, err = m.db.Graph("g"); errors.Is(err, blueprints.ErrNoGraph) {
		m.g, err = m.db.CreateGraph("g", blueprints.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (m *machine) begin(t *rapid.T) *blueprints.Tx {
	if m.tx == nil {
		tx, err := m.g.Begin(ctx, blueprints.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m.tx, m.now = tx, m.then.clone()
	}
	return m.tx
}

func sortedKeys[K interface{ ~uint64 }, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

func (m *machine) vertex(t *rapid.T) blueprints.VertexID {
	m.begin(t)
	all := sortedKeys(m.now.props)
	if len(all) == 0 {
		t.Skip("no vertex")
	}
	return rapid.SampledFrom(all).Draw(t, "vertex")
}

func noError(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *machine) AddVertex(t *rapid.T) {
	v, err := m.begin(t).AddVertex(rapid.SampledFrom([]string{"p", "q"}).Draw(t, "label"), value.Null)
	noError(t, err)
	m.now.props[v] = map[string][]string{}
}

func (m *machine) AddEdge(t *rapid.T) {
	a, b := m.vertex(t), m.vertex(t)
	e, err := m.tx.AddEdge(rapid.SampledFrom([]string{"e", "f"}).Draw(t, "label"), a, b, value.Null)
	noError(t, err)
	m.now.ends[e] = [2]blueprints.VertexID{a, b}
	val := rapid.SampledFrom(indexhost.SampleValues).Draw(t, "weight")
	noError(t, m.tx.SetEdgeProperty(e, "w", val))
	m.now.weights[e] = val.GoString()
}

func (m *machine) SetProperty(t *rapid.T) {
	v := m.vertex(t)
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")
	card := rapid.SampledFrom([]string{"single", "list", "set"}).Draw(t, "cardinality")
	val := rapid.SampledFrom(indexhost.SampleValues).Draw(t, "value")
	_, err := m.tx.SetVertexProperty(v, card, key, val, value.Null, nil)
	noError(t, err)
	have := m.now.props[v][key]
	switch {
	case card == "single":
		m.now.props[v][key] = []string{val.GoString()}
	case card == "list" || !slices.Contains(have, val.GoString()):
		m.now.props[v][key] = append(have, val.GoString())
	}
}

func (m *machine) RemoveProperty(t *rapid.T) {
	v := m.vertex(t)
	props, err := m.tx.VertexProperties(nil, v, nil)
	noError(t, err)
	if len(props) == 0 {
		t.Skip("no property")
	}
	p := rapid.SampledFrom(props).Draw(t, "property")
	noError(t, m.tx.RemoveVertexProperty(v, p))
	key := m.tx.Name(p.Key)
	i := 0 // its place among the key's values, which may be equal
	for _, q := range props {
		if q.Key == p.Key && q.Number < p.Number {
			i++
		}
	}
	m.now.props[v][key] = slices.Delete(slices.Clone(m.now.props[v][key]), i, i+1)
}

func (m *machine) RemoveVertex(t *rapid.T) {
	v := m.vertex(t)
	noError(t, m.tx.RemoveVertex(v))
	delete(m.now.props, v)
	delete(m.now.named, v)
	for e, ends := range m.now.ends {
		if ends[0] == v || ends[1] == v {
			delete(m.now.ends, e)
			delete(m.now.weights, e)
		}
	}
}

func (m *machine) RemoveEdge(t *rapid.T) {
	m.begin(t)
	all := sortedKeys(m.now.ends)
	if len(all) == 0 {
		t.Skip("no edge")
	}
	e := rapid.SampledFrom(all).Draw(t, "edge")
	noError(t, m.tx.RemoveEdge(e))
	delete(m.now.ends, e)
	delete(m.now.weights, e)
}

func (m *machine) PutByHand(t *rapid.T) {
	v := m.vertex(t)
	x, err := m.tx.Index("hand", 0)
	noError(t, err)
	if x == nil {
		t.Skip("no index")
	}
	val := rapid.SampledFrom(indexhost.SampleValues).Draw(t, "value")
	if rapid.Bool().Draw(t, "remove") {
		noError(t, x.Remove("k", val, uint64(v)))
		for _, have := range indexhost.SampleValues {
			if value.Equal(have, val) || value.Identical(have, val) {
				delete(m.now.named[v], have.GoString())
			}
		}
		return
	}
	noError(t, x.Put("k", val, uint64(v)))
	if m.now.named[v] == nil {
		m.now.named[v] = map[string]bool{}
	}
	m.now.named[v][val.GoString()] = true
}

func (m *machine) Commit(t *rapid.T) {
	if m.tx == nil {
		t.Skip("no transaction")
	}
	err := m.tx.Commit(ctx)
	m.tx.Close()
	m.tx = nil
	if err == nil {
		m.then = m.now
	} else if !errors.Is(err, storage.ErrConflict) { // with a definition of an index
		t.Fatal(err)
	}
}

func (m *machine) Rollback(t *rapid.T) {
	if m.tx == nil {
		t.Skip("no transaction")
	}
	noError(t, m.tx.Close())
	m.tx = nil
}

func (m *machine) ChangeIndexes(t *rapid.T) {
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")
	class, key := blueprints.VertexClass, key
	if rapid.Bool().Draw(t, "edges") {
		class, key = blueprints.EdgeClass, "w"
	}
	if rapid.Bool().Draw(t, "drop") {
		noError(t, m.g.DropKeyIndex(ctx, class, key))
		return
	}
	noError(t, m.g.CreateKeyIndex(ctx, class, key))
}

func (m *machine) MakeNamedIndex(t *rapid.T) {
	err := m.g.CreateIndex(ctx, "hand", blueprints.VertexClass)
	var x *blueprints.Exception
	if err != nil && !errors.As(err, &x) {
		t.Fatal(err)
	}
}

// Crash forgets what was not synced and opens what is left.
func (m *machine) Crash(t *rapid.T) {
	if m.tx != nil {
		m.tx.Close()
		m.tx = nil
	}
	percent := rapid.SampledFrom([]int{0, 50, 100}).Draw(t, "unsynced")
	left := m.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(1, 2))})
	noError(t, m.db.Close())
	m.fs = left
	m.open(t)
}

// Check compares the last commit with the model, by scan, by index, and as the fsck.
func (m *machine) Check(t *rapid.T) {
	if m.g == nil {
		return
	}
	r, err := check.Run(ctx, m.g)
	noError(t, err)
	if !r.OK() {
		t.Fatalf("%v", r.Problems)
	}
	if int(r.Vertices) != len(m.then.props) || int(r.Edges) != len(m.then.ends) {
		t.Fatalf("%d vertices, %d edges; want %d and %d", r.Vertices, r.Edges, len(m.then.props), len(m.then.ends))
	}
	noError(t, m.g.View(ctx, func(tx *blueprints.Tx) error { m.compare(t, tx, m.then); return nil }))
	if m.tx != nil {
		m.compare(t, m.tx, m.now)
	}
}

func (m *machine) compare(t *rapid.T, tx *blueprints.Tx, want model) {
	for v, props := range want.props {
		for _, key := range []string{"a", "b", "u", "at"} {
			sym, _ := tx.Symbol(key)
			entries, err := tx.VertexProperties(nil, v, []blueprints.Symbol{sym})
			noError(t, err)
			var got []string
			for _, p := range entries {
				got = append(got, p.Value.GoString())
			}
			if !slices.Equal(got, props[key]) {
				t.Fatalf("vertex %d has %s = %v, want %v", v, key, got, props[key])
			}
		}
	}
	for _, key := range tx.VertexIndexes() {
		for _, val := range indexhost.SampleValues {
			m.compareEqual(t, tx, want, key, val)
		}
	}
	m.compareNamed(t, tx, want)
	noError(t, indexhost.Agree(tx))
}

func (m *machine) compareEqual(t *rapid.T, tx *blueprints.Tx, want model, key string, val value.Value) {
	var expected []blueprints.VertexID
	for v, props := range want.props {
		if slices.ContainsFunc(props[key], func(s string) bool { return equalSample(s, val) }) {
			expected = append(expected, v)
		}
	}
	it := tx.LookupVertices(key, blueprints.ValueRange{Min: val, Max: val, HasMin: true, HasMax: true})
	defer it.Close()
	buf := make([]blueprints.VertexID, 64)
	var got []blueprints.VertexID
	sym, _ := tx.Symbol(key)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, v := range buf[:n] {
			if !it.Exact() {
				entries, err := tx.VertexProperties(nil, v, []blueprints.Symbol{sym})
				noError(t, err)
				if !slices.ContainsFunc(entries, func(p blueprints.PropertyEntry) bool { return value.Equal(p.Value, val) }) {
					continue
				}
			}
			got = append(got, v)
		}
	}
	noError(t, it.Err())
	slices.Sort(got)
	slices.Sort(expected)
	if !slices.Equal(got, expected) {
		t.Fatalf("index on %s, value %#v: %v, want %v", key, val, got, expected)
	}
}

func equalSample(s string, val value.Value) bool {
	for _, x := range indexhost.SampleValues {
		if x.GoString() == s {
			return value.Equal(x, val)
		}
	}
	return false
}

func (m *machine) compareNamed(t *rapid.T, tx *blueprints.Tx, want model) {
	x, err := tx.Index("hand", 0)
	noError(t, err)
	if x == nil {
		return
	}
	for _, val := range indexhost.SampleValues {
		var expected int64
		for _, named := range want.named {
			for s := range named {
				if equalSample(s, val) {
					expected++
					break
				}
			}
		}
		n, err := x.Count("k", val)
		noError(t, err)
		if n != expected {
			t.Fatalf("named index, value %#v: %d, want %d", val, n, expected)
		}
	}
}

// Index and element never disagree, whatever happens in whatever order.
func TestProperty_IndexesAgreeWithElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{fs: vfs.NewCrashableMem(), then: newModel()}
		m.open(t)
		defer func() {
			if m.tx != nil {
				m.tx.Close()
			}
			m.db.Close()
		}()
		t.Repeat(map[string]func(*rapid.T){
			"add vertex": m.AddVertex, "add vertex again": m.AddVertex, "add edge": m.AddEdge, "set property": m.SetProperty,
			"set property again": m.SetProperty, "remove property": m.RemoveProperty, "remove vertex": m.RemoveVertex,
			"remove edge": m.RemoveEdge, "put by hand": m.PutByHand, "commit": m.Commit, "commit again": m.Commit,
			"rollback": m.Rollback, "change indexes": m.ChangeIndexes, "declare": m.Declare, "declare again": m.Declare,
			"set unique": m.SetUnique, "move": m.Move, "named index": m.MakeNamedIndex, "crash": m.Crash,
			"": m.Check,
		})
	})
}

// Writers, builders and droppers at once: at every end the index says what a scan says.
func TestIndex_ConcurrentWritersAndBuilders(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		var vs []blueprints.VertexID
		update(t, g, func(tx *blueprints.Tx) error {
			vs = vs[:0]
			for i := range 300 {
				vs = append(vs, addVertex(t, tx, fmt.Sprint("l", i%3), "k", i))
			}
			return nil
		})
		stop, cancel := context.WithTimeout(ctx, time.Duration(raced.Part(1500, 3))*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		for w := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				r := rand.New(rand.NewPCG(7, uint64(w)))
				for stop.Err() == nil {
					mix(t, g, r, vs)
				}
			}()
		}
		for stop.Err() == nil {
			createKeyIndex(t, g, blueprints.VertexClass, "k")
			wantSound(t, g)
			if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "k"); err != nil {
				t.Fatal(err)
			}
		}
		wg.Wait()
		createKeyIndex(t, g, blueprints.VertexClass, "k")
		wantSound(t, g)
	}
}

// mix changes some vertices in one transaction, which may lose.
func mix(t *testing.T, g *blueprints.Graph, r *rand.Rand, vs []blueprints.VertexID) {
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		for range 3 {
			v := vs[r.IntN(len(vs))]
			if ok, err := tx.VertexExists(v); err != nil || !ok {
				return err
			}
			switch r.IntN(12) {
			case 0:
				if err := tx.RemoveVertex(v); err != nil {
					return err
				}
			case 1:
				if _, err := tx.SetVertexProperty(v, "single", "k", value.Null, value.Null, nil); err != nil {
					return err
				}
			default:
				card := []string{"single", "list"}[r.IntN(2)]
				if _, err := tx.SetVertexProperty(v, card, "k", value.Int(int32(r.IntN(50))), value.Null, nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

func openCached(t tb, cacheBytes int64) (*Database, *Graph) {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := Open(s, DatabaseOptions{CacheBytes: cacheBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	g, err := db.CreateGraph("g", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return db, g
}

func commit(t tb, g *Graph, fn func(tx *Tx) error) {
	t.Helper()
	if err := g.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func reader(t tb, g *Graph) *Tx {
	t.Helper()
	tx, err := g.Begin(context.Background(), TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func ok[T any](t tb) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// pair makes two vertices with one edge.
func pair(t testing.TB, g *Graph) (a, b VertexID, e EdgeID) {
	commit(t, g, func(tx *Tx) error {
		a, b = ok[VertexID](t)(tx.AddVertex("v", value.Null)), ok[VertexID](t)(tx.AddVertex("v", value.Null))
		e = ok[EdgeID](t)(tx.AddEdge("e", a, b, value.Null))
		_, err := tx.SetVertexProperty(a, "", "k", value.Int(1), value.Null, nil)
		return err
	})
	return a, b, e
}

func (t *Tx) value(v VertexID, key string) string {
	sym, _ := t.Symbol(key)
	x, _, err := t.VertexValue(v, sym)
	if err != nil {
		return err.Error()
	}
	return x.JavaString()
}

// Each fill races in a graph of its own, where nothing is cached that could refuse it.
func TestCache_FillThatRacesWithACommit(t *testing.T) {
	for _, point := range []fillPoint{fillingVertex, fillingAdjacency} {
		db, g := openCached(t, 1<<20)
		a, b, _ := pair(t, g)
		old := reader(t, g)
		refused := db.CacheStats().Refused
		g.onFill = func(p fillPoint) {
			if p != point {
				return
			}
			g.onFill = nil
			commit(t, g, func(tx *Tx) error {
				if _, err := tx.AddEdge("e", a, b, value.Null); err != nil {
					return err
				}
				_, err := tx.SetVertexProperty(a, "", "k", value.Int(2), value.Null, nil)
				return err
			})
		}
		if point == fillingVertex {
			if got := old.value(a, "k"); got != "1" {
				t.Errorf("the paused reader sees %s", got)
			}
		} else if n := ok[int64](t)(degreeOf(old, a, Out)); n != 1 {
			t.Errorf("the paused reader counts %d edges", n)
		}
		now := reader(t, g)
		if got := now.value(a, "k"); got != "2" {
			t.Errorf("after the commit: k is %s, want 2: a raced fill was installed", got)
		}
		if n := ok[int64](t)(degreeOf(now, a, Out)); n != 2 {
			t.Errorf("after the commit: %d edges, want 2: a raced fill was installed", n)
		}
		if db.CacheStats().Refused == refused {
			t.Error("no fill was refused: the test did not race")
		}
	}
}

func TestCache_OldSnapshotsKeepTheirRow(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, b, _ := pair(t, g)
	var readers []*Tx
	for i := range 6 {
		readers = append(readers, reader(t, g))
		for k, r := range readers {
			if n := ok[int64](t)(degreeOf(r, a, Out)); n != int64(k)+1 {
				t.Fatalf("reader %d counts %d edges after %d commits", k, n, i)
			}
			if got := r.value(a, "k"); got != fmt.Sprint(k+1) {
				t.Fatalf("reader %d sees k = %s after %d commits", k, got, i)
			}
		}
		commit(t, g, func(tx *Tx) error {
			if _, err := tx.AddEdge("e", a, b, value.Null); err != nil {
				return err
			}
			_, err := tx.SetVertexProperty(a, "", "k", value.Int(int32(i)+2), value.Null, nil)
			return err
		})
	}
}

// Two transactions each read both vertices, through the cache, and write one: a
// serial order of them does not exist.
func TestCache_HitsCountAsReads(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, b, e := pair(t, g)
	commit(t, g, func(tx *Tx) error {
		_, err := tx.SetVertexProperty(b, "", "k", value.Int(1), value.Null, nil)
		return err
	})
	reads := map[string]func(tx *Tx, v VertexID) error{
		"value":      func(tx *Tx, v VertexID) error { tx.value(v, "k"); return nil },
		"properties": func(tx *Tx, v VertexID) error { _, err := tx.VertexProperties(nil, v, nil); return err },
		"resolved":   func(tx *Tx, v VertexID) error { _, err := tx.ResolveVertex(uint64(v), true, nil); return err },
		"values of many": func(tx *Tx, v VertexID) error {
			k, _ := tx.Symbol("k")
			_, _, err := tx.VertexValues(nil, nil, []VertexID{v}, k)
			return err
		},
	}
	for name, read := range reads {
		warm := reader(t, g)
		if err := errors.Join(read(warm, a), read(warm, b)); err != nil {
			t.Fatal(err)
		}
		x, y := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{})), ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer x.Close()
		defer y.Close()
		for _, tx := range []*Tx{x, y} {
			if err := errors.Join(read(tx, a), read(tx, b)); err != nil {
				t.Fatal(err)
			}
		}
		ok[PropertyEntry](t)(x.SetVertexProperty(a, "", "k", value.Int(0), value.Null, nil))
		ok[PropertyEntry](t)(y.SetVertexProperty(b, "", "k", value.Int(0), value.Null, nil))
		if err := x.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := y.Commit(context.Background()); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: write skew through the cache: %v", name, err)
		}
	}
	hops := map[string]func(tx *Tx) error{
		"adjacent":      func(tx *Tx) error { _, err := edgesOf(tx, a, Expansion{Dir: Out}); return err },
		"adjacent many": func(tx *Tx) error { return tx.Expand([]VertexID{a, a}, Expansion{Dir: Out}, ignored) },
		"ends":          func(tx *Tx) error { return tx.Expand([]VertexID{a}, Expansion{Dir: Out, Want: WantEnds}, ignored) },
		"degree":        func(tx *Tx) error { _, err := degreeOf(tx, a, Out); return err },
		"degrees":       func(tx *Tx) error { return tx.Expand([]VertexID{a, a}, Expansion{Dir: Out, Want: WantCount}, ignored) },
		"edge":          func(tx *Tx) error { _, err := tx.EdgeProperties(nil, e, nil); return err },
		"scan":          func(tx *Tx) error { drainVertices(tx.Vertices()); return nil },
		"scan by label": func(tx *Tx) error {
			l, _ := tx.Symbol("v")
			drainVertices(tx.Vertices(l))
			return nil
		},
	}
	for name, hop := range hops {
		for range 2 { // the second one fills what the first one only notes
			if err := hop(reader(t, g)); err != nil {
				t.Fatal(err)
			}
		}
		x := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer x.Close()
		if err := hop(x); err != nil {
			t.Fatal(err)
		}
		ok[VertexID](t)(x.AddVertex("seen", value.Null))
		commit(t, g, func(tx *Tx) error {
			if _, err := tx.AddEdge("e", a, b, value.Null); err != nil {
				return err
			}
			if _, err := tx.AddVertex("v", value.Null); err != nil {
				return err
			}
			return tx.SetEdgeProperty(e, "w", value.Int(1))
		})
		if err := x.Commit(context.Background()); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: a read through the cache was not validated: %v", name, err)
		}
	}
}

func drain(it EdgeIterator) (all []EdgeID) {
	defer it.Close()
	var buf [7]EdgeID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	return all
}

func drainVertices(it VertexIterator) (all []VertexID) {
	defer it.Close()
	var buf [7]VertexID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	return all
}

// String prints all there is to a property, for comparing.
func (p PropertyEntry) String() string {
	return fmt.Sprint(p.Key, p.bytes, p.Value, p.Ordinal, p.ID(), p.Meta())
}

// compare checks what the cache says against the store at the same snapshot.
func compare(t testing.TB, tx *Tx, vs []VertexID) {
	t.Helper()
	bare := tx.storeOnly()
	for _, e := range drain(bare.Edges()) {
		got := fmt.Sprint(tx.EdgeProperties(nil, e, nil)) + fmt.Sprint(tx.Edge(e))
		if want := fmt.Sprint(bare.EdgeProperties(nil, e, nil)) + fmt.Sprint(bare.Edge(e)); got != want {
			t.Fatalf("seq %d edge %d: cache %s, store %s", tx.seq, e, got, want)
		}
	}
	for _, labels := range [][]Symbol{nil, {1}, {2}, {3, 2}} {
		got, want := drain(tx.Edges(labels...)), drain(bare.Edges(labels...))
		if !slices.Equal(got, want) {
			t.Fatalf("seq %d edges of labels %v: cache %v, store %v", tx.seq, labels, got, want)
		}
		if got, want := drainVertices(tx.Vertices(labels...)), drainVertices(bare.Vertices(labels...)); !slices.Equal(got, want) {
			t.Fatalf("seq %d vertices of labels %v: cache %v, store %v", tx.seq, labels, got, want)
		}
	}
	comparePruned(t, tx, vs)
	for _, v := range vs {
		for _, d := range []Direction{Out, In, Both} {
			for _, labels := range [][]Symbol{nil, {2}, {3, 2}} {
				want := ok[[]Adjacent](t)(edgesOf(bare, v, Expansion{Dir: d, Labels: labels}))
				if got := ok[[]Adjacent](t)(edgesOf(tx, v, Expansion{Dir: d, Labels: labels})); !slices.Equal(got, want) {
					t.Fatalf("seq %d vertex %d dir %d labels %v: cache %v, store %v", tx.seq, v, d, labels, got, want)
				}
				if n := ok[int64](t)(degreeOf(tx, v, d, labels...)); n != int64(len(want)) {
					t.Fatalf("seq %d vertex %d: degree %d, want %d", tx.seq, v, n, len(want))
				}
			}
		}
		got := fmt.Sprint(tx.VertexProperties(nil, v, nil)) + fmt.Sprint(tx.vertexCell(v))
		want := fmt.Sprint(bare.VertexProperties(nil, v, nil)) + fmt.Sprint(bare.vertexCell(v))
		if got != want {
			t.Fatalf("seq %d vertex %d: cache %s, store %s", tx.seq, v, got, want)
		}
	}
}

// Writers and readers at old and new snapshots, over a cache that must evict all the
// time: whatever it answers is what the store says at that snapshot.
func TestCache_AgreesWithTheStore(t *testing.T) {
	db, g := openCached(t, 24<<10)
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		vs = vs[:0]
		for range 40 {
			vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
		}
		return nil
	})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(seed, uint64(w)))
			for range raced.Times(raced.Part(150, 3), 4) {
				commit(t, g, func(tx *Tx) error { return randomWrites(tx, r, vs) })
			}
		}()
	}
	var held []*Tx
	r := rand.New(rand.NewPCG(seed, 99))
	for range raced.Times(raced.Part(150, 3), 4) {
		held = append(held, ok[*Tx](t)(g.Begin(context.Background(), TxOptions{ReadOnly: true})))
		some := []VertexID{vs[r.IntN(len(vs))], vs[r.IntN(len(vs))]}
		for _, tx := range held {
			compare(t, tx, some)
		}
		if len(held) > 5 {
			i := r.IntN(len(held))
			held[i].Close()
			held = slices.Delete(held, i, i+1)
		}
	}
	for _, tx := range held {
		tx.Close()
	}
	wg.Wait()
	last := reader(t, g)
	compare(t, last, vs)
	st := db.CacheStats()
	if st.Evicted == 0 || st.Installed == 0 {
		t.Errorf("the test did not exercise the cache: %+v", st)
	}
	if st.Bytes > db.budget.Max() || st.Bytes < 0 {
		t.Errorf("the cache holds %d of %d bytes", st.Bytes, db.budget.Max())
	}
}

func randomWrites(tx *Tx, r *rand.Rand, vs []VertexID) error {
	for range 1 + r.IntN(4) {
		a, b := vs[r.IntN(len(vs))], vs[r.IntN(len(vs))]
		switch r.IntN(5) {
		case 0, 1:
			if _, err := tx.AddEdge([]string{"x", "y"}[r.IntN(2)], a, b, value.Null); err != nil {
				return err
			}
		case 2:
			edges, err := edgesOf(tx, a, Expansion{Dir: Both})
			if err != nil {
				return err
			}
			if len(edges) > 0 {
				if err := tx.RemoveEdge(edges[r.IntN(len(edges))].Edge); err != nil {
					return err
				}
			}
		case 3:
			edges, err := edgesOf(tx, a, Expansion{Dir: Both})
			if err != nil {
				return err
			}
			if len(edges) > 0 {
				if err := tx.SetEdgeProperty(edges[r.IntN(len(edges))].Edge, randomKey(r), randomValue(r)); err != nil {
					return err
				}
			}
		default:
			if err := randomProperty(tx, r, a); err != nil {
				return err
			}
		}
	}
	return nil
}

func randomKey(r *rand.Rand) string { return []string{"k", "l", "m"}[r.IntN(3)] }

// randomValue is null, which removes a property, one time in four.
func randomValue(r *rand.Rand) value.Value {
	if r.IntN(4) == 0 {
		return value.Null
	}
	return value.Int(int32(r.IntN(9)))
}

func randomProperty(tx *Tx, r *rand.Rand, v VertexID) error {
	if r.IntN(4) > 0 {
		card := []string{"single", "list", "set"}[r.IntN(3)]
		var meta []value.Property
		if r.IntN(3) == 0 {
			meta = []value.Property{{Key: randomKey(r), Value: value.Int(1)}}
		}
		_, err := tx.SetVertexProperty(v, card, randomKey(r), randomValue(r), value.Null, meta)
		return err
	}
	props, err := tx.VertexProperties(nil, v, nil)
	if err != nil || len(props) == 0 {
		return err
	}
	return tx.RemoveVertexProperty(v, props[r.IntN(len(props))])
}

func supernode(t testing.TB, g *Graph, n int) VertexID {
	t.Helper()
	id := value.Long(0)
	err := BulkLoad(context.Background(), g, func(sink RecordSink) error {
		if err := sink.Vertex(&VertexRecord{ID: id, Label: "hub"}); err != nil {
			return err
		}
		e := EdgeRecord{Label: "to", Out: id, In: id}
		for range n {
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	hub, found, err := reader(t, g).FindVertex(id)
	if err != nil || !found {
		t.Fatal("no hub", err)
	}
	return hub
}

func TestCache_Supernode(t *testing.T) {
	n := 1_000_000
	if testing.Short() || raced.Detector() {
		n = 50_000
	}
	db, g := openCached(t, 256<<20)
	hub := supernode(t, g, n)

	tx := reader(t, g)
	cells := tx.cells
	if got := ok[[]Adjacent](t)(edgesOf(tx, hub, Expansion{Dir: Out, Max: 1})); len(got) != 1 {
		t.Fatalf("limit 1 gave %d", len(got))
	}
	if read := tx.cells - cells; read > 4 {
		t.Errorf("a cold limit(1) read %d cells", read)
	}
	if d := ok[int64](t)(degreeOf(tx, hub, Out)); d != int64(n) {
		t.Fatalf("degree %d", d)
	}
	before := db.CacheStats()
	commit(t, g, func(tx *Tx) error {
		_, err := tx.AddEdge("to", hub, hub, value.Null)
		return err
	})
	if copied := db.CacheStats().Copied - before.Copied; copied > 512 {
		t.Errorf("a commit to %d edges copied %d", n, copied)
	}
	now := reader(t, g)
	cells = now.cells
	if d := ok[int64](t)(degreeOf(now, hub, Out)); d != int64(n)+1 || now.cells != cells {
		t.Errorf("degree %d after the commit, %d cells read", d, now.cells-cells)
	}
	if d := ok[int64](t)(degreeOf(tx, hub, Out)); d != int64(n) {
		t.Errorf("the older reader counts %d", d)
	}
	var all int
	x := Expansion{Dir: Out, Max: 100_000}
	for {
		page := ok[[]Adjacent](t)(edgesOf(now, hub, x))
		if all += len(page); len(page) == 0 {
			break
		}
		x.After = page[len(page)-1]
	}
	if all != n+1 {
		t.Errorf("pages gave %d edges", all)
	}
}

// Two stores number their commits apart: many commits to one neither void nor let pass
// what is read of the other.
func TestCache_StoresDoNotMix(t *testing.T) {
	open := func() storage.Store {
		return ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	}
	db, err := Open(open(), DatabaseOptions{Memory: open()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() }) // behind its readers
	busy := ok[*Graph](t)(db.CreateGraph("busy", Options{}))
	quiet := ok[*Graph](t)(db.CreateGraph("quiet", Options{InMemory: true}))
	a, b, _ := pair(t, quiet)
	for range 50 {
		pair(t, busy)
	}
	before := db.CacheStats()
	tx := reader(t, quiet)
	compare(t, tx, []VertexID{a, b})
	if st := db.CacheStats(); st.Refused != before.Refused || st.Installed == before.Installed {
		t.Errorf("reads of the quiet store were refused: %+v", st)
	}
	if tx.cache.vertices.Get(uint64(a), tx.seq) == nil {
		t.Error("the row is not in the cache")
	}
}

// Scans over rows of several chunks, in steps of any size, before and after commits.
func TestScan_OverCachedRows(t *testing.T) {
	_, g := openCached(t, 16<<20)
	var want []VertexID
	for round := range 4 {
		commit(t, g, func(tx *Tx) error {
			if round == 3 {
				return tx.RemoveVertex(want[600])
			}
			for range 450 {
				want = append(want, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
			}
			return nil
		})
		if round == 3 {
			want = slices.Delete(want, 600, 601)
		}
		for _, step := range []int{1, 7, 450, 512, 5000} {
			it := reader(t, g).Vertices()
			var got []VertexID
			buf := make([]VertexID, step)
			for n := it.Next(buf); n > 0; n = it.Next(buf) {
				got = append(got, buf[:n]...)
			}
			if err := it.Close(); err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d, step %d: %d vertices, want %d: %v", round, step, len(got), len(want), err)
			}
		}
	}
}

// Neighbours removed in one transaction reach the listener as one range under snapshot
// isolation, also where the end of a row's prefix is a shorter key.
func TestCache_NeighboursRemovedTogether(t *testing.T) {
	db, _ := openCached(t, 1<<20)
	g := ok[*Graph](t)(db.CreateGraph("snapshots", Options{Isolation: storage.SnapshotIsolation}))
	const count = 600 // beyond a carry of the last byte
	var vs [count]VertexID
	commit(t, g, func(tx *Tx) error {
		for i := range vs {
			vs[i] = ok[VertexID](t)(tx.AddVertex("v", value.Null))
		}
		return nil
	})
	exist := func() (n int) {
		tx := reader(t, g)
		for _, v := range vs {
			if ok[bool](t)(tx.VertexExists(v)) {
				n++
			}
		}
		return n
	}
	for from, removed := 0, 0; from+7 <= count; from += 70 {
		if n := exist(); n != count-removed { // fills the cache
			t.Fatalf("%d vertices exist, want %d", n, count-removed)
		}
		commit(t, g, func(tx *Tx) error {
			for _, v := range vs[from : from+7] {
				if err := tx.RemoveVertex(v); err != nil {
					return err
				}
			}
			return nil
		})
		removed += 7
		if n := exist(); n != count-removed {
			t.Fatalf("%d vertices exist after %d were removed", n, removed)
		}
	}
	commit(t, g, func(tx *Tx) error {
		for _, v := range vs {
			if err := tx.RemoveVertex(v); err != nil {
				return err
			}
		}
		return nil
	})
	if n := exist(); n != 0 {
		t.Fatalf("%d vertices exist after all were removed", n)
	}
}

package blueprints

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestAhead_RacesWithCommits has commits land while a transaction reads, one at a time, what it
// said that it reads next: rows around these are brought at once, and each reader sees its own
// snapshot all the same, whoever comes behind the commits, and a writer its own changes.
func TestAhead_RacesWithCommits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, bytes := range []int64{1, 16 << 10, 8 << 20} {
		r := rand.New(rand.NewPCG(seed, uint64(bytes)))
		_, g := openCached(t, bytes)
		var vs []VertexID
		commit(t, g, func(tx *Tx) error {
			for range 40 {
				vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
			}
			return nil
		})
		landed := 0
		for range raced.Times(12, 2) {
			g.cache.reset(g.store.Seq())
			tx := reader(t, g)
			if r.IntN(2) == 0 {
				tx = ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
				defer tx.Close()
				if err := change(t, tx, r, vs); err != nil {
					t.Fatal(err)
				}
			}
			g.onFill = func(fillPoint) {
				if r.IntN(10) > 0 {
					return
				}
				hook := g.onFill
				g.onFill = nil
				commit(t, g, func(tx *Tx) error { return change(t, tx, r, vs) })
				g.onFill = hook
				landed++
			}
			readListed(t, tx, r, vs)
			g.onFill = nil
			compare(t, tx, vs)
			compare(t, reader(t, g), vs)
		}
		if landed == 0 {
			t.Error("no commit landed while rows were read")
		}
	}
}

// readListed reads vertices, their edges and those edges' ends as steps do, one at a time, and
// compares what it reads with the store.
func readListed(t *testing.T, tx *Tx, r *rand.Rand, vs []VertexID) {
	t.Helper()
	bare := tx.storeOnly()
	some := slices.Clone(vs[:r.IntN(len(vs))])
	r.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
	tx.Ahead(vertexRefs(some))
	for _, v := range some {
		if got, want := fmt.Sprint(tx.VertexProperties(nil, v, nil)), fmt.Sprint(bare.VertexProperties(nil, v, nil)); got != want {
			t.Fatalf("seq %d vertex %d: read ahead %s, store %s", tx.seq, v, got, want)
		}
		x := Expansion{Dir: Direction(1 + r.IntN(3)), Max: r.IntN(4)}
		got, want := ok[[]Adjacent](t)(edgesOf(tx, v, x)), ok[[]Adjacent](t)(edgesOf(bare, v, x))
		if !slices.Equal(got, want) {
			t.Fatalf("seq %d vertex %d, %d edges: read ahead %v, store %v", tx.seq, v, x.Max, got, want)
		}
		var es []value.Value
		for _, e := range got {
			es = append(es, value.EdgeRef(uint64(e.Edge)))
		}
		tx.Ahead(es)
		for _, e := range got {
			got, want := fmt.Sprint(tx.EdgeProperties(nil, e.Edge, nil)), fmt.Sprint(bare.EdgeProperties(nil, e.Edge, nil))
			if got != want {
				t.Fatalf("seq %d edge %d: read ahead %s, store %s", tx.seq, e.Edge, got, want)
			}
			if got, want := fmt.Sprint(tx.vertexCell(e.Other)), fmt.Sprint(bare.vertexCell(e.Other)); got != want {
				t.Fatalf("seq %d vertex %d: read ahead %s, store %s", tx.seq, e.Other, got, want)
			}
		}
	}
}

func vertexRefs(vs []VertexID) (objs []value.Value) {
	for _, v := range vs {
		objs = append(objs, value.VertexRef(uint64(v)))
	}
	return objs
}

// TestAhead_ScanOfNobodysList reads what a scan gives without a word of what is read next, as
// those do who use the graph themselves: that also comes for many at once, and nothing is
// looked for again that lies behind the end.
func TestAhead_ScanOfNobodysList(t *testing.T) {
	s := ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	counting := &storagetest.Counting{Store: s}
	db := ok[*Database](t)(Open(counting, DatabaseOptions{CacheBytes: 8 << 20}))
	t.Cleanup(func() { _ = db.Close() })
	g := ok[*Graph](t)(db.CreateGraph("g", Options{}))
	const edges = 600
	commit(t, g, func(tx *Tx) error {
		v := ok[VertexID](t)(tx.AddVertex("v", value.Null))
		for range edges {
			ok[EdgeID](t)(tx.AddEdge("e", v, v, value.Null))
		}
		return nil
	})
	g.cache.reset(g.store.Seq())
	tx := reader(t, g)
	counting.Reset()
	es := tx.Edges()
	defer es.Close()
	buf, n := make([]EdgeID, edges), 0
	for k := es.Next(buf); k > 0; k = es.Next(buf) {
		for _, e := range buf[:k] {
			ok[EdgeHeader](t)(tx.Edge(e))
			n++
		}
	}
	if reads := counting.Reads(); n != edges || reads.Trips > 20 || reads.Keys > 3*edges {
		t.Errorf("%d of %d edges: %d trips, %d keys", n, edges, reads.Trips, reads.Keys)
	}
}

// TestAhead_IsLong: of rows that were not read to their end it is known in which directions, as long
// as they are not too many.
func TestAhead_IsLong(t *testing.T) {
	var a ahead
	for v := range VertexID(100) {
		a.isLong(v, partOf(Out))
		if v%2 == 0 {
			a.isLong(v, partOf(In))
		}
	}
	for v := range VertexID(100) {
		if a.long[v]&partOf(Out) == 0 || (a.long[v]&partOf(In) != 0) != (v%2 == 0) {
			t.Errorf("of vertex %d %b is known", v, a.long[v])
		}
	}
	for v := range VertexID(3 * longMax) {
		if a.isLong(v, partOf(Out)); len(a.long) > longMax || a.long[v] == 0 {
			t.Fatalf("%d rows are known to be long, and of the last one %b", len(a.long), a.long[v])
		}
	}
}

package blueprints

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// columnCaches are bytes of row caches that have no room for the graphs of these tests.
var columnCaches = []int64{-1, 24 << 10}

// columnGraph has n vertices: some were removed, some have a key several times, or not at
// all, or a value that is too large to be read with others.
func columnGraph(t tb, r *rand.Rand, cacheBytes int64, i storage.Isolation, n int) (*Graph, []VertexID) {
	t.Helper()
	db, _ := openCached(t, cacheBytes)
	g := ok[*Graph](t)(db.CreateGraph("columns", Options{Isolation: i}))
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		for k := range n {
			v, err := tx.AddVertex([]string{"v", "w"}[k/1500%2], value.Null)
			if err != nil {
				return err
			}
			vs = append(vs, v)
			for range []int{1, 1, 1, 1, 1, 0, 2, 3}[r.IntN(8)] {
				if err := setColumn(tx, r, v); err != nil {
					return err
				}
			}
			if _, err = tx.SetVertexProperty(v, "single", "a", value.Int(int32(k)), value.Null, nil); err != nil {
				return err
			}
			e, err := tx.AddEdge("e", v, vs[r.IntN(len(vs))], value.Null)
			if err != nil {
				return err
			}
			if err := setEdgeColumn(tx, r, e); err != nil {
				return err
			}
		}
		return nil
	})
	commit(t, g, func(tx *Tx) error {
		for i := 0; i < len(vs); {
			if i%97 != 0 && (i < 300 || i > 340) {
				i++
				continue
			}
			if err := tx.RemoveVertex(vs[i]); err != nil {
				return err
			}
			vs = slices.Delete(vs, i, min(i+1+r.IntN(2), len(vs)))
			i++
		}
		return nil
	})
	vs = drainVertices(reader(t, g).Vertices())
	return g, vs
}

// setColumn writes a value of the key k.
func setColumn(tx *Tx, r *rand.Rand, v VertexID) error {
	val := value.Int(r.Int32N(100))
	switch r.IntN(400) {
	case 0:
		val = value.String(strings.Repeat("x", columnCell+r.IntN(100)))
	case 1, 2, 3, 4, 5, 6, 7, 8: // many of these do not fit into a piece
		val = value.String(strings.Repeat("y", columnCell-500+r.IntN(490)))
	}
	meta := []value.Property{{Key: "m", Value: value.Int(1)}}[:r.IntN(2)]
	_, err := tx.SetVertexProperty(v, []string{"list", "list", "single"}[r.IntN(3)], "k", val, value.Null, meta)
	return err
}

// setEdgeColumn writes the value of the key k of an edge, or removes it.
func setEdgeColumn(tx *Tx, r *rand.Rand, e EdgeID) error {
	switch r.IntN(60) {
	case 0:
		return tx.SetEdgeProperty(e, "k", value.String(strings.Repeat("z", columnCell-20+r.IntN(40))))
	case 1, 2, 3, 4:
		return tx.RemoveEdgeProperty(e, "k")
	}
	return tx.SetEdgeProperty(e, "k", value.Int(r.Int32N(100)))
}

// compareEdgeColumns is compareColumns for a key of edges, listed or only scanned.
func compareEdgeColumns(t tb, tx *Tx, listed bool) {
	t.Helper()
	bare, k, n := tx.storeOnly(), ok[Symbol](t)(tx.symbolOf("k")), 0
	it := tx.Edges()
	defer it.Close()
	buf := make([]EdgeID, 1000)
	for got := it.Next(buf); got > 0; got = it.Next(buf) {
		objs := make([]value.Value, got)
		for i, e := range buf[:got] {
			objs[i] = value.EdgeRef(uint64(e))
		}
		if listed {
			tx.Ahead(objs)
		}
		for _, e := range buf[:got] {
			got := fmt.Sprint(tx.EdgeValue(e, k)) + fmt.Sprint(tx.EdgeProperties(nil, e, []Symbol{k}))
			if want := fmt.Sprint(bare.EdgeValue(e, k)) + fmt.Sprint(bare.EdgeProperties(nil, e, []Symbol{k})); got != want {
				t.Fatalf("seq %d, edge %d: %s, the store says %s", tx.seq, e, got, want)
			}
			n++
		}
	}
	if n < 1000 || ok[int64](t)(tx.EdgeCount()) != int64(n) {
		t.Fatalf("%d edges", n)
	}
}

// compareColumns reads keys and labels of vertices, as many at once as a scan does, and
// compares them with what the store has.
func compareColumns(t tb, tx *Tx, r *rand.Rand, vs []VertexID) {
	t.Helper()
	bare := tx.storeOnly()
	keys := []Symbol{ok[Symbol](t)(tx.symbolOf("k")), ok[Symbol](t)(tx.symbolOf("a"))}
	for from, n := 0, 8; from < len(vs); n = min(2*n+8, fillMax) {
		batch := vs[from:min(from+n, len(vs))]
		from += len(batch)
		objs := make([]value.Value, len(batch))
		for i, v := range batch {
			objs[i] = value.VertexRef(uint64(v))
		}
		tx.Ahead(objs)
		for _, k := range keys {
			if got, want := valuesOf(t, tx, batch, k), valuesOf(t, bare, batch, k); got != want {
				t.Fatalf("seq %d, key %d of %v: %s, the store says %s", tx.seq, k, batch, got, want)
			}
			for range 8 {
				v := batch[r.IntN(len(batch))]
				got := fmt.Sprint(tx.VertexProperties(nil, v, []Symbol{k})) + fmt.Sprint(tx.VertexValue(v, k))
				want := fmt.Sprint(bare.VertexProperties(nil, v, []Symbol{k})) + fmt.Sprint(bare.VertexValue(v, k))
				if got != want {
					t.Fatalf("seq %d, key %d of %d: %s, the store says %s", tx.seq, k, v, got, want)
				}
			}
		}
		got, want := fmt.Sprint(tx.VertexLabels(nil, batch)), fmt.Sprint(bare.VertexLabels(nil, batch))
		if got != want {
			t.Fatalf("seq %d, labels of %v: %s, the store says %s", tx.seq, batch, got, want)
		}
	}
}

func (t *Tx) symbolOf(name string) (Symbol, error) {
	s, _ := t.Symbol(name)
	return s, nil
}

func valuesOf(t tb, tx *Tx, vs []VertexID, key Symbol) string {
	t.Helper()
	vals, ends, err := tx.VertexValues(nil, nil, vs, key)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(vals, ends)
}

// TestColumns_AgreeWithTheStore: keys and labels that are read as columns are what the store
// has, beneath what the transaction itself changes.
func TestColumns_AgreeWithTheStore(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round, bytes := range append(columnCaches, columnCaches...) {
		if raced.Skips(round, 3) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		isolation := []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation}[round/2]
		g, vs := columnGraph(t, r, bytes, isolation, 4000)
		tx := reader(t, g)
		compareColumns(t, tx, r, vs)
		if len(tx.columns.list) == 0 || tx.columns.list[0].ahead == nil {
			t.Errorf("cache of %d: no columns were read ahead", bytes)
		}
		gone := drainVertices(tx.Vertices())[0] - 1
		compareColumns(t, reader(t, g), r, append([]VertexID{gone}, vs[1000:1400]...))
		backwards := slices.Clone(vs[:900])
		slices.Reverse(backwards)
		compareColumns(t, reader(t, g), r, append(backwards, vs[:20]...))
		for _, listed := range []bool{true, false} {
			tx := reader(t, g)
			compareEdgeColumns(t, tx, listed)
			if len(tx.columns.list) == 0 || tx.columns.list[0].ahead == nil {
				t.Errorf("cache of %d: no columns of edges were read ahead", bytes)
			}
		}

		own := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer own.Close()
		for range 2 {
			for range 300 {
				if err := setColumn(own, r, vs[r.IntN(len(vs))]); err != nil {
					t.Fatal(err)
				}
			}
			i := r.IntN(len(vs))
			if err := own.RemoveVertex(vs[i]); err != nil {
				t.Fatal(err)
			}
			vs = slices.Delete(vs, i, i+1)
			v := ok[VertexID](t)(own.AddVertex("w", value.Null))
			if err := setColumn(own, r, v); err != nil {
				t.Fatal(err)
			}
			vs = append(vs, v)
			compareColumns(t, own, r, vs)
			es := drain(own.Edges())
			for range 100 {
				if err := setEdgeColumn(own, r, es[r.IntN(len(es))]); err != nil {
					t.Fatal(err)
				}
			}
			compareEdgeColumns(t, own, true)
		}
	}
}

// TestColumns_RaceWithCommits has commits land, and the transaction go on to the newest where
// it does that, while columns are read ahead.
func TestColumns_RaceWithCommits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round, bytes := range columnCaches {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		g, vs := columnGraph(t, r, bytes, storage.CommittedIsolation, 4000)
		es := drain(reader(t, g).Edges())
		stop, ended := make(chan struct{}), sync.WaitGroup{}
		ended.Go(func() {
			w := rand.New(rand.NewPCG(seed, 77))
			for {
				select {
				case <-stop:
					return
				default:
				}
				commit(t, g, func(tx *Tx) error {
					for range 20 {
						if err := setColumn(tx, w, vs[w.IntN(len(vs))]); err != nil {
							return err
						}
						if err := setEdgeColumn(tx, w, es[w.IntN(len(es))]); err != nil {
							return err
						}
					}
					return nil
				})
			}
		})
		tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		for range raced.Times(4, 2) {
			compareColumns(t, tx, r, vs)
			compareEdgeColumns(t, tx, r.IntN(2) == 0)
			if err := tx.Refresh(context.Background()); err != nil {
				t.Fatal(err)
			}
			if len(tx.columns.list) > 0 && tx.seq == g.store.Seq() {
				t.Error("columns of an older commit are left")
			}
		}
		close(stop)
		ended.Wait()
		tx.Close()
	}
}

// TestColumns_Conflict: what was read with a column joins the read set, and nothing that was
// read ahead of it.
func TestColumns_Conflict(t *testing.T) {
	for _, bytes := range columnCaches {
		r := rand.New(rand.NewPCG(1, 1))
		g, vs := columnGraph(t, r, bytes, storage.StrictSerializable, 3000)
		label := func(tx *Tx, v VertexID) error { return tx.RemoveVertex(v) }
		set := func(tx *Tx, v VertexID) error { return setColumn(tx, r, v) }
		for _, c := range []struct {
			name   string
			labels bool
			at     int
			write  func(*Tx, VertexID) error
			want   bool
		}{
			{"a value that was read", false, 700, set, true},
			{"a value that was read ahead", false, 1100, set, false},
			{"a label that was read", true, 701, label, true},
			{"a label that was read ahead", true, 1101, label, false},
			{"another cell", true, 702, set, false},
		} {
			tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
			if c.labels {
				ok[[]Symbol](t)(tx.VertexLabels(nil, vs[:1000]))
			} else {
				valuesOf(t, tx, vs[:1000], ok[Symbol](t)(tx.symbolOf("k")))
			}
			ok[VertexID](t)(tx.AddVertex("v", value.Null))
			commit(t, g, func(tx *Tx) error { return c.write(tx, vs[c.at]) })
			err := tx.Commit(context.Background())
			if got := err != nil; got != c.want {
				t.Errorf("cache of %d, %s: %v", bytes, c.name, err)
			}
			vs = drainVertices(reader(t, g).Vertices())
		}
	}
}

// TestColumns_Ends ends transactions while columns are read ahead, by closing them and by
// their contexts: nothing is left of what was charged, and no goroutine reads on.
func TestColumns_Ends(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, bytes := range columnCaches {
		g, vs := columnGraph(t, r, bytes, storage.StrictSerializable, 3000)
		for _, room := range []int64{account.Unlimited, 4 << 20, 400 << 10, 100 << 10, 1} {
			a := account.New(nil, "queryMemory", room)
			ctx, cancel := context.WithCancel(context.Background())
			tx := ok[*Tx](t)(g.Begin(ctx, TxOptions{ReadOnly: true, Account: a}))
			k := ok[Symbol](t)(tx.symbolOf("k"))
			bare := tx.storeOnly()
			for from := 0; from < 2000; from += 500 {
				if got, want := valuesOf(t, tx, vs[from:from+500], k), valuesOf(t, bare, vs[from:from+500], k); got != want {
					t.Fatalf("room %d, from %d: %s, the store says %s", room, from, got, want)
				}
			}
			if room == account.Unlimited {
				if a.Used() < columnBytes {
					t.Errorf("%d bytes are charged while columns are read", a.Used())
				}
				before := a.Used()
				tx.SetContext(ctx)
				if used := a.Used(); used > before-columnBytes {
					t.Errorf("%d bytes are charged for the next request, %d before", used, before)
				}
			}
			valuesOf(t, tx, vs[:500], k)
			cancel()
			if _, _, err := tx.VertexValues(nil, nil, vs[1000:2000], k); err == nil && room > 1<<20 {
				valuesOf(t, tx, vs[2000:2400], k) // what was read ahead before may be used
			}
			tx.Close()
			if a.Used() != 0 {
				t.Errorf("room %d: %d bytes are left", room, a.Used())
			}
		}
	}
}

// TestColumns_ReadOnce reads columns of what does not fit into the memory of ReadOnce, which
// observes everything as a whole.
func TestColumns_ReadOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, bytes := range columnCaches {
		g, vs := columnGraph(t, r, bytes, storage.StrictSerializable, 3000)
		tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		if err := tx.ReadOnce(func() error { compareColumns(t, tx, r, vs); return nil }); err != nil {
			t.Fatal(err)
		}
		ok[VertexID](t)(tx.AddVertex("v", value.Null))
		commit(t, g, func(tx *Tx) error { return setColumn(tx, r, vs[5]) })
		if tx.Commit(context.Background()) == nil {
			t.Error("a value that was read changed, and there was no conflict")
		}
	}
}

// TestColumns_ComeBack reads some vertices of a graph that the cache has no room for, again
// and again: they take the place of those that nobody reads, unless they are too many.
func TestColumns_ComeBack(t *testing.T) {
	_, g := openCached(t, 2<<20)
	var vs []VertexID
	for range 20 {
		commit(t, g, func(tx *Tx) error {
			for range 1000 {
				v, err := tx.AddVertex("v", value.Null)
				if err != nil {
					return err
				}
				if _, err := tx.SetVertexProperty(v, "single", "a", value.Int(1), value.Null, nil); err != nil {
					return err
				}
				vs = append(vs, v)
			}
			return nil
		})
	}
	for _, c := range []struct {
		n     int
		comes bool
	}{{20000, false}, {2048, true}, {20000, false}} {
		var held int
		for range 4 {
			held = readHeld(t, g, vs[len(vs)-c.n:])
		}
		if comes := held > c.n*3/4; comes != c.comes {
			t.Errorf("%d of %d vertices are in memory that are read again and again", held, c.n)
		}
	}
}

// readHeld reads a key of vertices and returns how many of them are in memory.
func readHeld(t *testing.T, g *Graph, vs []VertexID) (held int) {
	t.Helper()
	tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
	defer tx.Rollback()
	key := ok[Symbol](t)(tx.symbolOf("a"))
	if s := valuesOf(t, tx, vs, key); strings.Count(s, "1") < len(vs) {
		t.Fatalf("%d values of %d", strings.Count(s, "1"), len(vs))
	}
	for _, v := range vs {
		if g.cache.vertices.Get(uint64(v), tx.seq) != nil {
			held++
		}
	}
	return held
}

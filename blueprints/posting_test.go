package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// lookedUp are the values that the tests write and look up: some equal one another, and
// some the cache leaves to the store.
var lookedUp = []value.Value{
	value.String("a"), value.String("b"), value.String("a\x00"), value.String(""), value.Bool(true),
	value.Int(1), value.Long(1), value.Double(1), value.BigInt(big.NewInt(1)),
	value.BigDecimal(value.Decimal{Unscaled: big.NewInt(10), Scale: 1}), value.BigDecimal(value.Decimal{Unscaled: big.NewInt(1)}),
	value.Int(-1), value.Int(0), value.Double(0.5), value.Long(1 << 60), value.Float(0.1), value.Double(0.1),
}

func equalTo(v value.Value) ValueRange { return ValueRange{Min: v, Max: v, HasMin: true, HasMax: true} }

func indexOn(t tb, g *Graph, key string) {
	t.Helper()
	for _, c := range []ElementClass{VertexClass, EdgeClass} {
		if err := g.CreateKeyIndex(context.Background(), c, key); err != nil {
			t.Fatal(err)
		}
	}
}

// lookUp returns what a look-up finds, and whether the caller has to compare it.
func lookUp(tx *Tx, c ElementClass, key string, v value.Value) string {
	if c == VertexClass {
		it := tx.LookupVertices(key, equalTo(v))
		vs := drainVertices(it)
		return fmt.Sprint(vs, it.Exact(), it.Err())
	}
	it := tx.LookupEdges(key, equalTo(v))
	es := drain(it)
	return fmt.Sprint(es, it.Exact(), it.Err())
}

// compareLookUps checks what the cache says against the index at the same snapshot.
func compareLookUps(t interface {
	Helper()
	Fatalf(string, ...any)
}, tx *Tx, key string, values []value.Value) {
	t.Helper()
	bare := tx.storeOnly()
	for _, c := range []ElementClass{VertexClass, EdgeClass} {
		for _, v := range values {
			if got, want := lookUp(tx, c, key, v), lookUp(bare, c, key, v); got != want {
				t.Fatalf("seq %d: %s %s %#v: cache %s, index %s", tx.seq, c, key, v, got, want)
			}
		}
	}
	for room := 1; room < 7 && slices.Contains(tx.VertexIndexes(), key); room += 2 {
		left := values
		for len(left) > 0 {
			vs, n, err := tx.FewVertices(nil, key, left, room)
			if err != nil || len(vs) > room {
				t.Fatalf("seq %d: at most %d vertices of %s: %v, %v", tx.seq, room, key, vs, err)
			}
			var want []VertexID
			for _, v := range left[:n] {
				want = append(want, drainVertices(bare.LookupVertices(key, equalTo(v)))...)
			}
			if !slices.Equal(vs, want) {
				t.Fatalf("seq %d: %s %v: cache %v, index %v", tx.seq, key, left[:n], vs, want)
			}
			left = left[max(n, 1):]
		}
	}
}

// inCache reports whether the posting of a value is in the cache.
func (t *Tx) inCache(key string, v value.Value) bool {
	sym, _ := t.Symbol(key)
	span, _ := t.index.Posting(t.g.number, table.VertexClass, uint32(sym), v)
	row := t.cache.postings.Get(postingRow(span.Key()), t.seq)
	if row == nil {
		return false
	}
	_, ok := row.Find(span.Key())
	return ok
}

// writeIndexed changes elements and the values that are indexed.
func writeIndexed(tx *Tx, key string, n func(int) int) error {
	vs, es := drainVertices(tx.Vertices()), drain(tx.Edges())
	val := lookedUp[n(len(lookedUp))]
	switch op := n(8); {
	case op == 0 || len(vs) == 0:
		v, err := tx.AddVertex("v", value.Null)
		if err != nil {
			return err
		}
		_, err = tx.SetVertexProperty(v, "", key, val, value.Null, nil)
		return err
	case op == 1:
		return tx.RemoveVertex(vs[n(len(vs))])
	case op == 2:
		e, err := tx.AddEdge("e", vs[n(len(vs))], vs[n(len(vs))], value.Null)
		if err != nil {
			return err
		}
		return tx.SetEdgeProperty(e, key, val)
	case op == 3 && len(es) > 0:
		return tx.RemoveEdge(es[n(len(es))])
	case op == 4 && len(es) > 0:
		return tx.SetEdgeProperty(es[n(len(es))], key, val)
	case op == 5:
		v := vs[n(len(vs))]
		props, err := tx.VertexProperties(nil, v, nil)
		if err != nil || len(props) == 0 {
			return err
		}
		return tx.RemoveVertexProperty(v, props[n(len(props))])
	}
	card := []string{"single", "list", "list", "set"}[n(4)]
	_, err := tx.SetVertexProperty(vs[n(len(vs))], card, key, val, value.Null, nil)
	return err
}

// Look-ups through the cache give what the index holds: at every snapshot, in
// transactions that write, whatever commits, evictions and changes of the index between.
func TestPosting_LookUpsEqualScans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		isolation := rapid.SampledFrom([]storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation}).Draw(t, "isolation")
		db, _ := openCached(t, rapid.SampledFrom([]int64{2 << 10, 1 << 20}).Draw(t, "budget"))
		g := ok[*Graph](t)(db.CreateGraph("looked up", Options{Isolation: isolation}))
		indexOn(t, g, "k")
		n := func(max int) int { return rapid.IntRange(0, max-1).Draw(t, "n") }
		write := func(tx *Tx) error {
			for range 1 + n(3) {
				if err := writeIndexed(tx, "k", n); err != nil {
					return err
				}
			}
			return nil
		}
		var held []*Tx
		defer func() {
			for _, tx := range held {
				tx.Close()
			}
		}()
		some := func() []value.Value {
			at := n(len(lookedUp))
			return lookedUp[at:min(at+4, len(lookedUp))]
		}
		t.Repeat(map[string]func(*rapid.T){
			"commit": func(*rapid.T) { commit(t, g, write) },
			"hold": func(*rapid.T) {
				held = append(held, ok[*Tx](t)(g.Begin(context.Background(), TxOptions{ReadOnly: true})))
				if len(held) > 3 {
					held[0].Close()
					held = held[1:]
				}
			},
			"look up": func(t *rapid.T) {
				for _, tx := range held {
					compareLookUps(t, tx, "k", some())
				}
			},
			"own writes": func(t *rapid.T) {
				tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
				defer tx.Close()
				for range 1 + n(4) {
					if err := write(tx); err != nil {
						t.Fatal(err)
					}
					compareLookUps(t, tx, "k", some())
				}
				if n(2) == 0 {
					if err := tx.Commit(context.Background()); err != nil {
						t.Fatal(err)
					}
				}
			},
			"index again": func(t *rapid.T) {
				if n(10) > 0 {
					return
				}
				if err := g.DropKeyIndex(context.Background(), VertexClass, "k"); err != nil {
					t.Fatal(err)
				}
				commit(t, g, write)
				for _, tx := range held {
					tx.Close()
				}
				held = nil
				indexOn(t, g, "k")
			},
			"": func(t *rapid.T) {
				compareLookUps(t, reader(t, g), "k", some())
				if st := db.CacheStats(); st.Bytes < 0 {
					t.Fatalf("%+v", st)
				}
			},
		})
		compareLookUps(t, reader(t, g), "k", lookedUp)
	})
}

// Writers and readers at old and new snapshots, while the index is dropped and built
// again.
func TestPosting_LookUpsBesideWritersAndBuilders(t *testing.T) {
	for _, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		db, _ := openCached(t, 8<<10)
		g := ok[*Graph](t)(db.CreateGraph("busy", Options{Isolation: isolation}))
		indexOn(t, g, "k")
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		var writers sync.WaitGroup
		for w := range 2 {
			writers.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(w)))
				for range 120 {
					commit(t, g, func(tx *Tx) error { return writeIndexed(tx, "k", r.IntN) })
				}
			})
		}
		writers.Go(func() {
			for range 6 {
				if err := g.DropKeyIndex(context.Background(), VertexClass, "k"); err != nil {
					t.Error(err)
				}
				indexOn(t, g, "k")
			}
		})
		var held []*Tx
		r := rand.New(rand.NewPCG(seed, 99))
		for range 150 {
			held = append(held, ok[*Tx](t)(g.Begin(context.Background(), TxOptions{ReadOnly: true})))
			for _, tx := range held {
				at := r.IntN(len(lookedUp))
				compareLookUps(t, tx, "k", lookedUp[at:min(at+3, len(lookedUp))])
			}
			if len(held) > 4 {
				i := r.IntN(len(held))
				held[i].Close()
				held = slices.Delete(held, i, i+1)
			}
		}
		for _, tx := range held {
			tx.Close()
		}
		writers.Wait()
		compareLookUps(t, reader(t, g), "k", lookedUp)
	}
}

// named makes a graph with an index on names and one vertex of each.
func named(t testing.TB, cacheBytes int64, isolation storage.Isolation, names ...string) (*Database, *Graph, []VertexID) {
	t.Helper()
	db, _ := openCached(t, cacheBytes)
	g := ok[*Graph](t)(db.CreateGraph("named", Options{Isolation: isolation}))
	indexOn(t, g, "name")
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		vs = nil
		for _, n := range names {
			v := ok[VertexID](t)(tx.AddVertex("v", value.Null))
			ok[PropertyEntry](t)(tx.SetVertexProperty(v, "", "name", value.String(n), value.Null, nil))
			vs = append(vs, v)
		}
		return nil
	})
	return db, g, vs
}

func (t *Tx) byName(name string) []VertexID {
	return drainVertices(t.LookupVertices("name", equalTo(value.String(name))))
}

func addNamed(t testing.TB, tx *Tx, name string) {
	t.Helper()
	v := ok[VertexID](t)(tx.AddVertex("v", value.Null))
	ok[PropertyEntry](t)(tx.SetVertexProperty(v, "", "name", value.String(name), value.Null, nil))
}

// Two transactions each look both names up, through the cache, and write under one: a
// serial order of them does not exist. Under snapshot isolation both win.
func TestPosting_HitsCountAsReads(t *testing.T) {
	for _, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		_, g, _ := named(t, 1<<20, isolation, "one")
		for _, name := range []string{"none", "one"} {
			warm := reader(t, g)
			warm.byName(name)
			warm.byName("other")
			if !warm.inCache("name", value.String(name)) {
				t.Fatal("the posting is not in the cache")
			}
			x, y := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{})), ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
			defer x.Close()
			defer y.Close()
			for _, tx := range []*Tx{x, y} {
				tx.byName(name)
				tx.byName("other")
			}
			addNamed(t, x, name)
			addNamed(t, y, "other")
			if err := x.Commit(context.Background()); err != nil {
				t.Fatal(err)
			}
			err := y.Commit(context.Background())
			if lost := errors.Is(err, storage.ErrConflict); lost != (isolation == storage.StrictSerializable) {
				t.Errorf("isolation %d, name %q: write skew through the cache: %v", isolation, name, err)
			}
		}
	}
}

// Many who add a name unless it is there, or take it away, never make two of one name.
func TestPosting_FindOrAddKeepsNamesUnique(t *testing.T) {
	_, g, _ := named(t, 8<<10, storage.StrictSerializable)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var added atomic.Int64
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(w)))
			for range 150 {
				name, remove := fmt.Sprint("name ", r.IntN(5)), r.IntN(3) == 0
				commit(t, g, func(tx *Tx) error {
					vs := tx.byName(name)
					if len(vs) > 1 {
						t.Errorf("commit %d: %d vertices of one name", tx.seq, len(vs))
					}
					switch {
					case len(vs) == 0:
						added.Add(1)
						addNamed(t, tx, name)
					case remove:
						return tx.RemoveVertex(vs[0])
					}
					return nil
				})
			}
		})
	}
	all.Wait()
	if added.Load() < 10 {
		t.Errorf("only %d were added", added.Load())
	}
}

func TestPosting_FillThatRacesWithACommit(t *testing.T) {
	db, g, _ := named(t, 1<<20, storage.StrictSerializable, "one")
	for _, name := range []string{"none", "one"} {
		old := reader(t, g)
		before, refused := len(old.storeOnly().byName(name)), db.CacheStats().Refused
		g.onFill = func(p fillPoint) {
			if p == fillingPosting {
				g.onFill = nil
				commit(t, g, func(tx *Tx) error { addNamed(t, tx, name); return nil })
			}
		}
		if n := len(old.byName(name)); n != before {
			t.Errorf("the paused reader finds %d of %q, want %d", n, name, before)
		}
		if n := len(reader(t, g).byName(name)); n != before+1 {
			t.Errorf("after the commit there are %d of %q, want %d: a raced fill was installed", n, name, before+1)
		}
		if n := len(old.byName(name)); n != before {
			t.Errorf("the older reader finds %d of %q, want %d", n, name, before)
		}
		if db.CacheStats().Refused == refused {
			t.Error("no fill was refused: the test did not race")
		}
	}
}

// A commit puts postings in the place of those that it writes to, and leaves others.
func TestPosting_CommitReplaces(t *testing.T) {
	_, g, vs := named(t, 1<<20, storage.StrictSerializable, "one", "two")
	names := []string{"none", "one", "two"}
	for _, name := range names {
		reader(t, g).byName(name)
	}
	steps := []struct {
		write func(tx *Tx) error
		want  [3]int // of each name
	}{
		{func(tx *Tx) error { addNamed(t, tx, "one"); return nil }, [3]int{0, 2, 1}},
		{func(tx *Tx) error { addNamed(t, tx, "none"); return nil }, [3]int{1, 2, 1}},
		{func(tx *Tx) error {
			_, err := tx.SetVertexProperty(vs[0], "single", "name", value.String("two"), value.Null, nil)
			return err
		}, [3]int{1, 1, 2}},
		{func(tx *Tx) error { return tx.RemoveVertex(vs[1]) }, [3]int{1, 1, 1}},
	}
	for i, s := range steps {
		commit(t, g, s.write)
		now := reader(t, g)
		for k, name := range names {
			if !now.inCache("name", value.String(name)) {
				t.Errorf("step %d: the posting of %q is not in the cache", i, name)
			}
			if n := len(now.byName(name)); n != s.want[k] {
				t.Errorf("step %d: %d of %q, want %d", i, n, name, s.want[k])
			}
		}
	}
}

// A value that many have is left to the index, before it grows and after it has shrunk.
func TestPosting_ManyOfOneValue(t *testing.T) {
	db, g, _ := named(t, 1<<20, storage.StrictSerializable)
	values := []value.Value{value.String("one")}
	for range 5 {
		commit(t, g, func(tx *Tx) error {
			for range 30 {
				addNamed(t, tx, "one")
			}
			return nil
		})
		compareLookUps(t, reader(t, g), "name", values)
	}
	before := db.CacheStats()
	compareLookUps(t, reader(t, g), "name", values)
	if st := db.CacheStats(); st.Installed != before.Installed {
		t.Error("what is too much for the cache was read for it again")
	}
	commit(t, g, func(tx *Tx) error {
		for _, v := range tx.byName("one")[3:] {
			if err := tx.RemoveVertex(v); err != nil {
				return err
			}
		}
		return nil
	})
	compareLookUps(t, reader(t, g), "name", values)
	now := reader(t, g)
	if sym, _ := now.Symbol("name"); len(now.byName("one")) != 3 {
		t.Errorf("%d are left", len(now.byName("one")))
	} else if _, few, err := now.posting(VertexClass, sym, values[0], nil); !few || err != nil {
		t.Error("what is left is not in the cache", err)
	}
}

// A look-up that is under way skips what its transaction removes and does not see what it
// adds, cached or not.
func TestPosting_OwnWritesDuringALookUp(t *testing.T) {
	_, g, vs := named(t, 1<<20, storage.StrictSerializable, "one", "one", "one")
	reader(t, g).byName("one")
	tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
	defer tx.Close()
	it := tx.LookupVertices("name", equalTo(value.String("one")))
	var buf [1]VertexID
	if it.Next(buf[:]) != 1 || buf[0] != vs[0] {
		t.Fatal("the first is not found")
	}
	addNamed(t, tx, "one")
	if err := tx.RemoveVertex(vs[1]); err != nil {
		t.Fatal(err)
	}
	if rest := drainVertices(it); !slices.Equal(rest, vs[2:]) {
		t.Errorf("the rest is %v, want %v", rest, vs[2:])
	}
	if got := tx.byName("one"); len(got) != 3 || slices.Contains(got, vs[1]) {
		t.Errorf("the transaction finds %v", got)
	}
}

// Dropping an index forgets no more and no less than its entries.
func TestPosting_IndexDroppedAndBuiltAgain(t *testing.T) {
	_, g, vs := named(t, 1<<20, storage.StrictSerializable, "one", "two")
	reader(t, g).byName("one")
	if err := g.DropKeyIndex(context.Background(), VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	it := reader(t, g).LookupVertices("name", equalTo(value.String("one")))
	if n := it.Next(make([]VertexID, 1)); n != 0 || it.Err() == nil {
		t.Errorf("a look-up in a dropped index gave %d, %v", n, it.Err())
	}
	commit(t, g, func(tx *Tx) error {
		_, err := tx.SetVertexProperty(vs[0], "single", "name", value.String("two"), value.Null, nil)
		return err
	})
	indexOn(t, g, "name")
	if one, two := reader(t, g).byName("one"), reader(t, g).byName("two"); len(one) != 0 || !slices.Equal(two, vs) {
		t.Errorf("found %v and %v", one, two)
	}
}

// The budget holds though every posting is in use, and a range that goes takes them along.
func TestPosting_Budget(t *testing.T) {
	const budget = 64 << 10
	db, g, _ := named(t, budget, storage.StrictSerializable, "one")
	tx := reader(t, g)
	for i := range 5000 {
		tx.byName(fmt.Sprint("name ", i))
		tx.byName("one")
		if st := db.CacheStats(); st.Bytes > budget {
			t.Fatalf("%d names: the cache holds %d of %d bytes", i, st.Bytes, budget)
		}
	}
	if st := db.CacheStats(); st.Evicted == 0 || st.Bytes < budget/2 {
		t.Errorf("the test did not exercise the budget: %+v", st)
	}
	from := table.AppendTable(nil, g.number, table.VertexKeyIndex)
	err := g.small(context.Background(), func(tx storage.Tx) error { return tx.DeleteRange(from, table.PrefixEnd(nil, from)) })
	if err != nil {
		t.Fatal(err)
	}
	if got := reader(t, g).byName("one"); len(got) != 0 {
		t.Errorf("found %v in a range that is gone", got)
	}
	if len(tx.byName("one")) != 1 {
		t.Error("the older reader does not find what it held")
	}
}

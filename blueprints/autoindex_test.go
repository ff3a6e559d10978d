package blueprints_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// autoKeys are keys of the tests of graphs in which every key has an index.
var autoKeys = []string{"a", "b", "c", "d", "e", "f"}

// wantEveryKey checks that look-ups in an index of each key that elements have find what a scan
// finds; keys that are counters have no index.
func wantEveryKey(t failer, g *blueprints.Graph) {
	t.Helper()
	err := g.View(ctx, func(tx *blueprints.Tx) error {
		indexed := tx.VertexIndexes()
		for _, key := range autoKeys {
			want := scanFor(t, tx, key)
			if !slices.Contains(indexed, key) {
				if len(want) > 0 {
					t.Fatalf("key %s of %d vertices has no index; there are %v", key, len(want), indexed)
				}
				continue
			}
			buf := make([]blueprints.VertexID, 64)
			var got []blueprints.VertexID
			it := tx.LookupVertices(key, blueprints.ValueRange{})
			for n := it.Next(buf); n > 0; n = it.Next(buf) {
				got = append(got, buf[:n]...)
			}
			if err := it.Close(); err != nil {
				return err
			}
			slices.Sort(got)
			if !slices.Equal(slices.Compact(got), want) {
				t.Fatalf("key %s: the index finds %v, a scan %v", key, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// failer is what a test and a rapid test have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// scanFor lists the vertices that have an ordinary property of a key.
func scanFor(t failer, tx *blueprints.Tx, key string) []blueprints.VertexID {
	var all []blueprints.VertexID
	sym, ok := tx.Symbol(key)
	if !ok {
		return nil
	}
	it := tx.Vertices()
	defer it.Close()
	buf := make([]blueprints.VertexID, 64)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, v := range buf[:n] {
			props, err := tx.VertexProperties(nil, v, []blueprints.Symbol{sym})
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(props, func(p blueprints.PropertyEntry) bool { return p.Ordinal != blueprints.SlotCounter }) {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	return all
}

func setKey(tx *blueprints.Tx, v blueprints.VertexID, key string, n int) error {
	_, err := tx.SetVertexProperty(v, "single", key, value.Int(int32(n)), value.Null, nil)
	return err
}

// TestAutoIndex_NewKeys: a key has its index with its first value, whoever writes it, and two who
// write a new key at once do not conflict.
func TestAutoIndex_NewKeys(t *testing.T) {
	for _, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{AutoIndex: true, Isolation: isolation})
		if !g.Uses(blueprints.AutoIndex) || !g.Options().AutoIndex {
			t.Fatal("no feature")
		}
		var txs []*blueprints.Tx
		for i := range 3 {
			tx := begin(t, g)
			v := addVertex(t, tx, "person")
			for _, key := range autoKeys {
				if err := setKey(tx, v, key, i); err != nil {
					t.Fatal(err)
				}
			}
			txs = append(txs, tx)
		}
		for i, tx := range txs {
			if err := tx.Commit(ctx); err != nil {
				t.Fatal(isolation, i, err)
			}
		}
		view(t, g, func(tx *blueprints.Tx) {
			if got := tx.VertexIndexes(); !slices.Equal(got, autoKeys) {
				t.Errorf("indexes of vertices: %v", got)
			}
			if got := tx.EdgeIndexes(); len(got) > 0 {
				t.Errorf("indexes of edges: %v", got)
			}
		})
		wantEveryKey(t, g)
		wantSound(t, g)
		if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "a"); err == nil || !strings.Contains(err.Error(), "autoIndex") {
			t.Errorf("one can be dropped: %v", err)
		}
	}
}

// TestAutoIndex_Counter: a key is a counter or has an index, whichever comes first.
func TestAutoIndex_Counter(t *testing.T) {
	g := newGraph(t, blueprints.Options{AutoIndex: true, Isolation: storage.SnapshotIsolation})
	property, counter := begin(t, g), begin(t, g)
	v := addVertex(t, property, "person")
	if err := setKey(property, v, "a", 1); err != nil {
		t.Fatal(err)
	}
	increment(t, counter, addVertex(t, counter, "page"), "a", 1)
	if err := property.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := counter.Commit(ctx); err == nil {
		t.Error("a key with an index is a counter")
	}
	update(t, g, func(tx *blueprints.Tx) error {
		w := addVertex(t, tx, "page")
		increment(t, tx, w, "b", 5)
		return setKey(tx, v, "b", 7)
	})
	view(t, g, func(tx *blueprints.Tx) {
		if got := tx.VertexIndexes(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("indexes: %v", got)
		}
	})
	wantSound(t, g)
	if err := g.Lose(ctx, blueprints.Counters); err != nil {
		t.Fatal(err)
	}
	createKeyIndex(t, g, blueprints.VertexClass, "b") // waits for the one that is being built
	wantEveryKey(t, g)
	wantSound(t, g)
	tx := begin(t, g)
	defer tx.Close()
	if err := setKey(tx, v, "c", 1); err != nil {
		t.Fatal(err)
	}
	if err := tx.Increment(blueprints.VertexClass, uint64(v), "c", 1); err == nil {
		t.Error("a key that the same transaction gave an index is a counter")
	}
}

// TestAutoIndex_Load: a load defines the indexes of the keys that it brings, and a file of
// definitions carries that every key has one.
func TestAutoIndex_Load(t *testing.T) {
	g := newGraph(t, blueprints.Options{AutoIndex: true})
	if _, err := load.Graph(ctx, g, load.Options{}, func(to blueprints.RecordSink) error {
		for i := range 100 {
			v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "p", Properties: []blueprints.PropertyRecord{
				{Key: autoKeys[i%5], Value: value.Int(int32(i))},
			}}
			if err := to.Vertex(&v); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	wantEveryKey(t, g)
	wantSound(t, g)
	d, err := g.Definitions(ctx)
	if err != nil || !d.AutoIndex {
		t.Fatal(d, err)
	}
	other := newGraph(t, blueprints.Options{})
	if err := other.Define(ctx, d); err != nil {
		t.Fatal(err)
	}
	update(t, other, func(tx *blueprints.Tx) error { return setKey(tx, addVertex(t, tx, "p"), "f", 1) })
	wantEveryKey(t, other)
}

// TestAutoIndex_Bounded: names that a client makes up do not become indexes without end.
func TestAutoIndex_Bounded(t *testing.T) {
	g := newGraph(t, blueprints.Options{AutoIndex: true})
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		v := addVertex(t, tx, "person")
		for i := range 5000 {
			if err := setKey(tx, v, fmt.Sprint("key", i), i); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "autoIndex") {
		t.Errorf("5000 keys: %v", err)
	}
}

// TestAutoIndex_Rapid: whatever is written, whether every key has an index or no longer, and
// whoever races, an index that look-ups use is right, and every key has one as long as it is on.
func TestAutoIndex_Rapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: vfs.NewMem(), DiskReserve: -1, BallastBytes: -1, CacheBytes: 1 << 20})
		noError(t, err)
		db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
		noError(t, err)
		defer db.Close()
		g, err := db.CreateGraph("g", blueprints.Options{AutoIndex: rapid.Bool().Draw(t, "auto"), Isolation: storage.Isolation(rapid.IntRange(0, 1).Draw(t, "isolation"))})
		noError(t, err)
		var open []*blueprints.Tx
		var vs []blueprints.VertexID
		write := func(tx *blueprints.Tx, t *rapid.T) {
			key := rapid.SampledFrom(autoKeys).Draw(t, "key")
			n := rapid.IntRange(0, 3).Draw(t, "value")
			var err error
			switch at := rapid.IntRange(-1, len(vs)-1).Draw(t, "vertex"); {
			case at < 0:
				v, aerr := tx.AddVertex(rapid.SampledFrom([]string{"p", "q", "a"}).Draw(t, "label"), value.Null)
				if err = aerr; err == nil {
					err = setKey(tx, v, key, n)
				}
			case rapid.IntRange(0, 5).Draw(t, "what") == 0:
				err = tx.Increment(blueprints.VertexClass, uint64(vs[at]), key, 1)
			default:
				err = setKey(tx, vs[at], key, n)
			}
			_ = err // of a vertex that is not there yet, a key that is or is no counter
		}
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				_ = g.Update(ctx, func(tx *blueprints.Tx) error { write(tx, t); return nil })
				vs = vs[:0]
				noError(t, g.View(ctx, func(tx *blueprints.Tx) error {
					it := tx.Vertices()
					defer it.Close()
					buf := make([]blueprints.VertexID, 8)
					vs = append(vs, buf[:it.Next(buf)]...)
					return it.Err()
				}))
			},
			"begin": func(t *rapid.T) {
				tx, err := g.Begin(ctx, blueprints.TxOptions{})
				noError(t, err)
				write(tx, t)
				open = append(open, tx)
			},
			"commit": func(t *rapid.T) {
				if len(open) > 0 {
					_ = open[0].Commit(ctx)
					open[0].Close()
					open = open[1:]
				}
			},
			"on":  func(t *rapid.T) { noError(t, g.IndexEveryKey(ctx)) },
			"off": func(t *rapid.T) { noError(t, g.Lose(ctx, blueprints.AutoIndex)) },
			"uncount": func(t *rapid.T) {
				noError(t, g.Lose(ctx, blueprints.Counters))
				if g.Uses(blueprints.AutoIndex) {
					noError(t, g.IndexEveryKey(ctx)) // waits
				}
			},
			"": func(t *rapid.T) {
				if g.Uses(blueprints.AutoIndex) && !g.Uses(blueprints.Counters) {
					wantEveryKey(t, g)
				}
			},
		})
		for _, tx := range open {
			_ = tx.Commit(ctx)
			tx.Close()
		}
		rep, err := check.Run(ctx, g)
		if noError(t, err); !rep.OK() {
			t.Fatal(rep.Problems)
		}
	})
}

// TestAutoIndex_Crashes: turning it on and off, and the first values of keys, can be cut short by
// a crash at any write; what is left is sound, and every key has its index when the graph is one
// in which each has.
func TestAutoIndex_Crashes(t *testing.T) {
	for k := int64(0); ; k++ {
		fs, store, db, g := stoppableGraph(t)
		update(t, g, func(tx *blueprints.Tx) error { return setKey(tx, addVertex(t, tx, "p"), "a", 1) })
		store.left.Store(k)
		stop, cancel := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			select {
			case <-store.stopped:
				cancel()
			case <-done:
			}
		}()
		err := g.IndexEveryKey(stop)
		for i := 0; err == nil && i < 3; i++ {
			err = g.Update(stop, func(tx *blueprints.Tx) error {
				v, err := tx.AddVertex("p", value.Null)
				if err == nil {
					err = setKey(tx, v, autoKeys[i], i)
				}
				return err
			})
		}
		if err == nil {
			err = g.Lose(stop, blueprints.AutoIndex)
		}
		close(done)
		left := fs.CrashClone(vfs.CrashCloneCfg{})
		store.left.Store(1 << 40)
		_ = db.Close()
		cancel()
		after := openOn(t, left, func(s storage.Store) storage.Store { return s })
		g2, gerr := after.Graph("g")
		if gerr != nil {
			t.Fatal(gerr)
		}
		if g2.Uses(blueprints.AutoIndex) {
			if err := g2.IndexEveryKey(ctx); err != nil {
				t.Fatal(k, err)
			}
			wantEveryKey(t, g2)
		}
		wantSound(t, g2)
		_ = after.Close()
		if err == nil {
			if k < 5 {
				t.Errorf("all was done in %d writes", k)
			}
			return
		}
	}
}

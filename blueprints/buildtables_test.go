package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// tabled is a store that tells when a builder commits tables.
type tabled struct {
	storage.Store
	before, after func() // of the next one
	began         int
	commits       int // that got through
	fail          atomic.Bool
}

var errBegin = errors.New("nothing begins")

func (s *tabled) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if s.fail.CompareAndSwap(true, false) {
		return nil, errBegin
	}
	tx, err := s.Store.Begin(ctx, o)
	return &tabledTx{tx, s}, err
}

type tabledTx struct {
	storage.Tx
	s *tabled
}

func (t *tabledTx) CommitTablesBeside(ctx context.Context, b storage.Beside, sources ...storage.KeySource) (uint64, error) {
	if t.s.began++; t.s.before != nil {
		before := t.s.before
		t.s.before = nil
		before()
	}
	seq, err := t.Tx.CommitTablesBeside(ctx, b, sources...)
	if err != nil {
		return seq, err
	}
	if t.s.commits++; t.s.after != nil {
		after := t.s.after
		t.s.after = nil
		after()
	}
	return seq, nil
}

// tabledElements is how many vertices and edges are there: enough for tables.
const tabledElements = 9000

// openTabled loads vertices, a few with many edges and properties, and edges.
func openTabled(t *testing.T, n int, o blueprints.Options) (*blueprints.Graph, *tabled) {
	t.Helper()
	return openLoaded(t, o, func(sink blueprints.RecordSink) error {
		for i := range n {
			if err := sink.Vertex(tabledVertex(i)); err != nil {
				return err
			}
		}
		e := blueprints.EdgeRecord{Label: "e", Properties: []blueprints.PropertyRecord{{Key: "v"}, {Key: "w"}}}
		for i := range n {
			e.Out, e.In = value.Long(int64(i%5000)), value.Long(int64(i*31%n))
			e.Properties[0].Value, e.Properties[1].Value = value.String("beside"), value.Int(int32(i%1000))
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
}

func openLoaded(t *testing.T, o blueprints.Options, records func(blueprints.RecordSink) error) (*blueprints.Graph, *tabled) {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	store := &tabled{Store: s}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	o.VertexIDs = ids.Long
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", o))
	if _, err = load.Graph(ctx, g, load.Options{}, records); err != nil {
		t.Fatal(err)
	}
	return g, store
}

// manyTrigrams is a text of more trigrams than an element has in an index.
var manyTrigrams = func() string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 5000)
	for i := range b {
		b[i] = byte(1 + r.IntN(127))
	}
	return string(b)
}()

// tabledVertex has a name, an age unless it is a seventh one, several if it is an eleventh
// one, and many other properties if it is a 1000th one. Every 3000th has a long text.
func tabledVertex(i int) *blueprints.VertexRecord {
	v := &blueprints.VertexRecord{ID: value.Long(int64(i)), Label: []string{"a", "b"}[i/1000%2]}
	add := func(key string, val value.Value) {
		v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: key, Value: val})
	}
	for k := range 40 {
		if i%1000 == 0 {
			add(fmt.Sprintf("before%d", k), value.Int(int32(k)))
		}
	}
	add("name", value.String(fmt.Sprintf("p%d", i)))
	if i%3000 == 1 {
		add("age", value.String(manyTrigrams))
	}
	if i%7 > 0 {
		add("age", value.Int(int32(i%90)))
	}
	if i%11 == 0 {
		add("age", value.Int(int32(i%90)))
		add("age", value.String("many"))
	}
	return v
}

// TestBuildTables_Agrees makes indexes of all kinds that are filled by tables, and compares
// them with what the elements have.
func TestBuildTables_Agrees(t *testing.T) {
	if raced.Detector() { // everything happens one behind the other
		return
	}
	g, store := openTabled(t, tabledElements, blueprints.Options{DefaultCardinality: "list"})
	createKeyIndex(t, g, blueprints.VertexClass, "name")
	createKeyIndex(t, g, blueprints.VertexClass, "age")
	createKeyIndex(t, g, blueprints.EdgeClass, "w")
	for _, spec := range []blueprints.IndexSpec{
		{Name: "composite", Class: blueprints.VertexClass, Keys: []string{"age", "name"}},
		{Name: "labelled", Class: blueprints.VertexClass, Label: "b", Keys: []string{"name"}},
		{Name: "edges", Class: blueprints.EdgeClass, Keys: []string{"w"}},
		{Name: "centric", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "BOTH"},
		{Name: "trigrams", Class: blueprints.VertexClass, Keys: []string{"name", "age"}, Analyzer: "trigram"},
		{Name: "words", Class: blueprints.VertexClass, Keys: []string{"name", "age"}, Analyzer: "words"},
	} {
		declareIndex(t, g, spec)
		if sound(t, g, spec.Name).Entries == 0 {
			t.Errorf("%s holds nothing", spec.Name)
		}
	}
	if store.commits != 8 { // those of a label are too few
		t.Errorf("tables were committed %d times for 9 indexes", store.commits)
	}
	wantSound(t, g)
}

// TestBuildTables_InTurns makes an index of more elements than one commit of tables takes.
func TestBuildTables_InTurns(t *testing.T) {
	if raced.Detector() { // everything happens one behind the other
		return
	}
	g, store := openTabled(t, 140_000, blueprints.Options{DefaultCardinality: "list"})
	declareIndex(t, g, blueprints.IndexSpec{Name: "c", Class: blueprints.VertexClass, Keys: []string{"name"}})
	if n := sound(t, g, "c").Entries; n != 140_000 || store.commits != 5 {
		t.Errorf("%d entries, tables were committed %d times", n, store.commits)
	}
}

// TestBuildTables_Again looks up what an index of before had in memory.
func TestBuildTables_Again(t *testing.T) {
	g, store := openTabled(t, tabledElements, blueprints.Options{})
	for n := 1; n <= 2; n++ {
		createKeyIndex(t, g, blueprints.VertexClass, "name")
		for range 2 { // the second one from memory
			view(t, g, func(tx *blueprints.Tx) {
				if found := countHits(t, tx, "name", "p7700"); found != 1 {
					t.Errorf("%d vertices of a name, in an index that was made %d times", found, n)
				}
			})
		}
		if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
			t.Fatal(err)
		}
	}
	if store.commits != 2 {
		t.Errorf("tables were committed %d times", store.commits)
	}
}

// countHits counts what a look-up in a key index of vertices finds.
func countHits(t *testing.T, tx *blueprints.Tx, key, val string) (n int) {
	t.Helper()
	v := value.String(val)
	it := tx.LookupVertices(key, blueprints.ValueRange{Min: v, Max: v, HasMin: true, HasMax: true})
	defer it.Close()
	buf := make([]blueprints.VertexID, 16)
	for k := it.Next(buf); k > 0; k = it.Next(buf) {
		n += k
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBuildTables_BesideWriters has others change elements at each moment of the building.
func TestBuildTables_BesideWriters(t *testing.T) {
	for h, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		for i, when := range []string{"before", "after", "around", "failing"} {
			for j, spec := range besideKinds {
				if raced.Skips(i+j+8*h, 16) || raced.Leaves(i+j+h, 4) {
					continue
				}
				t.Run([]string{"serializable", "snapshot"}[h]+"/"+when+"/"+spec.Name, func(t *testing.T) {
					g, store := openTabled(t, tabledElements, blueprints.Options{Isolation: level})
					changeBeside(t, g, store, when)
					if spec.Name == "key" {
						createKeyIndex(t, g, spec.Class, spec.Keys[0])
					} else {
						declareIndex(t, g, spec)
						sound(t, g, spec.Name)
					}
					if store.before != nil || store.after != nil || store.began != 1 || store.commits != 1 {
						t.Fatalf("tables were committed %d times, of %d", store.commits, store.began)
					}
					wantSound(t, g)
				})
			}
		}
	}
}

// TestBuildTables_Overwritten has writers change the same elements all the time, at every
// isolation, while indexes are filled.
func TestBuildTables_Overwritten(t *testing.T) {
	n := raced.Times(raced.Part(24_000, 3), 3) // of fewer no tables are made
	for i, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		if raced.Skips(i, 3) || raced.Leaves(i+2, 3) {
			continue
		}
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			g, store := openTabled(t, n, blueprints.Options{Isolation: level})
			var all []blueprints.VertexID
			var edges []blueprints.EdgeID
			view(t, g, func(tx *blueprints.Tx) {
				all = vertices(t, tx.Vertices())
				it := tx.Edges()
				defer it.Close()
				edges = make([]blueprints.EdgeID, n)
				edges = edges[:it.Next(edges)]
			})
			var ended atomic.Bool
			var writers errgroup.Group
			for c := range uint64(3) {
				writers.Go(func() error {
					r := rand.New(rand.NewPCG(1, c))
					for !ended.Load() {
						err := g.Update(ctx, func(tx *blueprints.Tx) error { return overwrite(tx, r, all, edges) })
						if err != nil {
							return err
						}
					}
					return nil
				})
			}
			for _, spec := range besideKinds {
				if spec.Name == "key" {
					createKeyIndex(t, g, spec.Class, spec.Keys[0])
				} else {
					declareIndex(t, g, spec)
				}
			}
			ended.Store(true)
			if err := writers.Wait(); err != nil {
				t.Fatal(err)
			}
			if store.commits < textKinds { // others go by small transactions beside writers
				t.Errorf("tables were committed %d times for %d indexes of text", store.commits, textKinds)
			}
			for _, spec := range besideKinds[1:] {
				sound(t, g, spec.Name)
			}
			wantSound(t, g)
		})
	}
}

// overwrite changes a vertex and an edge, unless they are gone, which now and then they are after.
func overwrite(tx *blueprints.Tx, r *rand.Rand, all []blueprints.VertexID, edges []blueprints.EdgeID) error {
	v, e := all[r.IntN(len(all))], edges[r.IntN(len(edges))]
	there, err := tx.VertexExists(v)
	if err == nil && there {
		if r.IntN(8) == 0 {
			err = tx.RemoveVertex(v)
		} else {
			_, err = tx.SetVertexProperty(v, "single", "name", value.String(fmt.Sprintf("p%d", r.IntN(100))), value.Null, nil)
		}
	}
	if err != nil {
		return err
	}
	if there, err = tx.EdgeExists(e); err == nil && there {
		err = tx.SetEdgeProperty(e, "w", value.Int(int32(r.IntN(100))))
	}
	return err
}

// textKinds is how many of besideKinds are of text.
const textKinds = 2

var besideKinds = []blueprints.IndexSpec{
	{Name: "key", Class: blueprints.VertexClass, Keys: []string{"name"}},
	{Name: "composite", Class: blueprints.VertexClass, Keys: []string{"age", "name"}},
	{Name: "trigrams", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "trigram"},
	{Name: "words", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "words"},
	{Name: "edges", Class: blueprints.EdgeClass, Keys: []string{"w"}},
	{Name: "centric", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "BOTH"},
}

// changeBeside has a transaction change elements before the tables are committed, also when what
// they are to be mended of is found behind a failure, after that, or from before to after.
func changeBeside(t *testing.T, g *blueprints.Graph, store *tabled, when string) {
	change := func(tx *blueprints.Tx) error {
		var all []blueprints.VertexID
		it := tx.Vertices()
		buf := make([]blueprints.VertexID, 256)
		all = append(all, buf[:it.Next(buf)]...)
		it.Close()
		setProperty(t, tx, all[3], "name", "changed")
		setProperty(t, tx, all[4], "name", "p5")
		addVertex(t, tx, "a", "name", "p6", "age", 6)
		edges := tx.Edges()
		defer edges.Close()
		some := make([]blueprints.EdgeID, 64)
		for i, e := range some[:edges.Next(some)] {
			switch i % 16 {
			case 1:
				if err := tx.SetEdgeProperty(e, "w", value.Int(77)); err != nil {
					return err
				}
			case 2:
				if err := tx.RemoveEdgeProperty(e, "w"); err != nil {
					return err
				}
			case 3:
				if err := tx.RemoveEdge(e); err != nil {
					return err
				}
			}
		}
		return errors.Join(tx.RemoveVertex(all[7]), tx.RemoveVertex(all[8]))
	}
	switch when {
	case "before":
		store.before = func() { update(t, g, change) }
	case "after":
		store.after = func() { update(t, g, change) }
	case "failing":
		store.before = func() { update(t, g, change) }
		store.after = func() { store.fail.Store(true) }
	case "around":
		store.before = func() {
			tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{}))
			if err := change(tx); err != nil {
				t.Error(err)
			}
			store.after = func() {
				switch err := tx.Commit(ctx); {
				case errors.Is(err, storage.ErrConflict):
					update(t, g, change)
				case err != nil:
					t.Error(err)
				}
			}
		}
	}
}

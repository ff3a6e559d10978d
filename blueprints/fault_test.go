package blueprints_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// faultyGraph is a graph whose store can be made to fail, of two vertices that one edge
// joins, with properties and indexes.
func faultyGraph(t *testing.T, o blueprints.Options, cache int64) (*storagetest.Faulty, *blueprints.Graph) {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &storagetest.Faulty{Store: s}
	db := must[*blueprints.Database](t)(blueprints.Open(f, blueprints.DatabaseOptions{CacheBytes: cache}))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", o))
	for _, c := range []blueprints.ElementClass{table.VertexClass, table.EdgeClass} {
		if err := g.CreateKeyIndex(ctx, c, "name"); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.CreateIndex(ctx, "manual", table.VertexClass); err != nil {
		t.Fatal(err)
	}
	return f, g
}

// things is what operations work on.
type things struct {
	tx     *blueprints.Tx
	v, w   blueprints.VertexID
	e      blueprints.EdgeID
	name   blueprints.PropertyEntry
	manual *blueprints.Index
}

func addThings(tx *blueprints.Tx) (x things, err error) {
	x.tx = tx
	ok := func(e error) { err = errors.Join(err, e) }
	var e error
	x.v, e = tx.AddVertex("person", value.Long(1))
	ok(e)
	x.w, e = tx.AddVertex("person", value.Long(2))
	ok(e)
	x.e, e = tx.AddEdge("knows", x.v, x.w, value.Long(3))
	ok(e)
	x.name, e = tx.SetVertexProperty(x.v, "list", "name", value.String("marko"), value.Long(4), []value.Property{{Key: "since", Value: value.Int(1)}})
	ok(e)
	_, e = tx.SetVertexProperty(x.w, "list", "name", value.String("josh"), value.Null, nil)
	ok(e)
	ok(tx.SetEdgeProperty(x.e, "name", value.String("likes")))
	ok(tx.SetVariable("a", value.Int(1)))
	ok(tx.SetNote("n", []byte("x")))
	if x.manual, e = tx.Index("manual", table.VertexClass); e == nil {
		ok(x.manual.Put("k", value.Int(1), uint64(x.v)))
	}
	ok(e)
	return x, err
}

func drainVertices(it blueprints.VertexIterator) error {
	var buf [4]blueprints.VertexID
	for it.Next(buf[:]) > 0 {
	}
	return errors.Join(it.Err(), it.Close())
}

func drainEdges(it blueprints.EdgeIterator) error {
	var buf [4]blueprints.EdgeID
	for it.Next(buf[:]) > 0 {
	}
	return errors.Join(it.Err(), it.Close())
}

func drainHits(it blueprints.IndexHits) error {
	var buf [4]uint64
	for it.Next(buf[:]) > 0 {
	}
	return errors.Join(it.Err(), it.Close())
}

// operations are all ways to read and write of a transaction.
var operations = map[string]func(things) error{
	"add a vertex":         func(x things) error { _, err := x.tx.AddVertex("new", value.Long(9)); return err },
	"add a vertex, any id": func(x things) error { _, err := x.tx.AddVertex("new", value.Null); return err },
	"add an edge":          func(x things) error { _, err := x.tx.AddEdge("new", x.v, x.w, value.Long(9)); return err },
	"add an edge, any id":  func(x things) error { _, err := x.tx.AddEdge("new", x.v, x.w, value.Null); return err },
	"set a property": func(x things) error {
		_, err := x.tx.SetVertexProperty(x.v, "single", "name", value.String("x"), value.Null, nil)
		return err
	},
	"add to a set": func(x things) error {
		_, err := x.tx.SetVertexProperty(x.v, "set", "name", value.String("x"), value.Long(9), nil)
		return err
	},
	"add one with meta-properties": func(x things) error {
		_, err := x.tx.SetVertexProperty(x.v, "list", "other", value.String("x"), value.Null, []value.Property{{Key: "m", Value: value.Int(1)}})
		return err
	},
	"set an edge's property":    func(x things) error { return x.tx.SetEdgeProperty(x.e, "name", value.String("x")) },
	"set a meta-property":       func(x things) error { return x.tx.SetMetaProperty(x.v, x.name, "since", value.Int(2)) },
	"remove a meta-property":    func(x things) error { return x.tx.RemoveMetaProperty(x.v, x.name, "since") },
	"remove a property":         func(x things) error { return x.tx.RemoveVertexProperty(x.v, x.name) },
	"remove an edge's property": func(x things) error { return x.tx.RemoveEdgeProperty(x.e, "name") },
	"remove an edge":            func(x things) error { return x.tx.RemoveEdge(x.e) },
	"remove a vertex":           func(x things) error { return x.tx.RemoveVertex(x.v) },
	"set a variable":            func(x things) error { return x.tx.SetVariable("b", value.Int(1)) },
	"variables":                 func(x things) error { _, err := x.tx.Variables(); return err },
	"set a note":                func(x things) error { return x.tx.SetNote("n", []byte("y")) },
	"note":                      func(x things) error { _, err := x.tx.Note("n"); return err },
	"find a vertex":             func(x things) error { _, _, err := x.tx.FindVertex(value.Long(1)); return err },
	"find an edge":              func(x things) error { _, _, err := x.tx.FindEdge(value.Long(3)); return err },
	"a vertex's id":             func(x things) error { _, err := x.tx.VertexUserID(x.v); return err },
	"an edge's id":              func(x things) error { _, err := x.tx.EdgeUserID(x.e); return err },
	"a vertex exists":           func(x things) error { _, err := x.tx.VertexExists(x.v); return err },
	"an edge exists":            func(x things) error { _, err := x.tx.EdgeExists(x.e); return err },
	"a vertex's label":          func(x things) error { _, err := x.tx.VertexLabel(x.v); return err },
	"an edge":                   func(x things) error { _, err := x.tx.Edge(x.e); return err },
	"labels":                    func(x things) error { _, err := x.tx.VertexLabels(nil, []blueprints.VertexID{x.v, x.w}); return err },
	"properties":                func(x things) error { _, err := x.tx.VertexProperties(nil, x.v, nil); return err },
	"an edge's properties":      func(x things) error { _, err := x.tx.EdgeProperties(nil, x.e, nil); return err },
	"fetch vertices":            func(x things) error { return x.tx.FetchVertices([]blueprints.VertexID{x.v, x.w}, true) },
	"fetch edges":               func(x things) error { return x.tx.FetchEdges([]blueprints.EdgeID{x.e}) },
	"a copy of a vertex":        func(x things) error { _, err := x.tx.ResolveVertex(uint64(x.v), true, nil); return err },
	"a copy of an edge":         func(x things) error { _, err := x.tx.ResolveEdge(uint64(x.e), true); return err },
	"all vertices":              func(x things) error { return drainVertices(x.tx.Vertices()) },
	"all edges":                 func(x things) error { return drainEdges(x.tx.Edges()) },
	"count of vertices":         func(x things) error { _, err := x.tx.VertexCount(); return err },
	"count of edges":            func(x things) error { _, err := x.tx.EdgeCount(); return err },
	"vertices by name": func(x things) error {
		return drainVertices(x.tx.LookupVertices("name", blueprints.ValueRange{Prefix: "m"}))
	},
	"edges by name": func(x things) error { return drainEdges(x.tx.LookupEdges("name", blueprints.ValueRange{})) },
	"hits":          func(x things) error { return drainHits(x.manual.Get("k", value.Int(1))) },
	"query": func(x things) error {
		return drainHits(x.manual.Query("k", blueprints.ValueRange{}, func(value.Value) bool { return true }))
	},
	"count of hits":   func(x things) error { _, err := x.manual.Count("k", value.Int(1)); return err },
	"put":             func(x things) error { return x.manual.Put("k", value.Int(2), uint64(x.w)) },
	"take out":        func(x things) error { return x.manual.Remove("k", value.Int(1), uint64(x.v)) },
	"indexes":         func(x things) error { _, err := x.tx.Indices(); return err },
	"vertices, label": func(x things) error { return drainVertices(x.tx.Vertices(symbolOf(x.tx, "person"))) },
	"edges, label":    func(x things) error { return drainEdges(x.tx.Edges(symbolOf(x.tx, "knows"))) },
	"values": func(x things) error {
		_, _, err := x.tx.VertexValues(nil, nil, []blueprints.VertexID{x.v, x.w}, symbolOf(x.tx, "name"))
		return err
	},
	"a value":         func(x things) error { _, _, err := x.tx.VertexValue(x.v, symbolOf(x.tx, "name")); return err },
	"an edge's value": func(x things) error { _, _, err := x.tx.EdgeValue(x.e, symbolOf(x.tx, "name")); return err },
	"edges of":        func(x things) error { return expand(x, blueprints.WantEdges) },
	"ends of":         func(x things) error { return expand(x, blueprints.WantEnds) },
	"degrees":         func(x things) error { return expand(x, blueprints.WantCount) },
}

func symbolOf(tx *blueprints.Tx, name string) blueprints.Symbol {
	s, _ := tx.Symbol(name)
	return s
}

func expand(x things, want blueprints.Want) error {
	return x.tx.Expand([]blueprints.VertexID{x.v, x.w}, blueprints.Expansion{Dir: blueprints.Both, Want: want},
		blueprints.SinkFunc(func(int, blueprints.Expanded) error { return nil }))
}

// TestFaults_AreSaid has each call of the store fail once, in everything that a transaction
// can do, on what is committed and on what is its own: the one who asked hears of it.
func TestFaults_AreSaid(t *testing.T) {
	for _, o := range []blueprints.Options{
		{VertexIDs: ids.Long, EdgeIDs: ids.Long, VertexPropertyIDs: ids.Long},
		{VertexIDs: ids.Any, EdgeIDs: ids.Any, VertexPropertyIDs: ids.Any, IDsByValue: true},
	} {
		cache := int64(-1)
		if o.IDsByValue {
			cache = 1 // which keeps next to nothing, but rows are read many at a time for it
		}
		f, g := faultyGraph(t, o, cache)
		var old things
		update(t, g, func(tx *blueprints.Tx) (err error) { old, err = addThings(tx); return err })
		for name, do := range operations {
			for n := int64(0); failsAt(t, f, n, func() error {
				return g.Update(asked, func(tx *blueprints.Tx) error {
					x := old
					x.tx = tx
					var err error
					if x.manual, err = tx.Index("manual", table.VertexClass); err != nil {
						return err
					}
					return errors.Join(do(x), errUndo)
				})
			}, name, "committed"); n++ {
			}
		}
	}
}

// TestFaults_OfOwnWrites is the same on what the transaction itself has written.
func TestFaults_OfOwnWrites(t *testing.T) {
	f, g := faultyGraph(t, blueprints.Options{VertexIDs: ids.Long, EdgeIDs: ids.Long, VertexPropertyIDs: ids.Long}, -1)
	for name, do := range operations {
		for n := int64(0); failsAt(t, f, n, func() error {
			return g.Update(asked, func(tx *blueprints.Tx) error {
				x, err := addThings(tx)
				if err != nil {
					return err
				}
				return errors.Join(do(x), errUndo)
			})
		}, name, "own"); n++ {
		}
	}
}

// errUndo rolls back what an operation did, so that the next finds the same.
var errUndo = errors.New("nothing is kept")

// asked is the context of who is to hear of a fault.
var asked = storagetest.Asking(ctx)

// failsAt runs do with a fault at one call of the store, and reports whether there was one.
// Whatever is opened is closed, too.
func failsAt(t *testing.T, f *storagetest.Faulty, call int64, do func() error, what ...string) bool {
	t.Helper()
	fault := f.At(call, do)
	if fault.Open != 0 {
		t.Errorf("%v: call %d fails (%t): %d iterators stay open", what, call, fault.Happened, fault.Open)
	}
	if fault.Happened != errors.Is(fault.Err, storagetest.ErrDisk) || !fault.Happened && !errors.Is(fault.Err, errUndo) {
		t.Errorf("%v: call %d fails (%t): %v", what, call, fault.Happened, fault.Err)
	}
	return fault.Happened
}

// defined is a graph's definitions of every kind.
func defined(t *testing.T) *blueprints.Definitions {
	t.Helper()
	_, g := faultyGraph(t, blueprints.Options{}, -1)
	update(t, g, func(tx *blueprints.Tx) error { return tx.DeclareCounter(blueprints.VertexClass, "person", "seen") })
	declareIndex(t, g, blueprints.IndexSpec{Name: "pn", Class: blueprints.VertexClass, Label: "person", Keys: []string{"name", "age"}})
	declareIndex(t, g, blueprints.IndexSpec{Name: "w", Class: blueprints.VertexClass, Keys: []string{"text"}, Analyzer: "words"})
	if _, err := g.ChangeSchema(ctx, rule(map[string]any{"vertex": "person", "keys": map[string]any{"age": "Integer"}})); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(g.Gain(ctx, blueprints.TTL), g.SetLabelTTL(ctx, blueprints.EdgeClass, "saw", time.Hour), g.KeepHistory(ctx, blueprints.Forever))
	if err != nil {
		t.Fatal(err)
	}
	return must[*blueprints.Definitions](t)(g.Definitions(ctx))
}

// TestFaults_OfDefinitions has each call of the store fail once while indexes, a schema and
// counters are made and taken away: it is said, and who tries again succeeds.
func TestFaults_OfDefinitions(t *testing.T) {
	all := defined(t)
	operations := map[string]func(g *blueprints.Graph) error{
		"define":           func(g *blueprints.Graph) error { return g.Define(asked, all) },
		"drop a key index": func(g *blueprints.Graph) error { return g.DropKeyIndex(asked, blueprints.VertexClass, "name") },
		"drop an index":    func(g *blueprints.Graph) error { return g.DropIndex(asked, "manual") },
		"a key index":      func(g *blueprints.Graph) error { return g.CreateKeyIndex(asked, blueprints.VertexClass, "other") },
		"an index":         func(g *blueprints.Graph) error { return g.CreateIndex(asked, "other", blueprints.EdgeClass) },
		"schema": func(g *blueprints.Graph) error {
			_, err := g.ChangeSchema(asked, rule(map[string]any{"vertex": "person", "keys": map[string]any{"name": "String"}}))
			return err
		},
		"lose":         func(g *blueprints.Graph) error { return g.Lose(asked, blueprints.CompositeIndexes) },
		"what is kept": func(g *blueprints.Graph) error { _, err := g.Keeps(asked, blueprints.Counters); return err },
	}
	for name, do := range operations {
		for call := int64(0); ; call++ {
			f, g := faultyGraph(t, blueprints.Options{}, -1)
			update(t, g, func(tx *blueprints.Tx) error { _, err := addThings(tx); return err })
			fault := f.At(call, func() error { return do(g) })
			if fault.Happened != errors.Is(fault.Err, storagetest.ErrDisk) || !fault.Happened && fault.Err != nil || fault.Open != 0 {
				t.Errorf("%s: call %d fails (%t): %v, and %d iterators stay open", name, call, fault.Happened, fault.Err, fault.Open)
			}
			if !fault.Happened {
				break
			}
			if err := do(g); err != nil {
				t.Errorf("%s after one that failed at call %d: %v", name, call, err)
			}
		}
	}
}

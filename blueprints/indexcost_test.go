package blueprints_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestGraph_IndexCost: the entries of a small index are counted, those of a large one
// estimated, and every kind takes bytes.
func TestGraph_IndexCost(t *testing.T) {
	const text = "ten words of a text to be found by these"
	for i, n := range []int{500, 0, 30_000} {
		if raced.Skips(i, 3) {
			continue
		}
		fs, plain := vfs.NewMem(), func(s storage.Store) storage.Store { return s }
		db := openOn(t, fs, plain)
		g, err := db.CreateGraph("g", blueprints.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "k"); err != nil {
			t.Fatal(err)
		}
		// Edges: vertex i has one of label a; the second half of the vertices one of label b.
		want := map[string]int64{"composite": int64(n), "unique": int64(n), "geo": int64(n), "a": int64(n), "b": int64(n / 2), "words": 10 * int64(n)}
		v, e := blueprints.VertexClass, blueprints.EdgeClass
		for _, s := range []blueprints.IndexSpec{
			{Name: "composite", Class: v, Keys: []string{"k", "l"}}, {Name: "unique", Class: v, Keys: []string{"k"}, Unique: true},
			{Name: "words", Class: v, Keys: []string{"t"}, Analyzer: "words"}, {Name: "geo", Class: v, Keys: []string{"p"}, Analyzer: "geo"},
			{Name: "a", Class: e, Label: "a", Keys: []string{"k"}, Direction: "OUT"}, {Name: "b", Class: e, Label: "b", Keys: []string{"k"}, Direction: "OUT"},
		} {
			declareIndex(t, g, s)
		}
		if _, err = load.Graph(ctx, g, load.Options{}, costly(n, text)); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil { // what is opened again is on disk
			t.Fatal(err)
		}
		db = openOn(t, fs, plain)
		defer db.Close()
		if g, err = db.Graph("g"); err != nil {
			t.Fatal(err)
		}
		for name, entries := range want {
			got, err := g.IndexCost(ctx, name)
			few := entries <= 20_000 && (name != "b" || n < 10_000) // those of b stand among those of a
			if err != nil || got.Exact != few || got.Exact && got.Entries != entries || got.Entries < entries/2 || got.Entries > 2*entries {
				t.Errorf("%s of %d: %+v, %v; want %d entries", name, n, got, err, entries)
			}
			if (got.Bytes > 4*entries) != (n > 0) || got.Bytes > 200*entries {
				t.Errorf("%s of %d: %d bytes for %d entries", name, n, got.Bytes, entries)
			}
		}
		keys, err := g.KeyIndexBytes(v)
		if err != nil || (keys["k"] > 8*int64(n)) != (n > 0) {
			t.Errorf("of %d: %v, %v", n, keys, err)
		}
	}
	if _, err := newGraph(t, blueprints.Options{}).IndexCost(ctx, "none"); err == nil {
		t.Error("there is no such index")
	}
}

// costly is a graph of n vertices with an entry in each kind of index, and edges.
func costly(n int, text string) func(blueprints.RecordSink) error {
	return func(to blueprints.RecordSink) error {
		id := func(i int) value.Value { return value.Long(int64(i)) }
		for i := range n {
			k := value.Int(int32(i))
			point := value.List([]value.Value{value.Double(float64(i%90) / 2), value.Double(float64(i) / float64(n+1))})
			v := blueprints.VertexRecord{ID: id(i), Label: "p", Properties: []blueprints.PropertyRecord{
				{Key: "k", Value: k}, {Key: "t", Value: value.String(text)}, {Key: "p", Value: point}}}
			if err := to.Vertex(&v); err != nil {
				return err
			}
		}
		for i := range n {
			for _, label := range []string{"a", "b"} {
				if label == "b" && i < n/2 {
					continue
				}
				at := 2 * i
				if label == "b" {
					at++
				}
				e := blueprints.EdgeRecord{ID: id(at), Label: label, Out: id(i), In: id((i + 1) % n), Properties: []blueprints.PropertyRecord{{Key: "k", Value: value.Int(int32(i))}}}
				if err := to.Edge(&e); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// TestGraph_IndexCost_Named: what was put by hand is counted, too.
func TestGraph_IndexCost_Named(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	if err := g.CreateIndex(ctx, "people", blueprints.VertexClass); err != nil {
		t.Fatal(err)
	}
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		x, err := tx.Index("people", 0)
		if err != nil {
			return err
		}
		for i := range 10 {
			v, err := tx.AddVertex("p", value.Null)
			if err != nil {
				return err
			}
			if err := x.Put("k", value.Int(int32(i)), uint64(v)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := g.IndexCost(ctx, "people"); err != nil || got.Entries != 10 || !got.Exact {
		t.Errorf("%+v, %v", got, err)
	}
}

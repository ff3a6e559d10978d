package blueprints

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// comesWith is how a graph comes to use each feature: the options that it is made with, or
// what is done with it.
var comesWith = map[Feature]struct {
	made Options
	do   func(g *Graph) error
}{
	IDsByValue:         {made: Options{IDsByValue: true}},
	CommittedIsolation: {made: Options{Isolation: storage.CommittedIsolation}},
	SchemaFeature: {do: func(g *Graph) error {
		_, err := g.ChangeSchema(context.Background(), func(old *schema.Schema) (*schema.Schema, error) {
			return old.With(value.Of(map[string]any{"vertex": "a", "keys": map[string]any{"k": "Integer"}}))
		})
		return err
	}},
	CompositeIndexes: {do: declares(IndexSpec{Name: "x", Class: VertexClass, Keys: []string{"k"}})},
	EdgeIndexes:      {do: declares(IndexSpec{Name: "x", Class: EdgeClass, Label: "e", Keys: []string{"k"}, Direction: "OUT"})},
	TextIndexes:      {do: declares(IndexSpec{Name: "x", Class: VertexClass, Keys: []string{"k"}, Analyzer: "words"})},
	GeoIndexes:       {do: declares(IndexSpec{Name: "x", Class: VertexClass, Keys: []string{"k"}, Analyzer: "geo"})},
	Counters: {do: func(g *Graph) error {
		return g.Update(context.Background(), func(tx *Tx) error {
			v, err := tx.AddVertex("a", value.Null)
			if err != nil {
				return err
			}
			return tx.Increment(VertexClass, uint64(v), "k", 1)
		})
	}},
	History:   {made: Options{History: Forever}},
	TTL:       {made: Options{TTL: true}},
	Stamps:    {made: Options{Stamps: true}},
	AutoIndex: {do: func(g *Graph) error { return g.IndexEveryKey(context.Background()) }},
}

func declares(s IndexSpec) func(g *Graph) error {
	return func(g *Graph) error {
		_, err := g.DeclareIndex(context.Background(), context.Background(), s)
		return err
	}
}

// TestFeature_OlderPrograms: whatever feature a graph comes to use, a program that lacks it
// refuses the directory by that name, and so do the first programs, by its format.
func TestFeature_OlderPrograms(t *testing.T) {
	known := slices.Clone(gainable)
	for _, f := range features {
		known = append(known, f.name)
	}
	for _, f := range known {
		t.Run(string(f), func(t *testing.T) {
			how, ok := comesWith[f]
			if !ok {
				t.Fatal("say in comesWith how a graph comes to use it")
			}
			refusedWithout(t, f, how.made, how.do)
		})
	}
}

func refusedWithout(t *testing.T, f Feature, o Options, do func(g *Graph) error) {
	dir := t.TempDir()
	open := func() (*Database, error) {
		s := ok[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
		db, err := Open(s, DatabaseOptions{})
		if err != nil {
			err = errors.Join(err, s.Close())
		}
		return db, err
	}
	db := ok[*Database](t)(open())
	g := ok[*Graph](t)(db.CreateGraph("g", o))
	if do != nil {
		if err := do(g); err != nil {
			t.Fatal(err)
		}
	}
	if got := g.Options().Features(); !slices.Contains(got, f) {
		t.Fatalf("it uses %v", got)
	}
	if got := db.Store().Format(); got != 2 {
		t.Errorf("the format is %d: the first programs would take it for theirs", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	forget(t, f)
	want := fmt.Sprintf("graph %q: it uses the feature %q, which this program does not know: use the gremlind that made the graph, or a newer one", "g", string(f))
	db, err := open()
	if err == nil {
		err = errors.Join(errors.New("it was opened"), db.Close())
	}
	if !errors.Is(err, storage.ErrFormat) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// forget makes this an older program, until the test ends.
func forget(t *testing.T, f Feature) {
	gained, fixed := gainable, features
	t.Cleanup(func() { gainable, features = gained, fixed })
	gainable = slices.DeleteFunc(slices.Clone(gained), func(g Feature) bool { return g == f })
	features = slices.Clone(fixed)
	for i := range features {
		if features[i].name == f {
			features[i].name = "one that came later"
		}
	}
}

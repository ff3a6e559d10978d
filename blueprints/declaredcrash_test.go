package blueprints_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// crashKinds are declared indexes of every kind with an entry at least for each element.
var crashKinds = []blueprints.IndexSpec{
	{Name: "x", Class: blueprints.VertexClass, Keys: []string{"k", "t"}},
	{Name: "x", Class: blueprints.VertexClass, Keys: []string{"k"}, Unique: true},
	{Name: "x", Class: blueprints.VertexClass, Keys: []string{"t"}, Analyzer: "trigram"},
	{Name: "x", Class: blueprints.VertexClass, Keys: []string{"t"}, Analyzer: "words"},
	{Name: "x", Class: blueprints.VertexClass, Keys: []string{"at"}, Analyzer: "geo"},
	{Name: "x", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "BOTH"},
}

// TestDeclareIndex_ResumesAfterACrash: a build, and a removal, of an index of any kind that a
// crash interrupts goes on when the graph is opened again; nobody uses it meanwhile.
func TestDeclareIndex_ResumesAfterACrash(t *testing.T) {
	for i, s := range crashKinds {
		for j, dropping := range []bool{false, true} {
			if !raced.Skips(i, 6) && !raced.Leaves(i+j, 2) {
				t.Run(fmt.Sprintf("%d dropping=%v", i, dropping), func(t *testing.T) { crashInDeclared(t, s, dropping) })
			}
		}
	}
}

func crashInDeclared(t *testing.T, s blueprints.IndexSpec, dropping bool) {
	const n = 9000 // more than the worker takes in two steps
	fs, store, db, g := stoppableGraph(t)
	defer func() { store.left.Store(1 << 40); _ = db.Close() }()
	declareIndex(t, g, s) // so that the graph has what it writes for the first one
	if err := g.DropIndex(ctx, s.Name); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range n {
			v := addVertex(t, tx, "p", "k", i, "t", fmt.Sprint("no", i, "x"))
			at := value.List([]value.Value{value.Double(float64(i%180) - 90), value.Int(1)})
			if _, err := tx.SetVertexProperty(v, "single", "at", at, value.Null, nil); err != nil {
				return err
			}
			e, err := tx.AddEdge("e", v, v, value.Null)
			if err != nil {
				return err
			}
			if err := tx.SetEdgeProperty(e, "w", value.Int(int32(i))); err != nil {
				return err
			}
		}
		return nil
	})
	if dropping {
		declareIndex(t, g, s)
		store.left.Store(1) // the definition
		if err := g.DropIndex(ctx, s.Name); err != nil {
			t.Fatal(err)
		}
	} else {
		store.left.Store(2) // the definition, and a step of the worker
		stop, cancel := context.WithCancel(ctx)
		go func() { <-store.stopped; cancel() }()
		if i, err := g.DeclareIndex(ctx, stop, s); i.State == "ACTIVE" {
			t.Fatalf("the build ended: %+v, %v", i, err)
		}
	}
	<-store.stopped
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	store.left.Store(1 << 40)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	declaredHalfDone(t, left, dropping)

	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer db.Close()
	g, err := db.Graph("g")
	if err != nil {
		t.Fatal(err)
	}
	declareIndex(t, g, s) // waits for the removal, or the build
	wantSound(t, g)
	if rep := sound(t, g, s.Name); rep.Entries < n {
		t.Errorf("%d entries, want %d", rep.Entries, n)
	}
}

// declaredHalfDone makes sure that the crash left work, and a graph without contradictions.
func declaredHalfDone(t *testing.T, fs vfs.FS, dropping bool) {
	t.Helper()
	s, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: fs, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	d, err := keyindex.Load(snap, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := keyindex.Building
	if dropping {
		want = keyindex.Dropping
	}
	if left := d.Unfinished(); len(left) != 1 || left[0].State != want {
		t.Fatalf("the crash left %v, want %s", left, want)
	}
	r, err := check.RunSnapshot(ctx, snap, "g", 1, blueprints.Options{})
	if err != nil || !r.OK() {
		t.Fatalf("after the crash: %v %v", err, r.Problems)
	}
}

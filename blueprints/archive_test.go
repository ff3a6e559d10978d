package blueprints_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// archivable is a graph with something of everything.
func archivable(t *testing.T, db *blueprints.Database, o blueprints.Options) *blueprints.Graph {
	t.Helper()
	g := must[*blueprints.Graph](t)(db.CreateGraph("shop", o))
	if _, err := sample.Load(ctx, g, "modern"); err != nil {
		t.Fatal(err)
	}
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	declareIndex(t, g, blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true})
	update(t, g, func(tx *blueprints.Tx) error {
		v, _, err := tx.FindVertex(value.Int(1))
		if err != nil {
			return err
		}
		return tx.Increment(blueprints.VertexClass, uint64(v), "views", 3)
	})
	return g
}

func graphson(t *testing.T, g *blueprints.Graph) string {
	t.Helper()
	var out bytes.Buffer
	view(t, g, func(tx *blueprints.Tx) {
		if err := graphio.Write(ctx, graphio.GraphSON, &out, graphio.ViewSource(tx)); err != nil {
			t.Fatal(err)
		}
	})
	return out.String()
}

// TestArchive_Restored: a graph that is restored is what the other was, whatever becomes of
// that, and goes on by itself; also behind a restart.
func TestArchive_Restored(t *testing.T) {
	for _, inMemory := range []bool{false, true} {
		dir := t.TempDir()
		db := openDisk(t, dir)
		if inMemory {
			db = openBoth(t)
		}
		o := blueprints.NewOptions()
		o.InMemory, o.VertexIDs, o.Limits = inMemory, "INTEGER", blueprints.Limits{Vertices: 7}
		g := archivable(t, db, o)
		want := graphson(t, g)
		var file bytes.Buffer
		if err := g.Archive(ctx, &file); err != nil {
			t.Fatal(err)
		}
		if err := g.Truncate(ctx); err != nil {
			t.Fatal(err)
		}
		if err := db.RestoreGraph(ctx, "shop", bytes.NewReader(file.Bytes())); !errors.Is(err, blueprints.ErrGraphExists) {
			t.Error("over a graph that is there:", err)
		}
		if err := db.RestoreGraph(ctx, "copy", bytes.NewReader(file.Bytes())); err != nil {
			t.Fatal(err)
		}
		if !inMemory {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = openDisk(t, dir)
		}
		copied := must[*blueprints.Graph](t)(db.Graph("copy"))
		if got := graphson(t, copied); got != want {
			t.Errorf("in memory %v: %s, want %s", inMemory, got, want)
		}
		wantSound(t, copied)
		if copied.Options() != g.Options() {
			t.Errorf("%+v, want %+v", copied.Options(), g.Options())
		}
		update(t, copied, func(tx *blueprints.Tx) error { return addVertices(tx, 1) }) // no id twice
		if err := copied.Update(ctx, func(tx *blueprints.Tx) error { return addVertices(tx, 1) }); err == nil {
			t.Error("the limits are gone")
		}
		err := copied.Update(ctx, func(tx *blueprints.Tx) error {
			v, _, err := tx.FindVertex(value.Int(2))
			if err == nil {
				_, err = tx.SetVertexProperty(v, "", "name", value.String("marko"), value.Null, nil)
			}
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "Index u") {
			t.Error("the unique index is gone:", err)
		}
		wantSound(t, copied)
	}
}

// TestArchive_Broken: what is not whole makes no graph, and leaves nothing behind.
func TestArchive_Broken(t *testing.T) {
	db := openDisk(t, t.TempDir())
	g := archivable(t, db, blueprints.NewOptions())
	var file bytes.Buffer
	if err := g.Archive(ctx, &file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	broken := map[string][]byte{"empty": nil, "text": []byte("hello\n"), "cut in the entry": whole[:40], "cut at the end": whole[:len(whole)-1],
		"of the future": bytes.Replace(whole, []byte(`"version":2`), []byte(`"version":9`), 1)}
	for i := 40; i < len(whole); i += 97 {
		b := bytes.Clone(whole)
		b[i] ^= 0x10
		broken["changed at "+value.Int(int32(i)).JavaString()] = b
		broken["cut at "+value.Int(int32(i)).JavaString()] = whole[:i]
	}
	keys := func() (n int) {
		snap, err := db.Store().Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		it := snap.Scan(allKeys)
		defer it.Close()
		for it.Next() {
			n++
		}
		return n
	}
	_ = db.RestoreGraph(ctx, "x", strings.NewReader("")) // the sequence of numbers is there
	if err := db.RestoreGraph(ctx, "x", bytes.NewReader(whole[:len(whole)-1])); err == nil {
		t.Fatal("restored what is cut")
	}
	before := keys()
	for what, b := range broken {
		if err := db.RestoreGraph(ctx, "copy", bytes.NewReader(b)); err == nil {
			t.Errorf("%s: restored", what)
		}
		if db.HasGraph("copy") {
			t.Fatalf("%s: there is a graph", what)
		}
		if n := keys(); n != before {
			t.Fatalf("%s: %d keys, %d before", what, n, before)
		}
	}
	wantSound(t, g)
}

var allKeys = storage.ScanOptions{}

// openBoth has a store for graphs in memory, too.
func openBoth(t *testing.T) *blueprints.Database {
	t.Helper()
	s := must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	memory := must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{Memory: memory}))
	t.Cleanup(func() { db.Close() })
	return db
}

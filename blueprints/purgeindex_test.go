package blueprints_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// purgeIndexes are indexes of every kind over what TestPurge_EveryIndex writes.
var purgeIndexes = []blueprints.IndexSpec{
	{Name: "unique", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true},
	{Name: "composite", Class: blueprints.VertexClass, Keys: []string{"name", "at"}},
	{Name: "words", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "words"},
	{Name: "trigram", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "trigram"},
	{Name: "geo", Class: blueprints.VertexClass, Keys: []string{"at"}, Analyzer: "geo"},
	{Name: "edges", Class: blueprints.EdgeClass, Label: "knows", Keys: []string{"note"}, Direction: "BOTH"},
}

// secretly writes a vertex and an edge from it to another, with a text in all that indexes have.
func secretly(t *testing.T, tx *blueprints.Tx, v, w blueprints.VertexID, secret string) {
	t.Helper()
	setProperty(t, tx, v, "name", secret)
	at := value.List([]value.Value{value.Double(12.5), value.Double(47.25)})
	_, err := tx.SetVertexProperty(v, "single", "at", at, value.Null, nil)
	e, err2 := tx.AddEdge("knows", v, w, value.String(secret+"e"))
	err3 := tx.SetEdgeProperty(e, "note", value.String(secret))
	byHand, err4 := tx.Index("byHand", table.VertexClass)
	edgesByHand, err5 := tx.Index("edgesByHand", table.EdgeClass)
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(byHand.Put("k", value.String(secret), uint64(v)), edgesByHand.Put("k", value.String(secret), uint64(e))); err != nil {
		t.Fatal(err)
	}
}

// TestPurge_EveryIndex: an element that indexes of every kind had leaves nothing in any of them nor in
// what they were, and nothing in the directory once that is compacted and opened again; who stays is found as before.
func TestPurge_EveryIndex(t *testing.T) {
	const secret, other = "verysecret", "harmless"
	dir := t.TempDir()
	db := openDisk(t, dir)
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{History: blueprints.Forever, Stamps: true}))
	for class, key := range map[blueprints.ElementClass]string{blueprints.VertexClass: "name", blueprints.EdgeClass: "note"} {
		if err := g.CreateKeyIndex(ctx, class, key); err != nil {
			t.Fatal(err)
		}
	}
	for name, class := range map[string]blueprints.ElementClass{"byHand": blueprints.VertexClass, "edgesByHand": blueprints.EdgeClass} {
		if err := g.CreateIndex(ctx, name, class); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range purgeIndexes {
		declareIndex(t, g, s)
	}
	var v, w blueprints.VertexID
	add := func(id, text string) {
		update(t, g, func(tx *blueprints.Tx) (err error) {
			if v, err = tx.AddVertex("person", value.String(id)); err != nil {
				return err
			}
			if w == 0 {
				w = v
			}
			secretly(t, tx, v, w, text)
			return nil
		})
	}
	add("w", other)
	add(secret, secret)
	update(t, g, func(tx *blueprints.Tx) error { // what it had before is in history alone
		byHand, err := tx.Index("byHand", table.VertexClass)
		if err == nil {
			err = byHand.Remove("k", value.String(secret), uint64(v))
		}
		setProperty(t, tx, v, "name", secret+" later")
		return err
	})
	update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(v) })
	add(secret, secret+" again")
	update(t, g, func(tx *blueprints.Tx) error {
		n, err := tx.Purge(blueprints.VertexClass, value.String(secret))
		if n.Vertices != 2 || n.Edges != 2 {
			t.Errorf("purged %+v", n)
		}
		return err
	})
	if h := held(t, g, secret); h != "" {
		t.Error(h)
	}
	wantSound(t, g)
	for _, s := range purgeIndexes {
		if rep := sound(t, g, s.Name); rep.Entries == 0 {
			t.Errorf("%s: who stays is not in it", s.Name)
		}
	}
	view(t, g, func(tx *blueprints.Tx) {
		byHand := must[*blueprints.Index](t)(tx.Index("byHand", table.VertexClass))
		if n, err := byHand.Count("k", value.String(other)); n != 1 || err != nil {
			t.Error(n, err)
		}
	})
	from := table.AppendGraph(nil, g.Number())
	if err := db.Store().(storage.Compacter).Compact(ctx, from, table.PrefixEnd(nil, from)); err != nil {
		t.Fatal(err)
	}
	// What marked it as deleted goes with the next commits, the log and the list of files with a start.
	inTables := func(name string) bool { return filepath.Ext(name) == ".sst" }
	for end := time.Now().Add(20 * time.Second); slices.ContainsFunc(filesWith(t, dir, secret), inTables); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it stays in ", filesWith(t, dir, secret))
		}
		update(t, g, func(tx *blueprints.Tx) error { return tx.SetNote("n", []byte("x")) })
	}
	for range 2 { // it keeps the list before the last
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = openDisk(t, dir)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{secret: false, other: true} {
		if files := filesWith(t, dir, text); (len(files) > 0) != want {
			t.Errorf("%s is in the files %v", text, files)
		}
	}
}

// filesWith lists the files that hold a text.
func filesWith(t *testing.T, dir, text string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // a moment ago
			return nil
		}
		if bytes.Contains(b, []byte(text)) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

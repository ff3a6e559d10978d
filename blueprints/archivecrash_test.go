package blueprints

import (
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestArchive_Crash: what a restore wrote that did not come to its end is gone at the next
// start, and its number is not given to another graph.
func TestArchive_Crash(t *testing.T) {
	dir := t.TempDir()
	open := func() *Database {
		s := ok[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
		return ok[*Database](t)(Open(s, DatabaseOptions{}))
	}
	db := open()
	number := ok[uint32](t)(db.begun("copy", Options{}))
	prefix := table.AppendGraph(nil, number)
	err := db.store.Ingest(t.Context(), prefix, table.PrefixEnd(nil, prefix), func(add func(key, value []byte) error) error {
		return add(table.AppendMeta(nil, number, "x"), []byte{1})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open()
	defer db.Close()
	snap := ok[storage.Snapshot](t)(db.store.Snapshot())
	defer snap.Close()
	it := snap.Scan(storage.ScanOptions{From: prefix, To: table.PrefixEnd(nil, prefix)})
	defer it.Close()
	if it.Next() {
		t.Errorf("key %x is left", it.Key())
	}
	if _, err := snap.Get(restoreKey(number)); err == nil {
		t.Error("the note of the restore is left")
	}
	if g := ok[*Graph](t)(db.CreateGraph("g", Options{})); g.Number() <= number {
		t.Errorf("graph %d, %d was given out", g.Number(), number)
	}
}

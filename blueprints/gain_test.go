package blueprints

import (
	"context"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestGain: a graph gains a feature while it is in use, keeps it over a restart and beside
// other changes of its options, and without it is again what it was.
func TestGain(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Database, *Graph) {
		s := ok[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
		db := ok[*Database](t)(Open(s, DatabaseOptions{}))
		return db, ok[*Graph](t)(db.Graph("g"))
	}
	s := ok[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
	db := ok[*Database](t)(Open(s, DatabaseOptions{}))
	g := ok[*Graph](t)(db.CreateGraph("g", Options{Gained: 1}))
	if g.Uses(SchemaFeature) {
		t.Error("a new graph has gained a feature")
	}
	plain := catalogText(t, s, "g")
	for range 2 {
		if err := g.gain(SchemaFeature); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.ChangeOptions(context.Background(), "g", func(o *Options) error { o.Transactional = true; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, g = open()
	defer func() { db.Close() }()
	if have := g.Options(); !slices.Equal(have.Features(), []Feature{SchemaFeature}) || !have.Transactional || db.Store().Format() != 2 {
		t.Errorf("opened again: %v, format %d", have, db.Store().Format())
	}
	if err := db.ChangeOptions(context.Background(), "g", func(o *Options) error { o.Transactional = false; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.setFeature(g, SchemaFeature, false); err != nil {
		t.Fatal(err)
	}
	if got := catalogText(t, db.Store(), "g"); got != plain || g.Uses(SchemaFeature) {
		t.Errorf("without it again:\n%s\nwas\n%s", got, plain)
	}
	if f := db.Store().Format(); f != 1 {
		t.Errorf("the format is %d, and the first programs could read the directory", f)
	}
}

// TestGain_Format: a graph does not have a feature for which the format cannot be raised.
func TestGain_Format(t *testing.T) {
	s := &unraisable{Store: ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))}
	db := ok[*Database](t)(Open(s, DatabaseOptions{}))
	defer db.Close()
	g := ok[*Graph](t)(db.CreateGraph("g", Options{}))
	if err := g.gain(SchemaFeature); err == nil || g.Uses(SchemaFeature) {
		t.Errorf("%v, uses it: %v", err, g.Uses(SchemaFeature))
	}
}

// TestLosing: what a graph can gain it can lose.
func TestLosing(t *testing.T) {
	for _, f := range gainable {
		if losing[f].lose == nil || losing[f].keeps == nil {
			t.Errorf("nothing takes the feature %s away", f)
		}
	}
}

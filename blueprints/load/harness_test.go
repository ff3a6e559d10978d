package load_test

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

var ctx = context.Background()

// newGraph makes an empty graph in memory.
func newGraph(t testing.TB, o blueprints.Options) *blueprints.Graph {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	g, err := db.CreateGraph("g", o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// wantSound has all promises of a graph checked.
func wantSound(t testing.TB, g *blueprints.Graph) check.Report {
	t.Helper()
	r, err := check.Run(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Fatalf("%d problems: %v", r.Found, r.Problems[:min(5, len(r.Problems))])
	}
	return r
}

// wantVerified has the entries of an index compared with the elements.
func wantVerified(t *testing.T, g *blueprints.Graph, name string) blueprints.IndexReport {
	t.Helper()
	r, err := g.VerifyIndex(ctx, name)
	if err != nil || r.Missing != 0 || r.Stale != 0 {
		t.Errorf("%s: %+v, %v", name, r, err)
	}
	return r
}

func wantText(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text {
		t.Errorf("got error %v, want %q", err, text)
	}
}

func indexKey(t testing.TB, g *blueprints.Graph, c blueprints.ElementClass, key string) {
	t.Helper()
	if err := g.CreateKeyIndex(ctx, c, key); err != nil {
		t.Fatal(err)
	}
}

func declare(t *testing.T, g *blueprints.Graph, s blueprints.IndexSpec) {
	t.Helper()
	if i, err := g.DeclareIndex(ctx, ctx, s); err != nil || i.State != "ACTIVE" {
		t.Fatalf("%s: %+v, %v", s.Name, i, err)
	}
}

func view(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx)) {
	t.Helper()
	if err := g.View(ctx, func(tx *blueprints.Tx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

func update(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx) error) {
	t.Helper()
	if err := g.Update(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

// give returns what a call gave, which must not fail.
func give[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

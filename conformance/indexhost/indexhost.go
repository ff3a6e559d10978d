// Package indexhost tests what declared indexes of every kind promise, in the tests of the
// packages that keep and ask them.
package indexhost

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Run runs all tests.
func Run(t *testing.T) {
	t.Helper()
	for name, test := range map[string]func(*testing.T){
		"Agrees": testAgrees, "Unique": testUnique, "Points": testPoints, "Words": testWords, "LongText": testLongText,
		"EveryKind": testEveryKind, "Faults": testFaults, "Order": testOrder, "Duplicates": testDuplicates, "Refusals": testRefusals,
	} {
		t.Run(name, test)
	}
}

var ctx = context.Background()

func newGraph(t testing.TB, o blueprints.Options) *blueprints.Graph {
	t.Helper()
	g, _ := openGraph(t, o, 0)
	return g
}

// faultyGraph is a graph whose store can be made to fail, and of which nothing is cached.
func faultyGraph(t testing.TB) (*blueprints.Graph, *storagetest.Faulty) {
	t.Helper()
	return openGraph(t, blueprints.Options{}, -1)
}

func openGraph(t testing.TB, o blueprints.Options, cacheBytes int64) (*blueprints.Graph, *storagetest.Faulty) {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &storagetest.Faulty{Store: s}
	db, err := blueprints.Open(f, blueprints.DatabaseOptions{CacheBytes: cacheBytes})
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
	return g, f
}

func update(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx) error) {
	t.Helper()
	if err := g.Update(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx)) {
	t.Helper()
	if err := g.View(ctx, func(tx *blueprints.Tx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

func begin(t testing.TB, g *blueprints.Graph) *blueprints.Tx {
	t.Helper()
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func addVertex(t testing.TB, tx *blueprints.Tx, label string, kv ...any) blueprints.VertexID {
	t.Helper()
	v, err := tx.AddVertex(label, value.Null)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(kv); i += 2 {
		setProperty(t, tx, v, kv[i].(string), kv[i+1])
	}
	return v
}

func setProperty(t testing.TB, tx *blueprints.Tx, v blueprints.VertexID, key string, val any) {
	t.Helper()
	if _, err := tx.SetVertexProperty(v, "single", key, value.Of(val), value.Null, nil); err != nil {
		t.Fatal(err)
	}
}

func wantText(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text {
		t.Errorf("got error %v, want %q", err, text)
	}
}

// wantSound has all promises of a graph checked.
func wantSound(t testing.TB, g *blueprints.Graph) {
	t.Helper()
	r, err := check.Run(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Fatalf("%d problems: %v", r.Found, r.Problems[:min(5, len(r.Problems))])
	}
}

// Declare declares an index and waits for it.
func Declare(t *testing.T, g *blueprints.Graph, s blueprints.IndexSpec) {
	t.Helper()
	if i, err := g.DeclareIndex(ctx, ctx, s); err != nil || i.State != "ACTIVE" {
		t.Fatalf("%s: %+v, %v", s.Name, i, err)
	}
}

// Verified has the entries of an index compared with the elements.
func Verified(t *testing.T, g *blueprints.Graph, name string) blueprints.IndexReport {
	t.Helper()
	rep, err := g.VerifyIndex(ctx, name)
	if err != nil || rep.Missing != 0 || rep.Stale != 0 {
		t.Errorf("%s: %+v, %v", name, rep, err)
	}
	return rep
}

package steps_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestPlans compares the plans of common traversals with committed files, so that a
// change of the optimiser shows as a diff: the plan after all strategies, and how many
// keys the store was asked for when the row cache was cold.
//
//	plan graph=modern
//	g.V().has("name", "marko").out("knows")
//	----
//	[GraphStep(...), ...]
//	keys 12
//
// The vertices' names and the edges' weights have key indexes.
func TestPlans(t *testing.T) {
	datadriven.Walk(t, "plans", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			graph := "modern"
			d.MaybeScanArgs(t, "graph", &graph)
			out, err := planAndKeys(t, graph, d.Input)
			if err != nil {
				return "error: " + err.Error()
			}
			return out
		})
	})
}

func planAndKeys(t *testing.T, graph, text string) (string, error) {
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		return "", err
	}
	store := &storagetest.Counting{Store: memoryStore(t)}
	if err := fillSample(t.Context(), store, graph); err != nil {
		return "", err
	}
	// Opened again, the database has nothing in its caches.
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	g, err := db.Graph(graph)
	if err != nil {
		return "", err
	}
	var plan *traversal.Plan
	err = g.View(t.Context(), func(tx *blueprints.Tx) error {
		if plan, err = steps.Prepare(q.Last().Bytecode, tx); err != nil {
			return err
		}
		store.Reset()
		return drain(plan, traversal.Env{Ctx: t.Context(), View: tx})
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\nkeys %d", plan, store.Reads().Keys), nil
}

// drain runs a plan for nothing.
func drain(plan *traversal.Plan, env traversal.Env) error {
	env.Registry = steps.Registry()
	run, err := traversal.Open(plan, env)
	if err != nil {
		return err
	}
	var b traversal.Batch
	for {
		b.Clear()
		if err := run.Next(&b, 64); err != nil || b.Len() == 0 {
			return err
		}
	}
}

func memoryStore(t *testing.T) storage.Store {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return &unclosed{s}
}

// unclosed survives one Close, that of the database that filled it.
type unclosed struct{ storage.Store }

func (u *unclosed) Close() error { return nil }

func fillSample(ctx context.Context, store storage.Store, name string) error {
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		return err
	}
	g, err := db.CreateGraph(name, queryhost.Options)
	if err != nil {
		return err
	}
	if _, err := sample.Load(ctx, g, name); err != nil {
		return err
	}
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		return err
	}
	if err := g.CreateKeyIndex(ctx, blueprints.EdgeClass, "weight"); err != nil {
		return err
	}
	return db.Close()
}

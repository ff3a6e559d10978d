package steps_test

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestScripts runs the scripts of testdata, one file per step.
//
// go test ./steps -rewrite writes what came out into the scripts: read the diff.
func TestScripts(t *testing.T) { queryhost.Run(t, "testdata") }

func begin(ctx context.Context, g *blueprints.Graph, writes bool) (*blueprints.Tx, error) {
	return g.Begin(ctx, blueprints.TxOptions{ReadOnly: !writes})
}

// openBench opens a database in memory that outlives one benchmark.
func openBench(b *testing.B) *blueprints.Database {
	store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		b.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// TestScripts_Faults runs the scripts over a store whose calls fail in turn.
func TestScripts_Faults(t *testing.T) {
	if raced.Detector() { // one behind the other
		return
	}
	queryhost.Faults(t, "testdata", queryhost.Uncached, queryhost.Cached)
}

package blueprints_test

import (
	"context"
	"os"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/load"
)

func TestMain(m *testing.M) {
	blueprints.BulkLoad = func(ctx context.Context, g *blueprints.Graph, fill func(blueprints.RecordSink) error) error {
		_, err := load.Graph(ctx, g, load.Options{}, fill)
		return err
	}
	os.Exit(m.Run())
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

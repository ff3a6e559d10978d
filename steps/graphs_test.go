package steps_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

// graphs makes test graphs on demand.
type graphs struct {
	db     *blueprints.Database
	byName map[string]*blueprints.Graph
	files  memoryFiles
}

// memoryFiles is a host whose io folder is in memory.
type memoryFiles map[string]*bytes.Buffer

func (m memoryFiles) OpenRead(name string) (io.ReadCloser, error) {
	b, ok := m[name]
	if !ok {
		return nil, fmt.Errorf("%s does not exist", name)
	}
	return io.NopCloser(bytes.NewReader(b.Bytes())), nil
}

func (m memoryFiles) OpenWrite(name string) (io.WriteCloser, error) {
	b := &bytes.Buffer{}
	m[name] = b
	return memoryFile{b}, nil
}

func (m memoryFiles) Service(string) (traversal.Service, bool) { return nil, false }

func (m memoryFiles) ServiceNames() []string { return nil }

type memoryFile struct{ *bytes.Buffer }

func (memoryFile) Close() error { return nil }

func newGraphs(t testing.TB) *graphs {
	store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &graphs{db: db, byName: map[string]*blueprints.Graph{}, files: memoryFiles{}}
}

// options are those of TinkerPop's own test server.
var options = blueprints.Options{
	VertexIDs: blueprints.IntegerIDs, EdgeIDs: blueprints.IntegerIDs, VertexPropertyIDs: blueprints.LongIDs,
	DefaultCardinality: "single",
}

func (gs *graphs) get(ctx context.Context, name string) (*blueprints.Graph, error) {
	if g, ok := gs.byName[name]; ok {
		return g, nil
	}
	o := options
	switch name {
	case "crew":
		o.DefaultCardinality = "list"
	case "null":
		o.AllowNull = true
	}
	g, err := gs.db.CreateGraph(name, o)
	if err != nil {
		return nil, err
	}
	gs.byName[name] = g
	if name == "empty" || name == "null" {
		return g, nil
	}
	if _, err := sample.Load(ctx, g, name); err != nil {
		return nil, fmt.Errorf("graph %s: %w", name, err)
	}
	return g, nil
}

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

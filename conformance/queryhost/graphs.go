// Package queryhost runs queries in the tests of the packages that a query goes through: on
// sample graphs in memory, and from files of queries with their answers.
package queryhost

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

// Graphs makes sample graphs on demand, and keeps them.
type Graphs struct {
	DB     *blueprints.Database
	store  *storagetest.Faulty
	byName map[string]*blueprints.Graph
	files  memoryFiles
}

// memoryFiles is a host whose io folder is in memory.
type memoryFiles map[string]*bytes.Buffer

// OpenRead opens a file that was written before.
func (m memoryFiles) OpenRead(name string) (io.ReadCloser, error) {
	b, ok := m[name]
	if !ok {
		return nil, fmt.Errorf("%s does not exist", name)
	}
	return io.NopCloser(bytes.NewReader(b.Bytes())), nil
}

// OpenWrite makes a file.
func (m memoryFiles) OpenWrite(name string) (io.WriteCloser, error) {
	b := &bytes.Buffer{}
	m[name] = b
	return memoryFile{b}, nil
}

// Service finds none.
func (m memoryFiles) Service(string) (traversal.Service, bool) { return nil, false }

// ServiceNames are none.
func (m memoryFiles) ServiceNames() []string { return nil }

type memoryFile struct{ *bytes.Buffer }

func (memoryFile) Close() error { return nil }

// New opens a database in memory for graphs.
func New(t testing.TB) *Graphs { return open(t, 0) }

// open opens a database whose store can be made to fail.
func open(t testing.TB, cacheBytes int64) *Graphs {
	engine, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	store := &storagetest.Faulty{Store: engine}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{CacheBytes: cacheBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Graphs{DB: db, store: store, byName: map[string]*blueprints.Graph{}, files: memoryFiles{}}
}

// Options are those of TinkerPop's own test server.
var Options = blueprints.Options{
	VertexIDs: ids.Integer, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.Long,
	DefaultCardinality: "single",
}

// Get returns the graph of a name: one of the samples, empty, or null, which allows null.
func (gs *Graphs) Get(ctx context.Context, name string) (*blueprints.Graph, error) {
	if g, ok := gs.byName[name]; ok {
		return g, nil
	}
	o := Options
	switch name {
	case "crew":
		o.DefaultCardinality = "list"
	case "null":
		o.AllowNull = true
	}
	g, err := gs.DB.CreateGraph(name, o)
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

package blueprints

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
)

// catalogued is a graph of the catalog. One that nobody asked for costs this alone.
type catalogued struct {
	name    string
	number  uint32
	options Options // as they were when it was not open

	opening sync.Mutex
	graph   atomic.Pointer[Graph] // nil until it is opened
}

// now are the graph's options.
func (c *catalogued) now() Options {
	if g := c.graph.Load(); g != nil {
		return g.Options()
	}
	return c.options
}

// opened returns the graph, which is opened when it is not yet. The caller holds db.mu, so
// that the database is not closed meanwhile.
func (db *Database) opened(c *catalogued) (*Graph, error) {
	if g := c.graph.Load(); g != nil {
		return g, nil
	}
	c.opening.Lock()
	defer c.opening.Unlock()
	if g := c.graph.Load(); g != nil {
		return g, nil
	}
	if db.closed {
		return nil, storage.ErrClosed
	}
	g, err := db.openGraph(c.name, c.number, c.options)
	if err != nil {
		return nil, fmt.Errorf("open graph %q: %w", c.name, err)
	}
	if err := errors.Join(g.finishHistory(), g.finishAutoIndex(), g.finishStamps()); err != nil {
		db.listeners.remove(g)
		g.worker.Stop()
		return nil, fmt.Errorf("open graph %q: %w", c.name, err)
	}
	c.graph.Store(g)
	return g, nil
}

// openGraph reads what a graph keeps in memory.
func (db *Database) openGraph(name string, number uint32, o Options) (*Graph, error) {
	s, commits := db.store, &db.commits
	if o.InMemory {
		if s, commits = db.memory, &db.memoryCommits; s == nil {
			return nil, errors.New("no store for graphs in memory")
		}
	}
	g, err := newGraph(s, name, number, o, db.budget, commits)
	if err != nil {
		return nil, err
	}
	g.db = db
	db.listeners.add(g)
	g.start()
	return g, nil
}

// Graph returns the graph of that name, or ErrNoGraph. The first who asks for it may have
// to wait until it is opened.
func (db *Database) Graph(name string) (*Graph, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	c, ok := db.graphs[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoGraph, name)
	}
	return db.opened(c)
}

// HasGraph reports whether there is a graph of that name, without opening it.
func (db *Database) HasGraph(name string) bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.graphs[name] != nil
}

// GraphNames lists the graphs by name.
func (db *Database) GraphNames() []string {
	db.mu.RLock()
	defer db.mu.RUnlock()
	names := make([]string, 0, len(db.graphs))
	for name := range db.graphs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// OpenGraphs lists the graphs by name that somebody has asked for since the database was
// opened.
func (db *Database) OpenGraphs() []*Graph { return db.openGraphs(func(*Graph) bool { return true }) }

// openGraphs lists those of OpenGraphs that are wanted.
func (db *Database) openGraphs(wanted func(*Graph) bool) []*Graph {
	db.mu.RLock()
	defer db.mu.RUnlock()
	var all []*Graph
	for _, c := range db.graphs {
		if g := c.graph.Load(); g != nil && wanted(g) {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *Graph) int { return cmp.Compare(a.name, b.name) })
	return all
}

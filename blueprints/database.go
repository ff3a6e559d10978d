package blueprints

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// GraphNameMax is the longest name of a graph in bytes.
const GraphNameMax = 255

// DatabaseOptions are the settings of a Database.
type DatabaseOptions struct {
	// Memory is the store of graphs that keep nothing on disk; without it such
	// graphs cannot be made or opened. The Database closes it.
	Memory storage.Store
	// Scratch opens the store beneath the graphs that Scratch makes, when the first is
	// made; without it there are none. The Database closes it.
	Scratch func() (storage.Store, error)
	// CacheBytes bounds the memory of decoded elements, over all graphs; default
	// 256 MiB, negative for no cache.
	CacheBytes int64
}

// cacheBytesDefault is the default of DatabaseOptions.CacheBytes.
const cacheBytesDefault = 256 << 20

// Database is the graphs of one data directory.
type Database struct {
	store, memory storage.Store
	scratch       scratchStore
	newScratch    func() (storage.Store, error)

	mu     sync.Mutex // guards graphs and changes of the catalog
	graphs map[string]*Graph
	closed bool

	listeners *listeners
	budget    *rowcache.Budget // nil: no cache
	// commits to the rows in the cache, by store
	commits, memoryCommits rowcache.Commits
}

// Open opens the graphs of a store. The Database takes the store over and closes it.
func Open(s storage.Store, o DatabaseOptions) (*Database, error) {
	db := &Database{store: s, memory: o.Memory, newScratch: o.Scratch, graphs: map[string]*Graph{}, listeners: newListeners(s, o.Memory)}
	if o.CacheBytes == 0 {
		o.CacheBytes = cacheBytesDefault
	}
	if o.CacheBytes > 0 {
		db.budget = rowcache.NewBudget(o.CacheBytes)
	}
	snap, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	err = readCatalog(snap, func(name string, e catalogEntry, o Options) error {
		// Nothing to do, unless somebody put a FORMAT there by hand.
		if err := s.RaiseFormat(e.Version); err != nil {
			return err
		}
		g, err := db.openGraph(name, e.Number, o)
		if err != nil {
			return fmt.Errorf("open graph %q: %w", name, err)
		}
		db.graphs[name] = g
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range db.graphs {
		if err := g.finishAutoIndex(); err != nil {
			return nil, fmt.Errorf("open graph %q: %w", g.name, err)
		}
	}
	return db, nil
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

// Graph returns the graph of that name, or ErrNoGraph.
func (db *Database) Graph(name string) (*Graph, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	g, ok := db.graphs[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoGraph, name)
	}
	return g, nil
}

// GraphNames lists the graphs by name.
func (db *Database) GraphNames() []string {
	db.mu.Lock()
	defer db.mu.Unlock()
	names := make([]string, 0, len(db.graphs))
	for name := range db.graphs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CreateGraph makes an empty graph, or returns ErrGraphExists.
func (db *Database) CreateGraph(name string, o Options) (*Graph, error) {
	if name == "" || len(name) > GraphNameMax || strings.ContainsRune(name, 0) {
		return nil, fmt.Errorf("graph name %.64q: want 1 to %d bytes", name, GraphNameMax)
	}
	o, err := o.normalized()
	if err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	o.Gained = Gained(0).with(AutoIndex, o.AutoIndex)
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, storage.ErrClosed
	}
	if _, ok := db.graphs[name]; ok {
		return nil, fmt.Errorf("%w: %q", ErrGraphExists, name)
	}
	number, err := db.nextNumber()
	if err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	g, err := db.openGraph(name, number, o)
	if err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	if err := db.writeEntry(name, newCatalogEntry(number, o)); err != nil {
		g.drop()
		db.listeners.remove(g)
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	db.graphs[name] = g
	return g, g.finishAutoIndex()
}

// writeEntry makes a catalog entry durable, and before it that programs which would
// misread it refuse the directory.
func (db *Database) writeEntry(name string, e catalogEntry) error {
	text, err := e.encode()
	if err != nil {
		return err
	}
	if err := db.store.RaiseFormat(e.Version); err != nil {
		return err
	}
	return db.update(func(tx storage.Tx) error { return tx.Set(table.AppendCatalog(nil, name), text) })
}

// SetTransactional changes Options.Transactional of a graph, which is about what clients
// are offered and not about what is stored. Transactions that are open go on.
func (db *Database) SetTransactional(name string, on bool) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return storage.ErrClosed
	}
	g, ok := db.graphs[name]
	if !ok {
		return fmt.Errorf("%w: %q", ErrNoGraph, name)
	}
	o := g.Options()
	o.Transactional = on
	if err := db.writeEntry(name, newCatalogEntry(g.number, o)); err != nil {
		return fmt.Errorf("change graph %q: %w", name, err)
	}
	g.transactional.Store(on)
	return nil
}

// nextNumber takes a graph number that no graph, not even a dropped one, had.
func (db *Database) nextNumber() (uint32, error) {
	snap, err := db.store.Snapshot()
	if err != nil {
		return 0, err
	}
	defer snap.Close()
	s, err := loadSequence(snap, table.StoreGraph, "graph", 1)
	if err != nil {
		return 0, err
	}
	if s.next > 1<<32-2 {
		return 0, errors.New("graph numbers are used up")
	}
	return uint32(s.next), db.update(func(tx storage.Tx) error { return s.set(tx, s.next+1) })
}

// DropGraph removes a graph and everything in it.
func (db *Database) DropGraph(name string) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	g, ok := db.graphs[name]
	if !ok {
		return fmt.Errorf("%w: %q", ErrNoGraph, name)
	}
	g.drop()
	from := table.AppendGraph(nil, g.number)
	to := table.PrefixEnd(nil, from)
	err := db.update(func(tx storage.Tx) error {
		if g.store == db.store {
			if err := tx.DeleteRange(from, to); err != nil {
				return err
			}
		}
		return tx.Delete(table.AppendCatalog(nil, name))
	})
	if err == nil && g.store != db.store {
		err = g.small(context.Background(), func(tx storage.Tx) error { return tx.DeleteRange(from, to) })
	}
	if err != nil {
		g.dropped.Store(false)
		g.start()
		return fmt.Errorf("drop graph %q: %w", name, err)
	}
	db.listeners.remove(g)
	delete(db.graphs, name)
	return nil
}

// update runs a transaction of the catalog. The caller holds db.mu, so nobody else
// writes there.
func (db *Database) update(fn func(storage.Tx) error) error {
	tx, err := db.store.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := fn(tx); err != nil {
		return err
	}
	_, err = tx.Commit(context.Background())
	return err
}

// CacheStats counts what the cache of decoded elements did.
func (db *Database) CacheStats() rowcache.Stats {
	if db.budget == nil {
		return rowcache.Stats{}
	}
	return db.budget.Stats()
}

// Store returns the store beneath the durable graphs, for checkpoints and checks.
func (db *Database) Store() storage.Store { return db.store }

// Close stops background work, gives unused numbers back and closes the stores. All
// transactions must be over.
func (db *Database) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	var errs []error
	for _, g := range db.graphs {
		errs = append(errs, g.close())
	}
	errs = append(errs, db.store.Close(), db.scratch.close())
	if db.memory != nil {
		errs = append(errs, db.memory.Close())
	}
	return errors.Join(errs...)
}

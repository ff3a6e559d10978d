package blueprints

import (
	"context"
	"errors"
	"fmt"
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
	// Late opens a graph when it is asked for: damage of one shows then, and index builds
	// that were interrupted go on then.
	Late bool
}

// cacheBytesDefault is the default of DatabaseOptions.CacheBytes.
const cacheBytesDefault = 256 << 20

// Database is the graphs of one data directory.
type Database struct {
	store, memory storage.Store
	scratch       scratchStore
	newScratch    func() (storage.Store, error)

	catalog sync.Mutex // held by who changes the catalog, and before mu

	mu     sync.RWMutex // guards what follows; held, shared, by who opens a graph
	graphs map[string]*catalogued
	closed bool

	listeners *listeners
	budget    *rowcache.Budget // nil: no cache
	// commits to the rows in the cache, by store
	commits, memoryCommits rowcache.Commits

	forgetter, expirer chore // what is done in the background
}

// Open opens the graphs of a store. The Database takes the store over and closes it.
func Open(s storage.Store, o DatabaseOptions) (*Database, error) {
	db := &Database{store: s, memory: o.Memory, newScratch: o.Scratch, graphs: map[string]*catalogued{}, listeners: newListeners(s, o.Memory)}
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
		db.graphs[name] = &catalogued{name: name, number: e.Number, options: o}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := db.forgetRestores(snap); err != nil {
		return nil, err
	}
	db.forgetter.start(forgetEvery, db.forgetOld)
	db.expirer.start(expireEvery, db.expireDue)
	if o.Late {
		return db, nil
	}
	for _, name := range db.GraphNames() {
		if _, err := db.Graph(name); err != nil {
			db.rest()
			return nil, err
		}
	}
	return db, nil
}

// CreateGraph makes an empty graph, or returns ErrGraphExists.
func (db *Database) CreateGraph(name string, o Options) (*Graph, error) {
	c, err := db.makeGraph(name, o)
	if err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.opened(c)
}

// MakeGraph is CreateGraph that does not open the graph.
func (db *Database) MakeGraph(name string, o Options) error {
	_, err := db.makeGraph(name, o)
	return err
}

func (db *Database) makeGraph(name string, o Options) (*catalogued, error) {
	if err := checkGraphName(name); err != nil {
		return nil, err
	}
	o, err := o.normalized()
	if err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	o.Gained = Gained(0).with(AutoIndex, o.AutoIndex).with(History, o.History != NoHistory).with(Stamps, o.Stamps).with(TTL, o.TTL)
	if o.InMemory && db.memory == nil {
		return nil, fmt.Errorf("create graph %q: no store for graphs in memory", name)
	}
	db.catalog.Lock()
	defer db.catalog.Unlock()
	if db.isClosed() {
		return nil, storage.ErrClosed
	}
	if db.HasGraph(name) {
		return nil, fmt.Errorf("%w: %q", ErrGraphExists, name)
	}
	number, err := db.nextNumber()
	if err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	if err := db.writeEntry(name, newCatalogEntry(number, o)); err != nil {
		return nil, fmt.Errorf("create graph %q: %w", name, err)
	}
	c := &catalogued{name: name, number: number, options: o}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.graphs[name] = c
	return c, nil
}

func checkGraphName(name string) error {
	if name == "" || len(name) > GraphNameMax || strings.ContainsRune(name, 0) {
		return fmt.Errorf("graph name %.64q: want 1 to %d bytes", name, GraphNameMax)
	}
	return nil
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

// ChangeOptions changes options of a graph that can change: those of ChangeableKeys, which
// are about what clients are offered and may do, and not about what is stored. Transactions
// that are open go on.
func (db *Database) ChangeOptions(ctx context.Context, name string, change func(*Options) error) error {
	db.catalog.Lock()
	defer db.catalog.Unlock()
	g, err := db.Graph(name)
	if err != nil {
		return err
	}
	was := g.Options()
	o := was
	if err := change(&o); err != nil {
		return fmt.Errorf("change graph %q: %w", name, err)
	}
	fixed := o
	if fixed.Transactional, fixed.Limits, fixed.History = was.Transactional, was.Limits, was.History; fixed != was {
		return fmt.Errorf("change graph %q: only %s can change, the other options stay as the graph was made", name, strings.Join(ChangeableKeys(), ", "))
	}
	if o == was {
		return nil
	}
	if err := o.Limits.check(o.InMemory); err != nil {
		return fmt.Errorf("change graph %q: %w", name, err)
	}
	if err := g.setLimits(ctx, o.Limits); err != nil {
		return fmt.Errorf("change graph %q: %w", name, err)
	}
	kept := o
	kept.History = was.History
	if err := db.writeEntry(name, newCatalogEntry(g.number, kept)); err != nil {
		return errors.Join(fmt.Errorf("change graph %q: %w", name, err), g.setLimits(ctx, was.Limits))
	}
	g.transactional.Store(o.Transactional)
	return db.keepHistory(ctx, g, o.History)
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
	db.catalog.Lock()
	defer db.catalog.Unlock()
	g, err := db.Graph(name)
	if err != nil {
		return err
	}
	if err := g.Writable(); err != nil {
		return fmt.Errorf("drop graph %q: %w", name, err)
	}
	g.drop()
	from := table.AppendGraph(nil, g.number)
	to := table.PrefixEnd(nil, from)
	err = db.update(func(tx storage.Tx) error {
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
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.graphs, name)
	return nil
}

// update runs a transaction of the catalog. The caller holds db.catalog, so nobody else
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

func (db *Database) isClosed() bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.closed
}

// Store returns the store beneath the durable graphs, for checkpoints and checks.
func (db *Database) Store() storage.Store { return db.store }

// Close stops background work, gives unused numbers back and closes the stores. All
// transactions must be over.
func (db *Database) Close() error {
	db.rest() // before the locks, which it may wait for
	db.catalog.Lock()
	defer db.catalog.Unlock()
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	var errs []error
	for _, c := range db.graphs {
		if g := c.graph.Load(); g != nil {
			errs = append(errs, g.close())
		}
	}
	errs = append(errs, db.store.Close(), db.scratch.close())
	if db.memory != nil {
		errs = append(errs, db.memory.Close())
	}
	return errors.Join(errs...)
}

package blueprints

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// Graph is one graph of a Database. It may be used by many goroutines.
type Graph struct {
	db      *Database // nil for a scratch graph
	store   storage.Store
	name    string
	number  uint32
	options Options
	forms   [2]ids.Scheme // of ids, by class
	dropped atomic.Bool
	scratch *scratch // of a graph that has one transaction alone, else nil
	// transactional and gained are the options that can change.
	transactional atomic.Bool
	gained        atomic.Uint32
	everGained    atomic.Uint32          // since the graph was opened
	bounds        atomic.Pointer[Bounds] // nil: the graph has no limits

	symbols *symbols
	// numbers gives ids to vertices, edges and vertex properties alike, as
	// TinkerGraph's one counter does; vertices and edges give internal ids.
	numbers, vertices, edges *sequence
	// taken is set once a user supplied a number as an id, so that generated ids
	// have to look.
	taken    atomic.Bool
	takenIDs takenIDs

	// loading is set during a Load, when nobody else writes; defining is held to set it
	// and, shared, by changes of definitions.
	loading  atomic.Bool
	defining sync.RWMutex

	// history is nil where what is overwritten is gone.
	history atomic.Pointer[history]
	shown   atomic.Uint64 // a stamp: whoever begins sees all commits of it and of lesser ones

	indexes indexState
	schema  schemaState
	lookups lookups
	// autoIndexing is held while every key gets an index, or no longer does.
	autoIndexing sync.Mutex
	// uncounting is set while counters become properties.
	uncounting atomic.Bool
	// unexpiring is set while nothing expires any more, and what would stays.
	unexpiring atomic.Bool
	expiryTold time.Time // of the worker: when it told last that it could not drop something
	stuck      stuck     // of the worker
	// unstamping is set while stamps are removed.
	unstamping atomic.Bool
	// declaring is held by the one who declares an index, from the gain of the feature to the
	// commit of the definition, and by the one who takes the feature away.
	declaring chan struct{}
	worker    *keyindex.Worker
	news      news            // of its history
	cache     *cache          // nil: none
	onFill    func(fillPoint) // of tests, between reading a row and offering it
}

func newGraph(s storage.Store, name string, number uint32, o Options, b *rowcache.Budget, c *rowcache.Commits) (*Graph, error) {
	snap, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	g := &Graph{store: s, name: name, number: number, options: o}
	g.transactional.Store(o.Transactional)
	g.nowGained(o.Gained)
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		g.forms[class-1] = o.idScheme(class)
	}
	g.indexes.version = keyindex.VersionKey(number)
	g.schema.turn, g.declaring = make(chan struct{}, 1), make(chan struct{}, 1)
	if b != nil {
		g.cache = newCache(b, c)
	}
	if g.symbols, err = loadSymbols(snap, number); err != nil {
		return nil, err
	}
	for _, q := range []struct {
		to    **sequence
		name  string
		first uint64
	}{{&g.numbers, "number", 0}, {&g.vertices, "vertex", 1}, {&g.edges, "edge", 1}} {
		if *q.to, err = loadSequence(snap, number, q.name, q.first); err != nil {
			return nil, err
		}
	}
	_, err = snap.Get(g.takenKey())
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return nil, err
	}
	g.taken.Store(err == nil)
	if o.Limits != (Limits{}) {
		return g, g.bound(o.Limits, snap)
	}
	return g, nil
}

// start begins the background work; the graph is known to the commit listener.
func (g *Graph) start() {
	g.worker = keyindex.StartWorker(g.store, g.number, source{g.number}, slog.Default())
}

func (g *Graph) takenKey() []byte { return table.AppendMeta(nil, g.number, "user-ids") }

// idScheme returns the form of the ids of a class.
func (g *Graph) idScheme(class table.Class) ids.Scheme { return g.forms[class-1] }

// Name returns the graph's name.
func (g *Graph) Name() string { return g.name }

// Database returns the graphs that the graph stands among, nil for a scratch graph.
func (g *Graph) Database() *Database { return g.db }

// Number returns the graph's place in every key.
func (g *Graph) Number() uint32 { return g.number }

// DiskBytes returns about how many bytes the graph takes on disk, with its indexes and
// without what only the log has yet.
func (g *Graph) DiskBytes() (int64, error) {
	from := table.AppendGraph(nil, g.number)
	return g.store.DiskBytes(from, table.PrefixEnd(nil, from))
}

// Store returns the store that holds the graph.
func (g *Graph) Store() storage.Store { return g.store }

// Options returns what the graph was made with, and what has changed of that since.
func (g *Graph) Options() Options {
	o := g.options
	o.Transactional, o.Gained = g.transactional.Load(), Gained(g.gained.Load())
	if b := g.bounds.Load(); b != nil {
		o.Limits = b.Limits()
	} else {
		o.Limits = Limits{}
	}
	o.AutoIndex = o.Gained == o.Gained.with(AutoIndex, true)
	o.TTL = o.Gained == o.Gained.with(TTL, true)
	o.Stamps = o.Gained == o.Gained.with(Stamps, true)
	if o.History = NoHistory; o.Gained == o.Gained.with(History, true) {
		if h := g.history.Load(); h != nil {
			o.History = h.keep
		} else { // it begins
			o.History = g.options.History
		}
	}
	return o
}

// TxOptions says what kind of transaction Begin opens.
type TxOptions struct {
	ReadOnly bool
	// Alone keeps others from committing to the graph, for a time that the store bounds,
	// so that the transaction does not lose again.
	Alone bool
	// Account is charged for the writes until the transaction is over. It may be nil.
	Account *account.Account
	// AsOf is the time of what the transaction reads, 0 for now. Such a one is
	// read-only.
	AsOf storage.Stamp
	// Author is who makes the commit, which history tells of it; nil: nobody says. It is
	// read when the transaction commits.
	Author *Author
}

// Author is who made a commit: a user with a request, or what is at work by itself.
type Author = table.Author

// Begin opens a transaction; the caller must Close it, also after Commit.
func (g *Graph) Begin(ctx context.Context, o TxOptions) (*Tx, error) {
	switch {
	case g.dropped.Load():
		return nil, fmt.Errorf("%w: %q", ErrGraphDropped, g.name)
	case o.AsOf != 0:
		return g.beginPast(ctx, o)
	case g.scratch != nil:
		return nil, errScratch
	}
	if !o.ReadOnly && g.loading.Load() {
		return nil, ErrLoading
	}
	tx := txs.Get().(*Tx)
	so := storage.TxOptions{ReadOnly: o.ReadOnly, Isolation: g.options.Isolation, Account: o.Account, Relief: tx}
	if o.Alone && !o.ReadOnly {
		so.Alone, so.Within = true, table.AppendGraph(nil, g.number)
	}
	t, err := g.store.Begin(ctx, so)
	if err != nil {
		txs.Put(tx)
		return nil, err
	}
	observing := !o.ReadOnly && g.options.Isolation == storage.StrictSerializable
	tx.ownPaid.Account = o.Account
	tx.ctx, tx.g, tx.tx, tx.options, tx.seq, tx.cache, tx.observing = ctx, g, t, o, t.Seq(), g.cache, observing
	tx.history = g.history.Load()
	tx.learn() // behind the snapshot: what that holds came after the feature
	return tx, nil
}

// View runs fn on a read-only transaction.
func (g *Graph) View(ctx context.Context, fn func(*Tx) error) error {
	return g.ViewAsOf(ctx, 0, fn)
}

// ViewAsOf is View of what the graph was, of what it is where at is 0.
func (g *Graph) ViewAsOf(ctx context.Context, at storage.Stamp, fn func(*Tx) error) error {
	tx, err := g.Begin(ctx, TxOptions{ReadOnly: true, AsOf: at})
	if err != nil {
		return err
	}
	defer tx.Close()
	return fn(tx)
}

// lossesMax is how many conflicts a transaction loses before it runs alone.
const lossesMax = 2

// Update runs fn in a transaction and commits it. When another transaction won, fn
// runs again from the start; after two losses it runs alone.
func (g *Graph) Update(ctx context.Context, fn func(*Tx) error) error {
	return g.UpdateBy(ctx, nil, fn)
}

// UpdateBy is Update, and history says who made the commit.
func (g *Graph) UpdateBy(ctx context.Context, author *Author, fn func(*Tx) error) error {
	for losses := 0; ; losses++ {
		alone := losses >= lossesMax
		err := g.attempt(ctx, TxOptions{Alone: alone, Author: author}, fn)
		if alone || !errors.Is(err, storage.ErrConflict) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

func (g *Graph) attempt(ctx context.Context, o TxOptions, fn func(*Tx) error) error {
	tx, err := g.Begin(ctx, o)
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// drop keeps new transactions out; those still open fail when they commit, because
// the removal of the graph's keys is newer.
func (g *Graph) drop() {
	g.dropped.Store(true)
	g.news.tell()
	g.worker.Stop()
}

func (g *Graph) close() error {
	g.worker.Stop()
	return g.small(context.Background(), func(tx storage.Tx) error {
		for _, s := range []*sequence{g.numbers, g.vertices, g.edges} {
			if err := s.giveBack(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

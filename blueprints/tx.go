package blueprints

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
)

// Tx is one transaction on a graph: a View and, unless it is read-only, a Mutator.
// It belongs to one goroutine at a time.
type Tx struct {
	txState
	txRoom
}

// txState is what a transaction has for itself. What all of them touch stands in front: memory
// that is not touched need not be fetched.
type txState struct {
	ctx     context.Context
	g       *Graph
	tx      storage.Tx
	options TxOptions
	seq     uint64 // of the snapshot
	cache   *cache // the graph's; nil: none
	// observing is set when what is read from the cache joins the read set.
	observing      bool
	over           bool // nothing reads it any more
	closed         bool // Close was called
	once           bool // within ReadOnce
	guarded        bool // the version of the definitions is guarded
	changedClasses [2]bool
	// counting is set when the graph may have counters.
	counting bool
	// stamping is set when the graph gives its elements stamps, restamp when one that was there
	// may get another; hiding when something is known under hidden keys.
	stamping, hiding, restamp bool
	// expiring is set when elements and properties may end; ttls are read with defs.
	expiring bool
	lookUps  uint          // of ids and values so far
	open     []tracked     // iterators not closed yet
	crowd    int           // how many there are before forgotten ones are looked for
	opened   int           // since the collector ran for their sake
	shade    *shade        // of what somebody is denied who reads it; nil: none was made
	asOf     storage.Stamp // of what it reads, 0 for now
	kept     keptRows      // of what was read ahead
	columns  columns
	defs     *keyindex.Definitions
	// ownBytes is what its own rows take, about; see payOwn.
	ownBytes int64
	ownPaid  account.Ledger
	done     func(error)     // of CommitAsync
	entries  []PropertyEntry // scratch of VertexValues

	grown [2]int64 // how many more vertices and edges there are
	// Dropped elements keep identity and label until the transaction ends.
	goneVertices map[VertexID]VertexCell
	goneEdges    map[EdgeID]EdgeCell
	// interned are names that become durable with this transaction, at the latest; known
	// has their numbers.
	interned []*symbol
	known    *keyed.Set
	nameKey  []byte          // scratch, which no scan has open
	labels   []Symbol        // scratch for sorted labels
	edges    []rowcache.Edge // scratch of fills
	touched  uint32          // keeps the compiler from dropping the touch of staged rows
	rules    []*Rules        // that elements have to keep to, read with defs
	// counters are read with defs, and newCounters are among them that the transaction makes.
	counters    *CounterKeys
	newCounters []table.CounterKey
	newKeys     []autoKey // that it gave an index
	ttls        *labelTTLs
	asked       time.Time // of its own changes, see ownTime
	history     *history  // that the commit adds to; nil for none
	purged      *purge    // what it makes history forget; nil for nothing
	cells       int       // of adjacency read from the store, for tests that count them
}

// txRoom is what a transaction leaves to later ones, emptied: see Recycle.
type txRoom struct {
	// What this transaction wrote, see txrows.go.
	vertexRows    map[VertexID]*vertexRow
	edgeRows      map[EdgeID]*edgeRow
	dirtyVertices map[VertexID]part
	dirtyEdges    map[EdgeID]struct{}
	counts        []countDelta // changes of counters, merged at the commit
	changes       []keyChange  // of elements that were there before, under rules
	upkeep        upkeep

	// key and cell are scratch for building keys and values.
	key, key2, cell []byte
	stampKey        []byte
	idRow           []byte          // of a new element
	adjacent        []Adjacent      // scratch of Expand
	old             []PropertyEntry // scratch of placeProperty
	index           keyindex.Scratch
	ahead           ahead
	restricted      *Restricted                 // that is given to who is denied something
	ended           func(seq uint64, err error) // of the commit in the store; made once
}

var (
	_ View    = (*Tx)(nil)
	_ Mutator = (*Tx)(nil)
)

// Graph returns the graph that the transaction reads.
func (t *Tx) Graph() *Graph { return t.g }

// ReadOnly reports whether the transaction refuses writes.
func (t *Tx) ReadOnly() bool { return t.options.ReadOnly }

// Pending reports whether the transaction has anything to commit.
func (t *Tx) Pending() bool { return !t.over && t.tx.Pending() }

// SetContext replaces the context under which names and ids are fetched and with which
// reads end, for a transaction that outlives one request.
func (t *Tx) SetContext(ctx context.Context) {
	t.ctx = ctx
	t.tx.SetContext(ctx)
	t.Rest()
}

// Rest forgets what makes the reads of a request faster and belongs to it: its steps with
// all that they hold may be reached from what they said that they were about to read.
func (t *Tx) Rest() {
	t.forgetAhead()
	t.forgetColumns()
}

// Commit makes the writes durable and visible, or returns storage.ErrConflict when
// another transaction won. The transaction is over either way.
func (t *Tx) Commit(ctx context.Context) error {
	if t.over {
		return storage.ErrClosed
	}
	if t.options.ReadOnly {
		return t.Close()
	}
	if err := t.prepare(); err != nil {
		return err
	}
	_, err := t.tx.Commit(ctx)
	return t.committed(err)
}

// CommitAsync commits without waiting: done gets what Commit returns, on any goroutine,
// which it must not block. Only then may the transaction be closed.
func (t *Tx) CommitAsync(ctx context.Context, done func(error)) {
	if t.over || t.options.ReadOnly {
		done(t.Commit(ctx))
		return
	}
	if err := t.prepare(); err != nil {
		done(err)
		return
	}
	if t.done = done; t.ended == nil {
		t.ended = func(_ uint64, err error) { t.done(t.committed(err)) }
	}
	t.tx.CommitAsync(ctx, t.ended)
}

// prepare leaves nothing to do but the commit in the store.
func (t *Tx) prepare() error {
	t.finish()
	err := t.fits()
	if err == nil {
		err = t.mergeCounts()
	}
	if b := t.g.bounds.Load(); b != nil && err == nil {
		err = b.admit(t)
	}
	if t.restamp && err == nil {
		err = t.stampChanges()
	}
	if t.history != nil && err == nil {
		err = past.Keep(t.tx, t.g.number, t.note(), t.purged.without())
	}
	if err != nil {
		t.tx.Close()
		t.ownPaid.Clear()
	}
	return err
}

// note is what history says of who made the commit.
func (t *Tx) note() []byte {
	if t.options.Author == nil {
		return nil
	}
	t.cell = table.AppendAuthor(t.cell[:0], t.options.Author)
	return t.cell
}

// committed takes note of the outcome of the commit in the store.
func (t *Tx) committed(err error) error {
	if err == nil && len(t.interned) > 0 {
		t.g.symbols.settle(t.interned)
	}
	t.ownPaid.Clear()
	return err
}

// Rollback forgets the writes.
func (t *Tx) Rollback() error { return t.Close() }

// Close ends the transaction, forgetting what was not committed. It is idempotent.
func (t *Tx) Close() error {
	if t.closed {
		return nil
	}
	t.closed = true
	t.finish()
	t.g.scratch.release()
	t.ownPaid.Clear()
	return t.tx.Close()
}

// txs are transactions that were recycled.
var txs = sync.Pool{New: func() any { return &Tx{} }}

const (
	// scratchKept bounds the scratch of a Tx that is kept for the next one, in bytes.
	scratchKept = 1 << 10
	// edgesKept bounds the edges that there is room for.
	edgesKept = 256
	// writtenKept bounds its rows and the like, of each kind.
	writtenKept = 32
)

// Recycle gives the memory of a transaction that is over to later ones. The caller holds
// the only reference to it.
func (t *Tx) Recycle() {
	if !t.over {
		return
	}
	t.tx.Recycle()
	if cap(t.key)+cap(t.key2)+cap(t.cell)+cap(t.idRow) > scratchKept {
		return
	}
	t.txState = txState{} // by itself, or it is made elsewhere and copied
	t.key, t.key2, t.cell, t.idRow = t.key[:0], t.key2[:0], t.cell[:0], t.idRow[:0]
	t.index.Shrink(scratchKept)
	t.upkeep = t.upkeep.kept()
	t.vertexRows, t.edgeRows = emptied(t.vertexRows), emptied(t.edgeRows)
	t.dirtyVertices, t.dirtyEdges = emptied(t.dirtyVertices), emptied(t.dirtyEdges)
	t.counts, t.changes = left(t.counts, writtenKept), left(t.changes, writtenKept)
	t.adjacent = left(t.adjacent, edgesKept)
	t.old = left(t.old, edgesKept)
	t.ahead.leave()
	t.restricted.leave()
	txs.Put(t)
}

// emptied returns a map without its entries, or none when it has grown large.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > writtenKept {
		return nil
	}
	clear(m)
	return m
}

// left returns the memory of a list, or none when it has grown large.
func left[T any](list []T, most int) []T {
	if cap(list) > most {
		return nil
	}
	return list[:0]
}

// finish closes what reads the transaction.
func (t *Tx) finish() {
	t.over = true
	t.forgetShade()
	t.forgetKept()
	t.forgetColumns()
	t.forgetAhead()
	open := t.open
	t.open = nil
	for _, s := range open {
		s.at().number = 0
		s.Close()
	}
	clear(open)
	t.open, t.crowd, t.opened = open[:0], 0, 0
}

// learn notes which features the graph uses, whose reading and writing is beside the row.
func (t *Tx) learn() {
	t.counting, t.stamping, t.expiring = t.g.counting(), t.g.stamping(), t.g.expiring()
	t.hiding = t.stamping || t.expiring || t.g.history.Load() != nil
}

// Options returns the graph's options.
func (t *Tx) Options() Options { return t.g.Options() }

// Name returns the text of a symbol.
func (t *Tx) Name(s Symbol) string {
	if isHidden(s) {
		return hiddenName(s)
	}
	return t.g.symbols.name(s)
}

// Symbol returns the symbol of a name. In a writing transaction an unknown name gets
// a number at once, though nothing is stored: the ranges read under it are then the
// ones that a concurrent transaction writes when it makes the name.
func (t *Tx) Symbol(name string) (Symbol, bool) {
	if sym := t.g.symbols.get(name); sym != nil {
		return sym.number, true // what is not durable has nothing under it yet
	}
	if sym, hidden := t.hiddenSymbol(name); hidden {
		return sym, true
	}
	if t.options.ReadOnly || name == "" || len(name) > NameMax || t.g.scratch != nil { // nobody makes the name meanwhile
		return 0, false
	}
	sym, ok := t.g.symbols.ask(name)
	if !ok {
		t.tx.Observe(table.AppendSymbolName(nil, t.g.number, name), nil)
	}
	return sym, ok
}

// Intern returns the symbol of a name, for what the transaction writes. One that is new
// becomes durable with the transaction.
func (t *Tx) Intern(name string) (Symbol, error) {
	sym := t.g.symbols.get(name)
	if sym != nil && sym.durable.Load() {
		return sym.number, nil
	}
	if t.options.ReadOnly {
		return 0, storage.ErrReadOnly
	}
	if name == "" || len(name) > NameMax {
		return 0, illegalArgument("Label or key can not be empty or longer than %d bytes", NameMax)
	}
	if sym == nil {
		var err error
		if sym, err = t.g.symbols.reserve(name); err != nil {
			return 0, err
		}
	}
	if t.known == nil {
		t.known = &keyed.Set{}
	}
	if isNew, err := t.known.Add(uint64(sym.number)); err != nil || !isNew {
		return sym.number, err
	}
	t.interned = append(t.interned, sym)
	t.ownBytes += nameBytes + int64(len(name))
	var err error
	t.nameKey, err = sym.set(t.tx, t.g.number, t.nameKey) // scans may be open on the other scratch
	return sym.number, err
}

// take hands out the next number of a sequence.
func (t *Tx) take(s *sequence) (uint64, error) {
	if t.options.ReadOnly {
		return 0, storage.ErrReadOnly
	}
	if t.options.Alone {
		if n, ok := s.tryTake(1); ok {
			return n, nil
		}
		return s.takeWithin(t.tx, 1)
	}
	return s.take(t.ctx, t.g, 1)
}

func (t *Tx) writable() error {
	switch {
	case t.over:
		return fmt.Errorf("transaction is over: %w", storage.ErrClosed)
	case t.options.ReadOnly:
		return storage.ErrReadOnly
	}
	if t.ownBytes > t.ownPaid.Bytes() {
		return t.payOwn()
	}
	return nil
}

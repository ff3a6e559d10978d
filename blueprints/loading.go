package blueprints

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// ErrNotEmpty is returned by BeginLoad when the graph has elements.
var ErrNotEmpty = errors.New("graph is not empty")

// ErrLoading is returned by writes while a graph is being loaded.
var ErrLoading = fmt.Errorf("graph is being loaded: %w", storage.ErrUnavailable)

// Loading is an empty graph that nobody else writes to while it is filled. Package load
// makes the keys and values; here is what only the graph knows. It is used by one goroutine.
type Loading struct {
	// Definitions are the indexes, Rules those of the schema that records have to keep to.
	Definitions *keyindex.Definitions
	Rules       []*Rules
	// Counters are the keys that are counters.
	Counters *CounterKeys
	// VertexIDs and EdgeIDs are internal ids; Numbers become ids that users see.
	VertexIDs, EdgeIDs, Numbers *LoadNumbers

	g         *Graph
	ctx       context.Context
	symbols   map[string]Symbol
	unsettled []*symbol // that are not durable yet
	newKeys   []autoKey // that have an index, which is not defined yet
	indexed   map[autoKey]bool
	failed    error // of making names durable
	ttls      *labelTTLs
}

// BeginLoad keeps others from writing to a graph, which has to be empty, until End.
func (g *Graph) BeginLoad(ctx context.Context) (*Loading, error) {
	g.defining.Lock()
	ok := g.loading.CompareAndSwap(false, true)
	g.defining.Unlock()
	if !ok {
		return nil, ErrLoading
	}
	l := &Loading{g: g, ctx: ctx, symbols: map[string]Symbol{}}
	if err := l.begin(); err != nil {
		l.End()
		return nil, err
	}
	return l, nil
}

// End lets others write again.
func (l *Loading) End() {
	for _, b := range []*LoadNumbers{l.VertexIDs, l.EdgeIDs, l.Numbers} {
		b.giveBack()
	}
	l.g.loading.Store(false)
}

// begin makes sure that the graph is empty and reads its indexes.
func (l *Loading) begin() error {
	if l.g.dropped.Load() {
		return ErrGraphDropped
	}
	if err := l.g.Writable(); err != nil {
		return err
	}
	tx, err := l.g.store.Begin(l.ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	from, to := l.g.elementSpan()
	it := tx.Scan(storage.ScanOptions{From: from, To: to})
	defer it.Close()
	for it.Next() {
		// Counters of elements that are gone say zero, and may go.
		_, code, _ := table.Head(it.Key())
		if n, ok := storage.Count(it.Value()); code != table.Counters || !ok || n != 0 {
			return ErrNotEmpty
		}
		if err := tx.Delete(append([]byte(nil), it.Key()...)); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	known, err := l.g.definitionsIn(tx.Snapshot())
	if err != nil {
		return err
	}
	l.Definitions, l.Rules, l.Counters = known.defs, l.g.enforced(known.rules), known.counters
	if !l.g.unexpiring.Load() {
		l.ttls = known.ttls
	}
	if _, err := tx.Commit(l.ctx); err != nil {
		return err
	}
	if l.VertexIDs, err = l.block(l.g.vertices); err != nil {
		return err
	}
	if l.EdgeIDs, err = l.block(l.g.edges); err != nil {
		return err
	}
	l.Numbers, err = l.block(l.g.numbers)
	if b := l.g.bounds.Load(); b != nil {
		now := b.Limits()
		l.VertexIDs.max, l.EdgeIDs.max = now.Vertices, now.Edges
	}
	return err
}

// Graph returns the graph that is loaded.
func (l *Loading) Graph() *Graph { return l.g }

// IDScheme returns the form of the ids of a class.
func (l *Loading) IDScheme(class table.Class) ids.Scheme { return l.g.idScheme(class) }

// Symbol returns the symbol of a name, which is durable once Settle has returned. When that
// fails no record can be taken any more.
func (l *Loading) Symbol(name string) (Symbol, error) {
	if sym, ok := l.symbols[name]; ok {
		return sym, nil
	}
	sym, err := l.g.symbols.of(name)
	if err != nil {
		return 0, err
	}
	l.symbols[sym.name] = sym.number
	if sym.durable.Load() {
		return sym.number, nil
	}
	if l.unsettled = append(l.unsettled, sym); len(l.unsettled) == unsettledMax {
		l.failed = l.Settle()
	}
	return sym.number, l.failed
}

// Err is why no record can be taken any more, or nil.
func (l *Loading) Err() error { return l.failed }

// unsettledMax is how many new names become durable together.
const unsettledMax = 1 << 14

// Settle makes the names durable that Symbol was asked for. They stand in what is ingested,
// so they come first.
func (l *Loading) Settle() error {
	names, keys := l.unsettled, l.newKeys
	l.unsettled, l.newKeys = nil, nil
	if err := l.g.settle(l.ctx, names); err != nil || len(keys) == 0 {
		return err
	}
	return l.g.small(l.ctx, func(tx storage.Tx) error {
		for _, k := range keys {
			if err := keyindex.DefineNew(tx, l.g.number, k.class, l.g.symbols.name(k.key), uint32(k.key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Indexed reports whether a key has an index. One that gets it with its first value has it
// once Settle has returned.
func (l *Loading) Indexed(c table.Class, key Symbol) (bool, error) {
	d := l.Definitions
	if _, has := d.Key(c, uint32(key)); has || !d.Every(c) || l.Counters.anyOf(c, 0, key) {
		return d.Maintained(c, uint32(key)), nil
	}
	k := autoKey{c, key}
	if l.indexed[k] {
		return true, nil
	}
	if err := l.g.roomForKey(d, c, len(l.indexed), l.g.symbols.name(key)); err != nil {
		return false, err
	}
	if l.indexed == nil {
		l.indexed = map[autoKey]bool{}
	}
	l.indexed[k] = true
	l.newKeys = append(l.newKeys, k)
	return true, nil
}

// TakeIDs says that users supplied ids, so that generated ones have to look.
func (l *Loading) TakeIDs() error {
	err := l.g.small(l.ctx, func(tx storage.Tx) error { return tx.Set(l.g.takenKey(), []byte{1}) })
	if err == nil {
		l.g.taken.Store(true)
	}
	return err
}

// Ingest makes the sorted keys of sources what the graph holds, all or nothing.
func (l *Loading) Ingest(sources ...storage.KeySource) error {
	from, to := l.g.elementSpan()
	if b := l.g.bounds.Load(); b != nil {
		sources = b.weighed(sources)
	}
	ingest := func() error { return l.g.store.Ingest(l.ctx, from, to, sources...) }
	if l.ttls != nil { // whose table lies outside
		ingest = func() error { return l.commitTables(sources) }
	}
	unstamped := func() error { return l.g.withoutStamps(l.ctx, ingest) }
	if err := l.g.withoutHistory(l.ctx, unstamped); err != nil {
		return err
	}
	if b := l.g.bounds.Load(); b != nil {
		b.loaded(l.VertexIDs.taken(), l.EdgeIDs.taken())
	}
	if l.g.cache != nil {
		l.g.cache.reset(l.g.store.Seq())
	}
	return nil
}

// commitTables is Ingest of sources that go beyond the range of elements.
func (l *Loading) commitTables(sources []storage.KeySource) error {
	tx, err := l.g.store.Begin(l.ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	from, to := l.g.elementSpan()
	it := tx.Scan(storage.ScanOptions{From: from, To: to})
	found := it.Next()
	if err := it.Close(); err != nil {
		return err
	}
	if found {
		return ErrNotEmpty
	}
	_, err = tx.CommitTables(l.ctx, sources...)
	return err
}

// Ends returns when elements of a class that are added at a time end, in milliseconds since 1970, by
// label; of others they stay.
func (l *Loading) Ends(c table.Class, now time.Time) map[Symbol]uint64 {
	ends := map[Symbol]uint64{}
	for label, ms := range l.ttls.of(c) {
		if sym, met := l.symbols[label]; met {
			ends[sym] = uint64(now.UnixMilli() + ms)
		}
	}
	return ends
}

// loadBlock is how many numbers a load takes from a sequence at a time.
const loadBlock = 1 << 20

// LoadNumbers hands out the numbers of a sequence without a gap.
type LoadNumbers struct {
	l         *Loading
	s         *sequence
	next, end uint64
	first     uint64
	max       int64 // how many may be taken, 0 for all
}

func (l *Loading) block(s *sequence) (*LoadNumbers, error) {
	first, err := s.take(l.ctx, l.g, loadBlock)
	return &LoadNumbers{l: l, s: s, next: first, end: first + loadBlock, first: first}, err
}

func (b *LoadNumbers) taken() int64 { return int64(b.next - b.first) }

// Next is the number that comes next, whether or not it is there yet.
func (b *LoadNumbers) Next() uint64 { return b.next }

// Peek returns the number that comes next, which Take will take.
func (b *LoadNumbers) Peek() (uint64, error) {
	if n := b.taken(); b.max > 0 && n >= b.max {
		full := &FullError{Graph: b.l.g.name, Setting: OptionVertices, What: "vertices", Has: n, Max: b.max, More: 1}
		if b == b.l.EdgeIDs {
			full.Setting, full.What = OptionEdges, "edges"
		}
		return 0, full
	}
	if b.next == b.end {
		first, err := b.s.take(b.l.ctx, b.l.g, loadBlock)
		if err != nil {
			return 0, err
		}
		if first != b.end {
			return 0, errors.New("somebody else adds elements")
		}
		b.end += loadBlock
	}
	return b.next, nil
}

// Take takes the number that comes next.
func (b *LoadNumbers) Take() (uint64, error) {
	n, err := b.Peek()
	if err == nil {
		b.next++
	}
	return n, err
}

// giveBack returns what was not used, unless somebody took numbers since.
func (b *LoadNumbers) giveBack() {
	if b == nil {
		return
	}
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if b.s.next == b.end {
		b.s.next = b.next
	}
}

package blueprints

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// LoadReport says what a load did.
type LoadReport struct {
	Vertices, Edges, Properties int64
	Took                        time.Duration
}

// ErrNotEmpty is returned by Load when the graph has elements.
var ErrNotEmpty = errors.New("graph is not empty")

// ErrLoading is returned by writes while a graph is being loaded.
var ErrLoading = fmt.Errorf("graph is being loaded: %w", storage.ErrUnavailable)

// Load fills an empty graph with what fill pushes, all or nothing, many times faster
// than transactions: it sorts that into tables that the store takes in whole. Complete
// indexes are filled too; what a unique one does not allow refuses the whole load, and what
// does not keep to the schema is refused. Nobody else writes to the graph meanwhile. An error that the
// sink returned leaves the load as if the record had not come, and fill may go on.
// Memory: about 20 bytes for each edge, 24 when they have several labels (40 when the ids
// of edges do not ascend), 30 and the id for each vertex; about 40 more for each edge of a
// label that the schema says is SIMPLE. The properties of vertices, those
// of edges with their ids, the table of these ids and the entries of each index, twice, take
// 64 MiB each at most; what is beyond goes to temporary files.
func (g *Graph) Load(ctx context.Context, fill func(RecordSink) error) (LoadReport, error) {
	return g.LoadWithin(ctx, spool.Options{}, fill)
}

// LoadWithin is Load with other bounds for what goes to temporary files.
func (g *Graph) LoadWithin(ctx context.Context, o spool.Options, fill func(RecordSink) error) (LoadReport, error) {
	start := time.Now()
	g.defining.Lock()
	ok := g.loading.CompareAndSwap(false, true)
	g.defining.Unlock()
	if !ok {
		return LoadReport{}, ErrLoading
	}
	defer g.loading.Store(false)
	l := &loader{g: g, ctx: ctx, spools: o}
	l.vertices.props.Options, l.edges.props.Options, l.edgeUserIDs.rows.Options = o, o, o
	defer l.close()
	if err := l.begin(); err != nil {
		return l.report, fmt.Errorf("load graph %q: %w", g.name, err)
	}
	if err := l.collect(fill); err != nil {
		return l.report, fmt.Errorf("load graph %q: %w", g.name, err)
	}
	if err := l.ingest(); err != nil {
		return l.report, fmt.Errorf("load graph %q: %w", g.name, err)
	}
	l.report.Took = time.Since(start)
	return l.report, nil
}

// Load loads the graph of that name; see Graph.Load.
func (db *Database) Load(ctx context.Context, graph string, fill func(RecordSink) error) (LoadReport, error) {
	g, err := db.Graph(graph)
	if err != nil {
		return LoadReport{}, err
	}
	return g.Load(ctx, fill)
}

// begin makes sure that the graph is empty and reads its indexes.
func (l *loader) begin() error {
	if l.g.dropped.Load() {
		return ErrGraphDropped
	}
	tx, err := l.g.store.Begin(l.ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	from, to := l.rangeOf()
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
	l.defs, l.rules, l.counters = known.defs, l.g.enforced(known.rules), known.counters
	l.declared.begin(l.defs, l.spools)
	if _, err := tx.Commit(l.ctx); err != nil {
		return err
	}
	if l.vertexIDs, err = l.block(l.g.vertices); err != nil {
		return err
	}
	if l.edgeIDs, err = l.block(l.g.edges); err != nil {
		return err
	}
	l.numbers, err = l.block(l.g.numbers)
	return err
}

// rangeOf is where everything about elements stands.
func (l *loader) rangeOf() (from, to []byte) {
	return table.AppendTable(nil, l.g.number, table.Vertices), table.AppendTable(nil, l.g.number, table.ElementsEnd)
}

// loadBlock is how many numbers a load takes from a sequence at a time.
const loadBlock = 1 << 20

// numberBlock hands out the numbers of a sequence without a gap.
type numberBlock struct {
	l         *loader
	s         *sequence
	next, end uint64
}

func (l *loader) block(s *sequence) (*numberBlock, error) {
	first, err := s.take(l.ctx, l.g, loadBlock)
	return &numberBlock{l: l, s: s, next: first, end: first + loadBlock}, err
}

// peek returns the number that comes next.
func (b *numberBlock) peek() (uint64, error) {
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

func (b *numberBlock) take() (uint64, error) {
	n, err := b.peek()
	if err == nil {
		b.next++
	}
	return n, err
}

// giveBack returns what was not used, unless somebody took numbers since.
func (b *numberBlock) giveBack() {
	if b == nil {
		return
	}
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if b.s.next == b.end {
		b.s.next = b.next
	}
}

// ingest hands the sorted keys to the store.
func (l *loader) ingest() error {
	for _, indexes := range l.indexes {
		for _, x := range indexes {
			if err := x.owned.Seal(); err != nil {
				return err
			}
		}
	}
	sources, err := l.sources()
	if err != nil {
		return err
	}
	from, to := l.rangeOf()
	if err := l.g.store.Ingest(l.ctx, from, to, sources...); err != nil {
		return err
	}
	if l.g.cache != nil {
		l.g.cache.reset(l.g.store.Seq())
	}
	return nil
}

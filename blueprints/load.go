package blueprints

import (
	"context"
	"errors"
	"fmt"
	"time"

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
// indexes are filled too. Nobody else writes to the graph meanwhile. Memory: about 40
// bytes for each edge and index entry; the rest is spooled to temporary files.
func (g *Graph) Load(ctx context.Context, fill func(RecordSink) error) (LoadReport, error) {
	start := time.Now()
	g.defining.Lock()
	ok := g.loading.CompareAndSwap(false, true)
	g.defining.Unlock()
	if !ok {
		return LoadReport{}, ErrLoading
	}
	defer g.loading.Store(false)
	l := &loader{g: g, ctx: ctx}
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
		if n, ok := table.Count(it.Value()); code != table.Counters || !ok || n != 0 {
			return ErrNotEmpty
		}
		if err := tx.Delete(append([]byte(nil), it.Key()...)); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if l.defs, err = l.definitions(tx.Snapshot()); err != nil {
		return err
	}
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
	return table.AppendTable(nil, l.g.number, table.Vertices), table.AppendTable(nil, l.g.number, table.NamedIndexOwned+1)
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

func (b *numberBlock) take() (uint64, error) {
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
	b.next++
	return b.next - 1, nil
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

// ingest hands the sorted keys to the store. A goroutine makes them in batches while
// the store writes.
func (l *loader) ingest() error {
	ctx, cancel := context.WithCancel(l.ctx)
	out := &emitter{ctx: ctx, batches: make(chan *keyBatch, emitAhead), free: make(chan *keyBatch, emitAhead+2)}
	go func() {
		defer close(out.batches)
		err := l.emit(out)
		out.send(err)
	}()
	defer func() {
		cancel()
		for range out.batches { // until the goroutine has ended
		}
	}()
	from, to := l.rangeOf()
	if err := l.g.store.Ingest(l.ctx, from, to, out.next); err != nil {
		return err
	}
	if l.g.cache != nil {
		l.g.cache.reset(l.g.store.Seq())
	}
	return nil
}

const (
	emitAhead     = 4
	emitBatchKeys = 4096
)

// keyBatch is some keys and values, in one piece of memory.
type keyBatch struct {
	mem  []byte
	ends []int // of key, value, key, ...
	err  error // after the last key
}

// emitter carries keys from the goroutine that makes them to the store.
type emitter struct {
	ctx     context.Context
	batches chan *keyBatch
	free    chan *keyBatch
	cur     *keyBatch // of the maker

	read *keyBatch // of the store
	at   int
}

func (e *emitter) key(key, val []byte) error {
	b := e.cur
	if b == nil {
		b = e.fresh()
		e.cur = b
	}
	b.mem = append(b.mem, key...)
	b.ends = append(b.ends, len(b.mem))
	b.mem = append(b.mem, val...)
	b.ends = append(b.ends, len(b.mem))
	if len(b.ends) >= 2*emitBatchKeys {
		return e.send(nil)
	}
	return nil
}

func (e *emitter) fresh() *keyBatch {
	select {
	case b := <-e.free:
		b.mem, b.ends, b.err = b.mem[:0], b.ends[:0], nil
		return b
	default:
		return &keyBatch{ends: make([]int, 0, 2*emitBatchKeys)}
	}
}

func (e *emitter) send(err error) error {
	b := e.cur
	if b == nil {
		b = e.fresh()
	}
	b.err, e.cur = err, nil
	select {
	case e.batches <- b:
		return nil
	case <-e.ctx.Done():
		return e.ctx.Err()
	}
}

// next is what storage.Store.Ingest pulls.
func (e *emitter) next() (key, val []byte, ok bool, err error) {
	for e.read == nil || e.at == len(e.read.ends) {
		if e.read != nil {
			if e.read.err != nil {
				return nil, nil, false, e.read.err
			}
			select {
			case e.free <- e.read:
			default:
			}
		}
		if e.read, ok = <-e.batches; !ok {
			e.read = nil
			return nil, nil, false, e.ctx.Err()
		}
		e.at = 0
	}
	start := 0
	if e.at > 0 {
		start = e.read.ends[e.at-1]
	}
	mid, end := e.read.ends[e.at], e.read.ends[e.at+1]
	e.at += 2
	return e.read.mem[start:mid], e.read.mem[mid:end], true, nil
}

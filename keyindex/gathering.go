package keyindex

import (
	"bytes"
	"context"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// gathering is a transaction that reads a snapshot, unobserved, and keeps what is set, in sorted
// runs of each table.
type gathering struct {
	storage.Tx // nil: nothing but what is below is asked for
	ctx        context.Context
	snap       storage.Snapshot
	stint      *stint
	spare      *spareRuns
	ids        []uint64
	element    int // of ids, that entries are set of
	most       int // bytes of runs
	bytes      int
	runs       []*run
	open       []*run // of runs, those that have room, one for each table
	grams      []gramRun
	gramKeys   gramKeys
}

// headLen is how much of a key says which table it is of.
const headLen = 5

// gather finds the entries of elements and sorts them.
func (g *gathering) gather(graph uint32, src Source, d *Definition) error {
	if err := g.find(graph, src, d); err != nil {
		return err
	}
	for _, r := range g.open {
		r.sort(g.spare)
	}
	if last := len(g.grams) - 1; last >= 0 {
		g.grams[last] = g.grams[last].sort(g.spare)
	}
	return g.stint.turn(g.ctx, 0)
}

func (g *gathering) find(graph uint32, src Source, d *Definition) (err error) {
	b := newFiller(g, graph, d, &failure{})
	if d.Analyzer == Trigram {
		b.x, g.gramKeys = gramIndex{b.x, g}, newGramKeys(graph, d)
	}
	for i := 0; i < len(g.ids); i += readMax {
		some := g.ids[i:min(i+readMax, len(g.ids))]
		if b.els, err = src.ReadingRows(g, d.Class, some, d.symbols()); err != nil {
			return err
		}
		for j, id := range some {
			g.element = i + j
			if err := b.element(id); err != nil {
				return err
			}
			if j%turnEach == turnEach-1 || j == len(some)-1 {
				if err := g.stint.turn(g.ctx, float64(j%turnEach+1)); err != nil {
					return err
				}
			}
		}
		if b.f.any() {
			return errOneByOne
		}
	}
	return nil
}

// turnEach is how many elements a builder goes through before others have their turn.
const turnEach = 32

// filler adds the entries that elements have in an index of any kind.
type filler struct {
	batchFill
	s      Scratch
	values []value.Value
}

func newFiller(tx storage.Tx, graph uint32, d *Definition, f *failure) *filler {
	return &filler{batchFill: batchFill{tx: tx, graph: graph, x: d.Open(graph), f: f}}
}

func (b *filler) element(id uint64) (err error) {
	d := b.x.Definition()
	if d.Declared() {
		return b.batchFill.element(id)
	}
	b.values, err = b.els.Values(b.values[:0], d.Class, id, d.Symbol)
	for _, v := range b.values {
		if err = b.s.Add(b.tx, table.KeyIndex{Graph: b.graph, Class: d.Class, Key: d.Symbol, Element: id}, v); err != nil {
			break
		}
	}
	return err
}

// symbols are the property keys that an index is about.
func (d *Definition) symbols() []uint32 {
	if d.Declared() {
		return d.Symbols
	}
	return []uint32{d.Symbol}
}

// Set implements storage.Tx.
func (g *gathering) Set(key, val []byte) error {
	if len(key) < headLen {
		return errNoTables
	}
	i := slices.IndexFunc(g.open, func(r *run) bool { return bytes.HasPrefix(key, r.head()) })
	if i < 0 {
		i = len(g.open)
		g.open = append(g.open, nil)
	}
	if r := g.open[i]; r == nil || !r.fits(len(key)+len(val)) {
		if r != nil {
			r.sort(g.spare)
		}
		next := g.spare.take(len(key) + len(val))
		if g.bytes += next.size(); g.bytes > g.most {
			return errNoTables
		}
		g.open[i], g.runs = next, append(g.runs, next)
	}
	g.open[i].add(g.element, key, val)
	return nil
}

// Delete implements storage.Tx: fences alone are deleted, over which fillTables writes.
func (g *gathering) Delete([]byte) error { return nil }

// Get implements storage.Reader.
func (g *gathering) Get(key []byte) ([]byte, error) { return g.snap.Get(key) }

// Scan implements storage.Reader.
func (g *gathering) Scan(o storage.ScanOptions) storage.Iterator { return g.snap.Scan(o) }

// GetMany implements storage.Reader.
func (g *gathering) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	return g.snap.GetMany(keys, fn)
}

// ScanMany implements storage.Reader.
func (g *gathering) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	return g.snap.ScanMany(ranges, fn)
}

// Snapshot implements storage.Tx.
func (g *gathering) Snapshot() storage.Snapshot { return g.snap }

// Observe implements storage.Tx: fillTables observes all rows at once.
func (g *gathering) Observe([]byte, []byte) {}

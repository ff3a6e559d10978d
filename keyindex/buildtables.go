package keyindex

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/storage"
)

// Filling an index by tables. The entries of many elements are gathered by all processors,
// sorted, and committed as whole tables, with the builder's place behind them. Others write
// meanwhile: who does not change one of the elements is no matter, for each entry is of one
// element. Of elements that somebody has changed the tables hold entries that are wrong, on top of
// what he wrote. They are noted with the tables (see doubt), and mended before anything else
// is done; the index is not used yet. A unique index is used before it is ACTIVE: whoever adds an
// element is told what stands in his way. So nothing in it may be wrong (see uniqueTables).

// tablesBytes is what the entries of tables may take in memory.
const tablesBytes = 96 << 20

// errNoTables says that elements have more entries than are kept in memory.
var errNoTables = errors.New("not to be filled by tables")

// errOneByOne says that elements have entries which the index does not allow: transactions go through
// them one by one, and find out what is to be said.
var errOneByOne = errors.New("to be looked at one by one")

// fillTables commits tx with the entries of elements.
func (b *builder) fillTables(ctx context.Context, tx storage.Tx, d *Definition, ids []uint64, next []byte) error {
	slices.Sort(ids) // they come by label
	tx.Observe(b.src.Rows(d.Class, ids[0], ids[len(ids)-1]))
	b.stages.begin()
	parts, err := b.gather(ctx, tx, d, ids)
	defer func() {
		for _, g := range parts {
			b.spare.give(g.runs...)
			b.spare.giveGrams(g.grams...)
		}
	}()
	if err != nil {
		return err
	}
	sources := sourcesOf(parts, d, b.turns(ctx, parts, len(ids)))
	beside := storage.Beside{Late: func(touched []storage.Touched) (storage.KeySource, error) {
		changed, err := b.changedOf(touched, d, ids)
		if err != nil {
			return nil, err
		}
		return along(b.graph, d, next, doubtsOf(parts, changed))
	}}
	if d.Unique {
		beside, sources = b.uniqueTables(tx, d, ids, next, sources)
	}
	if _, err := tx.CommitTablesBeside(ctx, beside, sources...); err != nil {
		return err
	}
	b.pace.own(1)
	if b.pace.beside() {
		return sleep(ctx, tablesRest)
	}
	return nil
}

// tablesRest is how long a builder rests behind tables: others have waited while they were taken in.
const tablesRest = 30 * time.Millisecond

// gather finds the entries of elements, with all processors unless there are others.
func (b *builder) gather(ctx context.Context, tx storage.Tx, d *Definition, ids []uint64) (parts []*gathering, err error) {
	n := min(runtime.GOMAXPROCS(0), (len(ids)+tablesMin-1)/tablesMin)
	if b.pace.beside() {
		n = 1
	}
	var group errgroup.Group
	for i := range n {
		snap, err := tx.Snapshot().Fork()
		if err != nil {
			return parts, errors.Join(err, group.Wait())
		}
		part := ids[i*len(ids)/n : (i+1)*len(ids)/n]
		g := &gathering{ctx: ctx, snap: snap, stint: b.stages.find(b.pace), spare: &b.spare, most: tablesBytes / n, ids: part}
		parts = append(parts, g)
		group.Go(func() error {
			err := g.gather(b.graph, b.src, d)
			return errors.Join(err, snap.Close())
		})
	}
	return parts, group.Wait()
}

// turns returns how each goroutine that writes the entries of some elements is held back.
func (b *builder) turns(ctx context.Context, parts []*gathering, elements int) func() func(entries int) error {
	all := 0
	for _, g := range parts {
		for _, r := range g.runs {
			all += len(r.sets)
		}
		for _, r := range g.grams {
			all += len(r)
		}
	}
	return func() func(int) error {
		s := b.stages.write(b.pace)
		return func(entries int) error { return s.turn(ctx, float64(entries)*float64(elements)/float64(all)) }
	}
}

// turnEntries is how many entries are written before others have their turn.
const turnEntries = 512

// sourcesOf joins what was gathered of each table. Each takes its turns behind some entries.
func sourcesOf(parts []*gathering, d *Definition, turns func() func(entries int) error) []storage.KeySource {
	var tables [][]*run // by their heads
	grams := false
	for _, g := range parts {
		grams = grams || len(g.grams) > 0
		for _, r := range g.runs {
			i, found := slices.BinarySearchFunc(tables, r, func(t []*run, r *run) int { return bytes.Compare(t[0].head(), r.head()) })
			if !found {
				tables = slices.Insert(tables, i, nil)
			}
			tables[i] = append(tables[i], r)
		}
	}
	if grams { // nothing else is
		return []storage.KeySource{inTurns(turns, func(add addEntry) error { return mergeGrams(parts, parts[0].gramKeys, add) })}
	}
	sources := make([]storage.KeySource, len(tables))
	for i, runs := range tables {
		sources[i] = inTurns(turns, func(add addEntry) error { return merge(runs, d.Unique, add) })
	}
	return sources
}

// addEntry is what a storage.KeySource hands its keys to.
type addEntry = func(key, value []byte) error

// inTurns is a source that has others run behind some entries.
func inTurns(turns func() func(entries int) error, each storage.KeySource) storage.KeySource {
	return func(add addEntry) error {
		n, turn := 0, turns()
		return each(func(key, value []byte) error {
			if n++; n%turnEntries == 0 {
				if err := turn(turnEntries); err != nil {
					return err
				}
			}
			return add(key, value)
		})
	}
}

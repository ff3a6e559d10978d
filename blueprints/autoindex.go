package blueprints

import (
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// A graph in which every key has an index (AccumuloGraph's autoIndex). Whoever writes the first
// value of a key writes the definition of its index in the same transaction, complete: nobody
// else has a value of it. What there was before the graph became such is built as any index.
// Keys that are counters have none.

// autoIndexMax is how many keys of a class such a graph has at most: every transaction that
// brings a new one makes all read the list again.
const autoIndexMax = 4096

// autoKey is a key of a class.
type autoKey struct {
	class table.Class
	key   Symbol
}

// newKey gives a key its index unless it has one, in a graph where every key has. It reports
// whether values of the key have to reach an index.
func (t *Tx) newKey(d *keyindex.Definitions, c table.Class, key Symbol) (bool, error) {
	if _, has := d.Key(c, uint32(key)); has || t.counters.anyOf(c, 0, key) {
		return false, nil
	}
	for _, k := range t.newKeys {
		if k == (autoKey{c, key}) {
			return true, nil
		}
	}
	name := t.Name(key)
	if err := t.g.roomForKey(d, c, len(t.newKeys), name); err != nil {
		return false, err
	}
	t.newKeys = append(t.newKeys, autoKey{c, key})
	t.ownBytes += nameBytes + int64(len(name))
	return true, keyindex.DefineNew(t.tx, t.g.number, c, name, uint32(key))
}

func (g *Graph) roomForKey(d *keyindex.Definitions, c table.Class, more int, name string) error {
	if len(d.Keys(c))+more < autoIndexMax {
		return nil
	}
	return illegalArgument("key %.64s: graph %s has an index of every key (%s), and so %d keys of a %s at most", name, g.name, string(AutoIndex), autoIndexMax, c)
}

// indexesNewly reports whether the transaction gave a key its index.
func (t *Tx) indexesNewly(c table.Class, key Symbol) bool {
	for _, k := range t.newKeys {
		if k == (autoKey{c, key}) {
			return true
		}
	}
	return false
}

// IndexEveryKey makes a graph one in which every property key has an index, those that come
// later too. The indexes of those that are there are built in the background; IndexEveryKey
// returns when all are complete, or with the error of ctx while the building goes on.
func (g *Graph) IndexEveryKey(ctx context.Context) error {
	if g.scratch != nil {
		return errScratch
	}
	g.autoIndexing.Lock()
	err := g.indexEveryKey(ctx)
	g.autoIndexing.Unlock()
	if err != nil {
		return fmt.Errorf("give every key of graph %q an index: %w", g.name, err)
	}
	return g.worker.Wait(ctx, func(d *keyindex.Definitions) bool {
		for _, def := range d.Unfinished() {
			if !def.Declared() && def.State == keyindex.Building {
				return false
			}
		}
		return true
	})
}

// indexEveryKey makes the definitions. The feature comes first: a graph that has it and not
// the mark was interrupted, and goes on when it is opened.
func (g *Graph) indexEveryKey(ctx context.Context) error {
	if err := g.gain(AutoIndex); err != nil {
		return err
	}
	for {
		err := g.define(ctx, g.defineEveryKey)
		if !errors.Is(err, keyindex.ErrDropping) {
			g.worker.Wake()
			return err
		}
		gone := func(d *keyindex.Definitions) bool {
			for _, def := range d.Unfinished() {
				if !def.Declared() && def.State == keyindex.Dropping {
					return false
				}
			}
			return true
		}
		if err := g.worker.Wait(ctx, gone); err != nil {
			return err
		}
	}
}

// defineEveryKey defines an index of every name that is stored, for each may be a key, and
// marks the graph.
func (g *Graph) defineEveryKey(tx storage.Tx) error {
	if marked, err := keyindex.AllMarked(tx, g.number); err != nil || marked {
		return err
	}
	counters, err := g.loadCounterKeys(tx)
	if err != nil {
		return err
	}
	names := map[Symbol]string{}
	from := table.AppendTable(nil, g.number, table.NameBySymbol)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	for it.Next() {
		_, n, err := table.DecodeSymbol(it.Key())
		if err != nil {
			it.Close()
			return corrupt("symbol", err)
		}
		if name := string(it.Value()); ValidateKey(name) == nil {
			names[Symbol(n)] = name
		}
	}
	err = it.Err()
	it.Close()
	if err != nil {
		return err
	}
	if len(names) > autoIndexMax {
		return illegalArgument("it has %d names of labels and keys: an index of every key can be had with %d at most", len(names), autoIndexMax)
	}
	for sym, name := range names {
		for _, c := range definedClasses {
			if counters.anyOf(c, 0, sym) {
				continue
			}
			if err := keyindex.Define(tx, g.number, c, name, uint32(sym)); err != nil {
				return err
			}
		}
	}
	return keyindex.MarkAll(tx, g.number, true)
}

// finishAutoIndex goes on with what a crash interrupted.
func (g *Graph) finishAutoIndex() error {
	if !g.Uses(AutoIndex) {
		return nil
	}
	return g.indexEveryKey(context.Background())
}

// loseAutoIndex leaves the indexes that there are, and gives keys that come later none.
func (g *Graph) loseAutoIndex(ctx context.Context) error {
	g.autoIndexing.Lock()
	defer g.autoIndexing.Unlock()
	return g.db.loseFeature(g, AutoIndex, func() error {
		return g.define(ctx, func(tx storage.Tx) error { return keyindex.MarkAll(tx, g.number, false) })
	})
}

func (g *Graph) autoIndexKept(context.Context) (string, error) {
	n := 0
	for _, c := range definedClasses {
		keys, err := g.IndexedKeys(c)
		if err != nil {
			return "", err
		}
		n += len(keys)
	}
	return fmt.Sprintf("an index of every key, %d so far: they stay, and can be dropped one by one; keys that come later get none", n), nil
}

package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// How a graph loses its counters: their values become properties as others. From then on
// that it begins, nobody makes a counter or adds to one.

var errUncounting = errors.New("the feature counters is being turned off: there are no counters any more")

// uncountPiece is how many elements lose their counters in one transaction.
const uncountPiece = 256

// loseCounters makes ordinary properties of all counters, and takes the feature away. What
// is interrupted has made some, and can be called again.
func (g *Graph) loseCounters(ctx context.Context) error {
	if !g.uncounting.CompareAndSwap(false, true) {
		return errors.New("somebody else is turning the feature counters off")
	}
	defer g.uncounting.Store(false)
	// Transactions that do not know of it yet depend on the version.
	if err := g.define(ctx, func(tx storage.Tx) error { return g.touchVersion(tx) }); err != nil {
		return err
	}
	var keys *CounterKeys
	err := g.View(ctx, func(tx *Tx) (err error) {
		keys, err = g.loadCounterKeys(tx.tx)
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range keys.all(g.number) {
		if err := g.uncount(ctx, k); err != nil {
			return fmt.Errorf("turn counters of graph %q into properties: %w", g.name, err)
		}
	}
	defer g.worker.Wake()
	return g.db.loseFeature(g, Counters, func() error {
		return g.define(ctx, func(tx storage.Tx) error {
			for _, k := range keys.all(g.number) {
				if err := tx.Delete(table.AppendCounterKey(nil, k)); err != nil {
					return err
				}
			}
			return errors.Join(g.indexUncounted(tx, keys), g.touchVersion(tx))
		})
	})
}

// indexUncounted gives keys that were counters their index, in a graph where every key has one.
func (g *Graph) indexUncounted(tx storage.Tx, keys *CounterKeys) error {
	every, err := keyindex.AllMarked(tx, g.number)
	if err != nil || !every {
		return err
	}
	for _, k := range keys.all(g.number) {
		if err := keyindex.Define(tx, g.number, k.Class, g.symbols.name(Symbol(k.Key)), k.Key); err != nil {
			return err
		}
	}
	return nil
}

// uncount makes properties of the counters of one label and key.
func (g *Graph) uncount(ctx context.Context, k table.CounterKey) error {
	var after []byte
	for {
		var ids []uint64
		next := after
		err := g.Update(ctx, func(tx *Tx) (err error) {
			ids, next, err = source{g.number}.Elements(tx.tx, k.Class, k.Label, after, math.MaxUint64, uncountPiece)
			for _, id := range ids {
				if err == nil {
					err = tx.uncount(k.Class, id, Symbol(k.Key))
				}
			}
			return err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		after = next
	}
}

// uncount makes a property of a counter.
func (t *Tx) uncount(c table.Class, id uint64, key Symbol) error {
	n, ok, err := t.readCounter(c, id, key, false)
	if err != nil || !ok {
		return err
	}
	if err := t.removeCounter(c, id, key); err != nil {
		return err
	}
	if c == table.EdgeClass {
		return t.setEdgeProperty(EdgeID(id), key, value.Long(n))
	}
	_, err = t.placeProperty(VertexID(id), cardinalitySingle, key, PropertyCell{Value: value.Long(n)})
	return err
}

// countersKept says what loseCounters takes away.
func (g *Graph) countersKept(ctx context.Context) (text string, err error) {
	err = g.View(ctx, func(tx *Tx) error {
		keys, err := g.loadCounterKeys(tx.tx)
		if err != nil {
			return err
		}
		n := 0
		if keys != nil {
			n = keys.n
		}
		text = fmt.Sprintf("%d counters of labels: their sums stay, as ordinary properties; what was counted by interval goes", n)
		return nil
	})
	return text, err
}

// DefinedCounter is a property key that is a counter of the elements of a label.
type DefinedCounter struct {
	Class string `json:"class"` // vertex or edge
	Label string `json:"label"`
	Key   string `json:"key"`
}

// definedCounters lists the counters of the graph.
func (g *Graph) definedCounters(ctx context.Context) (all []DefinedCounter, err error) {
	err = g.View(ctx, func(tx *Tx) error {
		keys, err := g.loadCounterKeys(tx.tx)
		for _, k := range keys.all(g.number) {
			all = append(all, DefinedCounter{k.Class.String(), tx.Name(Symbol(k.Label)), tx.Name(Symbol(k.Key))})
		}
		return err
	})
	return all, err
}

// defineCounters makes keys counters that are none yet.
func (g *Graph) defineCounters(ctx context.Context, all []DefinedCounter) error {
	if len(all) == 0 {
		return nil
	}
	return g.Update(ctx, func(tx *Tx) error {
		for _, d := range all {
			c, err := ParseClass(d.Class)
			if err == nil {
				err = tx.DeclareCounter(c, d.Label, d.Key)
			}
			if err != nil {
				return fmt.Errorf("make a counter of %s: %w", d.Key, err)
			}
		}
		return nil
	})
}

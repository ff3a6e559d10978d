package blueprints

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Truncate removes all elements, at the cost of one range and not of what there was. The
// graph's options, indexes, schema and counters' keys stay, and no id is given out again. History
// begins anew.
// Transactions that are under way and have written conflict.
func (g *Graph) Truncate(ctx context.Context) error {
	from, to := g.elementSpan()
	err := g.define(ctx, func(tx storage.Tx) error {
		if b := g.bounds.Load(); b != nil {
			b.emptied(tx)
		}
		if g.history.Load() != nil {
			if err := errors.Join(g.forgetHistory(tx), g.setFloor(tx)); err != nil {
				return err
			}
		}
		if g.expiring() {
			ends := table.AppendTable(nil, g.number, table.Expiries)
			if err := tx.DeleteRange(ends, table.PrefixEnd(nil, ends)); err != nil {
				return err
			}
		}
		return tx.DeleteRange(from, to)
	})
	if err == nil {
		g.news.tell() // of a history that is another
	}
	return err
}

// elementSpan is where everything about elements stands.
func (g *Graph) elementSpan() (from, to []byte) {
	return table.AppendTable(nil, g.number, table.Vertices), table.AppendTable(nil, g.number, table.ElementsEnd)
}

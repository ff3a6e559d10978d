package blueprints

import (
	"context"

	"github.com/gremlind/gremlind/storage"
)

// Refresh has a transaction on a graph of committed isolation read the newest commit
// beneath its own writes from now on; on others it does nothing. What it wrote, and what
// that depends on, still conflicts: the next write or the commit says so.
func (t *Tx) Refresh(ctx context.Context) error {
	if t.over || t.g.options.Isolation != storage.CommittedIsolation {
		return nil
	}
	before := t.tx.Seq()
	if err := t.tx.Refresh(ctx); err != nil {
		return err
	}
	if t.seq = t.tx.Seq(); t.seq == before {
		return nil
	}
	// Copies of rows may lack what others have written to the same elements.
	for v, row := range t.vertexRows {
		if !row.own {
			t.dropVertex(v)
		}
	}
	for e, row := range t.edgeRows {
		if !row.own {
			t.dropEdge(e)
		}
	}
	t.defs, t.rules, t.counters, t.ttls = nil, nil, nil, nil
	t.history = t.g.history.Load()
	t.learn()
	t.forgetShade()
	t.forgetKept()
	t.forgetColumns()
	return nil
}

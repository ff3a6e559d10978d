package blueprints

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Elements that were dropped come back under the internal ids that they had, which nobody got
// since: so their history is one. All else about them is written as for new ones: user ids,
// labels, adjacency, counts, and entries of the indexes that there are now. What ends by itself
// comes back without an end.

// reviveVertex adds a vertex that was dropped, without properties.
func (t *Tx) reviveVertex(v VertexID, c VertexCell) error {
	if err := t.writable(); err != nil {
		return err
	}
	if _, own := t.goneVertices[v]; own {
		return illegalState("vertex %s was dropped by this transaction: it comes back with a rollback", c.ID.Brief())
	}
	row, err := t.freeRow(table.VertexClass, c.ID)
	if err != nil {
		return err
	}
	t.key = table.AppendVertexExists(t.key[:0], t.g.number, uint64(v))
	if _, there, err := t.get(); there || err != nil { // which observes it
		return firstError(err, illegalArgument("vertex %s exists", c.ID.Brief()))
	}
	if t.cell, err = AppendVertexCell(t.cell[:0], c); err != nil {
		return err
	}
	t.keepVertex(v, &vertexRow{exists: true, own: true, cell: c})
	if err := t.tx.Set(t.key, t.cell); err != nil {
		return err
	}
	if err := t.stampAdded(table.VertexClass, uint64(v)); err != nil {
		return err
	}
	return t.register(table.VertexClass, c.Label, uint64(v), row)
}

// reviveEdge adds an edge that was dropped, whose ends are there, without properties.
func (t *Tx) reviveEdge(e EdgeID, c EdgeCell) error {
	if err := t.writable(); err != nil {
		return err
	}
	if _, own := t.goneEdges[e]; own {
		return illegalState("edge %s was dropped by this transaction: it comes back with a rollback", c.ID.Brief())
	}
	for _, v := range [...]VertexID{c.Out, c.In} {
		if err := t.guardVertex(v); err != nil {
			return fmt.Errorf("edge %s: %w", c.ID.Brief(), err)
		}
	}
	row, err := t.freeRow(table.EdgeClass, c.ID)
	if err != nil {
		return err
	}
	t.key = table.AppendEdgeExists(t.key[:0], t.g.number, uint64(e))
	if _, there, err := t.get(); there || err != nil {
		return firstError(err, illegalArgument("edge %s exists", c.ID.Brief()))
	}
	t.dirtyEnds(c.Out, c.In)
	if t.cell, err = AppendEdgeCell(t.cell[:0], c); err != nil {
		return err
	}
	t.keepEdge(e, &edgeRow{exists: true, own: true, cell: c})
	if err := t.tx.Set(t.key, t.cell); err != nil {
		return err
	}
	if err := t.rejoin(e, c); err != nil {
		return err
	}
	if err := t.stampAdded(table.EdgeClass, uint64(e)); err != nil {
		return err
	}
	return t.register(table.EdgeClass, c.Label, uint64(e), row)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// freeRow returns the row of a user id in the table of ids, unless another element has the id by
// now. It is valid until the next call.
func (t *Tx) freeRow(class table.Class, id value.Value) ([]byte, error) {
	t.g.takenIDs.note(id)
	f := t.g.idScheme(class)
	taken, err := t.otherTaken(class, f, id)
	if err != nil {
		return nil, err
	}
	if t.idRow, err = f.AppendRow(t.idRow[:0], id); err != nil {
		return nil, err
	}
	if !taken {
		if _, taken, err = t.findRow(class, t.idRow); err != nil {
			return nil, err
		}
	}
	if taken {
		return nil, illegalArgument("%s %s exists", class, id.Brief())
	}
	return t.idRow, nil
}

// rewriteProperty makes a property of a vertex that is there what a cell says, nil for none.
func (t *Tx) rewriteProperty(v VertexID, key Symbol, ordinal uint64, cell []byte) error {
	if err := t.writable(); err != nil {
		return err
	}
	if cell == nil {
		return t.RemoveVertexProperty(v, PropertyEntry{Key: key, Ordinal: ordinal})
	}
	c, err := DecodePropertyCell(cell)
	if err != nil {
		return err
	}
	if err := t.noCounter(table.VertexClass, uint64(v), key); err != nil {
		return err
	}
	u, err := t.before(table.VertexClass, uint64(v), key, &c.Value)
	if err != nil {
		return err
	}
	err = t.replaceProperty(v, key, ordinal, c)
	if serr := u.settle(); err == nil {
		err = serr
	}
	return err
}

// replaceProperty writes a property and its entry in key indexes alone.
func (t *Tx) replaceProperty(v VertexID, key Symbol, ordinal uint64, c PropertyCell) error {
	old, had, err := t.propertyCell(v, PropertyEntry{Key: key, Ordinal: ordinal})
	if err != nil {
		return err
	}
	if err := t.forgetEnd(table.VertexClass, uint64(v), key, ordinal, old.Expires); err != nil {
		return err
	}
	c.Expires = 0
	if _, err := t.setPropertyCell(v, key, ordinal, c); err != nil {
		return err
	}
	if had {
		if err := t.unindexProperty(v, key, old.Value); err != nil {
			return err
		}
	}
	return t.indexProperty(table.VertexClass, uint64(v), key, c.Value)
}

// rewriteEdgeProperty is rewriteProperty for an edge.
func (t *Tx) rewriteEdgeProperty(e EdgeID, key Symbol, cell []byte) error {
	if cell == nil {
		return t.RemoveEdgeProperty(e, t.Name(key))
	}
	val, err := DecodeEdgeProperty(cell)
	if err != nil {
		return err
	}
	if err := t.noCounter(table.EdgeClass, uint64(e), key); err != nil {
		return err
	}
	u, err := t.before(table.EdgeClass, uint64(e), key, &val)
	if err != nil {
		return err
	}
	err = t.setEdgeProperty(e, key, val)
	if serr := u.settle(); err == nil {
		err = serr
	}
	return err
}

// noCounter refuses to write a property whose key has become a counter.
func (t *Tx) noCounter(class table.Class, id uint64, key Symbol) error {
	is, err := t.takesCounter(class, id, key)
	if err == nil && is {
		err = illegalArgument("key %s has become a counter, of which no history is kept: nothing comes back under it", t.Name(key))
	}
	return err
}

package blueprints

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/value"
)

// Restore has an element there again that was dropped, as it was then: the last one that had the
// id. With a vertex come the edges that were dropped with it, but for those whose other end is
// gone, or whose id another edge has by now: they are counted as skipped.
func (t *Tx) Restore(class ElementClass, id value.Value) (Undone, error) {
	n, err := t.restore(class, id)
	return n, tooLarge(err, fmt.Sprintf("%s %s cannot come back in one transaction: raise transactionBytes for it", class, id.Brief()))
}

func (t *Tx) restore(class ElementClass, id value.Value) (n Undone, err error) {
	if err := t.writable(); err != nil {
		return n, err
	}
	if _, err := t.HistoryFloor(); err != nil {
		return n, err
	}
	if _, there, err := t.findID(class, id); there || err != nil {
		return n, firstError(err, illegalArgument("%s %s exists", class, id.Brief()))
	}
	element, until, ok, err := t.findGone(class, id)
	if err != nil {
		return n, err
	}
	if !ok {
		return n, t.neverKnown(class, id)
	}
	was := past.At(t.tx.Snapshot(), t.g.number, until-1)
	if class == EdgeClass {
		n.Properties, err = t.revive(was, class, element)
		if errors.Is(err, errEndGone) {
			err = illegalArgument("edge %s cannot come back: a vertex that it joined is gone: restore that", id.Brief())
		}
		n.Edges = 1
		return n, err
	}
	if n.Properties, err = t.revive(was, class, element); err != nil {
		return n, err
	}
	n.Vertices = 1
	return n, t.reviveEdges(was, until-1, VertexID(element), &n)
}

// neverKnown is the error of an element that is not to be found in the past.
func (t *Tx) neverKnown(class ElementClass, id value.Value) error {
	return illegalArgument("there was no %s %s in the history of graph %s", class, id.Brief(), t.g.name)
}

// reviveEdges has the edges there again that a vertex had as of a stamp.
func (t *Tx) reviveEdges(was storage.Reader, at storage.Stamp, v VertexID, n *Undone) error {
	old, err := t.g.Begin(t.ctx, TxOptions{ReadOnly: true, AsOf: at, Account: t.options.Account})
	if err != nil {
		return err
	}
	err = old.Expand([]VertexID{v}, Expansion{Dir: Both}, SinkFunc(func(_ int, e Expanded) error {
		for i, a := range e.Edges {
			if a.Dir == In && a.Other == v {
				continue // it has come with those that go out
			}
			if i%changesAtOnce == 0 {
				if err := t.polled(); err != nil {
					return err
				}
			}
			if err := t.reviveOrSkip(was, a.Edge, a.Other, n); err != nil {
				return err
			}
		}
		return nil
	}))
	return errors.Join(err, old.Close())
}

func (t *Tx) reviveOrSkip(was storage.Reader, e EdgeID, other VertexID, n *Undone) error {
	there, err := t.VertexExists(other)
	if err != nil {
		return err
	}
	cell, err := cellOf(was, t.existsKey(EdgeClass, uint64(e)))
	if err != nil || cell == nil {
		return firstError(err, corrupt("history of an edge", nil))
	}
	c, err := DecodeEdgeCell(cell)
	if err != nil {
		return err
	}
	if there {
		_, taken, err := t.findID(EdgeClass, c.ID)
		if err != nil {
			return err
		}
		there = !taken
	}
	if !there {
		n.Skipped++
		return nil
	}
	props, err := t.revive(was, EdgeClass, uint64(e))
	n.Edges, n.Properties = n.Edges+1, n.Properties+props
	return err
}

package blueprints

import (
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// DeclaredIndexes lists the complete declared indexes of a class, none when the definitions
// cannot be read: the reads that follow will report why.
func (t *Tx) DeclaredIndexes(c ElementClass) []*IndexDefinition {
	d, err := t.definitions()
	if err != nil {
		return nil
	}
	return d.Complete(c)
}

// LookupVerticesBy walks a complete composite index.
func (t *Tx) LookupVerticesBy(d *IndexDefinition, c IndexColumns) VertexIterator {
	return vertexHits{t.lookupBy(d, table.VertexClass, c, t.vertexGone)}
}

// LookupEdgesBy walks a complete composite index.
func (t *Tx) LookupEdgesBy(d *IndexDefinition, c IndexColumns) EdgeIterator {
	return edgeHits{t.lookupBy(d, table.EdgeClass, c, t.edgeGone)}
}

// LookupEdgesOf walks the edges of a vertex in a complete edge-centric index.
func (t *Tx) LookupEdgesOf(v VertexID, dir Direction, d *IndexDefinition, c IndexColumns) EdgeIterator {
	h := &trackedHits{t: t}
	switch {
	case t.over:
		h.err = storage.ErrClosed
		return edgeHits{h}
	case d.Kind != keyindex.EdgeCentric:
		h.err = illegalArgument("Index %s is none of the edges of each vertex", d.Name)
		return edgeHits{h}
	}
	t.g.lookups.of(d.Number).Add(1)
	gone := t.edgeGone
	if t.options.ReadOnly {
		gone = nil
	}
	way := table.OutEdge
	if dir == In {
		way = table.InEdge
	}
	t.index.LookupEdges(&h.hits, t.tx, t.g.number, uint64(v), d, way, c.columns(), gone)
	t.track(h)
	return edgeHits{h}
}

func (t *Tx) lookupBy(d *IndexDefinition, class table.Class, c IndexColumns, gone func(uint64) bool) *trackedHits {
	h := &trackedHits{t: t}
	switch {
	case t.over:
		h.err = storage.ErrClosed
		return h
	case d.Class != class || d.Kind != keyindex.Composite:
		h.err = illegalArgument("Index %s is none of all elements of class %s", d.Name, class)
		return h
	}
	t.g.lookups.of(d.Number).Add(1)
	if t.options.ReadOnly {
		gone = nil
	}
	if d.Unique && len(c.Equal) == len(d.Symbols) && !c.Ranged {
		owners, exact, ok, err := t.index.LookupOwner(h.few[:0], t.tx, t.g.number, d, c.Equal)
		if err != nil {
			h.err = err
			return h
		}
		if ok {
			h.found, h.gone, h.known, h.inexact = owners, gone, true, !exact
			t.track(h)
			return h
		}
	}
	t.index.LookupColumns(&h.hits, t.tx, t.g.number, d, c.columns(), gone)
	t.track(h)
	return h
}

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
	h := t.lookupBy(d, table.VertexClass, c, t.vertexGone)
	return t.leaseVertices(vertexHits{h}, h)
}

// LookupEdgesBy walks a complete composite index.
func (t *Tx) LookupEdgesBy(d *IndexDefinition, c IndexColumns) EdgeIterator {
	h := t.lookupBy(d, table.EdgeClass, c, t.edgeGone)
	return t.leaseEdges(edgeHits{h}, h)
}

// expandWalks gives the sink what an edge-centric index finds of each vertex.
func (t *Tx) expandWalks(vs []VertexID, x *Expansion, into Sink) error {
	switch {
	case t.over:
		return storage.ErrClosed
	case x.By == nil || x.By.Index.Kind != keyindex.EdgeCentric || x.Dir == Both:
		return illegalArgument("the edges of a vertex are looked up in one direction of an edge-centric index")
	}
	d := x.By.Index
	for i, v := range vs {
		t.g.lookups.of(d.Number).Add(1)
		w := &edgeWalk{label: Symbol(d.LabelSymbol), dir: x.Dir}
		w.t = t
		way, gone := table.OutEdge, t.edgeGone
		if x.Dir == In {
			way = table.InEdge
		}
		if t.options.ReadOnly {
			gone = nil
		}
		t.index.LookupEdges(&w.hits, t.tx, t.g.number, uint64(v), d, way, x.By.Columns.columns(), gone)
		t.track(&w.trackedHits)
		if err := GiveWalk(into, i, t.leaseWalk(w, &w.trackedHits)); err != nil {
			return err
		}
	}
	return nil
}

// edgeWalk is an EdgeWalk in the store.
type edgeWalk struct {
	trackedHits
	label Symbol
	dir   Direction
}

// Next fills buf with edges.
func (w *edgeWalk) Next(buf []Adjacent) int {
	for i := range buf {
		e, other, ok := w.hits.NextEdge()
		if !ok {
			return i
		}
		buf[i] = Adjacent{Edge: EdgeID(e), Other: VertexID(other), Label: w.label, Dir: w.dir}
	}
	return len(buf)
}

func (t *Tx) lookupBy(d *IndexDefinition, class table.Class, c IndexColumns, gone func(uint64) bool) *trackedHits {
	h := &trackedHits{t: t}
	switch {
	case t.over:
		h.err = storage.ErrClosed
		return h
	case d.Class != class || d.Kind == keyindex.EdgeCentric || d.Kind == keyindex.Geo:
		h.err = illegalArgument("Index %s is none of all elements of class %s", d.Name, class)
		return h
	}
	t.g.lookups.of(d.Number).Add(1)
	if t.options.ReadOnly {
		gone = nil
	}
	if d.Kind == keyindex.Text {
		t.index.LookupText(&h.hits, t.tx, t.g.number, d, c.Texts, gone)
		t.track(h)
		return h
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
	h.hits.ChargeTo(t.options.Account)
	t.track(h)
	return h
}

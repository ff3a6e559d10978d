package blueprints

import (
	"fmt"
	"unsafe"

	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// How a transaction sees what it wrote. Rows of elements that it added, and copies of
// cached rows that it changed, it keeps as it sees them; they take the place of the
// cache's. What else it wrote to is dirty: that is read from the store's transaction.

// dirty marks a part of a vertex as written by this transaction.
func (t *Tx) dirty(v VertexID, p part) {
	if t.dirtyVertices == nil {
		t.dirtyVertices = map[VertexID]part{}
	}
	n := len(t.dirtyVertices)
	t.dirtyVertices[v] |= p
	t.ownBytes += int64(len(t.dirtyVertices)-n) * mapBytes
}

func (t *Tx) dirtyEdge(e EdgeID) {
	if t.dirtyEdges == nil {
		t.dirtyEdges = map[EdgeID]struct{}{}
	}
	n := len(t.dirtyEdges)
	t.dirtyEdges[e] = struct{}{}
	t.ownBytes += int64(len(t.dirtyEdges)-n) * mapBytes
}

// What an entry of a map takes beside what it holds, about, while the map grows: its key, a
// word of its value, and room that is free. And what a name takes that is new.
const (
	mapBytes  = 40
	nameBytes = mapBytes + int64(unsafe.Sizeof(symbol{}))
)

// payOwn charges for what the transaction keeps of what it wrote. Every change asks before it
// begins, so that what is kept is ahead of what is charged by one change at most.
func (t *Tx) payOwn() error {
	if err := t.ownPaid.Cover(t.ownBytes); err != nil {
		return fmt.Errorf("what a transaction wrote: %w", err)
	}
	return nil
}

// keepVertex makes row what the transaction sees of a vertex.
func (t *Tx) keepVertex(v VertexID, row *vertexRow) {
	if t.vertexRows == nil {
		t.vertexRows = map[VertexID]*vertexRow{}
	}
	t.vertexRows[v] = row
	t.ownBytes += vertexKind.kept(row)
}

func (t *Tx) keepEdge(e EdgeID, row *edgeRow) {
	if t.edgeRows == nil {
		t.edgeRows = map[EdgeID]*edgeRow{}
	}
	t.edgeRows[e] = row
	t.ownBytes += edgeKind.kept(row)
}

// dropVertex makes the transaction read a vertex that it removes from the store.
func (t *Tx) dropVertex(v VertexID) {
	if row := t.vertexRows[v]; row != nil {
		t.ownBytes -= vertexKind.kept(row)
		delete(t.vertexRows, v)
	}
	t.dirty(v, partHeader)
}

func (t *Tx) dropEdge(e EdgeID) {
	if row := t.edgeRows[e]; row != nil {
		t.ownBytes -= edgeKind.kept(row)
		delete(t.edgeRows, e)
	}
	t.dirtyEdge(e)
}

// ownVertex reports whether the transaction added the vertex: nobody else can see it.
func (t *Tx) ownVertex(v VertexID) bool {
	if len(t.vertexRows) == 0 {
		return false
	}
	r := t.vertexRows[v]
	return r != nil && r.own
}

func (t *Tx) ownEdge(e EdgeID) bool {
	if len(t.edgeRows) == 0 {
		return false
	}
	r := t.edgeRows[e]
	return r != nil && r.own
}

// observes reports whether what is read of v's row must join the read set.
func (t *Tx) observes(v VertexID) bool { return t.observing && !t.ownVertex(v) }

func (t *Tx) observesEdge(e EdgeID) bool { return t.observing && !t.ownEdge(e) }

// cacheable reports whether a part of a vertex may be read from its row.
func (t *Tx) cacheable(v VertexID, p part) bool {
	if p == partHeader && len(t.vertexRows) > 0 && t.vertexRows[v] != nil {
		return true
	}
	if t.cache == nil {
		return false
	}
	return len(t.dirtyVertices) == 0 || t.dirtyVertices[v]&p == 0
}

func (t *Tx) cacheableEdge(e EdgeID) bool {
	if len(t.edgeRows) > 0 && t.edgeRows[e] != nil {
		return true
	}
	if t.cache == nil {
		return false
	}
	if len(t.dirtyEdges) == 0 {
		return true
	}
	_, dirty := t.dirtyEdges[e]
	return !dirty
}

// rowInMemory returns the row of a vertex, nil when it is not in memory or must not be
// read from there.
func (t *Tx) rowInMemory(v VertexID) *vertexRow {
	if len(t.vertexRows) > 0 {
		if r := t.vertexRows[v]; r != nil {
			return r
		}
	}
	if !t.cacheable(v, partHeader) {
		return nil
	}
	return t.cachedVertex(v)
}

// edgeRowInMemory is rowInMemory for an edge.
func (t *Tx) edgeRowInMemory(e EdgeID) *edgeRow {
	if len(t.edgeRows) > 0 {
		if r := t.edgeRows[e]; r != nil {
			return r
		}
	}
	if !t.cacheableEdge(e) {
		return nil
	}
	return t.cachedEdge(e)
}

// vertexRow returns the row of a vertex: the transaction's, or that of the snapshot.
// The caller knows that it is cacheable, and has observed what it wants of it.
func (t *Tx) vertexRow(v VertexID) (*vertexRow, error) {
	if len(t.vertexRows) > 0 {
		if r := t.vertexRows[v]; r != nil {
			return r, nil
		}
	}
	if r := t.cachedVertex(v); r != nil {
		return r, nil
	}
	if err := t.fillAroundVertex(v, partHeader, 0); err != nil {
		return nil, err
	}
	if r := t.cachedVertex(v); r != nil {
		return r, nil
	}
	return t.fillVertex(v)
}

func (t *Tx) edgeRow(e EdgeID) (*edgeRow, error) {
	if len(t.edgeRows) > 0 {
		if r := t.edgeRows[e]; r != nil {
			return r, nil
		}
	}
	if r := t.cachedEdge(e); r != nil {
		return r, nil
	}
	if err := t.fillAroundEdge(e); err != nil {
		return nil, err
	}
	if r := t.cachedEdge(e); r != nil {
		return r, nil
	}
	return t.fillEdge(e)
}

// changing returns the transaction's row of a vertex whose properties it is about to
// change. It is nil when the cache has none to copy, and the vertex is dirty then, or when
// the row keeps no properties because there are too many.
func (t *Tx) changing(v VertexID) *vertexRow {
	if r := t.vertexRows[v]; r != nil {
		return r.whole()
	}
	if t.cacheable(v, partHeader) {
		if r := t.cachedVertex(v); r != nil && r.exists && !r.partial {
			own := r.copy(1)
			t.keepVertex(v, &own)
			return &own
		}
	}
	t.dirty(v, partHeader)
	return nil
}

func (t *Tx) changingEdge(e EdgeID) *edgeRow {
	if r := t.edgeRows[e]; r != nil {
		return r.whole()
	}
	if t.cacheableEdge(e) {
		if r := t.cachedEdge(e); r != nil && r.exists && !r.partial {
			own := r.copy(1)
			t.keepEdge(e, &own)
			return &own
		}
	}
	t.dirtyEdge(e)
	return nil
}

// lasts reports whether a value stays as it is whatever its giver does.
func lasts(v value.Value) bool { return v.Kind() <= value.KindString }

// written returns the entry of a property as it was written, from c or from its cell.
func (t *Tx) written(key Symbol, ordinal uint64, c PropertyCell, cell []byte) (PropertyEntry, error) {
	var err error
	if !lasts(c.Value) || len(c.Meta) > 0 {
		c, err = DecodePropertyCell(cell)
	}
	return t.g.propertyEntry(key, ordinal, c, len(cell)), err
}

// changed takes notice of an element that came or went.
func (t *Tx) changed(class table.Class) { t.changedClasses[class&1] = true }

// changedClass reports whether the transaction has added or removed elements.
func (t *Tx) changedClass(class table.Class) bool { return t.changedClasses[class&1] }

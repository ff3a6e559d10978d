package blueprints

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// AddVertex adds a vertex.
func (t *Tx) AddVertex(label string, id value.Value) (VertexID, error) {
	if err := t.writable(); err != nil {
		return 0, err
	}
	if err := ValidateLabel(label); err != nil {
		return 0, err
	}
	sym, err := t.Intern(label)
	if err != nil {
		return 0, err
	}
	id, row, err := t.newID(table.VertexClass, id)
	if err != nil {
		return 0, err
	}
	n, err := t.take(t.g.vertices)
	if err != nil {
		return 0, err
	}
	cell := VertexCell{Label: sym, ID: id}
	if t.cell, err = AppendVertexCell(t.cell[:0], cell); err != nil {
		return 0, err
	}
	t.keepVertex(VertexID(n), &vertexRow{exists: true, own: true, cell: cell})
	t.key = table.AppendVertexExists(t.key[:0], t.g.number, n)
	if err := t.tx.SetNew(t.key, t.cell); err != nil {
		return 0, err
	}
	if err := t.added(table.VertexClass, n, label); err != nil {
		return 0, err
	}
	if err := t.shadeNew(VertexID(n), sym); err != nil {
		return 0, err
	}
	return VertexID(n), t.register(table.VertexClass, sym, n, row)
}

// AddEdge adds an edge between existing vertices. It writes neither vertex's record:
// it only guards their existence, so that edge adds to one vertex commute.
func (t *Tx) AddEdge(label string, out, in VertexID, id value.Value) (EdgeID, error) {
	if err := t.writable(); err != nil {
		return 0, err
	}
	if err := ValidateLabel(label); err != nil {
		return 0, err
	}
	for _, v := range [...]VertexID{out, in} {
		if err := t.guardVertex(v); err != nil {
			return 0, fmt.Errorf("add edge: %w", err)
		}
	}
	sym, err := t.Intern(label)
	if err != nil {
		return 0, err
	}
	id, row, err := t.newID(table.EdgeClass, id)
	if err != nil {
		return 0, err
	}
	n, err := t.take(t.g.edges)
	if err != nil {
		return 0, err
	}
	t.dirtyEnds(out, in)
	cell := EdgeCell{Label: sym, Out: out, In: in, ID: id}
	if t.cell, err = AppendEdgeCell(t.cell[:0], cell); err != nil {
		return 0, err
	}
	t.keepEdge(EdgeID(n), &edgeRow{exists: true, own: true, cell: cell})
	t.key = table.AppendEdgeExists(t.key[:0], t.g.number, n)
	if err := t.tx.SetNew(t.key, t.cell); err != nil {
		return 0, err
	}
	if err := t.added(table.EdgeClass, n, label); err != nil {
		return 0, err
	}
	for _, a := range adjacency(t.g.number, EdgeID(n), sym, out, in) {
		t.key = table.AppendAdjacency(t.key[:0], a)
		if err := t.tx.SetNew(t.key, adjacencyCell); err != nil {
			return 0, err
		}
	}
	return EdgeID(n), t.register(table.EdgeClass, sym, n, row)
}

// added writes what a new element has beside what all have.
func (t *Tx) added(c table.Class, id uint64, label string) error {
	if err := t.stampAdded(c, id); err != nil {
		return err
	}
	return t.expireByLabel(c, id, label)
}

// adjacency is an edge as its two endpoints see it.
func adjacency(graph uint32, e EdgeID, label Symbol, out, in VertexID) [2]table.Adjacency {
	return [2]table.Adjacency{
		{Graph: graph, Vertex: uint64(out), Direction: table.OutEdge, Label: uint32(label), Edge: uint64(e), Other: uint64(in)},
		{Graph: graph, Vertex: uint64(in), Direction: table.InEdge, Label: uint32(label), Edge: uint64(e), Other: uint64(out)},
	}
}

// rejoin writes the adjacency of an edge that was there before, at both ends.
func (t *Tx) rejoin(e EdgeID, c EdgeCell) error {
	for _, a := range adjacency(t.g.number, e, c.Label, c.Out, c.In) {
		t.key = table.AppendAdjacency(t.key[:0], a)
		if err := t.tx.Set(t.key, adjacencyCell); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) dirtyEnds(out, in VertexID) {
	t.dirty(out, partOut)
	t.dirty(in, partIn)
}

// guardVertex makes the transaction fail should somebody drop v meanwhile. Where reads
// are validated, having read that it exists is enough.
func (t *Tx) guardVertex(v VertexID) error {
	if t.ownVertex(v) {
		return nil
	}
	ok, err := t.VertexExists(v)
	if err != nil {
		return err
	}
	if !ok {
		return t.absentVertex(v)
	}
	if t.unvalidated() {
		t.key = table.AppendVertexExists(t.key[:0], t.g.number, uint64(v))
		t.tx.Guard(t.key)
	}
	return nil
}

func (t *Tx) guardEdge(e EdgeID) error {
	if t.ownEdge(e) {
		return nil
	}
	ok, err := t.EdgeExists(e)
	if err != nil {
		return err
	}
	if !ok {
		return t.absentEdge(e)
	}
	if t.unvalidated() {
		t.key = table.AppendEdgeExists(t.key[:0], t.g.number, uint64(e))
		t.tx.Guard(t.key)
	}
	return nil
}

func (t *Tx) absentVertex(v VertexID) error {
	if c, gone := t.goneVertices[v]; gone {
		return vertexRemoved(c.ID)
	}
	return fmt.Errorf("vertex #%d: %w", v, ErrNoElement)
}

func (t *Tx) absentEdge(e EdgeID) error {
	if c, gone := t.goneEdges[e]; gone {
		return edgeRemoved(c.ID)
	}
	return fmt.Errorf("edge #%d: %w", e, ErrNoElement)
}

// register writes what every new element has: label, id and counts.
func (t *Tx) register(class table.Class, label Symbol, n uint64, idRow []byte) error {
	t.key = table.AppendLabel(t.key[:0], table.Label{Graph: t.g.number, Class: class, Label: uint32(label), Element: n})
	if err := t.tx.SetNew(t.key, nil); err != nil {
		return err
	}
	t.key = table.AppendUserID(t.key[:0], t.g.number, class, idRow)
	if err := t.tx.Set(t.key, binary.BigEndian.AppendUint64(t.cell[:0], n)); err != nil {
		return err
	}
	return t.bump(class, label, 1)
}

// unregister removes what register wrote.
func (t *Tx) unregister(class table.Class, label Symbol, n uint64, id value.Value) error {
	t.key = table.AppendLabel(t.key[:0], table.Label{Graph: t.g.number, Class: class, Label: uint32(label), Element: n})
	if err := t.tx.Delete(t.key); err != nil {
		return err
	}
	row, err := t.g.idScheme(class).AppendRow(t.cell[:0], id)
	if err != nil {
		return err
	}
	t.cell = row
	t.key = table.AppendUserID(t.key[:0], t.g.number, class, row)
	if err := t.tx.Delete(t.key); err != nil {
		return err
	}
	return t.bump(class, label, -1)
}

// countDelta is a change of one counter that is not written yet.
type countDelta struct {
	kind  table.CounterKind
	label Symbol
	delta int64
}

// bump changes the counter of a label and the total.
func (t *Tx) bump(class table.Class, label Symbol, delta int64) error {
	t.changed(class)
	kind := table.VertexCount
	if class == table.EdgeClass {
		kind = table.EdgeCount
	}
	t.grown[class-1] += delta
	if err := t.addCount(kind, 0, delta); err != nil {
		return err
	}
	return t.addCount(kind, label, delta)
}

// countsMax bounds the counters that are searched one by one; more go to the store's
// transaction at once.
const countsMax = 32

func (t *Tx) addCount(kind table.CounterKind, label Symbol, delta int64) error {
	for i := range t.counts {
		if c := &t.counts[i]; c.kind == kind && c.label == label {
			c.delta += delta
			return nil
		}
	}
	if len(t.counts) >= countsMax {
		key := t.key // the caller may be using it
		t.key = nil
		if err := t.mergeCounts(); err != nil {
			return err
		}
		t.key = key
	}
	t.counts = append(t.counts, countDelta{kind, label, delta})
	return nil
}

// mergeCounts writes the changes of counters.
func (t *Tx) mergeCounts() error {
	for _, c := range t.counts {
		t.key = table.AppendCounter(t.key[:0], table.Counter{Graph: t.g.number, Kind: c.kind, Symbol: uint32(c.label)})
		if c.delta == 0 {
			continue
		}
		if err := t.tx.Merge(t.key, c.delta); err != nil {
			return err
		}
	}
	t.counts = t.counts[:0]
	return nil
}

// RemoveVertex removes a vertex with its edges, properties and index entries. Reading
// its adjacency makes the transaction lose against a concurrent edge.
func (t *Tx) RemoveVertex(v VertexID) error {
	if err := t.writable(); err != nil {
		return err
	}
	c, ok, err := t.vertexCell(v)
	if err != nil || !ok {
		return err
	}
	err = t.Expand([]VertexID{v}, Expansion{Dir: Both}, SinkFunc(func(_ int, e Expanded) error {
		for i, a := range e.Edges {
			if i%fillMax == 0 {
				if err := t.fillAdjacentEdges(e.Edges[i:]); err != nil {
					return err
				}
			}
			if err := t.RemoveEdge(a.Edge); err != nil {
				return fmt.Errorf("remove vertex %s: %w", c.ID.Brief(), err)
			}
		}
		return nil
	}))
	if err != nil {
		return err
	}
	if err := t.unindexDeclared(table.VertexClass, uint64(v)); err != nil {
		return err
	}
	if err := t.unexpire(table.VertexClass, uint64(v)); err != nil {
		return err
	}
	t.dropVertex(v)
	if err := t.unindexElement(table.VertexClass, uint64(v)); err != nil {
		return err
	}
	if err := t.removeRow(table.AppendVertexRow(nil, t.g.number, uint64(v))); err != nil {
		return err
	}
	if t.goneVertices == nil {
		t.goneVertices = map[VertexID]VertexCell{}
	}
	t.goneVertices[v] = c
	t.ownBytes += mapBytes + int64(unsafe.Sizeof(c))
	return t.unregister(table.VertexClass, c.Label, uint64(v), c.ID)
}

// fillAdjacentEdges reads the first edges at once.
func (t *Tx) fillAdjacentEdges(edges []Adjacent) error {
	es := make([]EdgeID, 0, min(len(edges), fillMax))
	for _, a := range edges[:cap(es)] {
		es = append(es, a.Edge)
	}
	return t.fillEdges(es)
}

// RemoveEdge removes an edge with its properties and index entries. An edge that is
// gone already is no error.
func (t *Tx) RemoveEdge(e EdgeID) error {
	if err := t.writable(); err != nil {
		return err
	}
	c, ok, err := t.edgeCell(e)
	if err != nil || !ok {
		return err
	}
	if err := t.unindexDeclared(table.EdgeClass, uint64(e)); err != nil {
		return err
	}
	if err := t.unexpire(table.EdgeClass, uint64(e)); err != nil {
		return err
	}
	known := t.knownCells(e)
	t.dropEdge(e)
	t.dirtyEnds(c.Out, c.In)
	for _, a := range adjacency(t.g.number, e, c.Label, c.Out, c.In) {
		t.key = table.AppendAdjacency(t.key[:0], a)
		if err := t.tx.Delete(t.key); err != nil {
			return err
		}
	}
	if err := t.unindexElement(table.EdgeClass, uint64(e)); err != nil {
		return err
	}
	if err := t.removeEdgeRow(e, known); err != nil {
		return err
	}
	if t.goneEdges == nil {
		t.goneEdges = map[EdgeID]EdgeCell{}
	}
	t.goneEdges[e] = c
	t.ownBytes += mapBytes + int64(unsafe.Sizeof(c))
	return t.unregister(table.EdgeClass, c.Label, uint64(e), c.ID)
}

// knownCells returns the row of an edge if all its cells are known from it.
func (t *Tx) knownCells(e EdgeID) *edgeRow {
	if !t.cacheableEdge(e) || t.stamping || t.expiring {
		return nil
	}
	r := t.edgeRows[e]
	if r == nil {
		r = t.cachedEdge(e)
	}
	if r == nil || r.partial || t.counting && t.counters.of(table.EdgeClass, r.cell.Label) != nil {
		return nil
	}
	return r
}

// removeEdgeRow deletes the cells of an edge, which known, unless nil, holds.
func (t *Tx) removeEdgeRow(e EdgeID, known *edgeRow) error {
	row := table.AppendEdgeRow(nil, t.g.number, uint64(e))
	if known == nil || t.unvalidated() {
		return t.removeRow(row)
	}
	t.tx.Observe(row, table.PrefixEnd(nil, row))
	t.key = table.AppendEdgeExists(t.key[:0], t.g.number, uint64(e))
	if err := t.tx.Delete(t.key); err != nil {
		return err
	}
	for i := range known.props {
		t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(known.props[i].Key)})
		if err := t.tx.Delete(t.key); err != nil {
			return err
		}
	}
	return nil
}

// removeRow deletes the cells under prefix. Under snapshot isolation nobody checks that
// what was read of them still holds, but a range that is deleted conflicts with
// everything that was written into it. Otherwise they go one by one: they are few, and
// a range deletion would burden every later scan.
func (t *Tx) removeRow(prefix []byte) error {
	if t.unvalidated() {
		return t.tx.DeleteRange(prefix, table.PrefixEnd(nil, prefix))
	}
	it := t.tx.Scan(storage.ScanOptions{From: prefix, To: table.PrefixEnd(nil, prefix)})
	defer it.Close()
	for it.Next() {
		t.key = append(t.key[:0], it.Key()...)
		if err := t.tx.Delete(t.key); err != nil {
			return err
		}
	}
	return it.Err()
}

// unvalidated reports whether what the transaction reads is not validated.
func (t *Tx) unvalidated() bool { return t.g.options.Isolation != storage.StrictSerializable }

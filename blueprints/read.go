package blueprints

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// get returns the value of t.key, false when it does not exist.
func (t *Tx) get() ([]byte, bool, error) {
	b, err := t.tx.Get(t.key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, false, nil
	}
	return b, err == nil, err
}

func (t *Tx) vertexCell(v VertexID) (VertexCell, bool, error) {
	if t.cacheable(v, partHeader) {
		row, err := t.vertexRow(v)
		if err != nil {
			return VertexCell{}, false, err
		}
		if t.observes(v) {
			t.key = table.AppendVertexExists(t.key[:0], t.g.number, uint64(v))
			t.tx.Observe(t.key, nil)
		}
		return row.cell, row.exists, nil
	}
	t.key = table.AppendVertexExists(t.key[:0], t.g.number, uint64(v))
	b, ok, err := t.get()
	if !ok {
		return VertexCell{}, false, err
	}
	c, err := DecodeVertexCell(b)
	return c, err == nil, err
}

func (t *Tx) edgeCell(e EdgeID) (EdgeCell, bool, error) {
	if t.cacheableEdge(e) {
		row, err := t.edgeRow(e)
		if err != nil {
			return EdgeCell{}, false, err
		}
		if t.observesEdge(e) {
			t.key = table.AppendEdgeExists(t.key[:0], t.g.number, uint64(e))
			t.tx.Observe(t.key, nil)
		}
		return row.cell, row.exists, nil
	}
	t.key = table.AppendEdgeExists(t.key[:0], t.g.number, uint64(e))
	b, ok, err := t.get()
	if !ok {
		return EdgeCell{}, false, err
	}
	c, err := DecodeEdgeCell(b)
	return c, err == nil, err
}

// knownVertex is vertexCell that also knows what this transaction dropped.
func (t *Tx) knownVertex(v VertexID) (VertexCell, error) {
	if len(t.goneVertices) > 0 {
		if c, ok := t.goneVertices[v]; ok {
			return c, nil
		}
	}
	c, ok, err := t.vertexCell(v)
	if err == nil && !ok {
		err = fmt.Errorf("vertex #%d: %w", v, ErrNoElement)
	}
	return c, err
}

func (t *Tx) knownEdge(e EdgeID) (EdgeCell, error) {
	if len(t.goneEdges) > 0 {
		if c, ok := t.goneEdges[e]; ok {
			return c, nil
		}
	}
	c, ok, err := t.edgeCell(e)
	if err == nil && !ok {
		err = fmt.Errorf("edge #%d: %w", e, ErrNoElement)
	}
	return c, err
}

// FindVertex returns the vertex with a user-visible id.
func (t *Tx) FindVertex(id value.Value) (VertexID, bool, error) {
	n, ok, err := t.findID(table.VertexClass, id)
	return VertexID(n), ok, err
}

// FindEdge returns the edge with a user-visible id.
func (t *Tx) FindEdge(id value.Value) (EdgeID, bool, error) {
	n, ok, err := t.findID(table.EdgeClass, id)
	return EdgeID(n), ok, err
}

// lookUpsAtOnce is after how many look-ups a transaction asks whether its request is over:
// one may name as many ids and values as fit into it, and each may take a read of the disk.
const lookUpsAtOnce = 256

// looksUp counts a look-up, and returns why it is no longer wanted.
func (t *Tx) looksUp() error {
	if t.lookUps++; t.lookUps%lookUpsAtOnce != 0 || t.ctx == nil || t.ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("look up: %w", t.ctx.Err())
}

func (t *Tx) findID(class table.Class, id value.Value) (uint64, bool, error) {
	if err := t.looksUp(); err != nil {
		return 0, false, err
	}
	f := t.g.idScheme(class)
	id, err := f.Manager.Convert(id)
	if err != nil || id.IsNull() {
		return 0, false, err
	}
	n, ok, err := t.findForm(class, f, id)
	if ok || err != nil || !f.EqualNumbers || f.OneRow {
		return n, ok, err
	}
	for _, other := range f.Others(id) {
		if n, ok, err = t.findForm(class, f, other); ok || err != nil {
			return n, ok, err
		}
	}
	return 0, false, nil
}

// findForm finds an element by its id in one of the forms that it can have.
func (t *Tx) findForm(class table.Class, f ids.Scheme, id value.Value) (uint64, bool, error) {
	row, err := f.AppendRow(t.cell[:0], id)
	if err != nil {
		return 0, false, nil // no stored element can have such an id
	}
	t.cell = row
	if t.cache == nil {
		return t.findRow(class, row)
	}
	return t.findHinted(class, row, id)
}

// findHinted tries the guess of an earlier look-up: it holds when the element there
// has that id now. What the transaction itself did to the id comes first.
func (t *Tx) findHinted(class table.Class, row []byte, id value.Value) (uint64, bool, error) {
	hints := t.cache.vertexHints
	if class == table.EdgeClass {
		hints = t.cache.edgeHints
	}
	if t.Pending() {
		t.key = table.AppendUserID(t.key[:0], t.g.number, class, row)
		if t.tx.Wrote(t.key, nil) {
			return t.findRow(class, row)
		}
	}
	slot := hints.slot(row)
	if guess := slot.Load(); guess != 0 {
		ok, err := t.hasID(class, guess, id)
		if err != nil {
			return 0, false, err
		}
		if ok {
			if t.observing {
				t.key = table.AppendUserID(t.key[:0], t.g.number, class, row)
				t.tx.Observe(t.key, nil)
			}
			return guess, true, nil
		}
	}
	n, ok, err := t.findRow(class, row)
	if ok {
		slot.Store(n)
	}
	return n, ok, err
}

func (t *Tx) hasID(class table.Class, n uint64, id value.Value) (bool, error) {
	f := t.g.idScheme(class)
	if class == table.EdgeClass {
		row, err := t.edgeRow(EdgeID(n))
		return err == nil && row.exists && f.Same(row.cell.ID, id), err
	}
	row, err := t.vertexRow(VertexID(n))
	return err == nil && row.exists && f.Same(row.cell.ID, id), err
}

func (t *Tx) findRow(class table.Class, row []byte) (uint64, bool, error) {
	t.key = table.AppendUserID(t.key[:0], t.g.number, class, row)
	b, ok, err := t.get()
	if err != nil || !ok {
		return 0, false, err
	}
	n, err := decodeElementID(b)
	return n, err == nil, err
}

// decodeElementID reads the value of a row of a user id.
func decodeElementID(b []byte) (uint64, error) {
	if len(b) != 8 {
		return 0, corrupt("user id", nil)
	}
	return binary.BigEndian.Uint64(b), nil
}

// VertexUserID returns the user-visible id.
func (t *Tx) VertexUserID(v VertexID) (value.Value, error) {
	c, err := t.knownVertex(v)
	return c.ID, err
}

// EdgeUserID returns the user-visible id.
func (t *Tx) EdgeUserID(e EdgeID) (value.Value, error) {
	c, err := t.knownEdge(e)
	return c.ID, err
}

// VertexExists reports whether the vertex is in the graph.
func (t *Tx) VertexExists(v VertexID) (bool, error) {
	_, ok, err := t.vertexCell(v)
	return ok, err
}

// EdgeExists reports whether the edge is in the graph.
func (t *Tx) EdgeExists(e EdgeID) (bool, error) {
	_, ok, err := t.edgeCell(e)
	return ok, err
}

// VertexLabel returns the label.
func (t *Tx) VertexLabel(v VertexID) (Symbol, error) {
	c, err := t.knownVertex(v)
	return c.Label, err
}

// Edge returns label and endpoints.
func (t *Tx) Edge(e EdgeID) (EdgeHeader, error) {
	c, err := t.knownEdge(e)
	return EdgeHeader{ID: e, Label: c.Label, Out: c.Out, In: c.In}, err
}

// VertexCount answers from the counters.
func (t *Tx) VertexCount(labels ...Symbol) (int64, error) { return t.count(table.VertexCount, labels) }

// EdgeCount answers from the counters.
func (t *Tx) EdgeCount(labels ...Symbol) (int64, error) { return t.count(table.EdgeCount, labels) }

func (t *Tx) count(k table.CounterKind, labels []Symbol) (int64, error) {
	if t.asOf != 0 {
		return t.countPast(k, labels)
	}
	if len(labels) == 0 {
		return t.counter(k, 0)
	}
	var sum int64
	for _, l := range t.sorted(labels) {
		n, err := t.counter(k, l)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func (t *Tx) counter(k table.CounterKind, label Symbol) (int64, error) {
	t.key = table.AppendCounter(t.key[:0], table.Counter{Graph: t.g.number, Kind: k, Symbol: uint32(label)})
	b, _, err := t.get()
	if err != nil {
		return 0, err
	}
	n, ok := storage.Count(b)
	if !ok {
		return 0, corrupt("counter", nil)
	}
	for _, c := range t.counts {
		if c.kind == k && c.label == label {
			n += c.delta
		}
	}
	return n, nil
}

// sorted returns distinct labels in ascending order, valid until the next call.
func (t *Tx) sorted(labels []Symbol) []Symbol {
	if len(labels) < 2 {
		return labels
	}
	t.labels = sortSymbols(append(t.labels[:0], labels...))
	return t.labels
}

// sortSymbols sorts symbols in place and drops repetitions.
func sortSymbols(s []Symbol) []Symbol {
	slices.Sort(s)
	return slices.Compact(s)
}

package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Reading one thing of many vertices. Each row lies three dependent loads away (page,
// version, properties), and in a big graph none of them is in the processor's caches.
// So the loads of a batch are done level by level: the processor waits for those of
// one level side by side.

// stagedRows looks up the cached headers of at most stage vertices; nil where a row is
// not cached or must not be read from the cache.
func (t *Tx) stagedRows(vs []VertexID, rows *[stage]*vertexRow) {
	if t.cache == nil || len(t.vertexRows) > 0 || len(t.dirtyVertices) > 0 || t.kept.vertices != nil {
		t.stagedOwn(vs, rows)
		return
	}
	rowcache.GetMany(t.cache.vertices, vs, t.seq, rows)
}

// stagedOwn is stagedRows of a transaction that has rows of its own.
func (t *Tx) stagedOwn(vs []VertexID, rows *[stage]*vertexRow) {
	for i, v := range vs {
		rows[i] = nil
		if len(t.vertexRows) > 0 && t.vertexRows[v] != nil {
			rows[i] = t.vertexRows[v]
		} else if t.cacheable(v, partHeader) {
			rows[i] = t.cachedVertex(v)
		}
	}
}

// stageHeaders is stagedRows for the first of vs. Where a row is not in memory, those of
// many more are read at once, and filled becomes less by how many.
func (t *Tx) stageHeaders(batch, vs []VertexID, rows *[stage]*vertexRow, filled *int) error {
	t.stagedRows(batch, rows)
	if *filled -= len(batch); *filled >= 0 || t.cache == nil || !slices.Contains(rows[:len(batch)], nil) {
		return nil
	}
	*filled = fillMax - len(batch)
	if err := t.fillVertices(vs[:min(len(vs), fillMax)], partHeader, 0); err != nil {
		return err
	}
	t.stagedRows(batch, rows)
	return nil
}

// VertexValues appends the values of key of many vertices.
func (t *Tx) VertexValues(dst []value.Value, ends []int, vs []VertexID, key Symbol) ([]value.Value, []int, error) {
	dst, ends = slices.Grow(dst, len(vs)), slices.Grow(ends, len(vs))
	var rows [stage]*vertexRow
	for filled := 0; len(vs) > 0; {
		batch := vs[:min(stage, len(vs))]
		if err := t.stageHeaders(batch, vs, &rows, &filled); err != nil {
			return dst, ends, err
		}
		vs = vs[len(batch):]
		for i := range batch {
			if r := rows[i]; r != nil && len(r.props) > 0 {
				t.touched += uint32(r.props[0].Key + r.props[len(r.props)-1].Key)
			}
		}
		for i, v := range batch {
			r := rows[i]
			if r == nil || r.partial {
				var err error
				if dst, err = t.appendValues(dst, v, key); err != nil {
					return dst, ends, err
				}
			} else {
				t.observeKey(v, key)
				for k := range r.props {
					if p := &r.props[k]; p.Key == key {
						dst = append(dst, p.Value)
					}
				}
			}
			ends = append(ends, len(dst))
		}
	}
	return dst, ends, nil
}

// appendValues reads the values of one vertex that is not cached.
func (t *Tx) appendValues(dst []value.Value, v VertexID, key Symbol) ([]value.Value, error) {
	keys := [1]Symbol{key}
	entries, err := t.VertexProperties(t.entries[:0], v, keys[:])
	for i := range entries {
		dst = append(dst, entries[i].Value)
	}
	clear(entries)
	t.entries = entries[:0]
	return dst, err
}

// observeKey records the reading of the properties of one key.
func (t *Tx) observeKey(v VertexID, key Symbol) {
	if t.observes(v) {
		t.key = table.AppendVertexPropertyKey(t.key[:0], t.g.number, uint64(v), uint32(key))
		t.observePrefix()
	}
}

// VertexLabels appends the labels of many vertices.
func (t *Tx) VertexLabels(dst []Symbol, vs []VertexID) ([]Symbol, error) {
	dst = slices.Grow(dst, len(vs))
	var rows [stage]*vertexRow
	for filled := 0; len(vs) > 0; {
		batch := vs[:min(stage, len(vs))]
		if err := t.stageHeaders(batch, vs, &rows, &filled); err != nil {
			return dst, err
		}
		vs = vs[len(batch):]
		for i, v := range batch {
			if r := rows[i]; r != nil && r.exists && !t.observing && len(t.goneVertices) == 0 {
				dst = append(dst, r.cell.Label)
				continue
			}
			l, err := t.VertexLabel(v)
			if err != nil {
				return dst, err
			}
			dst = append(dst, l)
		}
	}
	return dst, nil
}

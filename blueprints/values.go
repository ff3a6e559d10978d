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
// many more are read at once, or a column of them, and filled becomes less by how many.
func (t *Tx) stageHeaders(batch, vs []VertexID, rows *[stage]*vertexRow, filled *int, key Symbol) error {
	t.stagedRows(batch, rows)
	if *filled -= len(batch); *filled >= 0 {
		return nil
	}
	for _, r := range rows[:len(batch)] {
		if r == nil {
			return t.fillHeaders(batch, vs[:min(len(vs), fillMax)], rows, filled, key)
		}
	}
	return nil
}

// fillHeaders reads what stageHeaders has not found.
func (t *Tx) fillHeaders(batch, vs []VertexID, rows *[stage]*vertexRow, filled *int, key Symbol) error {
	*filled = fillMax - len(batch)
	if readsColumns(t, table.VertexClass, vs) {
		return readColumn(t, vs, columnName{table.VertexClass, key})
	}
	if t.cache == nil {
		return nil
	}
	if err := t.fillVertices(vs, partHeader, 0); err != nil {
		return err
	}
	t.stagedRows(batch, rows)
	return nil
}

// VertexValues appends the values of key of many vertices.
func (t *Tx) VertexValues(dst []value.Value, ends []int, vs []VertexID, key Symbol) ([]value.Value, []int, error) {
	dst, ends = slices.Grow(dst, len(vs)), slices.Grow(ends, len(vs))
	if isHidden(key) {
		return t.hiddenValues(dst, ends, vs, key)
	}
	var rows [stage]*vertexRow
	for filled := 0; len(vs) > 0; {
		batch := vs[:min(stage, len(vs))]
		if err := t.stageHeaders(batch, vs, &rows, &filled, key); err != nil {
			return dst, ends, err
		}
		vs = vs[len(batch):]
		t.touchProperties(rows[:len(batch)])
		counted, err := t.countedValues(batch, &rows, key)
		if err != nil {
			return dst, ends, err
		}
		for i, v := range batch {
			r := rows[i]
			if r == nil || r.partial {
				if dst, err = t.appendValues(dst, v, key); err != nil {
					return dst, ends, err
				}
			} else {
				t.observeKey(v, key)
				if counted != nil && !counted[i].IsNull() {
					dst = append(dst, counted[i])
				}
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

// countedValues reads the counters that vertices have under a key, those whose rows are at
// hand, with one question; Null stands for none, and no list for none at all.
func (t *Tx) countedValues(vs []VertexID, rows *[stage]*vertexRow, key Symbol) ([]value.Value, error) {
	if !t.counting {
		return nil, nil
	}
	if _, err := t.definitions(); err != nil || !t.counters.anyOf(table.VertexClass, 0, key) {
		return nil, err
	}
	var keys [][]byte
	var at []int
	for i, v := range vs {
		r := rows[i]
		if r == nil || r.partial || !r.exists || !t.counters.Has(table.VertexClass, r.cell.Label, key) {
			continue
		}
		k := table.ElementCounter{Graph: t.g.number, Class: table.VertexClass, Element: uint64(v), Key: uint32(key)}
		keys, at = append(keys, table.AppendElementCounter(nil, k)), append(at, i)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	found := make([]value.Value, len(vs))
	err := t.tx.GetMany(keys, func(i int, b []byte) error {
		if b == nil {
			return nil
		}
		n, _, err := counterValue(b)
		found[at[i]] = value.Long(n)
		return err
	})
	return found, err
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
		if err := t.stageHeaders(batch, vs, &rows, &filled, columnOfLabels); err != nil {
			return dst, err
		}
		vs = vs[len(batch):]
		for i, v := range batch {
			if r := rows[i]; r != nil && r.exists && !t.observing && len(t.goneVertices) == 0 {
				dst = append(dst, r.cell.Label)
				continue
			}
			l, err := t.labelOf(v, rows[i] == nil)
			if err != nil {
				return dst, err
			}
			dst = append(dst, l)
		}
	}
	return dst, nil
}

// labelOf is VertexLabel, from a column when column is set and it has it.
func (t *Tx) labelOf(v VertexID, column bool) (Symbol, error) {
	if column {
		l, err := t.labelInColumn(v)
		if err != nil {
			return 0, err
		}
		if l != 0 {
			if t.observing {
				t.key = table.AppendVertexExists(t.key[:0], t.g.number, uint64(v))
				t.tx.Observe(t.key, nil)
			}
			return l, nil
		}
	}
	return t.VertexLabel(v)
}

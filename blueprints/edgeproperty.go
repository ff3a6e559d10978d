package blueprints

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// EdgeProperties appends the properties of e, by key.
func (t *Tx) EdgeProperties(dst []PropertyEntry, e EdgeID, keys []Symbol) ([]PropertyEntry, error) {
	return t.edgeProperties(dst, e, keys, false)
}

// edgeProperties is EdgeProperties that may be shown alone.
func (t *Tx) edgeProperties(dst []PropertyEntry, e EdgeID, keys []Symbol, shown bool) ([]PropertyEntry, error) {
	if t.hiding && slices.ContainsFunc(keys, isHidden) {
		return t.withHidden(dst, table.EdgeClass, uint64(e), keys)
	}
	if t.counting {
		return t.countedEdgeProperties(dst, e, keys, shown)
	}
	if len(keys) == 0 && t.cacheableEdge(e) {
		row, err := t.edgeRow(e)
		if err != nil {
			return dst, err
		}
		if !row.partial {
			if t.observesEdge(e) {
				t.key = table.AppendEdgeProperties(t.key[:0], t.g.number, uint64(e))
				t.observePrefix()
			}
			return append(dst, row.props...), nil
		}
	}
	for _, k := range t.sorted(keys) {
		v, ok, err := t.EdgeValue(e, k)
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, PropertyEntry{Key: k, Value: v})
		}
	}
	if len(keys) > 0 {
		return dst, nil
	}
	t.key = table.AppendEdgeProperties(t.key[:0], t.g.number, uint64(e))
	t.key2 = table.PrefixEnd(t.key2[:0], t.key)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2})
	defer it.Close()
	for it.Next() {
		p, err := t.g.decodeEdgeProperty(it.Key(), it.Value())
		if err != nil {
			return dst, err
		}
		dst = append(dst, p)
	}
	return dst, it.Err()
}

// decodeEdgeProperty reads a cell of an edge's properties.
func (g *Graph) decodeEdgeProperty(key, val []byte) (PropertyEntry, error) {
	k, err := table.DecodeEdgeProperty(key)
	if err != nil {
		return PropertyEntry{}, corrupt("edge property", err)
	}
	c, err := DecodeEdgePropertyCell(val)
	if err == nil {
		err = g.hasEnds(c.Expires)
	}
	return PropertyEntry{Key: Symbol(k.Key), bytes: uint32(len(val)), Value: c.Value}, err
}

// EdgeValue returns the value of key.
func (t *Tx) EdgeValue(e EdgeID, key Symbol) (value.Value, bool, error) {
	if isHidden(key) {
		return t.hiddenValue(table.EdgeClass, uint64(e), key)
	}
	if t.counting {
		val, ok, err := t.plainEdgeValue(e, key)
		if ok || err != nil {
			return val, ok, err
		}
		return t.elementCounter(table.EdgeClass, uint64(e), key)
	}
	row := t.edgeRowInMemory(e)
	if row == nil {
		entries, ok, err := t.inColumn(table.EdgeClass, uint64(e), key)
		if err != nil {
			return value.Null, false, err
		}
		if ok {
			t.observeEdgeKey(e, key)
			return valueOf(entries, key)
		}
	}
	if row == nil && t.cacheableEdge(e) {
		var err error
		if row, err = t.edgeRow(e); err != nil {
			return value.Null, false, err
		}
	}
	if row != nil && !row.partial {
		t.observeEdgeKey(e, key)
		return valueOf(row.props, key)
	}
	t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(key)})
	b, ok, err := t.get()
	if !ok {
		return value.Null, false, err
	}
	v, err := DecodeEdgeProperty(b)
	return v, err == nil, err
}

// observeEdgeKey records the reading of a property.
func (t *Tx) observeEdgeKey(e EdgeID, key Symbol) {
	if t.observesEdge(e) {
		t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(key)})
		t.tx.Observe(t.key, nil)
	}
}

// SetEdgeProperty sets or, with a null value that the graph does not support, removes
// a property.
func (t *Tx) SetEdgeProperty(e EdgeID, key string, val value.Value) error {
	if err := t.writable(); err != nil {
		return err
	}
	if err := ValidateKey(key); err != nil {
		return err
	}
	if err := t.guardEdge(e); err != nil {
		return err
	}
	if val.IsNull() && !t.g.options.AllowNull {
		return t.RemoveEdgeProperty(e, key)
	}
	sym, err := t.Intern(key)
	if err != nil {
		return err
	}
	if is, err := t.takesCounter(table.EdgeClass, uint64(e), sym); err != nil {
		return err
	} else if is {
		_, err = t.setCounter(table.EdgeClass, uint64(e), sym, val)
		return err
	}
	u, err := t.before(table.EdgeClass, uint64(e), sym, &val)
	if err != nil {
		return err
	}
	err = t.setEdgeProperty(e, sym, val)
	if serr := u.settle(); err == nil {
		err = serr
	}
	return err
}

// setEdgeProperty sets a property, and its entry in key indexes alone.
func (t *Tx) setEdgeProperty(e EdgeID, sym Symbol, val value.Value) (err error) {
	if err := t.unindexEdgeProperty(e, sym); err != nil {
		return err
	}
	if err := t.forgetEdgeEnd(e, sym); err != nil {
		return err
	}
	if err := t.writeEdgeProperty(e, sym, EdgePropertyCell{Value: val}); err != nil {
		return err
	}
	return t.indexProperty(table.EdgeClass, uint64(e), sym, val)
}

// forgetEdgeEnd takes a property that goes out of the table of ends.
func (t *Tx) forgetEdgeEnd(e EdgeID, sym Symbol) error {
	if !t.expiring {
		return nil
	}
	was, _, err := t.edgePropertyCell(e, sym)
	if err != nil {
		return err
	}
	return t.forgetEnd(table.EdgeClass, uint64(e), sym, 0, was.Expires)
}

// edgePropertyCell reads the cell of a property, false for none.
func (t *Tx) edgePropertyCell(e EdgeID, sym Symbol) (EdgePropertyCell, bool, error) {
	t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(sym)})
	b, ok, err := t.get()
	if err != nil || !ok {
		return EdgePropertyCell{}, false, err
	}
	c, err := DecodeEdgePropertyCell(b)
	return c, err == nil, err
}

// writeEdgeProperty writes the cell of a property.
func (t *Tx) writeEdgeProperty(e EdgeID, sym Symbol, c EdgePropertyCell) (err error) {
	if t.cell, err = AppendEdgeProperty(t.cell[:0], c); err != nil {
		return fmt.Errorf("property %q: %w", t.Name(sym), err)
	}
	t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(sym)})
	if err := t.setOwn(t.ownEdge(e), t.key, t.cell); err != nil {
		return err
	}
	if row := t.changingEdge(e); row != nil {
		stored := c.Value
		if !lasts(stored) {
			if stored, err = DecodeEdgeProperty(t.cell); err != nil {
				return err
			}
		}
		t.ownBytes += row.write(PropertyEntry{Key: sym, bytes: uint32(len(t.cell)), Value: stored})
	}
	return t.noteChange(table.EdgeClass, uint64(e), sym, false)
}

// RemoveEdgeProperty removes a property; one that is absent is no error.
func (t *Tx) RemoveEdgeProperty(e EdgeID, key string) error {
	if err := t.writable(); err != nil {
		return err
	}
	sym, ok := t.Symbol(key)
	if !ok {
		return nil
	}
	if isHidden(sym) {
		return ValidateKey(key)
	}
	if is, err := t.isCounter(table.EdgeClass, uint64(e), sym); err != nil {
		return err
	} else if is {
		if err := t.removeCounter(table.EdgeClass, uint64(e), sym); err != nil {
			return err
		}
	}
	u, err := t.before(table.EdgeClass, uint64(e), sym, nil)
	if err != nil {
		return err
	}
	err = t.removeEdgeProperty(e, sym)
	if serr := u.settle(); err == nil {
		err = serr
	}
	return err
}

// removeEdgeProperty removes a property, and its entry in key indexes alone.
func (t *Tx) removeEdgeProperty(e EdgeID, sym Symbol) error {
	if err := t.unindexEdgeProperty(e, sym); err != nil {
		return err
	}
	if _, ok, err := t.plainEdgeValue(e, sym); err != nil || !ok {
		return err
	}
	if err := t.forgetEdgeEnd(e, sym); err != nil {
		return err
	}
	t.key = table.AppendEdgeProperty(t.key[:0], table.EdgeProperty{Graph: t.g.number, Edge: uint64(e), Key: uint32(sym)})
	if err := t.tx.Delete(t.key); err != nil {
		return err
	}
	if row := t.changingEdge(e); row != nil {
		t.ownBytes -= row.remove(sym, 0)
	}
	return t.noteChange(table.EdgeClass, uint64(e), sym, true)
}

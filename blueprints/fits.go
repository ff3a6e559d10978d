package blueprints

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// What a transaction changed has to fit the schema when it commits, and nothing else is
// looked at. Elements that it added are checked whole; of others the keys that it wrote. That
// is enough: the others fitted before, and the commit loses against whoever changes the rules
// meanwhile (definitions guards their version).

// keyChange is that a key of an element was written, or a value under it removed.
type keyChange struct {
	class   table.Class
	element uint64
	key     Symbol
	removed bool
}

// noteChange takes note of a change of an element that the transaction did not add, for
// the rules to be asked about it, and its stamp.
func (t *Tx) noteChange(class table.Class, element uint64, key Symbol, removed bool) error {
	if t.stamping {
		t.stampChanged(class, element)
	}
	if _, err := t.definitions(); err != nil || t.rules == nil {
		return err
	}
	if class == table.VertexClass && t.ownVertex(VertexID(element)) || class == table.EdgeClass && t.ownEdge(EdgeID(element)) {
		return nil
	}
	c := keyChange{class, element, key, removed}
	if n := len(t.changes); n == 0 || t.changes[n-1] != c {
		t.changes = append(t.changes, c)
		t.ownBytes += 2 * int64(unsafe.Sizeof(c)) // while the list grows there are two
	}
	return nil
}

// fits reports why what the transaction wrote does not fit the rules.
func (t *Tx) fits() error {
	if !t.tx.Pending() {
		return nil
	}
	if _, err := t.definitions(); err != nil || t.rules == nil {
		return err
	}
	for _, r := range t.rules {
		if err := t.obeys(r); err != nil {
			return t.restriction().untold(err)
		}
	}
	return nil
}

// VertexFits reports why a vertex that the transaction added does not fit the rules as it is
// now, for who can take it away again; the commit asks in any case.
func (t *Tx) VertexFits(v VertexID) error {
	if _, err := t.definitions(); err != nil || t.rules == nil || !t.ownVertex(v) {
		return err
	}
	for _, r := range t.rules {
		if err := t.vertexKeeps(r, v, t.vertexRows[v]); err != nil {
			return err
		}
	}
	return nil
}

// EdgeFits is VertexFits for an edge, and what it joins.
func (t *Tx) EdgeFits(e EdgeID) error {
	if _, err := t.definitions(); err != nil || t.rules == nil || !t.ownEdge(e) {
		return err
	}
	for _, r := range t.rules {
		if err := t.edgeKeeps(r, e, t.edgeRows[e]); err != nil {
			return err
		}
	}
	return nil
}

// obeys checks what was written against one schema, vertices first, by number: of several
// misfits the first is told.
func (t *Tx) obeys(r *Rules) error {
	for _, v := range added(t.vertexRows) {
		if err := t.vertexKeeps(r, v, t.vertexRows[v]); err != nil {
			return err
		}
	}
	for _, e := range added(t.edgeRows) {
		if err := t.edgeKeeps(r, e, t.edgeRows[e]); err != nil {
			return err
		}
	}
	slices.SortFunc(t.changes, func(a, b keyChange) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.element, b.element), cmp.Compare(a.key, b.key))
	})
	for _, c := range t.changes {
		if err := t.changeKeeps(r, c); err != nil {
			return err
		}
	}
	return nil
}

// added lists the elements of rows that the transaction made, in their order.
func added[ID ~uint64, C any](rows map[ID]*row[C]) []ID {
	var ids []ID
	for id, row := range rows {
		if row.own {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (t *Tx) vertexKeeps(r *Rules, v VertexID, row *vertexRow) (err error) {
	lr, m := r.Of(table.VertexClass, row.cell.Label)
	if lr == nil {
		return fitting(m)
	}
	props := row.props
	if row.partial {
		if props, err = t.VertexProperties(nil, v, nil); err != nil {
			return err
		}
	}
	return fitting(lr.Element(row.cell.ID, props))
}

func (t *Tx) edgeKeeps(r *Rules, e EdgeID, row *edgeRow) (err error) {
	lr, m := r.Of(table.EdgeClass, row.cell.Label)
	if lr == nil {
		return fitting(m)
	}
	props := row.props
	if row.partial {
		if props, err = t.EdgeProperties(nil, e, nil); err != nil {
			return err
		}
	}
	if m := lr.Element(row.cell.ID, props); m != nil {
		return m
	}
	if err := t.joins(lr, row.cell); err != nil {
		return err
	}
	return t.alone(lr, row.cell)
}

// joins reports why an edge may not join its vertices.
func (t *Tx) joins(lr *LabelRules, c EdgeCell) error {
	if lr.JoinsAny() {
		return nil
	}
	out, err := t.knownVertex(c.Out)
	if err != nil {
		return err
	}
	in, err := t.knownVertex(c.In)
	if err != nil {
		return err
	}
	return fitting(lr.Joins(out.Label, in.Label))
}

// changeKeeps checks a key of an element that was there before.
func (t *Tx) changeKeeps(r *Rules, c keyChange) error {
	label, id, found, err := t.labelAndID(c)
	if err != nil || !found {
		return err
	}
	lr := r.labels[classSlot(c.class)][label]
	if lr == nil { // a label that a closed schema lacks has no elements
		return nil
	}
	needed := c.removed && lr.requires(c.key)
	props, err := t.under(c, needed)
	if err != nil {
		return err
	}
	for i := range props {
		if props[i].Key != c.key {
			continue
		}
		if m := lr.value(c.key, props[i].Value); m != nil {
			return m
		}
	}
	if lr.requires(c.key) && !hasValue(props, c.key) {
		return lr.Missing(t.g.symbols.name(c.key), id)
	}
	return nil
}

// labelAndID finds the element of a change, unless the transaction removed it.
func (t *Tx) labelAndID(c keyChange) (label Symbol, id value.Value, found bool, err error) {
	if c.class == table.EdgeClass {
		cell, ok, err := t.edgeCell(EdgeID(c.element))
		return cell.Label, cell.ID, ok, err
	}
	cell, ok, err := t.vertexCell(VertexID(c.element))
	return cell.Label, cell.ID, ok, err
}

// under returns what an element has now, at least under the key of a change. When it is
// needed to be there, nobody else removes it before the commit.
func (t *Tx) under(c keyChange, needed bool) ([]PropertyEntry, error) {
	if c.class == table.EdgeClass {
		v, ok, err := t.EdgeValue(EdgeID(c.element), c.key)
		if !ok {
			return nil, err
		}
		return []PropertyEntry{{Key: c.key, Value: v}}, err
	}
	if needed {
		return t.secured(VertexID(c.element), c.key)
	}
	if row := t.vertexRows[VertexID(c.element)]; row != nil && !row.partial {
		return row.props, nil
	}
	from := table.AppendVertexPropertyKey(nil, t.g.number, c.element, uint32(c.key))
	it := t.tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	var props []PropertyEntry
	for it.Next() {
		p, err := t.g.decodeProperty(it.Key(), it.Value())
		if err != nil {
			return nil, err
		}
		props = append(props, p)
	}
	return props, it.Err()
}

// secured returns the properties under a key, one of which will be there after the commit:
// where reads are not validated, whoever removes it conflicts.
func (t *Tx) secured(v VertexID, key Symbol) ([]PropertyEntry, error) {
	props, err := t.VertexProperties(nil, v, []Symbol{key})
	if err != nil || !t.unvalidated() {
		return props, err
	}
	for i := range props {
		if !props[i].Value.IsNull() {
			t.key = table.AppendVertexProperty(t.key[:0], table.VertexProperty{
				Graph: t.g.number, Vertex: uint64(v), Key: uint32(key), Ordinal: props[i].Ordinal,
			})
			t.tx.Guard(t.key)
			break
		}
	}
	return props, nil
}

package blueprints

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

const (
	cardinalitySingle = "single"
	cardinalityList   = "list"
	cardinalitySet    = "set"
)

// VertexProperties appends the properties of v in insertion order, and counters behind them.
func (t *Tx) VertexProperties(dst []PropertyEntry, v VertexID, keys []Symbol) ([]PropertyEntry, error) {
	if t.hiding && slices.ContainsFunc(keys, isHidden) {
		return t.withHidden(dst, table.VertexClass, uint64(v), keys)
	}
	if t.counting {
		dst, err := t.plainProperties(dst, v, keys)
		if err != nil {
			return dst, err
		}
		return t.appendCounters(dst, table.VertexClass, uint64(v), keys, false)
	}
	row := t.rowInMemory(v)
	var err error
	if row == nil && len(keys) == 1 {
		if entries, ok, err := t.inColumn(table.VertexClass, uint64(v), keys[0]); ok || err != nil {
			t.observeKey(v, keys[0])
			return append(dst, entries...), err
		}
	}
	if row == nil && t.cacheable(v, partHeader) {
		if row, err = t.vertexRow(v); err != nil {
			return dst, err
		}
	}
	if row != nil && !row.partial {
		t.observeProperties(v, keys)
		return withKeys(dst, row.props, keys), nil
	}
	start := len(dst)
	if len(keys) == 0 {
		t.key = table.AppendVertexProperties(t.key[:0], t.g.number, uint64(v))
		dst, err = t.scanProperties(dst, v)
	}
	for _, k := range t.sorted(keys) {
		t.key = table.AppendVertexPropertyKey(t.key[:0], t.g.number, uint64(v), uint32(k))
		if dst, err = t.scanProperties(dst, v); err != nil {
			return dst, err
		}
	}
	sortProperties(dst[start:])
	return dst, err
}

// shownProperties returns all properties of a vertex to be shown, which stay as they are:
// they are the row's or valid until the next call.
func (t *Tx) shownProperties(v VertexID) ([]PropertyEntry, error) {
	plain, err := t.allProperties(v)
	if err != nil || !t.counting {
		return plain, err
	}
	counters, err := t.appendCounters(nil, table.VertexClass, uint64(v), nil, true)
	if err != nil || len(counters) == 0 {
		return plain, err
	}
	return append(slices.Clone(plain), counters...), nil
}

// allProperties is shownProperties without counters.
func (t *Tx) allProperties(v VertexID) ([]PropertyEntry, error) {
	if t.cacheable(v, partHeader) {
		row, err := t.vertexRow(v)
		if err != nil {
			return nil, err
		}
		if !row.partial {
			t.observeProperties(v, nil)
			return row.props, nil
		}
	}
	var err error
	t.entries, err = t.plainProperties(t.entries[:0], v, nil)
	return t.entries, err
}

// observeProperties records the reading of properties, by key or all of them.
func (t *Tx) observeProperties(v VertexID, keys []Symbol) {
	if !t.observes(v) {
		return
	}
	if len(keys) == 0 {
		t.key = table.AppendVertexProperties(t.key[:0], t.g.number, uint64(v))
		t.observePrefix()
	}
	for _, k := range keys {
		t.key = table.AppendVertexPropertyKey(t.key[:0], t.g.number, uint64(v), uint32(k))
		t.observePrefix()
	}
}

// observePrefix records the reading of all keys that start with t.key.
func (t *Tx) observePrefix() {
	t.key2 = table.PrefixEnd(t.key2[:0], t.key)
	t.tx.Observe(t.key, t.key2)
}

// withKeys appends the properties with one of the keys.
func withKeys(dst, props []PropertyEntry, keys []Symbol) []PropertyEntry {
	if len(keys) == 0 {
		return append(dst, props...)
	}
	for i := range props {
		for _, k := range keys {
			if props[i].Key == k {
				dst = append(dst, props[i])
				break
			}
		}
	}
	return dst
}

// insertedMax is how many properties are sorted by insertion.
const insertedMax = 32

// sortProperties sorts properties, most often a few: those of a vertex by number, those of
// an edge, which have none, by key.
func sortProperties(p []PropertyEntry) {
	if len(p) > insertedMax {
		slices.SortFunc(p, func(a, b PropertyEntry) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Key, b.Key))
		})
		return
	}
	for i := 1; i < len(p); i++ {
		for j := i; j > 0 && before(&p[j], &p[j-1]); j-- {
			p[j], p[j-1] = p[j-1], p[j]
		}
	}
}

func before(p, q *PropertyEntry) bool {
	return p.Number < q.Number || p.Number == q.Number && p.Key < q.Key
}

// scanProperties reads the cells of a vertex whose keys start with t.key.
func (t *Tx) scanProperties(dst []PropertyEntry, v VertexID) ([]PropertyEntry, error) {
	t.key2 = table.PrefixEnd(t.key2[:0], t.key)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2, Unobserved: t.ownVertex(v)})
	defer it.Close()
	for it.Next() {
		p, err := t.g.decodeProperty(it.Key(), it.Value())
		if err != nil {
			return dst, err
		}
		dst = append(dst, p)
	}
	return dst, it.Err()
}

// decodeProperty reads a cell of a vertex's properties.
func (g *Graph) decodeProperty(key, val []byte) (PropertyEntry, error) {
	k, err := table.DecodeVertexProperty(key)
	if err != nil {
		return PropertyEntry{}, corrupt("property", err)
	}
	c, err := DecodePropertyCell(val)
	if err == nil {
		err = g.hasEnds(c.Expires)
	}
	if err != nil {
		return PropertyEntry{}, err
	}
	return g.propertyEntry(Symbol(k.Key), k.Ordinal, c, len(val)), nil
}

// propertyEntry is the property in a cell of size bytes.
func (g *Graph) propertyEntry(key Symbol, ordinal uint64, c PropertyCell, size int) PropertyEntry {
	p := PropertyEntry{Key: key, bytes: uint32(size), Ordinal: ordinal, Number: int64(c.Number), Value: c.Value}
	id := c.UserID
	if id.IsNull() && (g.options.VertexPropertyIDs == ids.Integer || g.options.VertexPropertyIDs == ids.String) {
		id = g.options.VertexPropertyIDs.Generated(c.Number)
	}
	if id.IsNull() && len(c.Meta) == 0 {
		return p
	}
	p.rest = &propertyRest{id: id}
	for _, m := range c.Meta {
		p.rest.meta = append(p.rest.meta, value.Property{Key: g.symbols.name(m.Key), Value: m.Value})
	}
	return p
}

// VertexValue returns the first value of key.
func (t *Tx) VertexValue(v VertexID, key Symbol) (value.Value, bool, error) {
	if isHidden(key) {
		return t.hiddenValue(table.VertexClass, uint64(v), key)
	}
	if t.counting {
		val, ok, err := t.plainValue(v, key)
		if ok || err != nil {
			return val, ok, err
		}
		return t.elementCounter(table.VertexClass, uint64(v), key)
	}
	row := t.rowInMemory(v)
	if row == nil {
		if entries, ok, err := t.inColumn(table.VertexClass, uint64(v), key); ok || err != nil {
			t.observeKey(v, key)
			if len(entries) == 0 {
				return value.Null, false, err
			}
			return entries[0].Value, true, err
		}
	}
	if row == nil && t.cacheable(v, partHeader) {
		var err error
		if row, err = t.vertexRow(v); err != nil {
			return value.Null, false, err
		}
	}
	if row != nil && !row.partial {
		t.observeKey(v, key)
		return valueOf(row.props, key)
	}
	t.key = table.AppendVertexPropertyKey(t.key[:0], t.g.number, uint64(v), uint32(key))
	t.key2 = table.PrefixEnd(t.key2[:0], t.key)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2, Unobserved: t.ownVertex(v)})
	defer it.Close()
	if !it.Next() {
		return value.Null, false, it.Err()
	}
	c, err := DecodePropertyCell(it.Value())
	return c.Value, err == nil, err
}

func valueOf(props []PropertyEntry, key Symbol) (value.Value, bool, error) {
	for i := range props {
		if props[i].Key == key {
			return props[i].Value, true, nil
		}
	}
	return value.Null, false, nil
}

// SetVertexProperty adds or replaces a property by cardinality.
func (t *Tx) SetVertexProperty(v VertexID, cardinality, key string, val value.Value, id value.Value, meta []value.Property) (PropertyEntry, error) {
	if err := t.writable(); err != nil {
		return PropertyEntry{}, err
	}
	if err := ValidateKey(key); err != nil {
		return PropertyEntry{}, err
	}
	asked := cardinality
	if cardinality == "" {
		cardinality = t.g.options.DefaultCardinality
	}
	switch cardinality {
	case cardinalitySingle, cardinalityList, cardinalitySet:
	default:
		return PropertyEntry{}, fmt.Errorf("unknown cardinality %q: want single, list or set", cardinality)
	}
	if err := t.guardVertex(v); err != nil {
		return PropertyEntry{}, err
	}
	if val.IsNull() && !t.g.options.AllowNull {
		if cardinality != cardinalitySingle {
			return PropertyEntry{}, nil
		}
		return PropertyEntry{}, t.removeKey(v, key)
	}
	id, err := t.g.options.VertexPropertyIDs.Convert(id)
	if err != nil {
		return PropertyEntry{}, err
	}
	sym, err := t.Intern(key)
	if err != nil {
		return PropertyEntry{}, err
	}
	if is, err := t.takesCounter(table.VertexClass, uint64(v), sym); err != nil {
		return PropertyEntry{}, err
	} else if is {
		return t.setVertexCounter(v, asked, sym, val, meta)
	}
	cells, err := t.metaCells(nil, meta)
	if err != nil {
		return PropertyEntry{}, err
	}
	u, err := t.before(table.VertexClass, uint64(v), sym, &val)
	if err != nil {
		return PropertyEntry{}, err
	}
	p, err := t.placeProperty(v, cardinality, sym, PropertyCell{UserID: id, Value: val, Meta: cells})
	if serr := u.settle(); err == nil {
		err = serr
	}
	return p, err
}

// placeProperty finds the cell that a property goes to, and writes it.
func (t *Tx) placeProperty(v VertexID, cardinality string, key Symbol, c PropertyCell) (PropertyEntry, error) {
	if cardinality == cardinalityList {
		return t.placeBeside(nil, v, cardinality, key, c)
	}
	old, err := t.plainProperties(t.old[:0], v, []Symbol{key})
	t.old = nil // whatever is done to place it
	p := PropertyEntry{}
	if err == nil {
		p, err = t.placeBeside(old, v, cardinality, key, c)
	}
	clear(old)
	t.old = old
	return p, err
}

// placeBeside does so where the vertex has some of that key that may have to go.
func (t *Tx) placeBeside(old []PropertyEntry, v VertexID, cardinality string, key Symbol, c PropertyCell) (PropertyEntry, error) {
	ordinal := uint64(0)
	var replaced *PropertyEntry
	for i := range old {
		p := old[i]
		switch {
		case cardinality == cardinalitySet:
			if value.Identical(p.Value, c.Value) {
				return t.mergeMeta(v, p, c.Meta)
			}
		case p.Ordinal == SlotSingle:
			// It stays where it is, under its number unless the user gives an id.
			if c.Number = uint64(p.Number); c.UserID.IsNull() {
				c.UserID = t.g.storedID(p)
			}
			ordinal, replaced = SlotSingle, &old[i]
		default:
			if err := t.removeProperty(v, p); err != nil {
				return PropertyEntry{}, err
			}
		}
	}
	if ordinal == 0 {
		n, err := t.take(t.g.numbers)
		if err != nil {
			return PropertyEntry{}, err
		}
		if c.Number = n; c.UserID.IsNull() && t.g.options.VertexPropertyIDs == ids.UUID {
			c.UserID = ids.UUID.Generated(n)
		}
		if ordinal = SlotFirst + n; cardinality == cardinalitySingle {
			ordinal = SlotSingle
		}
	}
	if replaced != nil && t.expiring {
		was, _, err := t.propertyCell(v, *replaced)
		if err == nil {
			err = t.forgetEnd(table.VertexClass, uint64(v), key, ordinal, was.Expires)
		}
		if err != nil {
			return PropertyEntry{}, err
		}
	}
	p, err := t.setPropertyCell(v, key, ordinal, c)
	if err != nil {
		return p, err
	}
	if replaced != nil {
		if err := t.unindexProperty(v, key, replaced.Value); err != nil {
			return p, err
		}
	}
	return p, t.indexProperty(table.VertexClass, uint64(v), key, c.Value)
}

// storedID is the user id in a property's cell, Null when its number is its id.
func (g *Graph) storedID(p PropertyEntry) value.Value {
	if p.rest == nil || value.Identical(p.rest.id, g.options.VertexPropertyIDs.Generated(uint64(p.Number))) {
		return value.Null
	}
	return p.rest.id
}

func (t *Tx) setPropertyCell(v VertexID, key Symbol, ordinal uint64, c PropertyCell) (PropertyEntry, error) {
	var err error
	if t.cell, err = AppendPropertyCell(t.cell[:0], c); err != nil {
		return PropertyEntry{}, fmt.Errorf("property %q: %w", t.Name(key), err)
	}
	t.key = table.AppendVertexProperty(t.key[:0], table.VertexProperty{
		Graph: t.g.number, Vertex: uint64(v), Key: uint32(key), Ordinal: ordinal,
	})
	if err := t.setOwn(t.ownVertex(v), t.key, t.cell); err != nil {
		return PropertyEntry{}, err
	}
	p, err := t.written(key, ordinal, c, t.cell)
	if err != nil {
		return p, err
	}
	if row := t.changing(v); row != nil {
		t.ownBytes += row.write(p)
	}
	return p, t.noteChange(table.VertexClass, uint64(v), key, false)
}

// setOwn writes a cell of an element; own: the transaction adds that, so nothing is beneath.
func (t *Tx) setOwn(own bool, key, cell []byte) error {
	if own {
		return t.tx.SetNew(key, cell)
	}
	return t.tx.Set(key, cell)
}

func (t *Tx) removeKey(v VertexID, key string) error {
	sym, ok := t.Symbol(key)
	if !ok {
		return nil
	}
	old, err := t.VertexProperties(nil, v, []Symbol{sym})
	if err != nil {
		return err
	}
	for _, p := range old {
		if err := t.RemoveVertexProperty(v, p); err != nil {
			return err
		}
	}
	return nil
}

// RemoveVertexProperty removes one property; one that is gone already is no error.
func (t *Tx) RemoveVertexProperty(v VertexID, p PropertyEntry) error {
	if err := t.writable(); err != nil {
		return err
	}
	if p.Ordinal == SlotHidden {
		return ValidateKey(t.Name(p.Key))
	}
	if p.Ordinal == SlotCounter {
		return t.removeCounter(table.VertexClass, uint64(v), p.Key)
	}
	u, err := t.before(table.VertexClass, uint64(v), p.Key, nil)
	if err != nil {
		return err
	}
	err = t.removeProperty(v, p)
	if serr := u.settle(); err == nil {
		err = serr
	}
	return err
}

// removeProperty removes a property, and its entry in key indexes alone.
func (t *Tx) removeProperty(v VertexID, p PropertyEntry) error {
	c, ok, err := t.propertyCell(v, p) // leaves the key in t.key
	if err != nil || !ok {
		return err
	}
	if err := t.tx.Delete(t.key); err != nil {
		return err
	}
	if err := t.forgetEnd(table.VertexClass, uint64(v), p.Key, p.Ordinal, c.Expires); err != nil {
		return err
	}
	if row := t.changing(v); row != nil {
		t.ownBytes -= row.remove(p.Key, p.Ordinal)
	}
	if err := t.noteChange(table.VertexClass, uint64(v), p.Key, true); err != nil {
		return err
	}
	return t.unindexProperty(v, p.Key, c.Value)
}

func (t *Tx) propertyCell(v VertexID, p PropertyEntry) (PropertyCell, bool, error) {
	t.key = table.AppendVertexProperty(t.key[:0], table.VertexProperty{
		Graph: t.g.number, Vertex: uint64(v), Key: uint32(p.Key), Ordinal: p.Ordinal,
	})
	b, ok, err := t.get()
	if !ok {
		return PropertyCell{}, false, err
	}
	c, err := DecodePropertyCell(b)
	return c, err == nil, err
}

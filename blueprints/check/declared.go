package check

import (
	"bytes"
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Declared indexes: each complete one has exactly the entries that follow from the
// elements, and one that is being built has no others.

// indexing is the elements' side of declared indexes while a row is read.
type indexing struct {
	element keyindex.Element
	props   []indexedProperty // that some index is about
	n       keyindex.Entries
	opened  map[uint32]keyindex.Index // by number
	owners  []uint64
	key     []byte
}

type indexedProperty struct {
	key   uint32
	value value.Value
}

// complete reports whether an index has the entries of all elements.
func complete(d *keyindex.Definition) bool {
	return d.State == keyindex.Active || d.State == keyindex.Hidden
}

// ofDeclared keeps a property of the row under way.
func (c *checker) ofDeclared(class table.Class, sym uint32, v value.Value) {
	if len(c.defs.Upkeep(class)) > 0 {
		c.indexing.props = append(c.indexing.props, indexedProperty{sym, v})
	}
}

// declaredRow checks that the element whose row was read has its entries.
func (c *checker) declaredRow() error {
	x := &c.indexing
	if c.row.class == 0 || !c.row.exists {
		x.props = x.props[:0]
		return nil
	}
	for _, d := range c.defs.Upkeep(c.row.class) {
		if !complete(d) {
			continue
		}
		if err := x.n.Find(d, &x.element, x); err != nil {
			c.bad("I4", c.row.first, "index %s: %v", d.Name, err)
			continue
		}
		for i := range x.n.Len() {
			if err := c.declaredHas(d, x.n.At(i)); err != nil {
				return err
			}
		}
	}
	x.props = x.props[:0]
	return nil
}

// declaredHas checks one entry of the row's element.
func (c *checker) declaredHas(d *keyindex.Definition, values []byte) error {
	x := &c.indexing
	if c.sum != nil {
		c.entryKeys(d, &x.element, values, func(key []byte) { c.sum.open += c.sum.hash(key, nil) })
		return nil
	}
	ok, err := x.index(d, c.graph).Holds(c.snap, &x.element, values)
	if err == nil && !ok {
		c.bad("I4", c.row.first, "has no entry in index %s", d.Name)
	}
	return c.unread(err)
}

// entryKeys gives the keys that an element has in an index, each of a unique one with the
// element behind it, which is where its owners are told apart.
func (c *checker) entryKeys(d *keyindex.Definition, e *keyindex.Element, values []byte, fn func(key []byte)) {
	x := &c.indexing
	switch d.Kind {
	case keyindex.Text:
		token, val := keyindex.TokenOf(values)
		x.key = table.AppendTextEntry(x.key[:0], table.TextEntry{Graph: c.graph, Index: d.Number, Token: token, Element: e.ID})
		x.key = append(x.key, val...)
		fn(x.key)
	case keyindex.Geo:
		entry, val := keyindex.GeoEntryOf(c.graph, d.Number, e.ID, values)
		x.key = append(table.AppendGeoEntry(x.key[:0], entry), val...)
		fn(x.key)
	case keyindex.Composite:
		x.key = table.AppendCompositeEntry(x.key[:0], table.CompositeEntry{Graph: c.graph, Index: d.Number, Values: values, Element: e.ID})
		fn(x.key)
	}
	for _, way := range d.Ways() {
		x.key = table.AppendEdgeEntry(x.key[:0], keyindex.EdgeEntryOf(c.graph, d.Number, way, e, values))
		fn(x.key)
	}
}

// index opens a definition once.
func (x *indexing) index(d *keyindex.Definition, graph uint32) keyindex.Index {
	if x.opened == nil {
		x.opened = map[uint32]keyindex.Index{}
	}
	if x.opened[d.Number] == nil {
		x.opened[d.Number] = d.Open(graph)
	}
	return x.opened[d.Number]
}

// Element implements keyindex.Elements for the element whose row was read.
func (x *indexing) Element(table.Class, uint64) (keyindex.Element, bool, error) {
	return x.element, true, nil
}

// Values implements keyindex.Elements.
func (x *indexing) Values(dst []value.Value, _ table.Class, _ uint64, symbol uint32) ([]value.Value, error) {
	for _, p := range x.props {
		if p.key == symbol {
			dst = append(dst, p.value)
		}
	}
	return dst, nil
}

// tables are where the entries of declared indexes stand.
var tables = map[keyindex.Kind]table.Code{
	keyindex.Composite: table.CompositeIndex, keyindex.EdgeCentric: table.EdgeIndex, keyindex.Text: table.TextIndex, keyindex.Geo: table.GeoIndex,
}

// declaredEntry checks an entry of a declared index.
func (c *checker) declaredEntry(code table.Code, key, val []byte) error {
	number, err := declaredNumber(code, key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	d, ok := c.defs.OfNumber(number)
	if !ok || tables[d.Kind] != code {
		c.report.Entries++
		c.bad("I10", key, "there is no such index")
		return nil
	}
	x := &c.indexing
	owners, values, _, err := x.index(d, c.graph).Owner(x.owners[:0], key, val)
	if x.owners = owners; err != nil || !d.Unique && d.Analyzer != keyindex.Words && d.Kind != keyindex.Geo && len(val) > 0 {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.report.Entries += int64(len(owners))
	if d.State == keyindex.Dropping {
		return nil
	}
	for i, id := range owners {
		if c.sum != nil && complete(d) {
			c.takeEntry(d, key, values, id)
		} else if err := c.ownedBy(d, key, values, id); err != nil {
			return err
		}
		if i > 0 {
			if err := c.ownersDiffer(d, key, values, owners[:i], id); err != nil {
				return err
			}
		}
	}
	return nil
}

func declaredNumber(code table.Code, key []byte) (uint32, error) {
	switch code {
	case table.EdgeIndex:
		e, err := table.DecodeEdgeEntry(key)
		return e.Index, err
	case table.TextIndex:
		e, err := table.DecodeTextEntry(key)
		return e.Index, err
	case table.GeoIndex:
		e, err := table.DecodeGeoEntry(key)
		return e.Index, err
	}
	e, err := table.DecodeUniqueEntry(key)
	return e.Index, err
}

// takeEntry takes away what the element has promised.
func (c *checker) takeEntry(d *keyindex.Definition, key, values []byte, id uint64) {
	if d.Kind != keyindex.EdgeCentric {
		c.entryKeys(d, &keyindex.Element{ID: id}, values, func(key []byte) { c.sum.open -= c.sum.hash(key, nil) })
		return
	}
	c.sum.open -= c.sum.hash(key, nil)
}

// ownedBy looks up whether an element has the values of an entry, which stands where its
// ends are.
func (c *checker) ownedBy(d *keyindex.Definition, key, values []byte, id uint64) error {
	els := blueprints.ReadElements(c.snap, c.graph)
	e, found, err := els.Element(d.Class, id)
	if err != nil {
		return c.unread(err)
	}
	if !found {
		c.bad("I4", key, "the %s does not exist", d.Class)
		return nil
	}
	var n keyindex.Entries
	if err := n.Find(d, &e, els); err != nil {
		return c.unread(err)
	}
	here := d.Kind != keyindex.EdgeCentric
	c.entryKeys(d, &e, values, func(k []byte) { here = here || bytes.Equal(k, key) })
	if !here || !n.Has(values) {
		c.bad("I4", key, "the %s has no such values", d.Class)
	}
	return nil
}

// ownersDiffer checks that elements that share an entry of a unique index, whose form does
// not tell their values, have others.
func (c *checker) ownersDiffer(d *keyindex.Definition, key, values []byte, others []uint64, id uint64) error {
	els := blueprints.ReadElements(c.snap, c.graph)
	for _, other := range others {
		same, err := d.SameValues(els, other, id, values)
		if err != nil {
			return c.unread(err)
		}
		if same {
			c.bad("I4", key, "is owned by %d and %d, which have the same values", other, id)
		}
	}
	return nil
}

// unread leaves out what is damaged: it is reported where it stands.
func (c *checker) unread(err error) error {
	if errors.Is(err, storage.ErrCorrupt) {
		return nil
	}
	return err
}

// declaredDefinition checks the definition of a declared index.
func (c *checker) declaredDefinition(key []byte, d *keyindex.Definition) error {
	switch d.State {
	case keyindex.Building, keyindex.Active, keyindex.Hidden, keyindex.Dropping:
	default:
		c.bad("I9", key, "state %q is unknown", d.State)
	}
	if err := d.Valid(); err != nil {
		c.bad("I9", key, "%v", err)
	}
	for i, sym := range d.Symbols {
		if err := c.named(key, sym, d.Keys[i]); err != nil {
			return err
		}
	}
	if d.Label == "" {
		return nil
	}
	return c.named(key, d.LabelSymbol, d.Label)
}

// named checks that a symbol of a definition has its name.
func (c *checker) named(key []byte, sym uint32, want string) error {
	name, found, err := c.get(table.AppendSymbol(nil, c.graph, sym))
	if err == nil && (!found || string(name) != want) {
		c.bad("I9", key, "its symbol #%d is the name %q", sym, name)
	}
	return err
}

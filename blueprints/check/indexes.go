package check

import (
	"bytes"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// indexed checks that a live property has its entry, when a complete index is on it.
func (c *checker) indexed(key []byte, class table.Class, element uint64, sym uint32, v value.Value) error {
	if err := c.known(key, sym); err != nil {
		return err
	}
	c.ofDeclared(class, sym, v)
	def, ok := c.defs.Key(class, sym)
	if !ok && c.defs.Every(class) && !c.countable.Any(class, blueprints.Symbol(sym)) {
		c.bad("I4", key, "key #%d has no index, and the graph has one of every key", sym)
	}
	if !ok || def.State != keyindex.Active {
		return nil
	}
	form, err := c.scratch.Form(v)
	if err != nil {
		c.bad("I4", key, "%v", err)
		return nil
	}
	e := table.KeyIndex{Graph: c.graph, Class: class, Key: sym, Value: form, Element: element}
	for _, k := range [...][]byte{table.AppendKeyIndex(nil, e), table.AppendKeyOwned(nil, e)} {
		_, found, err := c.get(k)
		if err != nil {
			return err
		}
		if !found {
			c.bad("I4", key, "missing: %s", table.Describe(k))
		}
		if c.sum != nil {
			break // the entry promises its reverse row; equal properties share the two
		}
	}
	return nil
}

func (c *checker) definition(key []byte) error {
	d, err := table.DecodeIndexDefinition(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	if d.Family.OfBuilder() && d.Class == 0 {
		if def, ok := c.defs.OfName(d.Name); !ok || complete(def) {
			c.bad("I9", key, "what a builder has noted, without a builder")
		}
		return nil
	}
	if d.Family == table.IndexCounters {
		return c.counterKey(key)
	}
	if d.Family == table.IndexDeclared {
		if def, ok := c.defs.OfName(d.Name); ok {
			return c.declaredDefinition(key, def)
		}
		return nil // reported when the definitions were read
	}
	if d.Family.OfBuilder() {
		if def, ok := c.keyDefinition(d.Class, d.Name); !ok || def.State == keyindex.Active {
			c.bad("I9", key, "what a builder has noted, without a builder")
		}
		return nil
	}
	if d.Family == table.IndexName {
		return nil
	}
	if d.Family == table.IndexKey && d.Name == "" {
		if !slices.Contains(c.options.Features(), blueprints.AutoIndex) {
			c.bad("I9", key, "the graph does not use the feature %q", string(blueprints.AutoIndex))
		}
		return nil
	}
	if d.Family == table.IndexTTL {
		c.usesTTL(key)
		return nil
	}
	if d.Family == table.IndexSchema {
		if !slices.Contains(c.options.Features(), blueprints.SchemaFeature) {
			c.bad("I9", key, "the graph does not use the feature %q", string(blueprints.SchemaFeature))
		}
		return nil
	}
	def, ok := c.keyDefinition(d.Class, d.Name)
	if !ok {
		return nil // reported when the definitions were read
	}
	switch def.State {
	case keyindex.Building, keyindex.Active, keyindex.Dropping:
	default:
		c.bad("I9", key, "state %q is unknown", def.State)
	}
	name, found, err := c.get(table.AppendSymbol(nil, c.graph, def.Symbol))
	if err == nil && (!found || string(name) != d.Name) {
		c.bad("I9", key, "its symbol #%d is the name %q", def.Symbol, name)
	}
	return err
}

func (c *checker) keyDefinition(class table.Class, name string) (keyindex.Definition, bool) {
	for _, def := range c.defs.Keys(class) {
		if def.Name == name {
			return def, true
		}
	}
	return keyindex.Definition{}, false
}

func (c *checker) keyEntry(key []byte) error {
	e, err := table.DecodeKeyIndex(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.report.Entries++
	def, ok := c.defs.Key(e.Class, e.Key)
	if !ok {
		c.bad("I10", key, "there is no such index")
		return nil
	}
	if def.State == keyindex.Dropping {
		return nil
	}
	c.key = table.AppendKeyOwned(c.key[:0], e)
	found, err := c.promise(c.key, nil)
	if err != nil {
		return err
	}
	if !found {
		c.bad("I4", key, "has no reverse row")
	}
	holds, err := c.holds(e)
	if err == nil && !holds {
		c.bad("I4", key, "the %s has no such value", e.Class)
	}
	return err
}

func (c *checker) keyOwned(key []byte) error {
	e, err := table.DecodeKeyOwned(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	if _, ok := c.defs.Key(e.Class, e.Key); !ok {
		c.bad("I10", key, "there is no such index")
		return nil
	}
	if c.promised(key, nil) {
		return nil
	}
	_, found, err := c.get(table.AppendKeyIndex(nil, e))
	if err == nil && !found {
		c.bad("I4", key, "has no entry")
	}
	return err
}

// holds reports whether an element has a property with the form of an entry.
func (c *checker) holds(e table.KeyIndex) (bool, error) {
	from := table.AppendVertexPropertyKey(nil, c.graph, e.Element, e.Key)
	if e.Class == table.EdgeClass {
		from = table.AppendEdgeProperty(nil, table.EdgeProperty{Graph: c.graph, Edge: e.Element, Key: e.Key})
	}
	it := c.snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	for it.Next() {
		var v value.Value
		var err error
		if e.Class == table.EdgeClass {
			v, err = blueprints.DecodeEdgeProperty(it.Value())
		} else {
			var cell blueprints.PropertyCell
			cell, err = blueprints.DecodePropertyCell(it.Value())
			v = cell.Value
		}
		if err != nil {
			continue // reported where the property stands
		}
		if form, err := c.scratch.Form(v); err == nil && bytes.Equal(form, e.Value) {
			return true, nil
		}
	}
	return false, it.Err()
}

func (c *checker) namedDefinition(number uint32) (keyindex.Definition, bool) {
	for _, def := range c.defs.AllNamed() {
		if def.Number == number {
			return def, true
		}
	}
	return keyindex.Definition{}, false
}

func (c *checker) namedEntry(key, val []byte) error {
	e, err := table.DecodeNamedEntry(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.report.Entries++
	def, ok := c.namedDefinition(e.Index)
	if !ok {
		c.bad("I10", key, "there is no such index")
		return nil
	}
	if err := keyindex.CheckEntry(e, val); err != nil {
		c.bad("I1", key, "%v", err)
	}
	if err := c.known(key, e.Key); err != nil {
		return err
	}
	c.key = table.AppendNamedOwnedEntry(c.key[:0], e)
	found, err := c.promise(c.key, nil)
	if err != nil {
		return err
	}
	if !found {
		c.bad("I4", key, "has no reverse row")
	}
	_, _, found, err = c.header(def.Class, e.Element)
	if err == nil && !found {
		c.bad("I4", key, "the %s does not exist", def.Class)
	}
	return err
}

func (c *checker) namedOwned(key []byte) error {
	e, err := table.DecodeNamedOwnedEntry(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	if _, ok := c.namedDefinition(e.Index); !ok {
		c.bad("I10", key, "there is no such index")
		return nil
	}
	if c.promised(key, nil) {
		return nil
	}
	_, found, err := c.get(table.AppendNamedEntry(nil, e))
	if err == nil && !found {
		c.bad("I4", key, "has no entry")
	}
	return err
}

package blueprints

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// metaCells adds properties of a property to those it has.
func (t *Tx) metaCells(have []MetaCell, add []value.Property) ([]MetaCell, error) {
	for _, m := range add {
		if err := ValidateKey(m.Key); err != nil {
			return nil, err
		}
		if m.Value.IsNull() && !t.g.options.AllowNull {
			if sym, ok := t.Symbol(m.Key); ok {
				have = withoutMeta(have, sym)
			}
			continue
		}
		sym, err := t.Intern(m.Key)
		if err != nil {
			return nil, err
		}
		have = withMeta(have, MetaCell{Key: sym, Value: m.Value})
	}
	return have, nil
}

// SetMeta gives the property another one, or changes it.
func (c *PropertyCell) SetMeta(m MetaCell) { c.Meta = withMeta(c.Meta, m) }

func withMeta(have []MetaCell, m MetaCell) []MetaCell {
	for i := range have {
		if have[i].Key == m.Key {
			have[i].Value = m.Value
			return have
		}
	}
	return append(have, m)
}

func withoutMeta(have []MetaCell, key Symbol) []MetaCell {
	for i := range have {
		if have[i].Key == key {
			return append(have[:i], have[i+1:]...)
		}
	}
	return have
}

// mergeMeta adds properties to a property that exists.
func (t *Tx) mergeMeta(v VertexID, p PropertyEntry, add []MetaCell) (PropertyEntry, error) {
	c, ok, err := t.propertyCell(v, p)
	if err != nil || !ok {
		return p, err
	}
	if len(add) == 0 {
		return p, nil
	}
	for _, m := range add {
		c.Meta = withMeta(c.Meta, m)
	}
	return t.setPropertyCell(v, p.Key, p.Ordinal, c)
}

// SetMetaProperty sets or, with a null value that the graph does not support, removes
// a property of a property.
func (t *Tx) SetMetaProperty(v VertexID, p PropertyEntry, key string, val value.Value) error {
	if err := t.writable(); err != nil {
		return err
	}
	if p.Ordinal == SlotCounter {
		return illegalArgument("key %s is a counter, which has no properties of its own: not %s", t.Name(p.Key), value.Brief(key))
	}
	if p.Ordinal == SlotHidden {
		return ValidateKey(t.Name(p.Key))
	}
	c, ok, err := t.propertyCell(v, p)
	if err != nil {
		return err
	}
	if !ok {
		return t.absentProperty(p)
	}
	if c.Meta, err = t.metaCells(c.Meta, []value.Property{{Key: key, Value: val}}); err != nil {
		return err
	}
	_, err = t.setPropertyCell(v, p.Key, p.Ordinal, c)
	return err
}

// RemoveMetaProperty removes a property of a property; an absent one is no error.
func (t *Tx) RemoveMetaProperty(v VertexID, p PropertyEntry, key string) error {
	if err := t.writable(); err != nil {
		return err
	}
	sym, known := t.Symbol(key)
	c, ok, err := t.propertyCell(v, p)
	if err != nil || !ok || !known {
		return err
	}
	had := len(c.Meta)
	if c.Meta = withoutMeta(c.Meta, sym); len(c.Meta) == had {
		return nil
	}
	_, err = t.setPropertyCell(v, p.Key, p.Ordinal, c)
	return err
}

func (t *Tx) absentProperty(p PropertyEntry) error {
	return illegalState("VertexProperty with id %s was removed.", p.ID().Brief())
}

var _ value.Resolver = (*Tx)(nil)

// ResolveVertex returns a copy of a stored vertex, to be shown. Counters that the transaction
// itself has added to are not observed for it: who counts and is shown what he counted would
// else conflict with all others who do. A step that reads them does observe them.
func (t *Tx) ResolveVertex(id uint64, withProperties bool, room *value.Element) (*value.Element, error) {
	v := VertexID(id)
	c, err := t.knownVertex(v)
	if err != nil {
		return nil, err
	}
	e := room
	if e == nil {
		e = &value.Element{}
	}
	*e = value.Element{ID: c.ID, Label: t.Name(c.Label), Properties: e.Properties}
	if !withProperties {
		e.Properties = nil
		return e, nil
	}
	props, err := t.shownProperties(v)
	if err != nil {
		return nil, fmt.Errorf("vertex %s: %w", c.ID.Brief(), err)
	}
	e.RenewProperties(len(props))
	for i := range props {
		p := &props[i]
		*e.Properties[i].VertexProperty() = value.VertexProperty{
			ID: p.ID(), Vertex: value.VertexRef(id), Key: t.Name(p.Key), Value: p.Value, Meta: p.Meta(), Ordinal: p.Ordinal,
		}
	}
	return e, nil
}

// ResolveEdge returns a copy of a stored edge.
func (t *Tx) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	c, err := t.knownEdge(EdgeID(id))
	if err != nil {
		return nil, err
	}
	out, err := t.ResolveVertex(uint64(c.Out), false, nil)
	if err != nil {
		return nil, err
	}
	in, err := t.ResolveVertex(uint64(c.In), false, nil)
	if err != nil {
		return nil, err
	}
	e := &value.Element{ID: c.ID, Label: t.Name(c.Label), Out: value.DetachedVertex(out), In: value.DetachedVertex(in)}
	if !withProperties {
		return e, nil
	}
	props, err := t.edgeProperties(nil, EdgeID(id), nil, true)
	if err != nil {
		return nil, fmt.Errorf("edge %s: %w", c.ID.Brief(), err)
	}
	e.Properties = make([]value.Value, len(props))
	for i, p := range props {
		e.Properties[i] = value.OfProperty(&value.Property{Element: value.EdgeRef(id), Key: t.Name(p.Key), Value: p.Value})
	}
	return e, nil
}

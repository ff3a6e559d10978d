package blueprints

import (
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// How a Restricted reads properties, and changes the graph.

// VertexProperties appends properties.
func (r *Restricted) VertexProperties(dst []PropertyEntry, v VertexID, keys []Symbol) ([]PropertyEntry, error) {
	left, _, none := r.keys.without(keys)
	if ok, err := r.showsVertex(v); !ok || err != nil || none {
		return dst, err
	}
	from := len(dst)
	dst, err := r.tx.VertexProperties(dst, v, left)
	if err != nil || len(r.by.Denied.Keys) == 0 {
		return dst, err
	}
	return r.keepProperties(dst, from), nil
}

// keepProperties drops from dst, from position from on, what is denied.
func (r *Restricted) keepProperties(dst []PropertyEntry, from int) []PropertyEntry {
	kept := from
	for i := from; i < len(dst); i++ {
		if r.keys.has(dst[i].Key) {
			continue
		}
		dst[kept] = dst[i]
		if rest := dst[kept].rest; rest != nil && slices.ContainsFunc(rest.meta, r.deniesMeta) {
			own := *rest // others have the same
			own.meta = r.keepMeta(rest.meta)
			dst[kept].rest = &own
		}
		kept++
	}
	return dst[:kept]
}

func (r *Restricted) deniesMeta(p value.Property) bool { return r.deniesKey(p.Key) }

func (r *Restricted) keepMeta(meta []value.Property) []value.Property {
	if !slices.ContainsFunc(meta, r.deniesMeta) {
		return meta
	}
	return slices.DeleteFunc(slices.Clone(meta), r.deniesMeta)
}

// VertexValue returns the first value of a key.
func (r *Restricted) VertexValue(v VertexID, key Symbol) (value.Value, bool, error) {
	if r.keys.has(key) {
		return value.Null, false, nil
	}
	if ok, err := r.showsVertex(v); !ok || err != nil {
		return value.Null, false, err
	}
	return r.tx.VertexValue(v, key)
}

// VertexValues appends values of many vertices.
func (r *Restricted) VertexValues(dst []value.Value, ends []int, vs []VertexID, key Symbol) ([]value.Value, []int, error) {
	if r.keys.has(key) {
		for range vs {
			ends = append(ends, len(dst))
		}
		return dst, ends, nil
	}
	hidden, err := r.hides(vs)
	if err != nil || hidden == nil {
		if err != nil {
			return dst, ends, err
		}
		return r.tx.VertexValues(dst, ends, vs, key)
	}
	for i := 0; i < len(vs); {
		n := 1
		for i+n < len(vs) && hidden[i+n] == hidden[i] {
			n++
		}
		if hidden[i] {
			for range n {
				ends = append(ends, len(dst))
			}
		} else if dst, ends, err = r.tx.VertexValues(dst, ends, vs[i:i+n], key); err != nil {
			return dst, ends, err
		}
		i += n
	}
	return dst, ends, nil
}

// EdgeProperties appends properties.
func (r *Restricted) EdgeProperties(dst []PropertyEntry, e EdgeID, keys []Symbol) ([]PropertyEntry, error) {
	left, _, none := r.keys.without(keys)
	if len(left) == 1 && !r.tx.counting && !isHidden(left[0]) {
		val, ok, err := r.EdgeValue(e, left[0])
		if ok && err == nil {
			dst = append(dst, PropertyEntry{Key: left[0], Value: val})
		}
		return dst, err
	}
	if ok, err := r.showsEdge(e); !ok || err != nil || none {
		return dst, err
	}
	from := len(dst)
	dst, err := r.tx.EdgeProperties(dst, e, left)
	if err != nil || r.keys.list == nil {
		return dst, err
	}
	return r.keepProperties(dst, from), nil
}

// EdgeValue returns the value of a key.
func (r *Restricted) EdgeValue(e EdgeID, key Symbol) (value.Value, bool, error) {
	if r.keys.has(key) {
		return value.Null, false, nil
	}
	if r.vertices.list == nil && !r.tx.counting && !isHidden(key) { // its row says all there is to know
		if row := r.tx.edgeRowInMemory(e); row != nil && row.exists && !row.partial {
			if r.edges.has(row.cell.Label) {
				return value.Null, false, nil
			}
			r.tx.observeEdgeKey(e, key)
			return valueOf(row.props, key)
		}
	}
	if ok, err := r.showsEdge(e); !ok || err != nil {
		return value.Null, false, err
	}
	return r.tx.EdgeValue(e, key)
}

// PropertyHidden returns what a hidden key says of a property.
func (r *Restricted) PropertyHidden(c ElementClass, id uint64, p PropertyEntry, key Symbol) (value.Value, bool, error) {
	if r.keys.has(p.Key) || r.deniesKey(r.Name(key)) {
		return value.Null, false, nil
	}
	shown, err := false, error(nil)
	if c == EdgeClass {
		shown, err = r.showsEdge(EdgeID(id))
	} else {
		shown, err = r.showsVertex(VertexID(id))
	}
	if err != nil || !shown {
		return value.Null, false, err
	}
	return r.tx.PropertyHidden(c, id, p, key)
}

// ResolveVertex copies a vertex.
func (r *Restricted) ResolveVertex(id uint64, withProperties bool, room *value.Element) (*value.Element, error) {
	if err := r.wants(VertexID(id)); err != nil {
		return nil, err
	}
	e, err := r.tx.ResolveVertex(id, withProperties, room)
	if err != nil || !withProperties || len(r.by.Denied.Keys) == 0 {
		return e, err
	}
	kept := 0
	for i, p := range e.Properties {
		v := p.VertexProperty()
		if r.deniesKey(v.Key) {
			continue
		}
		v.Meta = r.keepMeta(v.Meta)
		// Changed places, not overwritten: the room is used again as it is.
		e.Properties[kept], e.Properties[i] = e.Properties[i], e.Properties[kept]
		kept++
	}
	e.Properties = e.Properties[:kept]
	return e, nil
}

// ResolveEdge copies an edge.
func (r *Restricted) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	if err := r.wantsEdge(EdgeID(id)); err != nil {
		return nil, err
	}
	e, err := r.tx.ResolveEdge(id, withProperties)
	if err == nil && withProperties && len(r.by.Denied.Keys) > 0 {
		e.Properties = slices.DeleteFunc(e.Properties, func(p value.Value) bool { return r.deniesKey(p.Property().Key) })
	}
	return e, err
}

// Intern returns the symbol of a name.
func (r *Restricted) Intern(name string) (Symbol, error) { return r.tx.Intern(name) }

// AddVertex adds a vertex.
func (r *Restricted) AddVertex(label string, id value.Value) (VertexID, error) {
	if slices.Contains(r.by.Denied.VertexLabels, label) {
		return 0, r.by.Refuse("vertices of label", label)
	}
	return r.tx.AddVertex(label, id)
}

// AddEdge adds an edge between vertices that are there.
func (r *Restricted) AddEdge(label string, out, in VertexID, id value.Value) (EdgeID, error) {
	if slices.Contains(r.by.Denied.EdgeLabels, label) {
		return 0, r.by.Refuse("edges of label", label)
	}
	for _, v := range [2]VertexID{out, in} {
		if err := r.wants(v); err != nil {
			return 0, err
		}
	}
	return r.tx.AddEdge(label, out, in, id)
}

// mayKey returns the error of who writes a key that is denied.
func (r *Restricted) mayKey(key string) error {
	if r.deniesKey(key) {
		return r.by.Refuse("the property key", key)
	}
	return nil
}

// SetVertexProperty adds or replaces a property.
func (r *Restricted) SetVertexProperty(v VertexID, cardinality, key string, val value.Value, id value.Value, meta []value.Property) (PropertyEntry, error) {
	err := r.mayKey(key)
	for i := 0; i < len(meta) && err == nil; i++ {
		err = r.mayKey(meta[i].Key)
	}
	if err == nil {
		err = r.wants(v)
	}
	if err != nil {
		return PropertyEntry{}, err
	}
	return r.tx.SetVertexProperty(v, cardinality, key, val, id, meta)
}

// SetMetaProperty sets a property of a property.
func (r *Restricted) SetMetaProperty(v VertexID, p PropertyEntry, key string, val value.Value) error {
	if err := r.mayProperty(v, p, key); err != nil {
		return err
	}
	return r.tx.SetMetaProperty(v, p, key, val)
}

// mayProperty returns the error of who changes a key of a property that is not there.
func (r *Restricted) mayProperty(v VertexID, p PropertyEntry, key string) error {
	if err := r.mayKey(r.Name(p.Key)); err != nil {
		return err
	}
	if err := r.mayKey(key); err != nil {
		return err
	}
	return r.wants(v)
}

// SetEdgeProperty sets a property of an edge.
func (r *Restricted) SetEdgeProperty(e EdgeID, key string, val value.Value) error {
	if err := r.mayKey(key); err != nil {
		return err
	}
	if err := r.wantsEdge(e); err != nil {
		return err
	}
	return r.tx.SetEdgeProperty(e, key, val)
}

// Increment adds to a counter.
func (r *Restricted) Increment(c ElementClass, id uint64, key string, by int64, at ...Interval) error {
	if err := r.mayKey(key); err != nil {
		return err
	}
	err := r.wants(VertexID(id))
	if c == EdgeClass {
		err = r.wantsEdge(EdgeID(id))
	}
	if err != nil {
		return err
	}
	return r.tx.Increment(c, id, key, by, at...)
}

// Expire has an element end at a time, whole, with what is denied of it.
func (r *Restricted) Expire(c ElementClass, id uint64, at time.Time) error {
	err := r.wants(VertexID(id))
	if c == EdgeClass {
		err = r.wantsEdge(EdgeID(id))
	}
	if err != nil {
		return err
	}
	return r.tx.Expire(c, id, at)
}

// ExpireVertexProperty has a property end at a time.
func (r *Restricted) ExpireVertexProperty(v VertexID, p PropertyEntry, at time.Time) error {
	if err := r.mayProperty(v, p, r.Name(p.Key)); err != nil {
		return err
	}
	return r.tx.ExpireVertexProperty(v, p, at)
}

// ExpireEdgeProperty has a property end at a time.
func (r *Restricted) ExpireEdgeProperty(e EdgeID, key string, at time.Time) error {
	if err := r.mayKey(key); err != nil {
		return err
	}
	if err := r.wantsEdge(e); err != nil {
		return err
	}
	return r.tx.ExpireEdgeProperty(e, key, at)
}

// RemoveVertex removes a vertex whole, with what is denied of it.
func (r *Restricted) RemoveVertex(v VertexID) error {
	if err := r.wants(v); err != nil {
		return err
	}
	return r.tx.RemoveVertex(v)
}

// RemoveEdge removes an edge whole.
func (r *Restricted) RemoveEdge(e EdgeID) error {
	if err := r.wantsEdge(e); err != nil {
		return err
	}
	return r.tx.RemoveEdge(e)
}

// RemoveVertexProperty removes a property whole.
func (r *Restricted) RemoveVertexProperty(v VertexID, p PropertyEntry) error {
	if err := r.mayProperty(v, p, ""); err != nil {
		return err
	}
	return r.tx.RemoveVertexProperty(v, p)
}

// RemoveMetaProperty removes a property of a property.
func (r *Restricted) RemoveMetaProperty(v VertexID, p PropertyEntry, key string) error {
	if err := r.mayProperty(v, p, key); err != nil {
		return err
	}
	return r.tx.RemoveMetaProperty(v, p, key)
}

// RemoveEdgeProperty removes a property of an edge.
func (r *Restricted) RemoveEdgeProperty(e EdgeID, key string) error {
	if err := r.mayKey(key); err != nil {
		return err
	}
	if err := r.wantsEdge(e); err != nil {
		return err
	}
	return r.tx.RemoveEdgeProperty(e, key)
}

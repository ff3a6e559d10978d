package engine

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// detacher copies the stored elements in values, so that these mean the same outside of
// the transaction that it reads.
type detacher struct {
	from value.Resolver
	// home is the graph that the copies are of, which they say; the zero one: nothing.
	home host.Global
	// hidden: from shows a part of that graph, and so the copies are not to be read there.
	hidden bool
	// w has the query under way, which is charged for the copies; nil: nobody is.
	w *work
}

// copyBytes is what the copy of an element, and of each of its properties, takes, about.
const copyBytes = 256

func (d detacher) value(v value.Value) (value.Value, error) {
	if v.IsStored() {
		return d.element(v, true)
	}
	switch v.Kind() {
	case value.KindList:
		list, err := d.all(v.Elems())
		return value.List(list), err
	case value.KindSet:
		list, err := d.all(v.Set().Elems())
		s := value.NewSet()
		for _, e := range list {
			s.Add(e)
		}
		return s.Value(), err
	case value.KindBulkSet:
		return d.bulkSet(v.BulkSet())
	case value.KindMap:
		return d.mapOf(v.Map())
	case value.KindMapEntry:
		pair, err := d.all([]value.Value{v.MapEntry().Key, v.MapEntry().Value})
		if err != nil {
			return v, err
		}
		return value.OfMapEntry(&value.MapEntry{Key: pair[0], Value: pair[1]}), nil
	case value.KindPath:
		objects, err := d.all(v.Path().Objects)
		return (&value.Path{Labels: v.Path().Labels, Objects: objects}).Value(), err
	case value.KindTree:
		t, err := d.tree(v.Tree())
		return t.Value(), err
	case value.KindVertexProperty:
		return d.vertexProperty(*v.VertexProperty())
	case value.KindProperty:
		return d.property(*v.Property())
	}
	return v, nil
}

// element copies a vertex or an edge.
func (d detacher) element(v value.Value, withProperties bool) (value.Value, error) {
	e, err := v.Resolve(d.from, withProperties)
	if err != nil {
		return value.Null, err
	}
	if err := d.charge(1 + len(e.Properties)); err != nil {
		return value.Null, err
	}
	e.Home = d.said()
	if v.Kind() == value.KindVertex {
		v = value.DetachedVertex(e)
		for i := range e.Properties {
			e.Properties[i].VertexProperty().Vertex = d.owner(v)
		}
		return v, nil
	}
	for _, end := range [2]value.Value{e.Out, e.In} {
		if x := end.Detached(); x != nil {
			x.Home = e.Home
		}
	}
	v = value.DetachedEdge(e)
	for i := range e.Properties {
		e.Properties[i].Property().Element = d.owner(v)
	}
	return v, nil
}

// charge charges for some copies.
func (d detacher) charge(n int) error {
	if d.w == nil {
		return nil
	}
	return d.w.q.Account.Charge(int64(n) * copyBytes)
}

// said is what a copy says of its graph.
func (d detacher) said() any {
	switch {
	case d.home == host.Global{}:
		return nil
	case d.hidden:
		return host.Hidden{Global: d.home}
	}
	return d.home
}

// whole reports whether the element of a copied property can be read in its graph.
func (d detacher) whole() bool { return d.home != host.Global{} && !d.hidden }

// owner is what a copied property says it is of.
func (d detacher) owner(v value.Value) value.Value {
	if !d.whole() {
		return value.Null
	}
	return v
}

func (d detacher) vertexProperty(p value.VertexProperty) (v value.Value, err error) {
	if p.Vertex, err = d.of(p.Vertex); err != nil {
		return value.Null, err
	}
	return value.OfVertexProperty(&p), d.charge(1)
}

func (d detacher) property(p value.Property) (v value.Value, err error) {
	if p.Element, err = d.of(p.Element); err != nil {
		return value.Null, err
	}
	return value.OfProperty(&p), d.charge(1)
}

// of copies the element of a property, when the copy can say where it is from.
func (d detacher) of(v value.Value) (value.Value, error) {
	switch {
	case !d.whole():
		return value.Null, nil
	case v.IsStored():
		return d.element(v, false)
	case v.Kind() == value.KindVertexProperty:
		return d.vertexProperty(*v.VertexProperty())
	}
	return v, nil
}

func (d detacher) all(list []value.Value) ([]value.Value, error) {
	out := make([]value.Value, len(list))
	for i, e := range list {
		v, err := d.value(e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (d detacher) bulkSet(s *value.BulkSet) (value.Value, error) {
	out := value.NewBulkSet()
	for i := range s.Len() {
		e, bulk := s.Entry(i)
		v, err := d.value(e)
		if err != nil {
			return value.Null, err
		}
		out.Add(v, bulk)
	}
	return out.Value(), nil
}

func (d detacher) mapOf(m *value.Map) (value.Value, error) {
	out := value.NewMap()
	for i := range m.Len() {
		k, v := m.Entry(i)
		k, err := d.value(k)
		if err != nil {
			return value.Null, err
		}
		if v, err = d.value(v); err != nil {
			return value.Null, err
		}
		out.Put(k, v)
	}
	return out.Value(), nil
}

func (d detacher) tree(t *value.Tree) (*value.Tree, error) {
	keys, err := d.all(t.Keys)
	out := &value.Tree{Keys: keys}
	for _, c := range t.Children {
		if err != nil {
			break
		}
		var child *value.Tree
		child, err = d.tree(c)
		out.Children = append(out.Children, child)
	}
	return out, err
}

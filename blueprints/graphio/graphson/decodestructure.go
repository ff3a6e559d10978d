package graphson

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

func (d *Decoder) structure(k value.Kind, n *Node) (value.Value, error) {
	if k == value.KindTree {
		t, err := d.tree(n)
		return t.Value(), err
	}
	if err := n.expect(NodeObject, typeNames[k]); err != nil {
		return value.Null, err
	}
	switch k {
	case value.KindVertex:
		return d.Vertex(n)
	case value.KindEdge:
		return d.edge(n)
	case value.KindVertexProperty:
		return d.VertexProperty(n, "")
	case value.KindProperty:
		p, err := d.property(n)
		return value.OfProperty(&p), err
	case value.KindPath:
		return d.path(n)
	}
	return d.graph(n)
}

// Vertex reads the object of a vertex: id, label, properties by key.
func (d *Decoder) Vertex(n *Node) (value.Value, error) {
	e, err := d.element(n, "vertex")
	if err != nil {
		return value.Null, err
	}
	properties := n.Field("properties")
	if properties.Kind() == NodeNull {
		return value.DetachedVertex(e), nil
	}
	if err := properties.expect(NodeObject, "properties"); err != nil {
		return value.Null, err
	}
	e.Properties = []value.Value{}
	for i := range properties.Len() {
		key, list := properties.Entry(i)
		if err := list.expect(NodeArray, "property "+key); err != nil {
			return value.Null, err
		}
		for j := range list.Len() {
			p, err := d.VertexProperty(list.Elem(j).untagged(), key)
			if err != nil {
				return value.Null, err
			}
			e.Properties = append(e.Properties, p)
		}
	}
	return value.DetachedVertex(e), nil
}

// untagged returns what stands in @value, or n itself.
func (n *Node) untagged() *Node {
	if v := n.Field("@value"); v != nil && n.Field("@type") != nil {
		return v
	}
	return n
}

func (d *Decoder) element(n *Node, label string) (*value.Element, error) {
	id, err := d.Value(n.Field("id"))
	if err != nil {
		return nil, err
	}
	if l := n.Field("label"); l.Kind() == NodeString {
		label = l.text
	}
	return &value.Element{ID: id, Label: label}, nil
}

// VertexProperty reads the object of a vertex property; key is its label when the
// object has none.
func (d *Decoder) VertexProperty(n *Node, key string) (value.Value, error) {
	if err := n.expect(NodeObject, "a vertex property"); err != nil {
		return value.Null, err
	}
	id, err := d.Value(n.Field("id"))
	if err != nil {
		return value.Null, err
	}
	x, err := d.Value(n.Field("value"))
	if err != nil {
		return value.Null, err
	}
	if l := n.Field("label"); l.Kind() == NodeString {
		key = l.text
	}
	p := &value.VertexProperty{ID: id, Key: key, Value: x}
	meta := n.Field("properties")
	for i := range meta.Len() {
		if err := meta.expect(NodeObject, "properties of a property"); err != nil {
			return value.Null, err
		}
		key, x := meta.Entry(i)
		v, err := d.Value(x)
		if err != nil {
			return value.Null, err
		}
		p.Meta = append(p.Meta, value.Property{Key: key, Value: v})
	}
	return value.OfVertexProperty(p), nil
}

func (d *Decoder) property(n *Node) (value.Property, error) {
	if err := n.expect(NodeObject, "a property"); err != nil {
		return value.Property{}, err
	}
	v, err := d.Value(n.Field("value"))
	return value.Property{Key: n.Field("key").Text(), Value: v}, err
}

func (d *Decoder) edge(n *Node) (value.Value, error) {
	e, err := d.element(n, "edge")
	if err != nil {
		return value.Null, err
	}
	if e.In, err = d.endpoint(n, "inV"); err != nil {
		return value.Null, err
	}
	if e.Out, err = d.endpoint(n, "outV"); err != nil {
		return value.Null, err
	}
	if p := n.Field("properties"); p.Kind() != NodeNull {
		e.Properties, err = d.EdgeProperties(p)
	}
	return value.DetachedEdge(e), err
}

func (d *Decoder) endpoint(n *Node, field string) (value.Value, error) {
	id, err := d.Value(n.Field(field))
	label := "vertex"
	if l := n.Field(field + "Label"); l.Kind() == NodeString {
		label = l.text
	}
	return value.DetachedVertex(&value.Element{ID: id, Label: label}), err
}

// EdgeProperties reads the properties of an edge, whole properties or plain values.
func (d *Decoder) EdgeProperties(n *Node) ([]value.Value, error) {
	if err := n.expect(NodeObject, "properties"); err != nil {
		return nil, err
	}
	out := []value.Value{}
	for i := range n.Len() {
		key, x := n.Entry(i)
		v, err := d.Value(x)
		if err != nil {
			return nil, err
		}
		if p := v.Property(); p != nil {
			out = append(out, v)
			continue
		}
		out = append(out, value.OfProperty(&value.Property{Key: key, Value: v}))
	}
	return out, nil
}

func (d *Decoder) path(n *Node) (value.Value, error) {
	labels, err := d.Value(n.Field("labels"))
	if err != nil {
		return value.Null, err
	}
	objects, err := d.Value(n.Field("objects"))
	if err != nil {
		return value.Null, err
	}
	p := &value.Path{Objects: objects.Elems()}
	for _, set := range labels.Elems() {
		names := []string{}
		for _, name := range append(set.Elems(), set.Set().Elems()...) {
			names = append(names, name.Str())
		}
		p.Labels = append(p.Labels, names)
	}
	return p.Value(), nil
}

// tree reads a list of keys with their subtrees.
func (d *Decoder) tree(n *Node) (*value.Tree, error) {
	if d.depth++; d.depth > MaxDepth {
		return &value.Tree{}, errDepth
	}
	defer func() { d.depth-- }()
	t := &value.Tree{}
	n = n.untagged()
	if err := n.expect(NodeArray, "g:Tree"); err != nil {
		return t, err
	}
	for i := range n.Len() {
		key, err := d.Value(n.Elem(i).Field("key"))
		if err != nil {
			return t, err
		}
		child, err := d.tree(n.Elem(i).Field("value"))
		if err != nil {
			return t, err
		}
		t.Keys, t.Children = append(t.Keys, key), append(t.Children, child)
	}
	return t, nil
}

func (d *Decoder) graph(n *Node) (value.Value, error) {
	g := &value.Subgraph{}
	for _, part := range [2]struct {
		name string
		kind value.Kind
		to   *[]value.Value
	}{{"vertices", value.KindVertex, &g.Vertices}, {"edges", value.KindEdge, &g.Edges}} {
		list := n.Field(part.name)
		if err := list.expect(NodeArray, part.name); err != nil {
			return value.Null, err
		}
		for i := range list.Len() {
			v, err := d.structure(part.kind, list.Elem(i).untagged())
			if err != nil {
				return value.Null, fmt.Errorf("%s: %w", part.name, err)
			}
			*part.to = append(*part.to, v)
		}
	}
	return g.Value(), nil
}

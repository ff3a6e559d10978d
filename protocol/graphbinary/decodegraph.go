package graphbinary

import (
	"github.com/gremlind/gremlind/storage/value"
)

// composite reads elements, paths and the parts of traversals.
func (r *Reader) composite(code byte, start int) value.Value {
	switch code {
	case codeVertex:
		return r.vertex()
	case codeEdge:
		return r.edge()
	case codeVertexProperty:
		return r.vertexProperty()
	case codeProperty:
		return r.property()
	case codePath:
		return r.path()
	case codeTree:
		return r.tree().Value()
	case codeGraph:
		return r.graph()
	case codeTraverser:
		bulk := r.int64()
		return value.OfTraverser(&value.Bulked{Bulk: bulk, Value: r.Value()})
	}
	return r.traversalBody(code, start)
}

func (r *Reader) vertex() value.Value {
	e := &value.Element{ID: r.Value()}
	e.Label = r.string()
	e.Properties = r.properties()
	return value.DetachedVertex(e)
}

// properties reads the list of an element's properties, nil for null: not known.
func (r *Reader) properties() []value.Value {
	v := r.expect(value.KindList)
	if v.IsNull() {
		return nil
	}
	return v.Elems()
}

// edge reads the incoming vertex before the outgoing one, as it is sent.
func (r *Reader) edge() value.Value {
	e := &value.Element{ID: r.Value()}
	e.Label = r.string()
	e.In = r.endpoint()
	e.Out = r.endpoint()
	r.Value() // parent, always null
	e.Properties = r.properties()
	return value.DetachedEdge(e)
}

func (r *Reader) endpoint() value.Value {
	e := &value.Element{ID: r.Value()}
	e.Label = r.string()
	return value.DetachedVertex(e)
}

func (r *Reader) vertexProperty() value.Value {
	p := &value.VertexProperty{ID: r.Value()}
	p.Key = r.string()
	p.Value = r.Value()
	p.Vertex = r.expect(value.KindVertex)
	p.Meta = metaOf(r.properties())
	return value.OfVertexProperty(p)
}

func metaOf(list []value.Value) []value.Property {
	if list == nil {
		return nil
	}
	out := make([]value.Property, 0, len(list))
	for _, v := range list {
		if p := v.Property(); p != nil {
			out = append(out, *p)
		}
	}
	return out
}

func (r *Reader) property() value.Value {
	p := &value.Property{Key: r.string()}
	p.Value = r.Value()
	p.Element = r.Value()
	return value.OfProperty(p)
}

func (r *Reader) path() value.Value {
	labels := r.expect(value.KindList)
	p := &value.Path{Objects: r.expect(value.KindList).Elems()}
	for _, set := range labels.Elems() {
		if r.owe(labelsBytes); r.err != nil {
			break
		}
		names := []string{}
		for _, name := range set.Set().Elems() {
			names = append(names, name.Str())
		}
		p.Labels = append(p.Labels, names)
	}
	return p.Value()
}

// tree reads a bare tree: keys, each with its bare subtree.
func (r *Reader) tree() *value.Tree {
	t := &value.Tree{}
	if !r.enter() {
		return t
	}
	for n := r.count(6); n > 0 && r.err == nil; n-- {
		r.owe(treeBytes)
		t.Keys = append(t.Keys, r.Value())
		t.Children = append(t.Children, r.tree())
	}
	r.leave()
	return t
}

func (r *Reader) graph() value.Value {
	g := &value.Subgraph{}
	for n := r.count(10); n > 0 && r.err == nil; n-- {
		r.owe(elementBytes)
		e := &value.Element{ID: r.Value(), Properties: []value.Value{}}
		e.Label = r.string()
		for m := r.count(12); m > 0 && r.err == nil; m-- {
			r.owe(elementBytes)
			p := &value.VertexProperty{ID: r.Value()}
			p.Key = r.string()
			p.Value = r.Value()
			r.Value() // parent, always null
			p.Meta = metaOf(r.list(r.count(2)))
			e.Properties = append(e.Properties, value.OfVertexProperty(p))
		}
		g.Vertices = append(g.Vertices, value.DetachedVertex(e))
	}
	for n := r.count(18); n > 0 && r.err == nil; n-- {
		r.owe(3 * elementBytes)
		e := &value.Element{ID: r.Value()}
		e.Label = r.string()
		e.In = value.DetachedVertex(&value.Element{ID: r.Value()})
		r.Value() // label of the incoming vertex, always null
		e.Out = value.DetachedVertex(&value.Element{ID: r.Value()})
		r.Value() // label of the outgoing vertex, always null
		r.Value() // parent, always null
		e.Properties = r.list(r.count(2))
		g.Edges = append(g.Edges, value.DetachedEdge(e))
	}
	return g.Value()
}

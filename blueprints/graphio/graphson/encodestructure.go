package graphson

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

var errNoElement = errors.New("the element does not exist")

func (e *Encoder) appendStructure(dst []byte, v value.Value) ([]byte, error) {
	switch v.Kind() {
	case value.KindVertex:
		return e.appendVertex(dst, v)
	case value.KindEdge:
		return e.appendEdge(dst, v)
	case value.KindVertexProperty:
		return e.appendVertexProperty(dst, v.VertexProperty(), true)
	case value.KindProperty:
		return e.appendProperty(dst, v.Property())
	case value.KindPath:
		return e.appendPath(dst, v.Path())
	case value.KindTree:
		return e.appendTree(dst, v.Tree())
	}
	return e.appendGraph(dst, v.Subgraph())
}

// BeginObject opens an object of a type: in version 1 it says that it is a map. EndObject
// closes it.
func (e *Encoder) BeginObject(dst []byte, typ string) []byte {
	if e.classed() {
		return append(dst, `{"@class":"java.util.HashMap"`...)
	}
	return append(e.Begin(dst, typ, ""), '{')
}

// EndObject closes what BeginObject opened.
func (e *Encoder) EndObject(dst []byte) []byte {
	dst = append(dst, '}')
	if e.tagged() {
		dst = append(dst, '}')
	}
	return dst
}

// beginArray opens an array that has no type of its own in versions 2 and 3.
func (e *Encoder) beginArray(dst []byte) []byte {
	if e.classed() {
		dst = append(dst, `["java.util.ArrayList",`...)
	}
	return append(dst, '[')
}

func (e *Encoder) endArray(dst []byte) []byte {
	dst = append(dst, ']')
	if e.classed() {
		dst = append(dst, ']')
	}
	return dst
}

// beginPlain opens an object that has no type of its own in versions 2 and 3.
func (e *Encoder) beginPlain(dst []byte) []byte {
	if e.classed() {
		return append(dst, `{"@class":"java.util.HashMap"`...)
	}
	return append(dst, '{')
}

func (e *Encoder) resolve(v value.Value, withProperties bool) (*value.Element, error) {
	el, err := v.Resolve(e.Resolver, withProperties && !e.Tokens)
	if err == nil && el == nil {
		err = errNoElement
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", v.Kind(), err)
	}
	return el, nil
}

func (e *Encoder) appendVertex(dst []byte, v value.Value) ([]byte, error) {
	el, err := e.resolve(v, true)
	if err != nil {
		return dst, err
	}
	dst = e.BeginObject(dst, "g:Vertex")
	if dst, err = e.Append(e.Field(dst, "id"), el.ID); err != nil {
		return dst, err
	}
	dst = AppendString(e.Field(dst, "label"), el.Label)
	if e.Version == 1 {
		dst = append(e.Field(dst, "type"), `"vertex"`...)
	}
	if len(el.Properties) > 0 && !e.Tokens || e.Version == 1 {
		if dst, err = e.appendVertexProperties(e.Field(dst, "properties"), el.Properties); err != nil {
			return dst, err
		}
	}
	return e.EndObject(dst), nil
}

// appendVertexProperties groups the properties by key, in the order of first sight.
func (e *Encoder) appendVertexProperties(dst []byte, list []value.Value) ([]byte, error) {
	dst = e.beginPlain(dst)
	if e.Tokens {
		list = nil
	}
	groups, err := byKey(list)
	if err != nil {
		return dst, err
	}
	for _, group := range groups {
		dst = e.beginArray(e.Field(dst, group[0].Key))
		for j, p := range group {
			if j > 0 {
				dst = append(dst, ',')
			}
			if dst, err = e.appendVertexProperty(dst, p, e.Version > 1); err != nil {
				return dst, err
			}
		}
		dst = e.endArray(dst)
	}
	return append(dst, '}'), nil
}

// byKey groups properties by key in the order of first sight.
func byKey(list []value.Value) ([][]*value.VertexProperty, error) {
	groups := make([][]*value.VertexProperty, 0, len(list))
	at := make(map[string]int, len(list))
	for _, v := range list {
		p := v.VertexProperty()
		if p == nil {
			return nil, fmt.Errorf("encode Vertex: a property is a %s", v.Kind())
		}
		i, ok := at[p.Key]
		if !ok {
			i = len(groups)
			at[p.Key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups, nil
}

func (e *Encoder) appendVertexProperty(dst []byte, p *value.VertexProperty, label bool) ([]byte, error) {
	dst = e.BeginObject(dst, "g:VertexProperty")
	dst, err := e.Append(e.Field(dst, "id"), p.ID)
	if err != nil {
		return dst, err
	}
	if dst, err = e.Append(e.Field(dst, "value"), p.Value); err != nil {
		return dst, err
	}
	if label {
		dst = AppendString(e.Field(dst, "label"), p.Key)
	}
	if len(p.Meta) > 0 && !e.Tokens {
		dst = e.beginPlain(e.Field(dst, "properties"))
		for i := range p.Meta {
			if dst, err = e.Append(e.Field(dst, p.Meta[i].Key), p.Meta[i].Value); err != nil {
				return dst, err
			}
		}
		dst = append(dst, '}')
	}
	return e.EndObject(dst), nil
}

func (e *Encoder) appendProperty(dst []byte, p *value.Property) ([]byte, error) {
	dst = e.BeginObject(dst, "g:Property")
	dst = AppendString(e.Field(dst, "key"), p.Key)
	dst, err := e.Append(e.Field(dst, "value"), p.Value)
	return e.EndObject(dst), err
}

func (e *Encoder) appendEdge(dst []byte, v value.Value) ([]byte, error) {
	el, err := e.resolve(v, true)
	if err != nil {
		return dst, err
	}
	in, err := e.endpoint(el.In)
	if err != nil {
		return dst, err
	}
	out, err := e.endpoint(el.Out)
	if err != nil {
		return dst, err
	}
	dst = e.BeginObject(dst, "g:Edge")
	if dst, err = e.Append(e.Field(dst, "id"), el.ID); err != nil {
		return dst, err
	}
	dst = AppendString(e.Field(dst, "label"), el.Label)
	if e.Version == 1 {
		dst = append(e.Field(dst, "type"), `"edge"`...)
	}
	dst = AppendString(e.Field(dst, "inVLabel"), in.Label)
	dst = AppendString(e.Field(dst, "outVLabel"), out.Label)
	if dst, err = e.Append(e.Field(dst, "inV"), in.ID); err != nil {
		return dst, err
	}
	if dst, err = e.Append(e.Field(dst, "outV"), out.ID); err != nil {
		return dst, err
	}
	if len(el.Properties) > 0 && !e.Tokens {
		if dst, err = e.appendEdgeProperties(e.Field(dst, "properties"), el.Properties); err != nil {
			return dst, err
		}
	}
	return e.EndObject(dst), nil
}

func (e *Encoder) endpoint(v value.Value) (*value.Element, error) {
	if v.Kind() != value.KindVertex {
		return nil, fmt.Errorf("encode Edge: an endpoint is a %s", v.Kind())
	}
	return e.resolve(v, false)
}

// appendEdgeProperties writes plain values in version 1 and whole properties later.
func (e *Encoder) appendEdgeProperties(dst []byte, list []value.Value) ([]byte, error) {
	dst = e.beginPlain(dst)
	var err error
	for _, v := range list {
		p := v.Property()
		if p == nil {
			return dst, fmt.Errorf("encode Edge: a property is a %s", v.Kind())
		}
		dst = e.Field(dst, p.Key)
		if e.Version == 1 {
			dst, err = e.Append(dst, p.Value)
		} else {
			dst, err = e.appendProperty(dst, p)
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func (e *Encoder) appendPath(dst []byte, p *value.Path) ([]byte, error) {
	labels := make([]value.Value, len(p.Labels))
	for i, names := range p.Labels {
		set := value.NewSet()
		for _, name := range names {
			set.Add(value.String(name))
		}
		labels[i] = set.Value()
	}
	dst = e.BeginObject(dst, "g:Path")
	dst, err := e.Append(e.Field(dst, "labels"), value.List(labels))
	if err != nil {
		return dst, err
	}
	dst, err = e.Append(e.Field(dst, "objects"), value.List(p.Objects))
	return e.EndObject(dst), err
}

// appendTree writes a list of keys with their subtrees; in version 1 an object of them
// by the keys' text.
func (e *Encoder) appendTree(dst []byte, t *value.Tree) ([]byte, error) {
	var err error
	if e.Version == 1 {
		dst = e.beginPlain(dst)
		for i, k := range t.Keys {
			dst = e.beginPlain(e.Field(dst, e.keyText(k)))
			if dst, err = e.appendBranch(dst, k, t.Children[i]); err != nil {
				return dst, err
			}
			dst = append(dst, '}')
		}
		return append(dst, '}'), nil
	}
	dst = append(e.Begin(dst, "g:Tree", ""), '[')
	for i, k := range t.Keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = e.appendBranch(append(dst, '{'), k, t.Children[i]); err != nil {
			return dst, err
		}
		dst = append(dst, '}')
	}
	return e.End(append(dst, ']')), nil
}

func (e *Encoder) appendBranch(dst []byte, k value.Value, child *value.Tree) ([]byte, error) {
	dst, err := e.Append(e.Field(dst, "key"), k)
	if err != nil {
		return dst, err
	}
	return e.appendTree(e.Field(dst, "value"), child)
}

// appendGraph writes a subgraph whole, whatever Tokens says.
func (e *Encoder) appendGraph(dst []byte, g *value.Subgraph) ([]byte, error) {
	whole := *e
	whole.Tokens = false
	dst = e.BeginObject(dst, "tinker:graph")
	for _, part := range [2]struct {
		name  string
		elems []value.Value
	}{{"vertices", g.Vertices}, {"edges", g.Edges}} {
		dst = e.beginArray(e.Field(dst, part.name))
		for i, v := range part.elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = whole.appendStructure(dst, v); err != nil {
				return dst, err
			}
		}
		dst = e.endArray(dst)
	}
	return e.EndObject(dst), nil
}

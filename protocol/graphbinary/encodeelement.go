package graphbinary

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

var errNoElement = errors.New("the element does not exist")

// resolve returns the element behind v, with its properties unless tokens are asked.
func (e *Encoder) resolve(v value.Value, withProperties bool) (*value.Element, error) {
	el, err := v.ResolveIn(e.Resolver, withProperties && !e.Tokens, e.Room)
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
	if dst, err = e.appendIdentity(append(dst, codeVertex, flagValue), el); err != nil {
		return dst, err
	}
	return e.appendProperties(dst, el.Properties)
}

// appendIdentity writes id and label.
func (e *Encoder) appendIdentity(dst []byte, el *value.Element) ([]byte, error) {
	dst, err := e.Append(dst, el.ID)
	return appendText(dst, el.Label), err
}

// appendProperties writes null for a reference, else the list.
func (e *Encoder) appendProperties(dst []byte, list []value.Value) ([]byte, error) {
	if e.Tokens || list == nil {
		return append(dst, codeNull, flagNull), nil
	}
	return e.appendList(append(dst, codeList, flagValue), list)
}

func (e *Encoder) appendEdge(dst []byte, v value.Value) ([]byte, error) {
	el, err := e.resolve(v, true)
	if err != nil {
		return dst, err
	}
	dst, err = e.appendIdentity(append(dst, codeEdge, flagValue), el)
	for _, end := range [2]value.Value{el.In, el.Out} {
		if err == nil {
			dst, err = e.appendEndpoint(dst, end)
		}
	}
	if err != nil {
		return dst, err
	}
	return e.appendProperties(append(dst, codeNull, flagNull), el.Properties)
}

func (e *Encoder) appendEndpoint(dst []byte, v value.Value) ([]byte, error) {
	if v.Kind() != value.KindVertex {
		return dst, fmt.Errorf("encode Edge: endpoint is a %s", v.Kind())
	}
	el, err := e.resolve(v, false)
	if err != nil {
		return dst, err
	}
	return e.appendIdentity(dst, el)
}

func (e *Encoder) appendVertexProperty(dst []byte, p *value.VertexProperty) ([]byte, error) {
	dst, err := e.Append(dst, p.ID)
	if err != nil {
		return dst, err
	}
	if dst, err = e.Append(appendText(dst, p.Key), p.Value); err != nil {
		return dst, err
	}
	dst = append(dst, codeNull, flagNull) // parent
	if e.Tokens {
		return append(dst, codeNull, flagNull), nil
	}
	return e.appendMeta(append(dst, codeList, flagValue), p.Meta)
}

// appendMeta writes a bare list of properties.
func (e *Encoder) appendMeta(dst []byte, meta []value.Property) ([]byte, error) {
	dst = appendCount(dst, len(meta))
	var err error
	for i := range meta {
		if dst, err = e.appendProperty(append(dst, codeProperty, flagValue), &meta[i]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Encoder) appendProperty(dst []byte, p *value.Property) ([]byte, error) {
	dst, err := e.Append(appendText(dst, p.Key), p.Value)
	return append(dst, codeNull, flagNull), err // parent
}

// appendGraph writes a subgraph whole, whatever Tokens says.
func (e *Encoder) appendGraph(dst []byte, g *value.Subgraph) ([]byte, error) {
	whole := Encoder{Resolver: e.Resolver}
	dst = appendCount(dst, len(g.Vertices))
	for _, v := range g.Vertices {
		el, err := whole.resolve(v, true)
		if err != nil {
			return dst, err
		}
		if dst, err = whole.appendGraphVertex(dst, el); err != nil {
			return dst, err
		}
	}
	dst = appendCount(dst, len(g.Edges))
	for _, v := range g.Edges {
		el, err := whole.resolve(v, true)
		if err != nil {
			return dst, err
		}
		if dst, err = whole.appendGraphEdge(dst, el); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Encoder) appendGraphVertex(dst []byte, el *value.Element) ([]byte, error) {
	dst, err := e.appendIdentity(dst, el)
	if err != nil {
		return dst, err
	}
	dst = appendCount(dst, len(el.Properties))
	for _, v := range el.Properties {
		p := v.VertexProperty()
		if p == nil {
			return dst, fmt.Errorf("encode Graph: vertex property is a %s", v.Kind())
		}
		if dst, err = e.Append(dst, p.ID); err != nil {
			return dst, err
		}
		if dst, err = e.Append(appendText(dst, p.Key), p.Value); err != nil {
			return dst, err
		}
		if dst, err = e.appendMeta(append(dst, codeNull, flagNull), p.Meta); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendGraphEdge writes the endpoints by id alone; their vertices stand before.
func (e *Encoder) appendGraphEdge(dst []byte, el *value.Element) ([]byte, error) {
	dst, err := e.appendIdentity(dst, el)
	for _, end := range [2]value.Value{el.In, el.Out} {
		if err != nil {
			return dst, err
		}
		var v *value.Element
		if v, err = e.resolve(end, false); err != nil {
			return dst, err
		}
		dst, err = e.Append(dst, v.ID)
		dst = append(dst, codeNull, flagNull)
	}
	if err != nil {
		return dst, err
	}
	return e.appendList(append(dst, codeNull, flagNull), el.Properties)
}

package main

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// toyGraph knows the elements of one graph by the names that feature files use:
// v[marko], e[marko-knows->josh], vp[marko-name->marko].
type toyGraph struct {
	vertices, edges, properties map[string]value.Value
}

// newToyGraph names the elements of a graph. Vertices come with their properties.
func newToyGraph(vertices, edges []value.Value) *toyGraph {
	t := &toyGraph{map[string]value.Value{}, map[string]value.Value{}, map[string]value.Value{}}
	names := map[string]string{} // printed id -> name
	for _, v := range vertices {
		name := ""
		for _, p := range v.Detached().Properties {
			if vp := p.VertexProperty(); vp != nil && vp.Key == "name" {
				name = vp.Value.Str()
			}
		}
		if name == "" {
			continue
		}
		names[v.Detached().ID.JavaString()] = name
		t.vertices[name] = v
		for _, p := range v.Detached().Properties {
			vp := p.VertexProperty()
			t.properties[name+"-"+vp.Key+"->"+inNotation(vp.Value)] = p
		}
	}
	for _, e := range edges {
		d := e.Detached()
		out, in := names[elementID(d.Out).JavaString()], names[elementID(d.In).JavaString()]
		t.edges[out+"-"+d.Label+"->"+in] = e
	}
	return t
}

// inNotation writes a property's value the way vertex properties are named.
func inNotation(v value.Value) string {
	switch v.Kind() {
	case value.KindInt:
		return "d[" + v.JavaString() + "].i"
	case value.KindFloat:
		return "d[" + v.JavaString() + "].f"
	case value.KindDouble:
		return "d[" + v.JavaString() + "].d"
	}
	return v.JavaString()
}

func (t *toyGraph) find(kind, name string) (value.Value, error) {
	m := t.vertices
	switch kind {
	case "e":
		m = t.edges
	case "vp":
		m = t.properties
	}
	if v, ok := m[name]; ok {
		return v, nil
	}
	if kind == "v" {
		// Some scenarios name a vertex that does not exist by its id.
		return value.DetachedVertex(&value.Element{ID: value.String(name), Label: "vertex"}), nil
	}
	return value.Null, fmt.Errorf("the graph has no %s[%s]", kind, name)
}

package traversal

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
)

// How a guardedView reads the properties of vertices.

// IndexVersion is nil when properties are hidden.
func (g *guardedView) IndexVersion() *keyindex.Definitions {
	if g.property != nil {
		return nil
	}
	return g.View.IndexVersion()
}

// VertexIndexes lists none when properties are hidden: an index holds those too.
func (g *guardedView) VertexIndexes() []string {
	if g.property != nil {
		return nil
	}
	return g.View.VertexIndexes()
}

// DeclaredIndexes lists none of vertices when properties are hidden.
func (g *guardedView) DeclaredIndexes(c blueprints.ElementClass) []*blueprints.IndexDefinition {
	if g.property != nil && c == blueprints.VertexClass {
		return nil
	}
	return g.View.DeclaredIndexes(c)
}

// VertexProperties appends the properties that show.
func (g *guardedView) VertexProperties(dst []blueprints.PropertyEntry, v blueprints.VertexID, keys []blueprints.Symbol) ([]blueprints.PropertyEntry, error) {
	from := len(dst)
	dst, err := g.View.VertexProperties(dst, v, keys)
	if g.property == nil || err != nil {
		return dst, err
	}
	kept := from
	for i := from; i < len(dst); i++ {
		t := NewTraverser(value.OfVertexProperty(g.r.VertexProperty(value.VertexRef(uint64(v)), &dst[i])))
		ok, err := g.property(&t)
		if err != nil {
			return dst[:kept], err
		}
		if ok {
			dst[kept] = dst[i]
			kept++
		}
	}
	return dst[:kept], nil
}

// VertexValue returns the first value that shows.
func (g *guardedView) VertexValue(v blueprints.VertexID, key blueprints.Symbol) (value.Value, bool, error) {
	if g.property == nil {
		return g.View.VertexValue(v, key)
	}
	entries, err := g.VertexProperties(nil, v, []blueprints.Symbol{key})
	if len(entries) == 0 || err != nil {
		return value.Null, false, err
	}
	return entries[0].Value, true, nil
}

// VertexValues appends the values that show.
func (g *guardedView) VertexValues(dst []value.Value, ends []int, vs []blueprints.VertexID, key blueprints.Symbol) ([]value.Value, []int, error) {
	if g.property == nil {
		return g.View.VertexValues(dst, ends, vs, key)
	}
	var entries []blueprints.PropertyEntry
	for _, v := range vs {
		var err error
		if entries, err = g.VertexProperties(entries[:0], v, []blueprints.Symbol{key}); err != nil {
			return dst, ends, err
		}
		for i := range entries {
			dst = append(dst, entries[i].Value)
		}
		ends = append(ends, len(dst))
	}
	return dst, ends, nil
}

var errNoResolver = errors.New("this view resolves no elements")

// ResolveVertex copies a vertex with the properties that show.
func (g *guardedView) ResolveVertex(id uint64, withProperties bool, room *value.Element) (*value.Element, error) {
	res, ok := g.View.(value.Resolver)
	if !ok {
		return nil, errNoResolver
	}
	if g.property == nil || !withProperties {
		return res.ResolveVertex(id, withProperties, room)
	}
	e, err := res.ResolveVertex(id, true, nil)
	if err != nil {
		return nil, err
	}
	shown := []value.Value{}
	for _, p := range e.Properties {
		t := NewTraverser(p)
		ok, err := g.property(&t)
		if err != nil {
			return nil, err
		}
		if ok {
			shown = append(shown, p)
		}
	}
	e.Properties = shown
	return e, nil
}

// ResolveEdge copies an edge.
func (g *guardedView) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	res, ok := g.View.(value.Resolver)
	if !ok {
		return nil, errNoResolver
	}
	return res.ResolveEdge(id, withProperties)
}

// Resolver finds stored elements as the run sees them; nil when its View cannot.
func (r *Run) Resolver() value.Resolver {
	res, _ := r.View.(value.Resolver)
	return res
}

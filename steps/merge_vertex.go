package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mergeV() finds the vertices that a map describes, or adds one.
//
//	mergeV([(T.label): "person", name: "marko"])
//	  .option(onCreate, [created: 2024])   more for a new vertex
//	  .option(onMatch, [seen: 2024])       set on those found
//	mergeV()  the traverser's own map; mergeV(traversal)  the map it gives
//
// A complete key index of one of the keys is used to find them.
var mergeVSpec = traversal.Spec{
	Name: "mergeV", Class: "MergeVertexStep", Kind: traversal.FlatMapStep, Start: true,
	Effects: traversal.ReadsGraph | traversal.WritesGraph, Mods: []string{"option", propertyMod}, HoldsChildren: true,
	Doc: "Finds the vertices that a map describes, or adds one.", Prepare: prepareMerge, Open: openMergeV,
}

func openMergeV(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s, err := newMergeRun(n, r)
	if err != nil {
		return nil, err
	}
	if up == nil {
		up = &once{r: r}
	}
	return r.FlatMap(up, s.openVertex), nil
}

// openVertex gives the vertices found, each with onMatch applied as it is asked for,
// or the new one.
func (s *mergeRun) openVertex(t *traversal.Traverser) (traversal.Cursor, error) {
	m, err := s.mergeMap(t)
	if err != nil {
		return nil, err
	}
	if err := s.checkOnMatch(); err != nil {
		return nil, err
	}
	c := &matches{s: s, t: *t, apply: s.matchVertex}
	if c.found, err = findVertices(s.r, m); err != nil {
		return nil, err
	}
	if ok, err := c.begin(); ok || err != nil {
		return c, err
	}
	create, err := s.createMap(t, m)
	if err != nil {
		return nil, err
	}
	v, err := s.createVertex(combined(create, m))
	return traversal.Values([]value.Value{v}), err
}

// checkOnMatch finds mistakes in a constant map even when nothing matches.
func (s *mergeRun) checkOnMatch() error {
	if !s.p.onMatch.given || s.p.onMatch.arg.Child != nil {
		return nil
	}
	return validateOnMatch(s.p.onMatch.arg.Value.Map())
}

func (s *mergeRun) matchVertex(t *traversal.Traverser, v value.Value) error {
	m, err := s.matchMap(t, v)
	if err != nil {
		return err
	}
	for i := 0; i < m.Len(); i++ {
		k, x := m.Entry(i)
		cardinality := ""
		if c, own, ok := traversal.CardinalityValue(x); ok {
			cardinality, x = c, own
		}
		if _, err := s.m.SetVertexProperty(blueprints.VertexID(v.Ref()), cardinality, k.Str(), x, value.Null, nil); err != nil {
			return err
		}
	}
	return nil
}

func (s *mergeRun) createVertex(m *value.Map) (value.Value, error) {
	label, id := vertexLabelDefault, value.Null
	var props []value.Value
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		switch {
		case k.Kind() == value.KindT && k.Str() == "label":
			label = v.Str()
		case k.Kind() == value.KindT:
			id = v
		default:
			if _, _, ok := traversal.CardinalityValue(v); !ok {
				props = append(props, k, v)
			}
		}
	}
	v, err := addVertex(s.r, s.m, label, id, props)
	if err != nil {
		return v, err
	}
	for i := 0; i < m.Len(); i++ {
		k, x := m.Entry(i)
		if c, own, ok := traversal.CardinalityValue(x); ok && k.Kind() == value.KindString {
			if _, err := s.m.SetVertexProperty(blueprints.VertexID(v.Ref()), c, k.Str(), own, value.Null, nil); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// matches hands out the elements found, applying onMatch to each on its way.
type matches struct {
	s     *mergeRun
	t     traversal.Traverser
	found traversal.Cursor // nil when nothing can match
	apply func(t *traversal.Traverser, v value.Value) error
	buf   []value.Value
}

// begin finds the first match; false when there is none.
func (c *matches) begin() (bool, error) {
	if c.found == nil {
		return false, nil
	}
	var err error
	if c.buf, err = c.next(c.buf[:0]); err != nil || len(c.buf) == 0 {
		c.found.Close()
		return false, err
	}
	return true, nil
}

func (c *matches) next(dst []value.Value) ([]value.Value, error) {
	dst, err := c.found.Next(dst, 1)
	if err != nil || len(dst) == 0 || !c.s.p.onMatch.given {
		return dst, err
	}
	return dst, c.apply(&c.t, dst[0])
}

func (c *matches) Next(dst []value.Value, _ int) ([]value.Value, error) {
	if len(c.buf) == 0 {
		var err error
		if c.buf, err = c.next(c.buf); err != nil {
			return dst, err
		}
	}
	dst = append(dst, c.buf...)
	c.buf = c.buf[:0]
	return dst, nil
}

func (c *matches) Close() { c.found.Close() }

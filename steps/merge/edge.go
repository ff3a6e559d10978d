package merge

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/write"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mergeE() finds the edges that a map describes, or adds one.
//
//	mergeE([(T.label): "knows", (from): 1, (to): 2])
//	mergeE([(T.label): "knows", (from): Merge.outV, (to): Merge.inV])
//	  .option(outV, select("a")).option(inV, [name: "b"])   ends by traversal or map
//	  .option(onCreate, [since: 2024]).option(onMatch, [seen: 2024])
var Edge = traversal.Spec{
	Name: "mergeE", Class: "MergeEdgeStep", Kind: traversal.FlatMapStep, Start: true,
	Effects: traversal.ReadsGraph | traversal.WritesGraph, Mods: []string{"option", write.PropertyMod}, HoldsChildren: true,
	Placeholder: true, Doc: "Finds the edges that a map describes, or adds one.", Prepare: prepareMerge, Open: mergeEdge.open,
}

var (
	keyOut = value.Enum(value.KindDirection, "OUT")
	keyIn  = value.Enum(value.KindDirection, "IN")
)

var mergeEdge = mergeKind{resolve: (*mergeRun).resolveEnds, find: findEdges, create: (*mergeRun).createEdge, set: setMergedEdge}

func setMergedEdge(s *mergeRun, edge value.Value, key string, v value.Value) error {
	if err := s.r.Poll(); err != nil {
		return err
	}
	if _, _, ok := traversal.CardinalityValue(v); ok {
		return fmt.Errorf("Property value [%s] is of type Cardinality is not supported", key)
	}
	return s.m.SetEdgeProperty(blueprints.EdgeID(edge.Ref()), key, v)
}

// resolveEnds replaces Merge.outV and Merge.inV, and elements, by ids.
func (s *mergeRun) resolveEnds(t *traversal.Traverser, m *value.Map) (*value.Map, error) {
	out := m
	for _, end := range []struct {
		key   value.Value
		token string
		given bool
		op    *step.Operand
	}{{keyOut, "outV", s.p.out.given, &s.out}, {keyIn, "inV", s.p.in.given, &s.in}} {
		v, ok := m.Get(end.key)
		if !ok {
			continue
		}
		if v.Kind() == value.KindMerge {
			if !end.given {
				return nil, step.IllegalArgument("option(%s) must be specified if it is used for %s", end.token, end.key.Str())
			}
			var err error
			if v, err = s.endVertex(t, end.op); err != nil {
				return nil, err
			}
			if v.IsNull() {
				return nil, fmt.Errorf("Could not resolve vertex for option(%s)", end.token)
			}
		}
		if v.Kind() != value.KindVertex {
			continue
		}
		id, err := s.r.ID(v)
		if err != nil {
			return nil, err
		}
		if out == m {
			out = m.Clone()
		}
		out.Put(end.key, id)
	}
	return out, nil
}

// endVertex evaluates option(outV) or option(inV): a vertex, or a map that finds one.
func (s *mergeRun) endVertex(t *traversal.Traverser, o *step.Operand) (value.Value, error) {
	v, err := o.Get(t)
	if err != nil || v.Kind() == value.KindVertex {
		return v, err
	}
	if v.Kind() != value.KindMap {
		return value.Null, step.IllegalArgument("Vertex could not be resolved from mergeE: %s", s.r.Text(v))
	}
	c, err := findVertices(s.r, v.Map())
	if err != nil {
		return value.Null, err
	}
	if c == nil {
		return value.Null, errNoVertex
	}
	defer c.Close()
	vs, err := c.Next(nil, 1)
	if err == nil && len(vs) == 0 {
		err = errNoVertex
	}
	if err != nil {
		return value.Null, err
	}
	return vs[0], nil
}

func (s *mergeRun) createEdge(m *value.Map) (value.Value, error) {
	from, ok := m.Get(keyOut)
	if !ok {
		return value.Null, step.IllegalArgument("Out Vertex not specified in onCreate - edge cannot be created")
	}
	to, ok := m.Get(keyIn)
	if !ok {
		return value.Null, step.IllegalArgument("In Vertex not specified in onCreate - edge cannot be created")
	}
	out, err := mustFind(s.r, from)
	if err != nil {
		return value.Null, err
	}
	in, err := mustFind(s.r, to)
	if err != nil {
		return value.Null, err
	}
	label, id, props := described(m, write.EdgeLabelDefault)
	return write.AddEdge(s.r, s.m, label, out, in, id, props)
}

func mustFind(r *traversal.Run, id value.Value) (blueprints.VertexID, error) {
	v, ok, err := r.View.FindVertex(id)
	if err == nil && !ok {
		err = step.IllegalArgument("Vertex id could not be resolved from mergeE: %s", id.Brief())
	}
	return v, err
}

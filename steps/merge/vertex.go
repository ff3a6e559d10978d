package merge

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/write"
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
var Vertex = traversal.Spec{
	Name: "mergeV", Class: "MergeVertexStep", Kind: traversal.FlatMapStep, Start: true,
	Effects: traversal.ReadsGraph | traversal.WritesGraph, Mods: []string{"option", write.PropertyMod}, HoldsChildren: true,
	Placeholder: true, Doc: "Finds the vertices that a map describes, or adds one.", Prepare: prepareMerge, Open: mergeVertex.open,
}

var mergeVertex = mergeKind{
	resolve: func(_ *mergeRun, _ *traversal.Traverser, m *value.Map) (*value.Map, error) { return m, nil },
	find:    findVertices, create: (*mergeRun).createVertex, set: setMergedVertex,
}

func (s *mergeRun) createVertex(m *value.Map) (value.Value, error) {
	label, id, all := described(m, write.VertexLabelDefault)
	var props, own []value.Value // own have their cardinality
	for i := 0; i+1 < len(all); i += 2 {
		if _, _, ok := traversal.CardinalityValue(all[i+1]); ok {
			own = append(own, all[i:i+2]...)
		} else {
			props = append(props, all[i:i+2]...)
		}
	}
	v, err := write.AddVertex(s.r, s.m, label, id, props)
	for i := 0; i+1 < len(own) && err == nil; i += 2 {
		err = setMergedVertex(s, v, own[i].Str(), own[i+1])
	}
	return v, err
}

// setMergedVertex sets a property with the cardinality that its value asks for.
func setMergedVertex(s *mergeRun, vertex value.Value, key string, v value.Value) error {
	if err := s.r.Poll(); err != nil {
		return err
	}
	cardinality := ""
	if c, own, ok := traversal.CardinalityValue(v); ok {
		cardinality, v = c, own
	}
	_, err := s.m.SetVertexProperty(blueprints.VertexID(vertex.Ref()), cardinality, key, v, value.Null, nil)
	return err
}

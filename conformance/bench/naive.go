package main

import (
	"fmt"
	"strconv"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// naiveGraph is a graph as one would write it down at first: objects, and maps of
// them by id and by label. There is no index.
type naiveGraph struct {
	vertices map[int32]*naiveVertex
	edges    map[int32]*naiveEdge
}

type naiveVertex struct {
	id         int32
	label      string
	properties map[string]value.Value
	out        map[string][]*naiveEdge
}

type naiveEdge struct {
	id      int32
	label   string
	out, in *naiveVertex
}

// readNaive fills the graph from the generator's files.
func readNaive(vertexFile, edgeFile string) (*naiveGraph, error) {
	g := &naiveGraph{vertices: map[int32]*naiveVertex{}, edges: map[int32]*naiveEdge{}}
	if err := eachRecord(vertexFile, func(r []string) {
		v := &naiveVertex{id: mustID(r[0]), label: r[1], out: map[string][]*naiveEdge{}}
		age, _ := strconv.Atoi(r[3])
		v.properties = map[string]value.Value{"name": value.String(r[2]), "age": value.Int(int32(age))}
		g.vertices[v.id] = v
	}); err != nil {
		return nil, err
	}
	return g, eachRecord(edgeFile, func(r []string) {
		e := &naiveEdge{mustID(r[0]), r[3], g.vertices[mustID(r[1])], g.vertices[mustID(r[2])]}
		g.edges[e.id] = e
		e.out.out[e.label] = append(e.out.out[e.label], e)
	})
}

// answer interprets the bytecode of a request, step by step as it stands. A script is
// answered with nothing: it asks only whether the server is there.
func (g *naiveGraph) answer(q *message.Request) ([]value.Value, error) {
	gremlin, _ := q.Args.GetString("gremlin")
	b, ok := gremlin.Object().(*traversal.Bytecode)
	if !ok {
		return nil, nil
	}
	flow, err := g.traverse(func(func(*naiveTraverser) bool) {}, b.Steps)
	if err != nil {
		return nil, err
	}
	var results []value.Value
	for t := range flow {
		results = append(results, naiveValue(t.object))
	}
	return results, nil
}

// naiveValue is what is sent of an object: elements with their properties.
func naiveValue(object any) value.Value {
	v, ok := object.(*naiveVertex)
	if !ok {
		return object.(value.Value)
	}
	e := &value.Element{ID: value.Int(v.id), Label: v.label}
	for k, p := range v.properties {
		e.Properties = append(e.Properties, value.OfVertexProperty(&value.VertexProperty{ID: value.Long(0), Key: k, Value: p}))
	}
	return value.DetachedVertex(e)
}

// property is an object's value to sort and group by: a key's, or the label.
func (v *naiveVertex) property(by value.Value) value.Value {
	if by.Kind() == value.KindT {
		return value.String(v.label)
	}
	return v.properties[by.Str()]
}

// naiveAnswers tells whether the reference knows all steps of a query. It leaves out
// what takes it minutes.
func naiveAnswers(q *query) bool {
	if q.source != "" || q.slow || q.write {
		return false
	}
	b, err := q.bytecode(&target{}, &dataset{seeds: []int32{0}, out: make([][]int32, 1)}, 0)
	if err != nil {
		return false
	}
	_, err = (&naiveGraph{}).traverse(nil, b.Steps)
	return err == nil
}

func errNaiveStep(name string) error { return fmt.Errorf("the naive reference has no step %s", name) }

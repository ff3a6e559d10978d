package blueprints

import "github.com/gremlind/gremlind/storage/value"

// VertexRecord is a vertex on its way between a graph and a file.
type VertexRecord struct {
	ID         value.Value // as in the file; Null lets the graph generate one
	Label      string
	Properties []PropertyRecord
}

// PropertyRecord is a property on its way; Meta and ID are for vertex properties.
type PropertyRecord struct {
	Key   string
	Value value.Value
	ID    value.Value // Null lets the graph generate one
	Meta  []value.Property
}

// EdgeRecord is an edge on its way; Out and In are ids of vertex records.
type EdgeRecord struct {
	ID         value.Value
	Label      string
	Out, In    value.Value
	Properties []PropertyRecord
}

// RecordSink takes records: every vertex before the edges that name it. The record
// belongs to the sink only during the call.
type RecordSink interface {
	Vertex(v *VertexRecord) error
	Edge(e *EdgeRecord) error
}

// RecordSource gives the records of a graph, in whichever way a format wants them. A
// record is valid during the call that gets it.
type RecordSource interface {
	EachVertex(fn func(v *VertexRecord) error) error
	EachEdge(fn func(e *EdgeRecord) error) error
	// EachLoose gives the edges without Out and In, which cost more than the rest.
	EachLoose(fn func(e *EdgeRecord) error) error
	// EachStar gives each vertex with its edges, so that each edge comes twice.
	EachStar(fn func(s *Star) error) error
}

// Star is a vertex with both sides of its edges.
type Star struct {
	Vertex *VertexRecord
	// Edges visits the edges in a direction, Out or In, all of a label one after the
	// other. It can be asked as often as need be, each time with the same answer.
	Edges func(dir Direction, fn func(e *EdgeRecord) error) error
}

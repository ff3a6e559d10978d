package blueprints

import (
	"errors"
	"time"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// EmptyGraph is a View of a graph that has no elements and can get none. Elements of
// another graph that it is asked about it reads through the View of that one.
func EmptyGraph(given View) View {
	if given == nil {
		return nothing{}
	}
	return emptyGraph{View: given}
}

// emptyGraph is a View in which nothing is found.
type emptyGraph struct {
	View
	none nothing
}

func (g emptyGraph) FindVertex(id value.Value) (VertexID, bool, error) { return g.none.FindVertex(id) }

func (g emptyGraph) FindEdge(id value.Value) (EdgeID, bool, error) { return g.none.FindEdge(id) }

func (g emptyGraph) Vertices(labels ...Symbol) VertexIterator { return g.none.Vertices(labels...) }

func (g emptyGraph) Edges(labels ...Symbol) EdgeIterator { return g.none.Edges(labels...) }

func (g emptyGraph) VertexCount(labels ...Symbol) (int64, error) {
	return g.none.VertexCount(labels...)
}

func (g emptyGraph) EdgeCount(labels ...Symbol) (int64, error) { return g.none.EdgeCount(labels...) }

func (g emptyGraph) IndexVersion() *keyindex.Definitions { return nil }

func (g emptyGraph) VertexIndexes() []string { return nil }

func (g emptyGraph) EdgeIndexes() []string { return nil }

// DeclaredIndexes lists none.
func (g emptyGraph) DeclaredIndexes(ElementClass) []*IndexDefinition { return nil }

// EachCommit finds no history.
func (g emptyGraph) EachCommit(storage.Stamp, storage.Stamp, bool, func(*Commit) (bool, error)) error {
	return errNoPast
}

// HistoryFloor finds no history.
func (g emptyGraph) HistoryFloor() (storage.Stamp, error) { return 0, errNoPast }

// EachCommitOf finds no history.
func (g emptyGraph) EachCommitOf(ElementClass, uint64, storage.Stamp, storage.Stamp, func(*Commit) (bool, error)) error {
	return errNoPast
}

// Diff finds no history.
func (g emptyGraph) Diff(storage.Stamp, storage.Stamp, func(*Change) (bool, error)) error {
	return errNoPast
}

// FindPast finds nothing.
func (g emptyGraph) FindPast(ElementClass, value.Value) (uint64, bool, error) {
	return 0, false, errNoPast
}

func (g emptyGraph) LookupVertices(key string, r ValueRange) VertexIterator {
	return g.none.LookupVertices(key, r)
}

func (g emptyGraph) LookupEdges(key string, r ValueRange) EdgeIterator {
	return g.none.LookupEdges(key, r)
}

// LookupVerticesBy finds none.
func (g emptyGraph) LookupVerticesBy(d *IndexDefinition, c IndexColumns) VertexIterator {
	return g.none.LookupVerticesBy(d, c)
}

// LookupEdgesBy finds none.
func (g emptyGraph) LookupEdgesBy(d *IndexDefinition, c IndexColumns) EdgeIterator {
	return g.none.LookupEdgesBy(d, c)
}

func (g emptyGraph) FewVertices(dst []VertexID, key string, values []value.Value, max int) ([]VertexID, int, error) {
	return g.none.FewVertices(dst, key, values, max)
}

var errNoResolver = errors.New("this view resolves no elements")

// ResolveVertex copies a vertex of the other graph.
func (g emptyGraph) ResolveVertex(id uint64, withProperties bool, room *value.Element) (*value.Element, error) {
	if res, ok := g.View.(value.Resolver); ok {
		return res.ResolveVertex(id, withProperties, room)
	}
	return nil, errNoResolver
}

// ResolveEdge copies an edge of the other graph.
func (g emptyGraph) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	if res, ok := g.View.(value.Resolver); ok {
		return res.ResolveEdge(id, withProperties)
	}
	return nil, errNoResolver
}

// nothing is a View without anything.
type nothing struct{}

// exhausted is an iterator at its end.
type exhausted[ID VertexID | EdgeID] struct{}

func (exhausted[ID]) Next([]ID) int { return 0 }
func (exhausted[ID]) Exact() bool   { return true }
func (exhausted[ID]) Err() error    { return nil }
func (exhausted[ID]) Close() error  { return nil }

func (nothing) Symbol(string) (Symbol, bool)                     { return 0, false }
func (nothing) Name(Symbol) string                               { return "" }
func (nothing) FindVertex(value.Value) (VertexID, bool, error)   { return 0, false, nil }
func (nothing) FindEdge(value.Value) (EdgeID, bool, error)       { return 0, false, nil }
func (nothing) VertexUserID(VertexID) (value.Value, error)       { return value.Null, ErrNoElement }
func (nothing) EdgeUserID(EdgeID) (value.Value, error)           { return value.Null, ErrNoElement }
func (nothing) VertexExists(VertexID) (bool, error)              { return false, nil }
func (nothing) EdgeExists(EdgeID) (bool, error)                  { return false, nil }
func (nothing) VertexLabel(VertexID) (Symbol, error)             { return 0, ErrNoElement }
func (nothing) Edge(EdgeID) (EdgeHeader, error)                  { return EdgeHeader{}, ErrNoElement }
func (nothing) Vertices(...Symbol) VertexIterator                { return exhausted[VertexID]{} }
func (nothing) Edges(...Symbol) EdgeIterator                     { return exhausted[EdgeID]{} }
func (nothing) VertexCount(...Symbol) (int64, error)             { return 0, nil }
func (nothing) EdgeCount(...Symbol) (int64, error)               { return 0, nil }
func (nothing) IndexVersion() *keyindex.Definitions              { return nil }
func (nothing) VertexIndexes() []string                          { return nil }
func (nothing) EdgeIndexes() []string                            { return nil }
func (nothing) LookupVertices(string, ValueRange) VertexIterator { return exhausted[VertexID]{} }
func (nothing) LookupEdges(string, ValueRange) EdgeIterator      { return exhausted[EdgeID]{} }
func (nothing) Options() Options                                 { return Options{} }

func (nothing) DeclaredIndexes(ElementClass) []*IndexDefinition { return nil }

func (nothing) LookupVerticesBy(*IndexDefinition, IndexColumns) VertexIterator {
	return exhausted[VertexID]{}
}

func (nothing) LookupEdgesBy(*IndexDefinition, IndexColumns) EdgeIterator { return exhausted[EdgeID]{} }

func (nothing) FetchVertices([]VertexID, bool) error { return nil }

func (nothing) FetchEdges([]EdgeID) error { return nil }

func (nothing) ReadOnce(fn func() error) error { return fn() }

func (nothing) Ahead([]value.Value) {}

func (nothing) AheadWhole([]value.Value) {}

func (nothing) Expand(vs []VertexID, x Expansion, into Sink) error {
	if x.Want == WantEnds || x.Want == WantWalk {
		return nil
	}
	for i := range vs {
		if err := into.Take(i, Expanded{}); err != nil {
			return err
		}
	}
	return nil
}

func (nothing) VertexProperties(dst []PropertyEntry, _ VertexID, _ []Symbol) ([]PropertyEntry, error) {
	return dst, nil
}

func (nothing) VertexValue(VertexID, Symbol) (value.Value, bool, error) {
	return value.Null, false, nil
}

func (nothing) VertexValues(dst []value.Value, ends []int, vs []VertexID, _ Symbol) ([]value.Value, []int, error) {
	for range vs {
		ends = append(ends, len(dst))
	}
	return dst, ends, nil
}

func (nothing) VertexLabels(dst []Symbol, vs []VertexID) ([]Symbol, error) {
	return append(dst, make([]Symbol, len(vs))...), nil
}

func (nothing) EdgeProperties(dst []PropertyEntry, _ EdgeID, _ []Symbol) ([]PropertyEntry, error) {
	return dst, nil
}

func (nothing) PropertyHidden(ElementClass, uint64, PropertyEntry, Symbol) (value.Value, bool, error) {
	return value.Null, false, nil
}

func (nothing) EdgeValue(EdgeID, Symbol) (value.Value, bool, error) { return value.Null, false, nil }

func (nothing) CountedIn(dst []Counted, _ ElementClass, _ uint64, _ Symbol, _ Unit, _, _ time.Time, _ int) ([]Counted, error) {
	return dst, nil
}

func (nothing) FewVertices(dst []VertexID, _ string, values []value.Value, _ int) ([]VertexID, int, error) {
	return dst, len(values), nil
}

var errNoPast = illegalArgument("an empty graph keeps no history")

// EachCommit finds no history.
func (nothing) EachCommit(storage.Stamp, storage.Stamp, bool, func(*Commit) (bool, error)) error {
	return errNoPast
}

// HistoryFloor finds no history.
func (nothing) HistoryFloor() (storage.Stamp, error) { return 0, errNoPast }

// EachCommitOf finds no history.
func (nothing) EachCommitOf(ElementClass, uint64, storage.Stamp, storage.Stamp, func(*Commit) (bool, error)) error {
	return errNoPast
}

// Diff finds no history.
func (nothing) Diff(storage.Stamp, storage.Stamp, func(*Change) (bool, error)) error {
	return errNoPast
}

// FindPast finds nothing.
func (nothing) FindPast(ElementClass, value.Value) (uint64, bool, error) { return 0, false, errNoPast }

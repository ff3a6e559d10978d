package blueprints

import (
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// Mutator changes a graph within a transaction. Values of properties are checked
// against the graph's options; errors carry TinkerPop's texts.
type Mutator interface {
	// Intern returns the symbol of a name, making one if needed.
	Intern(name string) (Symbol, error)

	// AddVertex adds a vertex. A null id lets the graph generate one; an id in use is
	// an error ("Vertex with id already exists: 1").
	AddVertex(label string, id value.Value) (VertexID, error)
	// AddEdge adds an edge between existing vertices.
	AddEdge(label string, out, in VertexID, id value.Value) (EdgeID, error)
	// SetVertexProperty adds or replaces by cardinality: "single", "list", "set" or ""
	// for the graph's default. Under single a null value removes the property unless
	// the graph supports null values. meta are properties of the property. id is Null
	// for a generated one. It returns the property as stored.
	SetVertexProperty(v VertexID, cardinality, key string, val value.Value, id value.Value, meta []value.Property) (PropertyEntry, error)
	// SetMetaProperty sets or, with a null value, removes a property of a property.
	SetMetaProperty(v VertexID, p PropertyEntry, key string, val value.Value) error
	SetEdgeProperty(e EdgeID, key string, val value.Value) error
	// Increment adds to a counter of a vertex or an edge, and to those of intervals. It
	// does not read it: many transactions may do so at once.
	Increment(c ElementClass, id uint64, key string, by int64, at ...Interval) error

	// Expire has an element end at a time, ExpireVertexProperty and ExpireEdgeProperty a
	// property; the zero time is never. A value that is set in place of another stays, until
	// it is said when it ends.
	Expire(c ElementClass, id uint64, at time.Time) error
	ExpireVertexProperty(v VertexID, p PropertyEntry, at time.Time) error
	ExpireEdgeProperty(e EdgeID, key string, at time.Time) error

	RemoveVertex(v VertexID) error // with its edges and index entries
	RemoveEdge(e EdgeID) error
	RemoveVertexProperty(v VertexID, p PropertyEntry) error
	RemoveMetaProperty(v VertexID, p PropertyEntry, key string) error
	RemoveEdgeProperty(e EdgeID, key string) error
}

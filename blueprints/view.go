package blueprints

import (
	"strconv"
	"time"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// VertexID, EdgeID and Symbol are internal: dense numbers that never leave the
// server. What users see is the id that ID methods return.
type (
	VertexID uint64
	EdgeID   uint64
	Symbol   uint32 // a label or a property key
)

// Direction says which edges of a vertex are meant.
type Direction uint8

// The directions; Both visits outgoing edges first.
const (
	Out Direction = 1 << iota
	In
	Both = Out | In
)

// Adjacent is one edge as its endpoint sees it.
type Adjacent struct {
	Edge  EdgeID
	Other VertexID
	Label Symbol
	Dir   Direction // Out or In
}

// EdgeHeader is an edge without its properties.
type EdgeHeader struct {
	ID      EdgeID
	Label   Symbol
	Out, In VertexID
}

// PropertyEntry is one property of an element.
type PropertyEntry struct {
	Key     Symbol
	bytes   uint32        // of the cell's value, for what the entry costs in the cache
	Value   value.Value   // beside the key, for scans look at the two
	Ordinal uint64        // address of a vertex property within its vertex; 0 for edges
	Number  int64         // of a vertex property; its id, unless it has another
	rest    *propertyRest // nil when there is nothing in it
}

// propertyRest is what few properties have, kept apart so that the others are small.
type propertyRest struct {
	id   value.Value // Null when the number is the id
	meta []value.Property
}

// Bytes is what the value of its cell takes, with its own properties.
func (p *PropertyEntry) Bytes() int { return int(p.bytes) }

// ID returns the user-visible id of a vertex property.
func (p *PropertyEntry) ID() value.Value {
	if p.rest != nil && !p.rest.id.IsNull() {
		return p.rest.id
	}
	return value.Long(p.Number)
}

// Meta returns the properties of a vertex property, nil when it has none.
func (p *PropertyEntry) Meta() []value.Property {
	if p.rest == nil {
		return nil
	}
	return p.rest.meta
}

// View reads one consistent state of a graph: a snapshot and, in a transaction, the
// own writes on top. All reads of the engine go through a View; it records what a
// serializable transaction must validate. A View belongs to one goroutine at a time.
//
// Unknown ids answer ErrNoElement only where documented; elsewhere they read as absent.
type View interface {
	// Symbol returns the symbol of a name, false when no element ever used it.
	Symbol(name string) (Symbol, bool)
	// Name returns the text of a symbol.
	Name(s Symbol) string

	// FindVertex returns the vertex with a user-visible id, brought to its canonical
	// form by the graph's id manager first. An id that the manager cannot convert is
	// an error (IllegalArgumentException in TinkerPop's words).
	FindVertex(id value.Value) (VertexID, bool, error)
	FindEdge(id value.Value) (EdgeID, bool, error)
	// VertexUserID returns the user-visible id, also of a vertex dropped by this transaction.
	VertexUserID(v VertexID) (value.Value, error)
	EdgeUserID(e EdgeID) (value.Value, error)
	VertexExists(v VertexID) (bool, error)
	EdgeExists(e EdgeID) (bool, error)

	// VertexLabel returns the label, also of a vertex dropped by this transaction.
	VertexLabel(v VertexID) (Symbol, error)
	// Edge returns label and endpoints, also of an edge dropped by this transaction.
	Edge(e EdgeID) (EdgeHeader, error)

	// Vertices iterates over all vertices in insertion order, or over those with one
	// of the labels. It sees no vertex added after the call.
	Vertices(labels ...Symbol) VertexIterator
	Edges(labels ...Symbol) EdgeIterator
	// VertexCount and EdgeCount answer from counters when no label is given.
	VertexCount(labels ...Symbol) (int64, error)
	EdgeCount(labels ...Symbol) (int64, error)

	// Expand gives the sink the edges of each vertex, their other ends or their number: it
	// is the only way from vertices to edges. The store sees many vertices at once.
	Expand(vs []VertexID, x Expansion, into Sink) error

	// VertexProperties appends the properties of v with one of the keys (none: all),
	// in insertion order.
	VertexProperties(dst []PropertyEntry, v VertexID, keys []Symbol) ([]PropertyEntry, error)
	// VertexValue returns the first value of key, false when absent: the fast path.
	VertexValue(v VertexID, key Symbol) (value.Value, bool, error)
	// VertexValues appends the values of key of many vertices, vertex by vertex, to dst,
	// and to ends for each vertex the length of dst behind its values. The store sees
	// all vertices at once.
	VertexValues(dst []value.Value, ends []int, vs []VertexID, key Symbol) ([]value.Value, []int, error)
	// VertexLabels appends the labels of many vertices, as VertexLabel gives them.
	VertexLabels(dst []Symbol, vs []VertexID) ([]Symbol, error)
	EdgeProperties(dst []PropertyEntry, e EdgeID, keys []Symbol) ([]PropertyEntry, error)
	EdgeValue(e EdgeID, key Symbol) (value.Value, bool, error)
	// PropertyHidden returns what a hidden key says of a property, false for nothing. The Key
	// and the Ordinal tell which one it is.
	PropertyHidden(c ElementClass, id uint64, p PropertyEntry, key Symbol) (value.Value, bool, error)

	// CountedIn appends what was counted under a key of an element in intervals, see Tx.
	CountedIn(dst []Counted, c ElementClass, id uint64, key Symbol, u Unit, from, to time.Time, max int) ([]Counted, error)

	// FetchVertices and FetchEdges read elements, whose ids ascend, at once, vertices with
	// their edges when adjacent is set: who asks for them next finds them in memory. They
	// change no answer.
	FetchVertices(vs []VertexID, adjacent bool) error
	FetchEdges(es []EdgeID) error
	// ReadOnce calls fn, which reads most of the graph and comes back to little of it: what
	// it reads does not take the place of what the graph keeps in memory, and is observed
	// as a whole.
	ReadOnce(fn func() error) error
	// Ahead says which elements a step has before it and reads next, one at a time, in
	// place of those that began at the same place of memory. The first that is not in memory
	// has all of them read at once. It changes no answer; objs may change, and be forgotten,
	// until the View's context is replaced or its transaction ends.
	Ahead(objs []value.Value)
	// AheadWhole is Ahead for who reads all of each element, as encoding does.
	AheadWhole(objs []value.Value)

	// IndexVersion stands for the indexes that are listed here: while it is the same, so are
	// the lists. Nil stands for any.
	IndexVersion() *keyindex.Definitions
	// VertexIndexes and EdgeIndexes list the complete key indexes, sorted by key.
	VertexIndexes() []string
	EdgeIndexes() []string
	// LookupVertices walks a complete key index: every vertex with a value of key in
	// the range, in value order (or backwards). The caller rechecks the predicate
	// when Exact() of the iterator is false.
	LookupVertices(key string, r ValueRange) VertexIterator
	LookupEdges(key string, r ValueRange) EdgeIterator
	// FewVertices appends, for one of the values after the other, the vertices that
	// LookupVertices gives for what equals it, and returns of how many values. It stops
	// when there are max vertices, and before a value that has more than a few, or more
	// than there is room for: that one is to be walked. A vertex comes once for a value.
	FewVertices(dst []VertexID, key string, values []value.Value, max int) ([]VertexID, int, error)

	// DeclaredIndexes lists the complete declared indexes of a class, nil for none. The list
	// is for good.
	DeclaredIndexes(c ElementClass) []*IndexDefinition
	// LookupVerticesBy and LookupEdgesBy walk a complete composite index, in the order of
	// its values (or backwards), or an index of texts, in the order of elements. The caller
	// rechecks when Exact() is false.
	LookupVerticesBy(d *IndexDefinition, c IndexColumns) VertexIterator
	LookupEdgesBy(d *IndexDefinition, c IndexColumns) EdgeIterator

	// EachCommit calls fn for commits of a graph with history, see Tx.
	EachCommit(after, to storage.Stamp, reverse bool, fn func(*Commit) (more bool, err error)) error
	// EachCommitOf calls fn for those that changed one element, Diff for what is different
	// between two versions; FindPast finds an element that is there, or was; see Tx.
	EachCommitOf(c ElementClass, element uint64, after, to storage.Stamp, fn func(*Commit) (more bool, err error)) error
	Diff(from, to storage.Stamp, fn func(*Change) (more bool, err error)) error
	FindPast(c ElementClass, id value.Value) (element uint64, ok bool, err error)
	// HistoryFloor returns the stamp since when history knows all, see Tx.
	HistoryFloor() (storage.Stamp, error)

	// Options returns the graph's options (id managers, cardinality, null values, ...).
	Options() Options
}

// IndexDefinition says what an index holds. It is immutable.
type IndexDefinition = keyindex.Definition

// IndexColumns says which entries of a declared index are looked up: those whose first
// values equal Equal, one for each of its first keys, and, when Ranged is set, whose next
// value is in Range; all that have one if it has no bounds. Reverse walks the values
// backwards, elements of the same values in their order all the same. Of an index of texts,
// those of texts that hold all of Texts, and maybe of others.
type IndexColumns struct {
	Texts   []string
	Equal   []value.Value
	Range   ValueRange
	Ranged  bool
	Reverse bool
}

func (c IndexColumns) columns() keyindex.Columns {
	return keyindex.Columns{Equal: c.Equal, Range: c.Range.keyRange(), Ranged: c.Ranged, Reverse: c.Reverse}
}

// ValueRange is an interval of property values in the order of value.Order, within
// one comparability class. The zero ValueRange is everything.
type ValueRange struct {
	Min, Max         value.Value
	HasMin, HasMax   bool
	MinOpen, MaxOpen bool
	// Prefix, when set, means strings starting with it; Min and Max are ignored.
	Prefix  string
	Reverse bool
}

// String prints an interval as mathematicians do: [1, 5), (-inf, 3], "mar"*.
func (r ValueRange) String() string {
	if r.Prefix != "" {
		return strconv.Quote(r.Prefix) + "*"
	}
	low, high := "(-inf", "inf)"
	if r.HasMin {
		low = "[" + r.Min.JavaString()
		if r.MinOpen {
			low = "(" + r.Min.JavaString()
		}
	}
	if r.HasMax {
		high = r.Max.JavaString() + "]"
		if r.MaxOpen {
			high = r.Max.JavaString() + ")"
		}
	}
	return low + ", " + high
}

// VertexIterator hands out ids in batches.
type VertexIterator interface {
	// Next fills buf and returns how many; 0 at the end or on an error, see Err.
	Next(buf []VertexID) int
	// Exact reports whether every id handed out satisfies the look-up without a recheck.
	Exact() bool
	Err() error
	Close() error
}

// EdgeIterator hands out edges in batches.
type EdgeIterator interface {
	Next(buf []EdgeID) int
	Exact() bool
	Err() error
	Close() error
}

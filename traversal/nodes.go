package traversal

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// The typed arguments (Node.Data) that strategies look into. Steps that no strategy
// knows keep their types to themselves.

// GraphStart is the Data of V and E.
type GraphStart struct {
	Edges bool
	IDs   []value.Value // elements or ids; empty and not ByID means all
	ByID  bool          // arguments were given, even if they were empty lists
	// Has are filters folded into the step; every one is rechecked unless the access
	// path guarantees it.
	Has []Has
	// Index is the access path chosen by a strategy; nil means scan.
	Index *IndexChoice
	// Short is an index of texts that no filter has letters enough for; "" for none.
	Short string
}

// IndexChoice is an index to walk, or, with Key "", the label ranges. What is looked up in
// an index stands in the filters alone, so that the choice is the same whatever the
// constants are.
type IndexChoice struct {
	Key    string
	Labels []string
	// Declared is the declared index to walk, whose first key is Key; nil for a key index.
	// Serves are the positions in Has of the filters on its first keys, in their order; all
	// but the last ask for one value. LabelAt is that of the filter for its label, -1 if it
	// has none.
	Declared *blueprints.IndexDefinition
	Serves   []int
	LabelAt  int
	// At is the position in Has of the filter that the walk serves, -1 for none. Exact is
	// set when the walk, if it is exact itself, makes the filter superfluous.
	At    int
	Exact bool
	// Ordered is set when the walk serves an order().by(key) that keeps no more than
	// Limit, in reverse when Reverse is set.
	Ordered, Reverse bool
	Limit            int
	// And, unless nil, is an index of other filters, for when neither finds few elements: only
	// those that both find are tested then.
	And *IndexChoice
}

// serves reports whether the filter at a position in Has is looked up.
func (c *IndexChoice) serves(i int) bool {
	return i >= 0 && (i == c.At && c.Declared == nil || c.Declared != nil && slices.Contains(c.Serves, i))
}

// Overlaps reports whether two choices look the same filter up.
func (c *IndexChoice) Overlaps(d *IndexChoice) bool {
	return d.serves(c.At) || slices.ContainsFunc(c.Serves, d.serves)
}

// LooksUp reports whether what a filter asks for is looked up in an index.
func (c *IndexChoice) LooksUp() bool { return c != nil && c.Key != "" && !c.Ordered }

// Answers reports whether a walk of the index that is exact answers the filter at a position
// in Has.
func (c *IndexChoice) Answers(i int) bool {
	switch {
	case c == nil || !c.Exact:
		return false
	case c.Declared != nil:
		return i == c.LabelAt || slices.Contains(c.Serves, i)
	}
	return i == c.At
}

// Has is one folded filter: has(key, p), hasLabel, hasId, hasKey, hasValue.
type Has struct {
	Key   string      // a property key, when Token is Null
	Token value.Value // T.id, T.label, T.key or T.value
	P     *P
}

// Hop is the Data of out, in, both, outE, inE, bothE (and toE, to with a direction).
type Hop struct {
	Dir    blueprints.Direction
	Labels []string
	Edge   bool // give edges rather than vertices
	// None is set when labels were given and all are null: nothing matches.
	None bool
}

// EdgesBy is the Data of ~edgesBy: the edges of a hop, looked up in an edge-centric index.
type EdgesBy struct {
	Hop   *Hop
	Has   []Has
	Index *IndexChoice // with Ordered, Limit is of each vertex
}

// EndVertex is the Data of outV, inV, bothV.
type EndVertex struct{ Dir blueprints.Direction }

// Range is the Data of range, limit, skip and tail. High is -1 for no bound.
type Range struct {
	Low, High int64
	Local     bool
	Tail      bool
}

// HopCount is the Data of ~hopCount.
type HopCount struct {
	Hops []*Hop // to vertices
	// Distinct counts the vertices at the end once each.
	Distinct bool
}

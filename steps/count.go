package steps

import (
	"github.com/gremlind/gremlind/steps/find"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// count() gives the number of traversers, bulk included, as a Long.
//
//	count()            all traversers; 0 when there are none
//	count(Scope.local) the members of each collection, 1 for anything else
var countSpec = traversal.Spec{
	Name:    "count",
	Class:   "CountGlobalStep",
	Kind:    traversal.ReduceStep,
	Doc:     "Counts traversers, or with Scope.local the members of each collection.",
	Prepare: step.PrepareScoped,
	Open:    openCount,
}

func openCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if n.Data.(step.Scoped).Local {
		return r.Map(up, countLocal), nil
	}
	return r.ReduceInto(up, traversal.Make[counter](r)), nil
}

// Tolerates: bulks of any size, labels and sacks, of which it sees nothing.
type counter struct{ n int64 }

// Restart implements traversal.RestartedReducer.
func (c *counter) Restart() { c.n = 0 }

// AddBatch implements traversal.Reducer.
func (c *counter) AddBatch(b *traversal.Batch) error { c.n += b.Bulks(0); return nil }

func (c *counter) Result() (value.Value, bool, error) { return value.Long(c.n), true, nil }

func countLocal(t *traversal.Traverser) (value.Value, bool, error) {
	n := int64(1)
	switch t.Kind() {
	case value.KindList:
		n = int64(len(t.Elems()))
	case value.KindSet:
		n = int64(t.Set().Len())
	case value.KindMap:
		n = int64(t.Map().Len())
	case value.KindTree:
		n = int64(len(t.Tree().Keys))
	case value.KindBulkSet:
		n = t.BulkSet().Size()
	case value.KindPath:
		n = int64(len(t.Path().Objects))
	}
	return value.Long(n), true, nil
}

// ~countElements stands for V().count() and V().hasLabel("a").count(): it reads the
// graph's counters. DegreeCountStrategy makes it.
//
// Tolerates: effects and side effects behind it, and a label on count(). It begins the
// traversal, and no child lies within.
var countElementsSpec = traversal.Spec{
	Name: "~countElements", Class: "TinkerCountGlobalStep", Kind: traversal.ReduceStep, Start: true, Effects: traversal.ReadsGraph,
	Doc:  "Counts vertices or edges by what the graph counts anyway.",
	Open: openCountElements, Print: printCountElements,
}

func printCountElements(n *traversal.Node) string {
	return "TinkerCountGlobalStep(" + find.StartText(n.Data.(*traversal.GraphStart)) + ")"
}

func openCountElements(n *traversal.Node, r *traversal.Run, _ traversal.Source) (traversal.Source, error) {
	g := n.Data.(*traversal.GraphStart)
	return r.Reduce(step.Once(r, value.Null), func() traversal.Reducer { return &elementCount{r: r, g: g} }), nil
}

type elementCount struct {
	r *traversal.Run
	g *traversal.GraphStart
}

func (c *elementCount) AddBatch(*traversal.Batch) error { return nil }

func (c *elementCount) Result() (value.Value, bool, error) {
	var labels []string
	if c.g.Index != nil {
		labels = c.g.Index.Labels
	}
	syms, none := c.r.Symbols(labels)
	if none || c.g.Index != nil && len(labels) == 0 {
		return value.Long(0), true, nil
	}
	count := c.r.View.VertexCount
	if c.g.Edges {
		count = c.r.View.EdgeCount
	}
	n, err := count(syms...)
	return value.Long(n), err == nil, err
}

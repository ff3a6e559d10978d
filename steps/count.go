package steps

import (
	"fmt"

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
	Prepare: prepareScoped,
	Open:    openCount,
}

func openCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if n.Data.(scoped).local {
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

// scoped is the Data of steps whose only argument may be a Scope.
type scoped struct{ local bool }

func prepareScoped(n *traversal.Node) error {
	s := scoped{}
	for _, a := range n.Args {
		if a.Value.Kind() != value.KindScope {
			return fmt.Errorf("%s() takes a Scope, not %s", n.Name(), a.Value.Brief())
		}
		s.local = a.Value.Str() == "local"
	}
	n.Data = s
	return nil
}

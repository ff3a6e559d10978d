package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// index() numbers the members of a collection.
//
//	index()                                               [[a, 0], [b, 1]]
//	index().with(WithOptions.indexer, WithOptions.map)    {0=a, 1=b}
//
// What is no collection is its own only member.
var indexSpec = step.Mapped(traversal.Spec{
	Name: "index", Class: "IndexStep", Mods: []string{"with"}, Doc: "Numbers the members of a collection.",
	Prepare: func(n *traversal.Node) error {
		asMap := false
		for _, m := range n.Mods {
			if len(m.Args) == 0 || m.Args[0].Value.Str() != withIndexer {
				continue
			}
			if len(m.Args) != 2 || m.Args[1].Value.Kind() != value.KindInt || m.Args[1].Value.Int64()>>1 != 0 {
				return fmt.Errorf("WithOptions.indexer requires a single Integer argument (possible values are: WithOptions.[list|map])")
			}
			asMap = m.Args[1].Value.Int64() == 1
		}
		n.Data = asMap
		return nil
	},
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	asMap := n.Data.(bool)
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		list, err := step.MemberList(r, t.Value)
		if err != nil {
			return value.Null, false, err
		}
		if t.IsNull() {
			list = []value.Value{t.Value}
		}
		if asMap {
			m := value.NewMapSize(len(list))
			for i, v := range list {
				if err := r.Poll(); err != nil {
					return value.Null, false, err
				}
				m.Put(value.Int(int32(i)), v)
			}
			return m.Value(), true, nil
		}
		out := make([]value.Value, len(list))
		for i, v := range list {
			if err := r.Poll(); err != nil {
				return value.Null, false, err
			}
			out[i] = value.List([]value.Value{v, value.Int(int32(i))})
		}
		return value.List(out), true, nil
	}, nil
})

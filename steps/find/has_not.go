package find

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// hasNot("age") keeps the elements without such a property.
var HasNot = traversal.Spec{
	Name: "hasNot", Class: "NotStep", Kind: traversal.FilterStep, Effects: traversal.ReadsGraph,
	Doc: "Keeps elements that lack a property.",
	Prepare: func(n *traversal.Node) error {
		k := n.Value(0)
		if len(n.Args) != 1 || k.Kind() != value.KindString && !k.IsNull() {
			return fmt.Errorf("hasNot() takes one property key")
		}
		n.Data = exists{key: k.Str(), none: k.IsNull()}
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		has := n.Data.(exists).test(r)
		return r.Filter(up, func(t *traversal.Traverser) (bool, error) {
			ok, err := has(t)
			return !ok && err == nil, err
		}), nil
	},
	Print: func(n *traversal.Node) string {
		return fmt.Sprintf("NotStep([PropertiesStep([%s],value)])", n.Data.(exists).key)
	},
}

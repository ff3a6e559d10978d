package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// loops() gives how many passes of repeat() lie behind the traverser, as an Int.
//
//	loops()     of the innermost repeat(); 0 outside
//	loops("a")  of repeat("a", ...)
var loopsSpec = traversal.Spec{
	Name: "loops", Class: "LoopsStep", Kind: traversal.MapStep,
	Doc: "Gives how many passes of repeat() lie behind the traverser.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) > 1 || len(n.Args) == 1 && n.Value(0).Kind() != value.KindString && !n.Value(0).IsNull() {
			return fmt.Errorf("loops() takes the name of a repeat()")
		}
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		f, err := directLoops(n, r)
		return r.Map(up, f), err
	},
	Direct: directLoops,
}

func directLoops(n *traversal.Node, _ *traversal.Run) (traversal.Func, error) {
	name := n.Value(0).Str()
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		f := t.Loops()
		if name == "" {
			if f == nil {
				return value.Int(0), true, nil
			}
			return value.Int(int32(f.Count)), true, nil
		}
		for ; f != nil; f = f.Parent {
			if f.Name == name {
				return value.Int(int32(f.Count)), true, nil
			}
		}
		return value.Null, false, fmt.Errorf("Loop name not defined: %s", value.Brief(name))
	}, nil
}

package steps

import (
	"errors"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// project() makes a map of what its by() modulators give; what gives nothing is left
// out.
//
//	V().project("name", "degree").by("name").by(both().count())
//
// by() modulators go round; without one every key gets the object.
var projectSpec = traversal.Spec{
	Name: "project", Class: "ProjectStep", Kind: traversal.MapStep, MaxBy: -1,
	Doc:     "Makes a map of what its by() modulators give.",
	Prepare: prepareProject, Open: openProject,
	Print: func(n *traversal.Node) string {
		return "ProjectStep(" + step.JoinComma(n.Data.([]string)) + step.PrintBy(n) + ")"
	},
}

func prepareProject(n *traversal.Node) error {
	keys := make([]string, len(n.Args))
	seen := map[string]bool{}
	for i := range n.Args {
		k, err := step.TextArg(n, i)
		if err != nil {
			return err
		}
		if seen[k] {
			return errors.New("keys must be unique in ProjectStep")
		}
		keys[i], seen[k] = k, true
	}
	if len(keys) == 0 {
		return errors.New("project() takes at least one key")
	}
	n.Data = keys
	return nil
}

func openProject(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	names := n.Data.([]string)
	keys := make([]value.Value, len(names))
	for i, k := range names {
		keys[i] = value.String(k)
	}
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		m := value.NewMapSize(len(keys))
		for i, k := range keys {
			v, ok, err := by.At(i)(t)
			if err != nil {
				return value.Null, false, err
			}
			if ok {
				m.Put(k, v)
			}
		}
		return m.Value(), true, nil
	}), nil
}

package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// coalesce() gives the results of the first of its traversals that has any.
//
//	V().coalesce(out("created"), out("knows"))
//
// Each traversal starts afresh for every traverser.
var coalesceSpec = traversal.Spec{
	Name: "coalesce", Class: "CoalesceStep", Kind: traversal.FlatMapStep,
	Doc:     "Gives the results of the first traversal that has any.",
	Prepare: step.PrepareChildren(0, -1), Open: openCoalesce,
}

func openCoalesce(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	pipes, err := step.OpenChildren(n, r)
	if err != nil {
		return nil, err
	}
	c := &coalesce{pipes: pipes}
	return &expand{r: r, in: r.Input(up), open: c.open, emit: splitFrom(r)}, nil
}

type coalesce struct{ pipes []*traversal.Pipe }

// open finds the first child with a result.
func (c *coalesce) open(cur *traversal.Traverser) (*traversal.Pipe, error) {
	for _, p := range c.pipes {
		ok, err := step.Feed(p, cur, 1).HasNext()
		if ok || err != nil {
			return p, err
		}
	}
	return nil, nil
}

package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// optional() gives the results of its traversal, or the traverser itself when there
// are none.
//
//	V().optional(out("knows"))
//	V().optional(count())       0, 1, 1, ...: as in the reference, the traversal is
//	                            asked once before anything came, and counts nothing
var optionalSpec = traversal.Spec{
	Name: "optional", Class: "OptionalStep", Kind: traversal.BranchStep,
	Doc:     "Gives the results of a traversal, or the traverser itself when there are none.",
	Prepare: step.PrepareChildren(1, 1), Open: openOptional,
}

func openOptional(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	pipe, err := r.OpenChild(n.Child(0))
	if err != nil {
		return nil, err
	}
	o := &optional{r: r, pipe: pipe}
	if o.self, err = r.OpenChild(&traversal.Plan{Options: r.Plan.Options}); err != nil {
		return nil, err
	}
	return &expand{
		r: r, in: r.Input(up), open: o.open, idle: pipe,
		emit: func(_, out *traversal.Traverser) traversal.Traverser { return *out },
	}, nil
}

type optional struct {
	r          *traversal.Run
	pipe, self *traversal.Pipe
}

func (o *optional) open(cur *traversal.Traverser) (*traversal.Pipe, error) {
	t := o.r.Copy(cur)
	ok, err := step.Feed(o.pipe, &t, cur.Bulk).HasNext()
	if ok || err != nil {
		return o.pipe, err
	}
	return step.Feed(o.self, &t, cur.Bulk), nil
}

package strategy

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// pathWalk walks places in place of traversers, where repeat() goes along one hop and paths
// are asked for.
//
//	V().repeat(__.out()).until(__.hasId(1))                     => V().repeat(__.out()).until(__.hasId(1))
//	V().repeat(__.out().simplePath()).until(__.hasId(1)).path() => [GraphStep(vertex,[]), PathWalkStep([VertexStep(OUT,vertex), PathFilterStep(simple,null,null), RepeatEndStep],until([HasStep([~id.eq(1)])]),emit(false)), PathStep]
//	V().repeat(__.out().as("a")).times(3).path()                => V().repeat(__.out().as("a")).times(3).path()
//	V().emit().repeat(__.out()).times(3).path()                 => V().emit().repeat(__.out()).times(3).path()
//	V().repeat(__.both()).emit().times(3).path()                => [GraphStep(vertex,[]), PathWalkStep([VertexStep(BOTH,vertex), RepeatEndStep],until(loops(3)),emit(true)), PathStep]
//	V().repeat(__.both()).emit().times(3).path().profile()      => V().repeat(__.both()).emit().times(3).path().profile()
//
// Tolerates: a label on repeat(), effects and side effects elsewhere that do not conflict
// with reading. Nobody asks for traversers of bulk one; there are no sacks and no profile(),
// which measures the steps of the loop. Within it, see the step.
var pathWalk = Strategy{Name: "PathWalkStrategy", On: []string{"repeat"}, Category: Provider, Default: true, Rewrite: rewritePathWalk}

func rewritePathWalk(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	f := c.root.find()
	spec, ok := c.Registry.Lookup("~pathWalk")
	if !ok || !c.needsPath() || f.conflicts || f.profiled || f.needs&traversal.NeedOneBulk != 0 || c.Options.Sack != nil || !c.Options.Bulk {
		return p, nil
	}
	nodes := p.Nodes
	for i, n := range p.Nodes {
		if n.Name() != "repeat" {
			continue
		}
		walk := *n
		walk.Spec = spec
		if err := walk.Prepare(); errors.Is(err, traversal.ErrUnfit) {
			continue
		} else if err != nil {
			return nil, err
		}
		if &nodes[0] == &p.Nodes[0] {
			nodes = slices.Clone(nodes)
		}
		nodes[i] = &walk
	}
	if &nodes[0] == &p.Nodes[0] {
		return p, nil
	}
	return p.With(nodes), nil
}

package strategy

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// barrierMax is how many traversers a lazy barrier gathers, as in the reference.
const barrierMax = 2500

// bigStart is how many ids make V(ids) a flatMap worth a barrier.
const bigStart = 5

// lazyBarrier gathers traversers between flatMaps, so that equal ones merge.
//
//	V().out().out().id()                => V().out().barrier(2500).out().barrier(2500).id()
//	V().out().out().limit(9999).count() => V().out().barrier(2500).out().limit(9999).count()
//	V().out().out().limit(9).count()    => V().out().out().limit(9).count()
//
// Tolerates: side effects and effects but drop(), in which it shows what has merged, as in
// the reference. Not full paths, nor labels behind which traversers differ; no child is
// looked at.
var lazyBarrier = Strategy{Name: "LazyBarrierStrategy", Category: Optimization, Default: true, Rewrite: rewriteLazyBarrier}

func rewriteLazyBarrier(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.needsPath() || c.Options.Computer || hasStep(p, "drop") || hasStep(p, "element") {
		return p, nil
	}
	var out []*traversal.Node
	found, labelled := false, false
	for i, n := range p.Nodes {
		out = append(out, n)
		if n.Keep != nil && len(n.Keep) == 0 {
			labelled = false // no labels are left on the path
		}
		if expands(p, i) {
			useless := ownBarrier(p, i+1) && !endsOneBulk(p, i+1) || fewCounted(p, i+1)
			if found && !labelled && !useless {
				b, err := c.barrier()
				if err != nil {
					return nil, err
				}
				last := len(out) - 1
				out[last], b = moveLabels(out[last], b)
				out = append(out, b)
			} else {
				found = true
			}
		}
		if n.HasLabels() {
			labelled = true
		}
	}
	if len(out) == len(p.Nodes) {
		return p, nil
	}
	return p.With(out), nil
}

// endsOneBulk reports whether position i is the end of a traversal withBulk(false): there
// the reference has a step that stands for this, so that a barrier before it is of use.
func endsOneBulk(p *traversal.Plan, i int) bool {
	return i >= len(p.Nodes) && p.Root && p.Options != nil && !p.Options.Bulk
}

// barrier is the same node everywhere: nodes are immutable.
func (c *Context) barrier() (*traversal.Node, error) {
	if c.gather == nil {
		var err error
		if c.gather, err = c.node("barrier", traversal.Const(value.Int(barrierMax))); err != nil {
			return nil, err
		}
	}
	return c.gather, nil
}

func hasStep(p *traversal.Plan, name string) bool {
	for _, n := range p.Nodes {
		if n.Name() == name {
			return true
		}
	}
	return false
}

// expands reports whether a step multiplies traversers.
func expands(p *traversal.Plan, i int) bool {
	n := p.Nodes[i]
	if g := graphStart(n); g != nil {
		nextHas := i+1 < len(p.Nodes) && pureHas(p.Nodes[i+1])
		return i > 0 || !p.Root || len(g.IDs) >= bigStart || len(g.IDs) == 0 && !nextHas
	}
	if h := hop(n); h != nil {
		return !h.Edge
	}
	return n.Spec.Kind == traversal.FlatMapStep || endVertex(n) && n.Name() != "otherV"
}

// ownBarrier reports whether a barrier at position i would be useless.
func ownBarrier(p *traversal.Plan, i int) bool {
	if i >= len(p.Nodes) {
		return !p.Global // a branch has an end step
	}
	n := p.Nodes[i]
	if isLocal(n) {
		return false
	}
	switch n.Name() {
	case "discard", "profile", "dedup", "order", "sample", "tail", "limit", "range", "skip", "aggregate", "cap", "barrier", "tree", "subgraph":
		return true
	}
	return n.Spec.Kind == traversal.ReduceStep || n.Spec.Kind == traversal.BarrierStep
}

// fewCounted reports whether from position i on there are only hops and then a count of
// no more than a barrier would gather: there it would only delay.
func fewCounted(p *traversal.Plan, i int) bool {
	for i < len(p.Nodes) && hop(p.Nodes[i]) != nil {
		i++
	}
	if i+1 >= len(p.Nodes) || p.Nodes[i+1].Name() != "count" || isLocal(p.Nodes[i+1]) {
		return false
	}
	r := globalRange(p.Nodes[i])
	return r != nil && r.High >= 0 && r.High <= barrierMax
}

// repeatUnroll writes out a repeat() of fixed length with a plain body.
//
//	V().repeat(out()).times(2)       => V().out().out()
//	V().repeat(out().id()).times(2)  => V().repeat(out().id()).times(2)
//
// Tolerates: effects, side effects and children of other steps, for the body is hops and has()
// without labels, which have none. A label on repeat() goes to the last step.
var repeatUnroll = Strategy{Name: "RepeatUnrollStrategy", On: []string{"repeat"}, Category: Optimization, Default: true, Rewrite: rewriteRepeatUnroll}

// unrollMax bounds the passes that are written out, so that times(1000000) stays one
// step, and unrolledMax what they come to: one repeat() within another multiplies.
const (
	unrollMax   = 64
	unrolledMax = 1024
)

func rewriteRepeatUnroll(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	changed := false
	lazy := !c.Options.Without["LazyBarrierStrategy"] && !c.needsPath()
	for i, n := range p.Nodes {
		body, times := unrollable(n)
		if body == nil || c.Options.Computer {
			out = append(out, n)
			continue
		}
		changed = true
		for j := 0; j < times; j++ {
			out = append(out, body.Nodes...)
			if !lazy || j == times-1 && i+1 < len(p.Nodes) && ownBarrier(p, i+1) {
				continue
			}
			b, err := c.barrier()
			if err != nil {
				return nil, err
			}
			out = append(out, b)
		}
		last := len(out) - 1
		if n.HasLabels() {
			out[last] = out[last].WithLabels(append(append([]string{}, out[last].Labels...), n.Labels...))
		}
	}
	if !changed {
		return p, nil
	}
	return p.With(out), nil
}

// unrollable returns the body and the number of passes, nil when n stays a repeat().
func unrollable(n *traversal.Node) (*traversal.Plan, int) {
	if n.Name() != "repeat" || len(n.Args) != 1 || n.Child(0) == nil || len(n.Mods) != 1 || n.Mods[0].Name != "times" {
		return nil, 0
	}
	args := n.Mods[0].Args
	if len(args) != 1 || args[0].Value.Int64() < 1 || args[0].Value.Int64() > unrollMax || n.Mods[0].Before {
		return nil, 0
	}
	if int64(len(n.Child(0).Nodes))*args[0].Value.Int64() > unrolledMax {
		return nil, 0
	}
	for _, s := range n.Child(0).Nodes {
		if hop(s) == nil && !endVertex(s) && !pureHas(s) || s.HasLabels() {
			return nil, 0
		}
	}
	return n.Child(0), int(args[0].Value.Int64())
}

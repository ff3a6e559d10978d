package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// group() collects traversers by key into a map.
//
//	group().by(label)                     label -> list of objects
//	group().by(label).by("name")          label -> list of names
//	group().by(label).by(out().count())   label -> what the group as a whole gives
//	group("x").by(label)                  into a side effect; the traversers go on
//
// The second by(), if a traversal with a barrier in it (count(), fold(), order(), ...),
// runs up to the barrier for each traverser and from the barrier on once for the group.
// Without a barrier the last traverser's first result counts.
var groupSpec = traversal.Spec{
	Name: "group", Class: "GroupStep", Kind: traversal.ReduceStep, MaxBy: -1, HoldsChildren: true,
	EffectsOf: keyedEffects,
	Doc:       "Collects traversers by key into a map.",
	Prepare:   prepareGroup, Open: openGroup,
}

// groupForm says how the values of a group come about.
type groupForm uint8

const (
	groupList   groupForm = iota // what by() gives, in a list
	groupLast                    // the last one's first result
	groupCount                   // pre, then a number
	groupNumber                  // pre, then sum, min, max or mean, then post
	groupRest                    // pre, then post over all
)

// groupArgs is the Data of group().
type groupArgs struct {
	key  string
	form groupForm
	pre  *traversal.Plan // up to the barrier; nil when there is nothing before it
	post *traversal.Plan // from the barrier on, or behind it
	// number is the reduction of groupNumber; merge is set when post may see equal
	// traversers as one.
	number string
	merge  bool
	// always is set when a group gives a value even if pre gave nothing.
	always bool
}

func prepareGroup(n *traversal.Node) error {
	if err := prepareKeyed(n); err != nil {
		return err
	}
	g := &groupArgs{key: string(n.Data.(sideKey)), always: true}
	n.Data = g
	if len(n.By) > 2 {
		return fmt.Errorf("The key and value traversals for group()-step have already been set: %s", n.Spec.Class)
	}
	if len(n.By) == 2 && n.By[1].Kind == traversal.ByChild {
		g.split(n.By[1].Child)
	}
	return nil
}

// split cuts the value traversal before its first barrier.
func (g *groupArgs) split(p *traversal.Plan) {
	if len(p.Nodes) == 1 && p.Nodes[0].Name() == "identity" && !p.Nodes[0].HasLabels() {
		return // by(identity()) collects, as by() does
	}
	g.form = groupLast
	for i, n := range p.Nodes {
		if !step.IsBarrier(n) || step.IsLocalBarrier(n) {
			continue
		}
		g.form, g.post = groupRest, p.With(p.Nodes[i:])
		if i > 0 {
			g.pre = p.With(p.Nodes[:i])
		}
		g.always = reduces(n)
		for _, later := range p.Nodes[i+1:] {
			g.always = g.always || !reducesNumbers(n) && (reduces(later) || reducesNumbers(later))
		}
		g.merge = n.Spec.Kind != traversal.ReduceStep
		if reducesNumbers(n) && !n.HasLabels() {
			g.form, g.number, g.post = groupNumber, n.Name(), p.With(p.Nodes[i+1:])
			return
		}
		if len(g.post.Nodes) == 1 && len(n.Args) == 0 && !n.HasLabels() {
			switch n.Name() {
			case "count":
				g.form = groupCount
			case "fold":
				g.form = groupList
			}
		}
		return
	}
}

// reduces reports whether a barrier gives a result for no input.
func reduces(n *traversal.Node) bool {
	if n.Spec.Kind != traversal.ReduceStep && n.Name() != "cap" {
		return false
	}
	return step.IsBarrier(n) && !step.IsLocalBarrier(n) && !reducesNumbers(n)
}

// reducesNumbers knows the reductions that give nothing for nothing.
func reducesNumbers(n *traversal.Node) bool {
	switch n.Name() {
	case "sum", "min", "max", "mean":
		return step.IsBarrier(n)
	}
	return false
}

func openGroup(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := n.Data.(*groupArgs)
	p, err := openGrouping(n, r)
	if err != nil {
		return nil, err
	}
	if g.key == "" {
		return r.Reduce(up, func() traversal.Reducer { return &groupReducer{p: p, g: newGroups(p, value.Null)} }), nil
	}
	e := r.SideEffects.Register(g.key, func() *traversal.SideEffect { return &traversal.SideEffect{} })
	if e.State == nil && (!e.Supplied || e.Value.Kind() == value.KindMap) {
		e.State = newGroups(p, e.Value)
	}
	state, ok := e.State.(*groups)
	if !ok {
		return othersSideEffect(n, r, up, g.key, e), nil
	}
	return &gather{r: r, in: r.Input(up), set: r.NewSet(), max: 1 << 62,
		each: func(t *traversal.Traverser) error { return p.add(state, t) }}, nil
}

// groupReducer is the reducing form.
type groupReducer struct {
	traversal.One
	p *grouping
	g *groups
}

// AddBatch implements traversal.Reducer.
func (s *groupReducer) AddBatch(b *traversal.Batch) error { return s.Each(s.p.r, b, s) }

func (s *groupReducer) Add(t *traversal.Traverser) error { return s.p.add(s.g, t) }

func (s *groupReducer) Result() (value.Value, bool, error) {
	v, err := s.g.Value()
	return v, err == nil, err
}

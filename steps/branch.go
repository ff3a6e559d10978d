package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// branch() sends each traverser into every branch whose token fits what its traversal
// gives.
//
//	V().branch(values("name")).option("marko", values("age")).option(Pick.none, out())
//	option(traversal) and option(Pick.any, traversal) take every traverser
//
// Traversers that no branch takes are dropped.
var branchSpec = traversal.Spec{
	Name: "branch", Class: "BranchStep", Kind: traversal.BranchStep, Mods: []string{"option"}, HoldsChildren: true,
	Doc:     "Sends each traverser into every branch whose token fits.",
	Prepare: prepareBranch, Open: openBranch,
}

func prepareBranch(n *traversal.Node) error {
	if len(n.Args) != 1 || n.Child(0) == nil && !step.IsLambda(n.Value(0)) {
		return fmt.Errorf("branch() takes one traversal or closure")
	}
	o := &options{on: n.Args[0], picks: map[string][]*traversal.Plan{}}
	n.Data = o
	for _, m := range n.ModsNamed("option") {
		if err := o.add(m.Args); err != nil {
			return err
		}
	}
	return nil
}

func openBranch(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	c, err := openChoice(r, n.Data.(*options))
	if err != nil {
		return nil, err
	}
	return c.source(r, up), nil
}

// choice is the running form of options.
type choice struct {
	on    traversal.Func
	tests []func(v value.Value) (bool, error)
	to    []*branch
	picks map[string][]*branch
	// first is set when only the first branch that fits is taken.
	first   bool
	all     []*branch
	barrier bool
}

func openChoice(r *traversal.Run, o *options) (*choice, error) {
	on, err := o.choiceFunc(r)
	if err != nil {
		return nil, err
	}
	c := &choice{on: on, picks: map[string][]*branch{}}
	for _, name := range value.EnumNames(value.KindPick) {
		for _, p := range o.picks[name] {
			if err := c.addPick(r, name, p); err != nil {
				return nil, err
			}
		}
	}
	for _, opt := range o.list {
		test, err := opt.open(r)
		if err != nil {
			return nil, err
		}
		br, barrier, err := openBranches(r, []*traversal.Plan{opt.then})
		if err != nil {
			return nil, err
		}
		c.tests, c.to, c.all = append(c.tests, test), append(c.to, br...), append(c.all, br...)
		c.barrier = c.barrier || barrier
	}
	return c, nil
}

func (c *choice) addPick(r *traversal.Run, name string, p *traversal.Plan) error {
	br, barrier, err := openBranches(r, []*traversal.Plan{p})
	if err != nil {
		return err
	}
	c.picks[name], c.all = append(c.picks[name], br...), append(c.all, br...)
	c.barrier = c.barrier || barrier
	return nil
}

// choiceFunc opens what decides.
func (o *options) choiceFunc(r *traversal.Run) (traversal.Func, error) {
	var f traversal.Func
	var err error
	switch v := o.on.Value; {
	case o.on.Child != nil:
		f, err = r.ChildFunc(o.on.Child)
	case v.Kind() == value.KindT:
		f = r.TokenFunc(v.Str())
	case v.Kind() == value.KindP:
		var test traversal.Test
		if test, err = step.Predicate(v).Compile(r); err == nil {
			f = func(t *traversal.Traverser) (value.Value, bool, error) {
				ok, err := test(t.Value)
				return value.Null, ok, err
			}
		}
	case o.object:
		return r.ValueFunc(v) // with has, the closure itself answers true or false
	default:
		f, err = r.LambdaFunc(v)
	}
	if err != nil || !o.has {
		return f, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		_, ok, err := f(t)
		return value.Bool(ok), true, err
	}, nil
}

// open makes the test of one token.
func (o *option) open(r *traversal.Run) (func(v value.Value) (bool, error), error) {
	if o.test == nil {
		return o.p.Compile(r)
	}
	test, err := r.ChildTest(o.test)
	if err != nil {
		return nil, err
	}
	return func(v value.Value) (bool, error) {
		t := r.Generate(v)
		return test(&t)
	}, nil
}

func (c *choice) source(r *traversal.Run, up traversal.Source) traversal.Source {
	return &brancher{r: r, in: r.Input(up), branches: c.all, barrier: c.barrier, pick: c.pick}
}

// pick sends t where its choice points.
func (c *choice) pick(t *traversal.Traverser) error {
	v, ok, err := c.on(t)
	if err != nil {
		return err
	}
	fits, err := c.fitting(v, ok)
	if err != nil {
		return err
	}
	for i, br := range fits {
		if c.first && i > 0 {
			break
		}
		br.send(t)
	}
	if !ok || v.Kind() != value.KindPick || v.Str() != "any" {
		for _, br := range c.picks["any"] {
			br.send(t)
		}
	}
	return nil
}

// fitting returns the branches for a choice, those of Pick.none when there are none.
func (c *choice) fitting(v value.Value, productive bool) ([]*branch, error) {
	pick := ""
	if !productive {
		pick = "unproductive"
	} else if v.Kind() == value.KindPick {
		pick = v.Str()
	}
	if pick != "" {
		if fits := c.picks[pick]; len(fits) > 0 {
			return fits, nil
		}
		return c.picks["none"], nil
	}
	var fits []*branch
	for i, test := range c.tests {
		ok, err := test(v)
		if err != nil {
			return nil, err
		}
		if ok {
			if c.first {
				return c.to[i : i+1], nil
			}
			fits = append(fits, c.to[i])
		}
	}
	if len(fits) > 0 {
		return fits, nil
	}
	return c.picks["none"], nil
}

package steps

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// choose() sends each traverser into the first branch that its choice picks.
//
//	choose(hasLabel("person"), out(), in())   if the test has a result, else
//	choose(P.gt(1), out())                    if the object satisfies it; else unchanged
//	choose(values("age")).option(27, out()).option(P.gt(30), in())
//	  .option(Pick.none, ..)          nothing matched
//	  .option(Pick.unproductive, ..)  the choice had no result
//
// Without an option that fits the traverser goes on unchanged.
var chooseSpec = traversal.Spec{
	Name: "choose", Class: "ChooseStep", Kind: traversal.BranchStep, Mods: []string{"option"}, HoldsChildren: true,
	Doc:     "Sends each traverser into the branch that its choice picks.",
	Prepare: prepareChoose, Open: openChoose,
}

func prepareChoose(n *traversal.Node) error {
	if len(n.Args) == 0 || len(n.Args) > 3 {
		return fmt.Errorf("choose() takes one to three arguments, not %d", len(n.Args))
	}
	o := &options{on: n.Args[0], object: true, picks: map[string][]*traversal.Plan{}}
	n.Data = o
	if k := o.on.Value.Kind(); o.on.Child == nil && k != value.KindP && k != value.KindT && !step.IsLambda(o.on.Value) {
		return fmt.Errorf("choose() takes a traversal, predicate, T or closure, not %s", o.on.Value.Brief())
	}
	if len(n.Args) > 1 {
		o.has = true
		branches := []*traversal.Plan{n.Child(1), {Options: optionsOf(n)}}
		if len(n.Args) == 3 {
			branches[1] = n.Child(2)
		}
		for i, b := range []bool{true, false} {
			if branches[i] == nil {
				return errors.New("choose() takes traversals as its branches")
			}
			global(branches[i])
			o.list = append(o.list, option{p: step.Predicate(value.Bool(b)), then: branches[i]})
		}
	}
	for _, m := range n.ModsNamed("option") {
		if err := addChoice(o, m.Args); err != nil {
			return err
		}
	}
	return nil
}

// addChoice is options.add under the rules of choose(): one branch per traverser.
func addChoice(o *options, args []traversal.Arg) error {
	if len(args) == 1 || len(args) > 0 && args[0].Value.Kind() == value.KindPick && args[0].Value.Str() == "any" {
		return step.IllegalArgument("Choose step can not have an any-option as only one option per traverser is allowed")
	}
	if len(args) > 0 && args[0].Child != nil {
		return errors.New("Traversal is not allowed as a Pick token for choose().option()")
	}
	return o.add(args)
}

// optionsOf finds the source options that a node's children share.
func optionsOf(n *traversal.Node) *traversal.SourceOptions {
	var o *traversal.SourceOptions
	n.Children(func(p *traversal.Plan) { o = p.Options })
	return o
}

func openChoose(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	o := *n.Data.(*options)
	picks := map[string][]*traversal.Plan{}
	for _, pick := range []string{"unproductive", "none"} {
		if picks[pick] = o.picks[pick]; len(picks[pick]) == 0 {
			picks[pick] = []*traversal.Plan{{Options: r.Plan.Options}}
		}
	}
	o.picks = picks
	c, err := openChoice(r, &o)
	if err != nil {
		return nil, err
	}
	c.first = true
	return c.source(r, up), nil
}

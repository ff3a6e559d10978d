package engine

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What who asks may do of a traversal: which steps it may have, and what effects. Both are
// decided before anything is evaluated, of what was compiled and not of a text.

// seen is what who asks sees of a transaction. A graph that his script made he sees whole.
func (w *work) seen(tx *blueprints.Tx) traversal.Seen {
	d := w.o.Identity.On(tx.Graph().Name()).Denied()
	if d == nil || w.opened.of(tx.Graph()) != nil {
		return tx
	}
	if w.limited.of != tx || w.limited.denied != d {
		w.limited = limited{tx, d, w.o.Identity.See(tx)}
	}
	return w.limited.seen
}

// limited is what is seen of a transaction from which something is denied, for as long as
// one query takes.
type limited struct {
	of     *blueprints.Tx
	denied *blueprints.Restriction
	seen   traversal.Seen
}

// forPlan returns the transaction that a plan with these effects needs.
func (w *work) forPlan(ctx context.Context, g *blueprints.Graph, plan *traversal.Plan, e traversal.Effects) (*blueprints.Tx, error) {
	if at, err := plan.Options.AsOf(); at != 0 || err != nil {
		if err != nil {
			return nil, err
		}
		return w.past(ctx, g, plan, at)
	}
	if e&traversal.Administers != 0 {
		if err := w.mayAdminister(); err != nil {
			return nil, err
		}
	}
	tx, err := w.tx(ctx, g, w.changes(g, e))
	if err == nil && e&traversal.ReadsPast != 0 {
		err = w.mayReadPast(g)
	}
	return tx, err
}

// mayDo returns the error of who may not run a plan with these effects.
func (w *work) mayDo(g *blueprints.Graph, e traversal.Effects) error {
	if w.opened.of(g) != nil {
		return nil
	}
	if _, err := w.may(g, w.changes(g, e)); err != nil {
		return err
	}
	if e&traversal.ReadsPast != 0 {
		if err := w.mayReadPast(g); err != nil {
			return err
		}
	}
	if e&traversal.Administers != 0 {
		return w.mayAdminister()
	}
	return nil
}

// mayReadPast returns the error of who may not know what a graph was.
func (w *work) mayReadPast(g *blueprints.Graph) error {
	if w.opened.of(g) != nil || w.o.Identity.MayReadPast(g.Name()) {
		return nil
	}
	return w.refusal("read the past of", g)
}

// mayAdminister returns the error of who administers no graph. Whether he administers the
// one that a service is asked about is for the service to say.
func (w *work) mayAdminister() error {
	if w.o.Identity.Administers() {
		return nil
	}
	return fmt.Errorf("%w: user %s may not administer graphs", contract.ErrUnauthorized, w.o.Identity.User())
}

// permitted returns the error of who may not use a step of b on g, in child traversals and
// strategies too; nil is no graph, nor is one that a script opened a graph of the server.
func (w *work) permitted(g *blueprints.Graph, b *traversal.Bytecode) error {
	permits := w.o.Identity.PermitsEverywhere
	if g != nil && w.opened.of(g) == nil {
		r := w.o.Identity.On(g.Name())
		if !r.LimitsSteps() {
			return nil
		}
		permits = r.Permits
	}
	return eachStep(b, func(name string) error {
		spec, known := steps.Registry().Lookup(name)
		modulator := !known || spec.Kind == traversal.ModulatorStep || spec.Kind == traversal.SourceStep
		if permits(name, modulator) {
			return nil
		}
		on := ""
		if g != nil {
			on = " on graph " + g.Name()
		}
		return fmt.Errorf("%w: user %s may not use the step %.64s()%s", contract.ErrUnauthorized, w.o.Identity.User(), name, on)
	})
}

// eachStep calls fn with the name of every instruction of b, of the traversals in arguments
// too, until it returns an error.
func eachStep(b *traversal.Bytecode, fn func(name string) error) error {
	for _, list := range [][]traversal.Instruction{b.Source, b.Steps} {
		for _, in := range list {
			if err := fn(in.Name); err != nil {
				return err
			}
			for _, a := range in.Args {
				if err := eachStepIn(a, fn); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func eachStepIn(v value.Value, fn func(name string) error) (err error) {
	switch v.Kind() {
	case value.KindMap:
		for i := range v.Map().Len() {
			k, x := v.Map().Entry(i)
			if err = eachStepIn(k, fn); err == nil {
				err = eachStepIn(x, fn)
			}
			if err != nil {
				return err
			}
		}
	case value.KindList, value.KindSet:
		for _, x := range elems(v) {
			if err := eachStepIn(x, fn); err != nil {
				return err
			}
		}
	}
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		return eachStep(x, fn)
	case *traversal.StrategySpec:
		if x.Config != nil {
			return eachStepIn(x.Config.Value(), fn)
		}
	case *traversal.P:
		for _, a := range x.Args {
			if err := eachStepIn(a, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// elems are those of a list or a set.
func elems(v value.Value) []value.Value {
	if v.Kind() == value.KindSet {
		return v.Set().Elems()
	}
	return v.Elems()
}

package steps

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// aggregate() puts all objects, or what by() makes of them, into a side effect before
// any traverser goes on. What by() gives nothing for is not put in, and goes on.
//
//	V().aggregate("x").by("name").cap("x")
//	V().local(aggregate("x"))  one at a time
//
// The side effect is a BulkSet unless withSideEffect() supplied something else.
var aggregateSpec = traversal.Spec{
	Name: "aggregate", Class: "AggregateStep", Kind: traversal.BarrierStep, MaxBy: -1,
	Effects: traversal.WritesSideEffect,
	Doc:     "Puts all objects into a side effect before any goes on.",
	Prepare: prepareAggregate, Open: openAggregate,
	Print: func(n *traversal.Node) string {
		return "AggregateStep(" + string(n.Data.(sideKey)) + step.PrintBy(n) + ")"
	},
}

func prepareAggregate(n *traversal.Node) error {
	if len(n.Args) == 0 {
		return errors.New("aggregate() takes the key of a side effect")
	}
	if len(n.Args) == 2 && n.Value(0).Kind() == value.KindScope {
		return errors.New("aggregate() does not take a Scope: use local(aggregate())")
	}
	if err := prepareKeyed(n); err != nil {
		return err
	}
	return step.OneBy(n, "Aggregate")
}

func openAggregate(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenBy(n, r)
	if err != nil {
		return nil, err
	}
	key := string(n.Data.(sideKey))
	e := r.SideEffects.Register(key, func() *traversal.SideEffect {
		return &traversal.SideEffect{State: &bulkState{value.NewBulkSet()}}
	})
	if e.Reducer == nil {
		e.Reducer = func(a, b value.Value) (value.Value, error) { return r.Operate("addAll", a, b) }
	}
	a := &aggregator{r: r, key: key, by: by, e: e, each: reducesSingly(r, key), fresh: value.NewBulkSet()}
	return &gather{r: r, in: r.Input(up), set: r.NewSet(), max: 1 << 62, each: a.add,
		done: func([]traversal.Traverser) error { return a.flush() }}, nil
}

// reducesSingly reports whether withSideEffect() gave key an operator that takes
// objects one by one rather than a collection of them.
func reducesSingly(r *traversal.Run, key string) bool {
	if r.Plan.Options == nil {
		return false
	}
	for _, o := range r.Plan.Options.SideEffects {
		if o.Key == key && !o.Reducer.IsNull() {
			name := o.Reducer.Str()
			return o.Reducer.Kind() != value.KindOperator || name != "addAll" && name != "assign"
		}
	}
	return false
}

// aggregator is a running aggregate(). The objects of one filling reach the side effect
// together, so that the steps before see none or all of them.
type aggregator struct {
	r     *traversal.Run
	key   string
	by    traversal.Func
	e     *traversal.SideEffect
	each  bool
	fresh *value.BulkSet
	one   step.Single
}

func (a *aggregator) add(t *traversal.Traverser) error {
	v, ok, err := a.by(a.one.Of(t))
	if err != nil || !ok {
		return err
	}
	if a.fresh.Add(v, t.Bulk) {
		return a.r.ChargeText(v, step.KeyBytes)
	}
	return nil
}

func (a *aggregator) flush() error {
	fresh := a.fresh
	a.fresh = value.NewBulkSet()
	if s, ok := a.e.State.(*bulkState); ok {
		for i := range fresh.Len() {
			v, bulk := fresh.Entry(i)
			if a.r.Holds(v, s.set) {
				return traversal.TooDeep("aggregate() cannot put the side effect %q into itself", a.key)
			}
			s.set.Add(v, bulk)
		}
		return a.r.Fits(s.set.Value())
	}
	if fresh.Len() > 0 && a.e.State != nil { // group() and its like began it
		return &blueprints.Exception{Class: "java.lang.ClassCastException", Message: fmt.Sprintf(
			"aggregate() cannot add to the side effect %s, which another step began", a.key)}
	}
	if !a.each {
		return a.e.Add(fresh.Value())
	}
	for i := range fresh.Len() {
		v, n := fresh.Entry(i)
		for ; n > 0; n-- {
			if err := a.e.Add(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// bulkState is a side effect that only grows. Whoever reads it gets the set itself, as
// in the reference: it goes on growing.
type bulkState struct{ set *value.BulkSet }

func (s *bulkState) Value() (value.Value, error) { return s.set.Value(), nil }

// othersSideEffect is a step whose side effect is of another kind: aggregate("x") began
// it, or withSideEffect() gave it. The first traverser that it should add is an error.
func othersSideEffect(n *traversal.Node, r *traversal.Run, up traversal.Source, key string, e *traversal.SideEffect) traversal.Source {
	err := &blueprints.Exception{Class: "java.lang.IllegalArgumentException", Message: fmt.Sprintf(
		"Objects must be both of Map or Collection: %s() cannot add to the side effect %s, which is of another kind", n.Name(), key)}
	casts := e.Supplied || n.Name() == "subgraph"
	switch e.State.(type) {
	case *countState, *grower: // their operators cast what is added
		casts = true
	}
	if casts {
		err.Class = "java.lang.ClassCastException"
	}
	return r.Filter(up, func(*traversal.Traverser) (bool, error) { return false, err })
}

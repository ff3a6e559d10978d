package differential_test

import (
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// way is one way to run a traversal.
type way struct {
	name  string
	batch int
	// uncounted is set where CountStrategy is left out.
	uncounted bool
	// unfolded is set where TinkerGraphStepStrategy is left out: a scan gives elements in
	// another order than an index.
	unfolded bool
	plan     func(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Plan, error)
}

// usually is how servers run it.
var usually = way{name: "usually", plan: without()}

// ways returns all ways but the usual one.
func ways() []way {
	list := []way{
		{name: "one at a time", batch: 1, plan: without()},
		{name: "three at a time", batch: 3, plan: without()},
		{name: "without optimizations", plan: without(strategy.Invisible()...), uncounted: true, unfolded: true},
		{name: "without optimizations, one at a time", batch: 1, plan: without(strategy.Invisible()...), uncounted: true, unfolded: true},
		{name: "with a plan made for other constants", plan: cached},
	}
	for _, name := range strategy.Invisible() {
		list = append(list, way{name: "without " + name, plan: without(name), uncounted: name == "CountStrategy", unfolded: name == "TinkerGraphStepStrategy"})
	}
	return list
}

func without(names ...string) func(*traversal.Bytecode, strategy.Indexes) (*traversal.Plan, error) {
	return func(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Plan, error) {
		p, err := traversal.Compile(nil, steps.Registry(), b)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			p.Options.Without[name] = true
		}
		return strategy.Apply(nil, steps.Registry(), p, g)
	}
}

// cached takes the plan that a cache makes of stand-ins when a shape comes again.
func cached(b *traversal.Bytecode, g strategy.Indexes) (p *traversal.Plan, err error) {
	cache := plancache.New(steps.Registry())
	for range 3 {
		q, err := cache.Open(b)
		if err != nil {
			return nil, err
		}
		if p, err = q.Plan(g); err != nil {
			return nil, err
		}
	}
	return p, nil
}

package strategy

import "github.com/gremlind/gremlind/traversal"

// ApplyOnly applies the one strategy of that name.
func ApplyOnly(reg *traversal.Registry, p *traversal.Plan, g Indexes, name string) (*traversal.Plan, error) {
	o := *p.Options
	o.Without = map[string]bool{}
	for _, s := range order {
		o.Without[s.Name] = s.Name != name
	}
	if !asked(o.Strategies, name) {
		o.Strategies = append(append([]*traversal.StrategySpec{}, o.Strategies...), &traversal.StrategySpec{Class: name})
	}
	q := *p
	q.Options = &o
	return Apply(nil, reg, &q, g)
}

func asked(list []*traversal.StrategySpec, name string) bool {
	for _, s := range list {
		if s.SimpleName() == name {
			return true
		}
	}
	return false
}

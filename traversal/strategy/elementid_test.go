package strategy_test

import (
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// TestElementIdStrategy: as it is by default it changes nothing, since elements have the
// ids that they are given; ids of another property would be missed, so it is refused.
func TestElementIdStrategy(t *testing.T) {
	for config, accepted := range map[string]bool{"": true, `(idPropertyKey: "__id")`: true, `(idPropertyKey: "name")`: false} {
		q, err := lang.Parse("g.withStrategies(new ElementIdStrategy"+config+").V('x').id()", lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := traversal.Compile(nil, steps.Registry(), q.Last().Bytecode)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := strategy.Apply(nil, steps.Registry(), p, strategy.IndexedKeys{}); (err == nil) != accepted {
			t.Errorf("%s: %v", config, err)
		}
	}
}

package steps

import (
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// Prepare compiles bytecode and applies the strategies: what a server keeps in its
// plan cache.
func Prepare(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Plan, error) {
	p, err := traversal.Compile(nil, registry, b)
	if err != nil {
		return nil, err
	}
	return strategy.Apply(nil, registry, p, g)
}

package steps

import (
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// Prepare compiles bytecode and applies the strategies: what a server keeps in its
// plan cache.
func Prepare(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Plan, error) {
	p, err := traversal.Compile(registry, b)
	if err != nil {
		return nil, err
	}
	return strategy.Apply(registry, p, g)
}

// Explain returns what the strategies make of bytecode, for explain().
func Explain(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Explanation, error) {
	p, err := traversal.Compile(registry, b)
	if err != nil {
		return nil, err
	}
	return strategy.Explain(registry, p, g)
}

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

// Explain returns what the strategies make of a plan, for explain(). m, which may be nil,
// bounds it. A g that is Names as well has what it does not know named.
func Explain(m *traversal.Meter, p *traversal.Plan, g strategy.Indexes) (*traversal.Explanation, error) {
	x, err := strategy.Explain(m, registry, p, g)
	if names, ok := g.(Names); ok && err == nil {
		x.Unknown, err = unknownNames(m, p, names)
	}
	return x, err
}

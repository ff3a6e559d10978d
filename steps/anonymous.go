package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// OpenAnonymous makes r the run of a traversal that no source began, as __.inject(1, 2).
// Its graph is empty and cannot be written, as in the reference; the elements that it is
// given it reads through env's View, which may be nil.
func OpenAnonymous(r *traversal.Run, b *traversal.Bytecode, env traversal.Env) error {
	m := &traversal.Meter{Ctx: env.Ctx, Account: env.Account}
	env.View = blueprints.EmptyGraph(env.View)
	env.Mutator, env.Host, env.Memory = nil, nil, nil
	p, err := traversal.CompileAnonymous(m, env.Registry, b)
	if err != nil {
		return err
	}
	if p, err = strategy.Apply(m, env.Registry, p, env.View); err != nil {
		return err
	}
	return r.Open(p, env)
}

// ExplainAnonymous is Explain for such a traversal.
func ExplainAnonymous(m *traversal.Meter, b *traversal.Bytecode) (*traversal.Explanation, error) {
	p, err := traversal.CompileAnonymous(m, registry, b)
	if err != nil {
		return nil, err
	}
	return strategy.Explain(m, registry, p, blueprints.EmptyGraph(nil))
}

// anonymous is a Cursor over the results of an anonymous traversal that a traverser holds.
type anonymous struct {
	run   traversal.Run
	batch traversal.Batch
	left  int64 // copies of the one in batch that were not given
}

// anonymousOf opens v if it is an anonymous traversal; nil for anything else.
func anonymousOf(r *traversal.Run, v value.Value) (*anonymous, error) {
	if v.Kind() != value.KindBytecode {
		return nil, nil
	}
	b := v.Object().(*traversal.Bytecode)
	c := &anonymous{}
	return c, OpenAnonymous(&c.run, b, r.Env)
}

// Next appends up to max results.
func (c *anonymous) Next(dst []value.Value, max int) ([]value.Value, error) {
	if c.left == 0 {
		c.batch.Clear()
		if err := c.run.Next(&c.batch, 1); err != nil || c.batch.Len() == 0 {
			return dst, err
		}
		c.left = c.batch.Bulk(0)
	}
	for ; c.left > 0 && max > 0; max-- {
		dst = append(dst, c.batch.Objects[0])
		c.left--
	}
	return dst, nil
}

// Close has nothing to give back.
func (c *anonymous) Close() {}

package plancache

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// binder puts constants into a plan. It copies what they stand in and shares the rest.
type binder struct{ replacement }

func newBinder(from, to []value.Value, r *Memory) binder {
	return binder{replacement{from: from, to: to, memory: r}}
}

// root binds a whole plan, of whose nodes only those in touched have constants.
func (b *binder) root(p *traversal.Plan, touched []bool) (*traversal.Plan, error) {
	var nodes []*traversal.Node
	for i, n := range p.Nodes {
		if !touched[i] {
			continue
		}
		m, err := b.node(n)
		if err != nil {
			return nil, err
		}
		if nodes == nil {
			nodes = b.memory.lists.copyOf(p.Nodes)
		}
		nodes[i] = m
	}
	return b.with(p, nodes), nil
}

// with is p with other nodes, if there are any.
func (b *binder) with(p *traversal.Plan, nodes []*traversal.Node) *traversal.Plan {
	if nodes == nil {
		return p
	}
	c := &b.memory.plans.take(1)[0]
	*c = *p
	c.Nodes = nodes
	return c
}

func (b *binder) plan(p *traversal.Plan) (*traversal.Plan, error) {
	var nodes []*traversal.Node
	for i, n := range p.Nodes {
		m, err := b.node(n)
		if err != nil {
			return nil, err
		}
		if m != n && nodes == nil {
			nodes = b.memory.lists.copyOf(p.Nodes)
		}
		if nodes != nil {
			nodes[i] = m
		}
	}
	return b.with(p, nodes), nil
}

func (b *binder) node(n *traversal.Node) (*traversal.Node, error) {
	c := &b.memory.nodes.take(1)[0]
	*c = *n
	var changed [3]bool
	var err error
	if c.Args, changed[0], err = b.args(n.Args); err != nil {
		return nil, err
	}
	if changed[1], err = b.modulators(n, c); err != nil {
		return nil, err
	}
	if g, ok := n.Data.(*traversal.GraphStart); ok {
		c.Data, changed[2] = b.start(g)
		if changed[0] || changed[2] {
			return c, nil
		}
		return n, nil
	}
	if !changed[0] && !changed[1] {
		return n, nil
	}
	if n.Spec.Prepare != nil {
		err = b.memory.prepare(c)
	}
	return c, err
}

// start replaces what V() and E() hold beside their arguments: ids and filters that
// were folded into them.
func (b *binder) start(g *traversal.GraphStart) (*traversal.GraphStart, bool) {
	c := &b.memory.starts.take(1)[0]
	*c = *g
	var changed bool
	c.IDs, changed = b.values(g.IDs)
	for i, h := range g.Has {
		p := b.predicate(h.P)
		if p == h.P {
			continue
		}
		if !changed || &c.Has[0] == &g.Has[0] {
			c.Has = b.memory.has.copyOf(g.Has)
		}
		c.Has[i].P, changed = p, true
	}
	if !changed {
		return g, false
	}
	return c, true
}

func (b *binder) args(args []traversal.Arg) ([]traversal.Arg, bool, error) {
	var out []traversal.Arg
	for i, a := range args {
		c, constant, changed := a, -1, false
		if a.Child != nil {
			var err error
			if c.Child, err = b.plan(a.Child); err != nil {
				return nil, false, err
			}
			changed = c.Child != a.Child
		} else {
			c.Value, constant, changed = b.value(a.Value)
		}
		if changed && out == nil {
			out = b.memory.args.copyOf(args)
		}
		if changed {
			out[i] = c
			b.stands(&out[i].Value, constant)
		}
	}
	if out == nil {
		return args, false, nil
	}
	return out, true, nil
}

// modulators binds by() and the other modulators of n into c.
func (b *binder) modulators(n, c *traversal.Node) (changed bool, err error) {
	for i, m := range n.By {
		if m.Child == nil {
			continue
		}
		child, err := b.plan(m.Child)
		if err != nil {
			return false, err
		}
		if child == m.Child {
			continue
		}
		if !changed {
			c.By = slices.Clone(n.By)
		}
		by := *m
		by.Child = child
		c.By[i], changed = &by, true
	}
	mods := false
	for i, m := range n.Mods {
		args, other, err := b.args(m.Args)
		if err != nil {
			return false, err
		}
		if !other {
			continue
		}
		if !mods {
			c.Mods = slices.Clone(n.Mods)
		}
		c.Mods[i].Args, mods = args, true
	}
	return changed || mods, nil
}

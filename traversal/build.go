package traversal

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// What strategies build new plans with.

// ErrUnfit is what Spec.Prepare returns for a step that a strategy would put in place of
// others, where it cannot stand for them.
var ErrUnfit = errors.New("the step cannot stand for these")

// NewNode makes a prepared node of a registered step, internal ones included.
func (reg *Registry) NewNode(name string, args ...Arg) (*Node, error) {
	spec, ok := reg.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("the step %s is not registered", name)
	}
	n := &Node{Spec: spec, Args: args}
	return n, prepare(n)
}

// Const is an argument without a child.
func Const(v value.Value) Arg { return Arg{Value: v} }

// Sub is a child traversal as an argument.
func Sub(p *Plan) Arg { return Arg{Child: p} }

// CompileChild compiles a traversal found in a strategy's configuration as a child
// under the options of a root.
func (reg *Registry) CompileChild(m *Meter, b *Bytecode, o *SourceOptions) (*Plan, error) {
	c := &compiler{reg: reg, options: o, meter: m}
	return c.plan(b.Steps, 1)
}

// CompileAnonymous compiles a traversal that no source began: nothing comes into it.
func CompileAnonymous(m *Meter, reg *Registry, b *Bytecode) (*Plan, error) {
	c := &compiler{reg: reg, meter: m}
	var err error
	if c.options, err = c.sourceOptions(b.Source); err != nil {
		return nil, err
	}
	return c.plan(b.Steps, 1)
}

// With returns a copy of p with other nodes.
func (p *Plan) With(nodes []*Node) *Plan {
	c := *p
	c.Nodes, c.facts = nodes, nil
	return &c
}

// MapPlans rewrites p and all plans below it, children first. fn returns its
// argument when there is nothing to change.
func (p *Plan) MapPlans(fn func(*Plan) (*Plan, error)) (*Plan, error) {
	var nodes []*Node
	for i, n := range p.Nodes {
		m, err := n.mapPlans(fn)
		if err != nil {
			return nil, err
		}
		if m != n {
			if nodes == nil {
				nodes = append([]*Node(nil), p.Nodes...)
			}
			nodes[i] = m
		}
	}
	if nodes != nil {
		p = p.With(nodes)
	}
	return fn(p)
}

func (n *Node) mapPlans(fn func(*Plan) (*Plan, error)) (*Node, error) {
	if len(n.Args) == 0 && len(n.By) == 0 && len(n.Mods) == 0 {
		return n, nil
	}
	var err error
	var replaced map[*Plan]*Plan
	n.Children(func(c *Plan) {
		if err != nil {
			return
		}
		var d *Plan
		if d, err = c.MapPlans(fn); err == nil && d != c {
			if replaced == nil {
				replaced = map[*Plan]*Plan{}
			}
			replaced[c] = d
		}
	})
	if err != nil || len(replaced) == 0 {
		return n, err
	}
	return n.MapChildren(func(c *Plan) *Plan {
		if d, ok := replaced[c]; ok {
			return d
		}
		return c
	})
}

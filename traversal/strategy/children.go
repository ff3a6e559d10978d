package strategy

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Small questions and constructions that several strategies share.

func hop(n *traversal.Node) *traversal.Hop {
	h, _ := n.Data.(*traversal.Hop)
	return h
}

func graphStart(n *traversal.Node) *traversal.GraphStart {
	g, _ := n.Data.(*traversal.GraphStart)
	return g
}

func endVertex(n *traversal.Node) bool {
	switch n.Name() {
	case "inV", "outV", "bothV", "otherV":
		return true
	}
	return false
}

// plan wraps nodes as a child plan.
func (c *Context) plan(nodes ...*traversal.Node) *traversal.Plan {
	return &traversal.Plan{Nodes: nodes, Options: c.Options}
}

// filter makes filter(child).
func (c *Context) filter(child *traversal.Plan) (*traversal.Node, error) {
	return c.node("filter", traversal.Sub(child))
}

// moveLabels puts n's labels onto m, so that as() names what comes out of m.
func moveLabels(n, m *traversal.Node) (*traversal.Node, *traversal.Node) {
	if !n.HasLabels() {
		return n, m
	}
	return n.WithLabels(nil), m.WithLabels(append(append([]string{}, m.Labels...), n.Labels...))
}

// hop makes a hop like h to edges or vertices. The arguments of the step that h comes
// from would not do: to(OUT, "a") begins with its direction.
func (c *Context) hop(h *traversal.Hop, edge bool) (*traversal.Node, error) {
	args := stringArgs(h.Labels)
	if h.None {
		args = []traversal.Arg{traversal.Const(value.Null)}
	}
	return c.node(hopName(h.Dir, edge), args...)
}

// hopName names the step for a direction.
func hopName(d blueprints.Direction, edge bool) string {
	name := "both"
	switch d {
	case blueprints.Out:
		name = "out"
	case blueprints.In:
		name = "in"
	}
	if edge {
		name += "E"
	}
	return name
}

func stringArgs(list []string) []traversal.Arg {
	args := make([]traversal.Arg, len(list))
	for i, s := range list {
		args[i] = traversal.Const(value.String(s))
	}
	return args
}

// truth reads a boolean setting.
func (c *Context) truth(key string, def bool) bool {
	v, ok := c.setting(key)
	if !ok || v.Kind() != value.KindBool {
		return def
	}
	return v.Bool()
}

// marked puts a modulator that no client can send on the steps of some names which it fits.
func marked(p *traversal.Plan, names []string, mod string) (*traversal.Plan, error) {
	nodes := slices.Clone(p.Nodes)
	changed := false
	for i, n := range nodes {
		if !slices.Contains(names, n.Name()) {
			continue
		}
		m := *n
		m.Mods = append(slices.Clone(n.Mods), traversal.Mod{Name: mod})
		if err := m.Prepare(); errors.Is(err, traversal.ErrUnfit) {
			continue
		} else if err != nil {
			return nil, err
		}
		nodes[i], changed = &m, true
	}
	if !changed {
		return p, nil
	}
	return p.With(nodes), nil
}

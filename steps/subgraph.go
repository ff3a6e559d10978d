package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// subgraph("g") copies the edges that pass by, with their vertices, into a side
// effect; cap("g") gives it.
//
//	outE("knows").subgraph("g").cap("g")
var subgraphSpec = traversal.Spec{
	Name: "subgraph", Class: "SubgraphStep", Kind: traversal.SideEffectStep,
	Effects: traversal.ReadsGraph | traversal.WritesSideEffect,
	Doc:     "Copies the edges that pass by into a side effect.",
	Prepare: func(n *traversal.Node) error {
		key, err := step.TextArg(n, 0)
		n.Data = key
		return err
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		e := r.SideEffects.Register(n.Data.(string), func() *traversal.SideEffect {
			return &traversal.SideEffect{State: newCopier(r)}
		})
		c, ok := e.State.(*copier)
		if !ok {
			return othersSideEffect(n, r, up, n.Data.(string), e), nil
		}
		return &gather{r: r, in: r.Input(up), set: r.NewSet(), max: sideEffectAll,
			each: func(t *traversal.Traverser) error { return c.add(t.Value) }}, nil
	},
	Print: func(n *traversal.Node) string { return "SubgraphStep(" + n.Data.(string) + ")" },
}

// sideEffectAll makes a side-effect step a barrier for everything.
const sideEffectAll = 1 << 62

// copier is the live form of a subgraph: detached copies by id.
type copier struct {
	r        *traversal.Run
	g        *value.Subgraph
	vertices *value.Map // id -> position in g.Vertices
	edges    *value.Set
}

func newCopier(r *traversal.Run) *copier {
	return &copier{r: r, g: &value.Subgraph{}, vertices: value.NewMap(), edges: value.NewSet()}
}

// Value returns the subgraph as it is now; what comes later does not change it.
func (c *copier) Value() (value.Value, error) {
	g := &value.Subgraph{
		Vertices: append([]value.Value(nil), c.g.Vertices...),
		Edges:    append([]value.Value(nil), c.g.Edges...),
	}
	return g.Value(), nil
}

func (c *copier) add(v value.Value) error {
	out, in, err := ends(c.r, v)
	if err != nil {
		return err
	}
	id, err := c.r.ID(v)
	if err != nil || !c.edges.Add(id) {
		return err
	}
	label, err := c.r.Label(v)
	if err != nil {
		return err
	}
	e := &value.Element{ID: id, Label: label}
	if e.Out, err = c.vertex(out); err != nil {
		return err
	}
	if e.In, err = c.vertex(in); err != nil {
		return err
	}
	if e.Properties, err = c.properties(v); err != nil {
		return err
	}
	c.g.Edges = append(c.g.Edges, value.DetachedEdge(e))
	return c.r.Charge(copyBytes * (1 + len(e.Properties)))
}

// copyBytes is what a budget is charged for a copied element and each property.
const copyBytes = 128

func (c *copier) vertex(v value.Value) (value.Value, error) {
	id, err := c.r.ID(v)
	if err != nil {
		return value.Null, err
	}
	if pos, ok := c.vertices.Get(id); ok {
		return c.g.Vertices[pos.Int64()], nil
	}
	label, err := c.r.Label(v)
	if err != nil {
		return value.Null, err
	}
	e := &value.Element{ID: id, Label: label}
	if e.Properties, err = c.properties(v); err != nil {
		return value.Null, err
	}
	x := value.DetachedVertex(e)
	c.vertices.Put(id, value.Long(int64(len(c.g.Vertices))))
	c.g.Vertices = append(c.g.Vertices, x)
	return x, c.r.Charge(copyBytes * (1 + len(e.Properties)))
}

// properties never returns nil, which would mean that they are not known.
func (c *copier) properties(v value.Value) ([]value.Value, error) {
	return c.r.Properties([]value.Value{}, v, nil)
}

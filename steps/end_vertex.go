package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// outV(), inV(), bothV() and toV(Direction) give the end vertices of edges.
//
//	E(7).outV()   where the edge begins
//	E(7).bothV()  out first, then in
var (
	outVSpec  = endSpec("outV", traversal.MapStep, "Gives the vertex where an edge begins.")
	inVSpec   = endSpec("inV", traversal.MapStep, "Gives the vertex where an edge ends.")
	bothVSpec = endSpec("bothV", traversal.FlatMapStep, "Gives both end vertices of an edge.")
	toVSpec   = endSpec("toV", traversal.FlatMapStep, "Gives the end vertex of an edge in a direction.")
)

func endSpec(name string, kind traversal.StepKind, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: "EdgeVertexStep", Kind: kind, Effects: traversal.ReadsGraph,
		Doc: doc, Prepare: prepareEnd, Open: openEnd, Direct: directEnd,
		Print: func(n *traversal.Node) string {
			return "EdgeVertexStep(" + directionName(n.Data.(*traversal.EndVertex).Dir) + ")"
		},
	}
}

func prepareEnd(n *traversal.Node) error {
	e := &traversal.EndVertex{}
	switch n.Name() {
	case "outV":
		e.Dir = blueprints.Out
	case "inV":
		e.Dir = blueprints.In
	case "bothV":
		e.Dir = blueprints.Both
	case "toV":
		d, err := argDirection(n)
		if err != nil {
			return err
		}
		e.Dir = d
	}
	if n.Name() != "toV" && len(n.Args) > 0 {
		return fmt.Errorf("%s() takes no arguments", n.Name())
	}
	n.Data = e
	return nil
}

func openEnd(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	dir := n.Data.(*traversal.EndVertex).Dir
	if dir != blueprints.Both {
		return r.Map(up, endFunc(r, dir)), nil
	}
	return r.FlatMap(up, func(t *traversal.Traverser) (traversal.Cursor, error) {
		out, in, err := ends(r, t.Value)
		return traversal.Values([]value.Value{out, in}), err
	}), nil
}

func directEnd(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	dir := n.Data.(*traversal.EndVertex).Dir
	if dir == blueprints.Both {
		dir = blueprints.Out // the first of the two
	}
	return endFunc(r, dir), nil
}

func endFunc(r *traversal.Run, dir blueprints.Direction) traversal.Func {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		out, in, err := ends(r, t.Value)
		if dir == blueprints.In {
			out = in
		}
		return out, err == nil, err
	}
}

func ends(r *traversal.Run, v value.Value) (out, in value.Value, err error) {
	if v.Kind() != value.KindEdge {
		return value.Null, value.Null, step.NotEdge(v)
	}
	return r.Endpoints(v)
}

// otherV() gives the end of an edge at which the traverser did not come in: it looks
// back for the last vertex of the path.
var otherVSpec = traversal.Spec{
	Name: "otherV", Class: "EdgeOtherVertexStep", Kind: traversal.MapStep, Effects: traversal.ReadsGraph,
	Needs: traversal.NeedFullPath,
	Doc:   "Gives the end vertex of an edge that the traverser did not come from.",
	Open: func(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
			v, err := otherEnd(r, t)
			return v, err == nil, err
		}), nil
	},
}

func otherEnd(r *traversal.Run, t *traversal.Traverser) (value.Value, error) {
	p := t.History()
	if p != nil {
		p = p.Parent // the newest object is the edge
	}
	for ; p != nil; p = p.Parent {
		if p.Object.Kind() != value.KindVertex {
			continue
		}
		out, in, err := ends(r, t.Value)
		if err != nil {
			return value.Null, err
		}
		same, err := sameElement(r, p.Object, out)
		if same {
			return in, err
		}
		return out, err
	}
	return value.Null, fmt.Errorf("The path history of the traverser does not contain a previous vertex: %s",
		r.Text(t.History().PathValue().Value()))
}

// sameElement compares elements of which one may be detached.
func sameElement(r *traversal.Run, a, b value.Value) (bool, error) {
	if a.IsStored() == b.IsStored() {
		return value.Identical(a, b), nil
	}
	x, err := r.ID(a)
	if err != nil {
		return false, err
	}
	y, err := r.ID(b)
	return err == nil && value.Equal(x, y), err
}

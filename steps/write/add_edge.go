package write

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// addE() adds an edge. from() and to() name its ends; one that is left out is the
// traverser's own vertex.
//
//	V(1).addE("knows").to(V(2)).property("weight", 0.5)
//	V(1).as("a").out().addE("friend").from("a")
//	addE("knows").from(V(1)).to(V(2))
var AddE = traversal.Spec{
	Name: "addE", Class: "AddEdgeStep", Kind: traversal.MapStep, Start: true, Effects: traversal.WritesGraph,
	Mods: []string{"from", "to", PropertyMod, "with"}, HoldsChildren: true, NeedsOf: endLabels, Scope: endScope,
	Placeholder: true, Doc: "Adds an edge.", Prepare: prepareAddE, Open: openAddE,
	Print: func(n *traversal.Node) string {
		e := n.Data.(*newEdge)
		var ends []string
		for _, end := range []endpoint{e.from, e.to} {
			if end.given {
				ends = append(ends, "~"+end.name+"=["+step.ArgText(end.arg)+"]")
			}
		}
		return "AddEdge" + startText(n) + "Step(" + e.text(ends) + ")"
	},
}

// newEdge is the Data of addE.
type newEdge struct {
	newElement
	from, to endpoint
}

// endpoint is from() or to(): a step label, an element or id, or a traversal.
type endpoint struct {
	name  string
	arg   traversal.Arg
	given bool
}

// endLabels asks for labelled paths when an end is given by label.
func endLabels(n *traversal.Node) traversal.Needs {
	for _, m := range n.Mods {
		if (m.Name == "from" || m.Name == "to") && len(m.Args) > 0 && m.Args[0].Value.Kind() == value.KindString {
			return traversal.NeedLabelledPath
		}
	}
	return 0
}

// endScope gives the labels at which from() and to() find their vertices.
func endScope(n *traversal.Node) (labels []string, trims bool) {
	for _, m := range n.Mods {
		if (m.Name == "from" || m.Name == "to") && len(m.Args) > 0 && m.Args[0].Value.Kind() == value.KindString {
			labels = append(labels, m.Args[0].Value.Str())
		}
	}
	return labels, false
}

func prepareAddE(n *traversal.Node) error {
	e := &newEdge{from: endpoint{name: "from"}, to: endpoint{name: "to"}}
	e.label = traversal.Const(value.Null)
	if len(n.Args) > 0 {
		e.label = n.Args[0]
	}
	for _, m := range n.Mods {
		if m.Name != "from" && m.Name != "to" {
			continue // see ttlsOf
		}
		if len(m.Args) != 1 {
			return fmt.Errorf("%s() takes one argument", m.Name)
		}
		end := &e.from
		if m.Name == "to" {
			end = &e.to
		}
		if err := vertexArgument(m.Name, m.Args[0]); err != nil {
			return err
		}
		if !end.given {
			end.arg, end.given = m.Args[0], true
		}
	}
	n.Data = e
	if err := e.addMods(n, true); err != nil {
		return err
	}
	return e.eachKeyOnce()
}

// vertexArgument refuses what names no vertex: an id, above all.
func vertexArgument(name string, a traversal.Arg) error {
	switch k := a.Value.Kind(); {
	case a.Child != nil, k == value.KindString, k == value.KindVertex, k == value.KindNull, k == value.KindLambda, k == value.KindForeign:
		return nil
	}
	return step.IllegalArgument("%s() takes a label, a vertex or a traversal, not %s: __.V(id) finds the vertex of an id", name, a.Value.Brief())
}

// eachKeyOnce refuses two values for a key: an edge has room for one.
func (e *newEdge) eachKeyOnce() error {
	if len(e.props) <= 2 {
		return nil
	}
	seen := make(map[string]bool, len(e.props)/2)
	for i := 0; i < len(e.props); i += 2 {
		k := e.props[i]
		if k.Child != nil || k.Value.Kind() != value.KindString {
			continue
		}
		if seen[k.Value.Str()] {
			return step.IllegalArgument("Multi-properties are not supported by this step: an edge has one value of %s", k.Value.Str())
		}
		seen[k.Value.Str()] = true
	}
	return nil
}

func openAddE(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	e := n.Data.(*newEdge)
	k, err := newElementMaker(n, r, &e.newElement)
	if err != nil {
		return nil, err
	}
	var ends struct{ to, from step.Operand } // one object, for the closure keeps both
	if ends.to, err = step.NewOperand(n, r, e.to.arg); err != nil {
		return nil, err
	}
	if ends.from, err = step.NewOperand(n, r, e.from.arg); err != nil {
		return nil, err
	}
	begins := up == nil
	if begins {
		up = step.Once(r, value.Null)
	}
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		label, id, err := k.evaluate(t)
		if err != nil {
			return value.Null, false, err
		}
		in, err := e.to.resolve(r, t, &ends.to, label, begins)
		if err != nil {
			return value.Null, false, err
		}
		out, err := e.from.resolve(r, t, &ends.from, label, begins)
		if err != nil {
			return value.Null, false, err
		}
		v, err := addEdge(r, k.m, label, out, in, id, k.vals, &k.ttls)
		return v, err == nil, err
	}), nil
}

// AddEdge makes an edge with properties: keys and values in turn.
func AddEdge(r *traversal.Run, m blueprints.Mutator, label string, out, in blueprints.VertexID, id value.Value, props []value.Value) (value.Value, error) {
	return addEdge(r, m, label, out, in, id, props, &ttls{})
}

// addEdge is AddEdge of what may end.
func addEdge(r *traversal.Run, m blueprints.Mutator, label string, out, in blueprints.VertexID, id value.Value, props []value.Value, ends *ttls) (value.Value, error) {
	for i := 0; i+1 < len(props); i += 2 {
		if _, err := propertyKey(props[i]); err != nil {
			return value.Null, err
		}
	}
	e, err := m.AddEdge(label, out, in, id)
	if err != nil {
		return value.Null, err
	}
	for i := 0; i+1 < len(props); i += 2 {
		if err := r.Poll(); err != nil {
			return value.Null, err
		}
		err := m.SetEdgeProperty(e, props[i].Str(), props[i+1])
		if err == nil {
			err = expireEdgeProperty(m, e, props[i].Str(), ends.ofProperty(i/2))
		}
		if err != nil {
			return value.Null, err
		}
	}
	return value.EdgeRef(uint64(e)), ends.expire(m, blueprints.EdgeClass, uint64(e))
}

// resolve finds the vertex of one end. Where addE() begins the traversal, an end without a
// vertex is an error of the argument.
func (p *endpoint) resolve(r *traversal.Run, t *traversal.Traverser, o *step.Operand, label string, begins bool) (blueprints.VertexID, error) {
	v, err := p.object(t, o, label, r, begins)
	if err != nil {
		return 0, err
	}
	if v.IsNull() {
		return 0, p.unresolved(label, ", but null was specified instead")
	}
	if v.Kind() == value.KindVertex && v.IsStored() {
		return blueprints.VertexID(v.Ref()), nil
	}
	if e := v.Detached(); e != nil {
		v = e.ID
	}
	id, ok, err := r.View.FindVertex(v)
	if refused := new(ids.Refused); err != nil && !errors.As(err, &refused) {
		return 0, err
	}
	if !ok {
		return 0, p.unresolved(label, ". The provided value does not match any vertices in the graph")
	}
	return id, nil
}

func (p *endpoint) unresolved(label, why string) error {
	return fmt.Errorf("The value given to addE(%s).%s() must resolve to a Vertex or the ID of a Vertex present in the graph%s", value.Brief(label), p.name, why)
}

// object evaluates from() or to(); without one it is the traverser's own object.
func (p *endpoint) object(t *traversal.Traverser, o *step.Operand, label string, r *traversal.Run, begins bool) (value.Value, error) {
	if !p.given {
		return t.Value, nil
	}
	if p.arg.Child == nil && p.arg.Value.Kind() == value.KindString {
		if v, ok, err := labelled(r, t, p.arg.Value.Str()); ok || err != nil {
			return v, err
		}
		return value.Null, fmt.Errorf("addE(%s) failed because the ~%s() traversal (which should give a Vertex) failed with: The provided traverser does not map to a value: %s[%s]->[SelectOneStep(last,%s,null)]",
			value.Brief(label), p.name, r.Text(t.Value), step.SimpleClass(t.Value), p.arg.Value.Brief())
	}
	v, err := o.Get(t)
	var none step.NoValue
	if errors.As(err, &none) && !begins {
		err = &blueprints.Exception{Class: "java.lang.IllegalStateException", Message: fmt.Sprintf(
			"addE(%s) failed because the ~%s() traversal (which should give a Vertex) failed with: %v", value.Brief(label), p.name, err)}
	}
	return v, err
}

// labelled finds what a label stands for: a map's entry, a side effect, or the path.
func labelled(r *traversal.Run, t *traversal.Traverser, label string) (value.Value, bool, error) {
	if v, ok := t.Map().GetString(label); ok {
		return v, true, nil
	}
	if e, ok := r.SideEffects.Lookup(label); ok {
		v, err := e.Get()
		return v, err == nil, err
	}
	v, ok := t.History().Last(label)
	return v, ok, nil
}

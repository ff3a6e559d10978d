package write

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// addV() adds a vertex; property() behind it gives id, label and properties.
//
//	addV("person").property(T.id, 7).property("name", "marko")
//	addV(constant("person"))
//
// A traverser that stands for several adds one vertex.
var AddV = traversal.Spec{
	Name: "addV", Class: "AddVertexStep", Kind: traversal.MapStep, Start: true, Effects: traversal.WritesGraph,
	Mods: []string{PropertyMod, "with"}, HoldsChildren: true,
	Placeholder: true, Doc: "Adds a vertex.", Prepare: prepareAddV, Open: openAddV,
	Print: func(n *traversal.Node) string {
		return "AddVertex" + startText(n) + "Step(" + n.Data.(*newElement).text(nil) + ")"
	},
}

// startText is what the name of a step has more where it begins the traversal.
func startText(n *traversal.Node) string {
	if n.At == 1 {
		return "Start"
	}
	return ""
}

// Labels of elements that are added without one.
const (
	VertexLabelDefault = "vertex"
	EdgeLabelDefault   = "edge"
)

// newElement is the Data of addV and addE: what the new element will have.
type newElement struct {
	label traversal.Arg
	// id is unused unless hasID.
	id    traversal.Arg
	hasID bool
	props []traversal.Arg // keys and values in turn
}

func prepareAddV(n *traversal.Node) error {
	e := &newElement{label: traversal.Const(value.String(VertexLabelDefault))}
	given := len(n.Args) > 0
	if given {
		if n.Child(0) == nil && n.Value(0).IsNull() {
			return errors.New("vertexLabel cannot be null")
		}
		e.label = n.Args[0]
	}
	n.Data = e
	return e.addMods(n, given)
}

// addMods adds the folded properties. labelled tells that T.label is settled.
func (e *newElement) addMods(n *traversal.Node, labelled bool) error {
	for _, m := range n.Mods {
		if m.Name != PropertyMod {
			continue
		}
		k, v := m.Args[0], m.Args[1]
		switch {
		case k.Value.Kind() != value.KindT:
			if e.props == nil {
				e.props = make([]traversal.Arg, 0, 2*len(n.Mods))
			}
			e.props = append(e.props, k, v)
		case k.Value.Str() == "id":
			if e.hasID {
				return fmt.Errorf("Element T.id has already been set to [%s] and cannot be overridden with [%s]", step.BriefArg(e.id), step.BriefArg(v))
			}
			e.id, e.hasID = v, true
		case k.Value.Str() == "label":
			if labelled {
				return fmt.Errorf("Element T.label has already been set to [%s] and cannot be overridden with [%s]", step.BriefArg(e.label), step.BriefArg(v))
			}
			e.label, labelled = v, true
		default:
			return fmt.Errorf("T.%s cannot be set on a new element", k.Value.Str())
		}
	}
	return nil
}

// text prints the parameters for explain(), with those of from and to.
func (e *newElement) text(ends []string) string {
	parts := []string{"label=[" + step.ArgText(e.label) + "]"}
	if e.hasID {
		parts = append(parts, "id=["+step.ArgText(e.id)+"]")
	}
	for i := 0; i+1 < len(e.props); i += 2 {
		parts = append(parts, step.ArgText(e.props[i])+"=["+step.ArgText(e.props[i+1])+"]")
	}
	return "{" + strings.Join(append(parts, ends...), ", ") + "}"
}

// elementMaker evaluates a newElement for each traverser.
type elementMaker struct {
	r         *traversal.Run
	m         blueprints.Mutator
	label, id step.Operand
	props     []step.Operand
	vals      []value.Value
	ttls      ttls
}

func newElementMaker(n *traversal.Node, r *traversal.Run, e *newElement) (*elementMaker, error) {
	m, err := r.Write()
	if err != nil {
		return nil, err
	}
	k := &elementMaker{r: r, m: m}
	if k.ttls, err = ttlsOf(n); err != nil {
		return nil, err
	}
	if k.label, err = step.NewOperand(n, r, e.label); err != nil {
		return nil, err
	}
	if k.id, err = step.NewOperand(n, r, e.id); err != nil {
		return nil, err
	}
	k.props, err = step.NewOperands(n, r, e.props)
	k.vals = make([]value.Value, 0, len(k.props))
	return k, err
}

// evaluate returns label and id and keeps the properties in vals.
func (k *elementMaker) evaluate(t *traversal.Traverser) (label string, id value.Value, err error) {
	l, err := k.label.Get(t)
	if err != nil {
		return "", value.Null, err
	}
	if label, err = labelText(l); err != nil {
		return "", value.Null, err
	}
	if id, err = k.id.Get(t); err != nil {
		return "", value.Null, err
	}
	k.vals = k.vals[:0]
	for i := range k.props {
		v, err := k.props[i].Get(t)
		if err != nil {
			return "", value.Null, err
		}
		k.vals = append(k.vals, v)
	}
	return label, id, nil
}

func labelText(v value.Value) (string, error) {
	switch {
	case v.IsNull():
		return "", errors.New("Label can not be null")
	case v.Kind() != value.KindString:
		return "", fmt.Errorf("class %s cannot be cast to class java.lang.String", value.JavaClass(v))
	}
	return v.Str(), nil
}

func openAddV(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	k, err := newElementMaker(n, r, n.Data.(*newElement))
	if err != nil {
		return nil, err
	}
	if up == nil {
		up = step.Once(r, value.Null)
	}
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		label, id, err := k.evaluate(t)
		if err != nil {
			return value.Null, false, err
		}
		v, err := addVertex(r, k.m, label, id, k.vals, &k.ttls)
		return v, err == nil, err
	}), nil
}

// AddVertex makes a vertex with properties: keys and values in turn. A key given
// twice is kept twice, as the reference does.
func AddVertex(r *traversal.Run, m blueprints.Mutator, label string, id value.Value, props []value.Value) (value.Value, error) {
	return addVertex(r, m, label, id, props, &ttls{})
}

// addVertex is AddVertex of what may end.
func addVertex(r *traversal.Run, m blueprints.Mutator, label string, id value.Value, props []value.Value, ends *ttls) (value.Value, error) {
	for i := 0; i+1 < len(props); i += 2 {
		if _, err := propertyKey(props[i]); err != nil {
			return value.Null, err
		}
	}
	v, err := m.AddVertex(label, id)
	if err != nil {
		return value.Null, err
	}
	for i := 0; i+1 < len(props); i += 2 {
		if err := r.Poll(); err != nil {
			return value.Null, err
		}
		cardinality := "list"
		if props[i+1].IsNull() && !r.View.Options().AllowNull {
			cardinality = "single" // removes what was given before
		}
		p, err := m.SetVertexProperty(v, cardinality, props[i].Str(), props[i+1], value.Null, nil)
		if err == nil {
			err = expireVertexProperty(m, v, p, ends.ofProperty(i/2))
		}
		if err != nil {
			return value.Null, err
		}
	}
	return value.VertexRef(uint64(v)), ends.expire(m, blueprints.VertexClass, uint64(v))
}

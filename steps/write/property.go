package write

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// property() sets a property of a vertex, an edge or a vertex property. Keys and
// values may be traversals.
//
//	property("age", 29)                    in the graph's default cardinality
//	property(list, "name", "m", "since", 2009)  with properties of the property
//	property([name: "m", age: 29])         one property for each entry
//	property(list, [name: "m"])            likewise; Cardinality.set("m") in the map wins
//	property("code", 7).with("ttl", "PT5M")  for five minutes
//	property("age", null)                  removes it, unless the graph keeps nulls
//
// Directly behind addV() and addE() it becomes a part of them, so that T.id and
// T.label can be given and the new element is made whole.
var Property = traversal.Spec{
	Name: "property", Class: "AddPropertyStep", Kind: traversal.SideEffectStep, Effects: traversal.WritesGraph,
	Mods: []string{"with"}, Placeholder: true, Doc: "Sets a property.", Prepare: prepareProperty, Append: appendProperty, Open: openProperty, HoldsChildren: true,
	Print: func(n *traversal.Node) string {
		p := n.Data.(*propertyCall)
		return fmt.Sprintf("AddPropertyStep({value=[%s], key=[%s]})", step.ArgText(p.val), step.ArgText(p.key))
	},
}

// PropertyMod is the name of the modulators that folded properties become.
const PropertyMod = "property"

// PartitionMod is what PartitionStrategy adds to steps that write: one more property,
// or property of a property.
const PartitionMod = "~property"

// propertyCall is one property() taken apart.
type propertyCall struct {
	cardinality string // "" when not given
	key, val    traversal.Arg
	meta        []traversal.Arg // keys and values in turn
}

func (p *propertyCall) args() []traversal.Arg {
	var args []traversal.Arg
	if p.cardinality != "" {
		args = append(args, traversal.Const(value.Enum(value.KindCardinality, p.cardinality)))
	}
	return append(append(args, p.key, p.val), p.meta...)
}

// newPropertyCall takes the arguments of a property() without a map apart.
func newPropertyCall(args []traversal.Arg) (*propertyCall, error) {
	p := &propertyCall{}
	if len(args) > 0 && args[0].Value.Kind() == value.KindCardinality {
		p.cardinality = args[0].Value.Str()
		args = args[1:]
	} else if len(args) > 2 && len(args)%2 == 1 && args[0].Child == nil && args[0].Value.IsNull() {
		args = args[1:] // property(null, key, value): no cardinality
	}
	if len(args) < 2 {
		return nil, errors.New("property() takes a key and a value")
	}
	p.key, p.val, p.meta = args[0], args[1], args[2:]
	if len(p.meta)%2 != 0 {
		return nil, errors.New("keyValues must contain key/value pairs, found key without matching value")
	}
	if p.key.Value.Kind() == value.KindT && p.val.Child == nil && p.val.Value.IsNull() {
		return nil, errors.New("Value of T cannot be null")
	}
	return p, nil
}

func prepareProperty(n *traversal.Node) error {
	p, err := newPropertyCall(n.Args)
	if err != nil {
		return err
	}
	for _, m := range n.ModsNamed(PartitionMod) {
		p.meta = append(p.meta[:len(p.meta):len(p.meta)], m.Args...)
	}
	n.Data = p
	return nil
}

// appendProperty folds the call into addV() or addE(), or appends it.
func appendProperty(p *traversal.Plan, n *traversal.Node) error {
	calls, err := propertyCalls(n)
	if err != nil {
		return err
	}
	into := folding(p)
	for _, c := range calls {
		folded, err := foldProperty(into, c)
		if err != nil {
			return err
		}
		if !folded {
			p.Nodes = append(p.Nodes, &traversal.Node{Spec: n.Spec, Args: c.args()})
		}
	}
	if last := len(p.Nodes) - 1; len(calls) > 1 && last >= 0 {
		p.Nodes[last].Mods = append(p.Nodes[last].Mods, traversal.Mod{Name: joinedMod})
	}
	return nil
}

// propertyCalls expands the forms that take a map.
func propertyCalls(n *traversal.Node) ([]*propertyCall, error) {
	args, cardinality := n.Args, ""
	if len(args) == 2 && args[0].Value.Kind() == value.KindCardinality && args[1].Child == nil {
		cardinality = args[0].Value.Str()
		args = args[1:]
	}
	if len(args) != 1 || args[0].Child != nil {
		c, err := newPropertyCall(n.Args)
		return []*propertyCall{c}, err
	}
	m := args[0].Value
	if m.IsNull() {
		return nil, nil // property(null) and property(list, null) do nothing
	}
	if m.Kind() != value.KindMap {
		return nil, fmt.Errorf("property() takes a key and a value, or a map, not %s", m.Brief())
	}
	calls := make([]*propertyCall, m.Map().Len())
	for i := range calls {
		k, v := m.Map().Entry(i)
		c := &propertyCall{cardinality: cardinality, key: traversal.Const(k), val: traversal.Const(v)}
		if own, x, ok := traversal.CardinalityValue(v); ok {
			c.cardinality, c.val.Value = own, x
		}
		if k.Kind() == value.KindT && c.val.Value.IsNull() {
			return nil, errors.New("Value of T cannot be null")
		}
		calls[i] = c
	}
	return calls, nil
}

// folding is the step at the end of p that only other property() steps stand behind, nil
// for none.
func folding(p *traversal.Plan) *traversal.Node {
	for i := len(p.Nodes) - 1; i >= 0; i-- {
		if n := p.Nodes[i]; n.Name() != PropertyMod {
			return n
		}
	}
	return nil
}

// foldProperty makes the call a modulator of n if that is addV() or addE().
func foldProperty(n *traversal.Node, c *propertyCall) (bool, error) {
	if n == nil {
		return false, nil
	}
	switch n.Name() {
	case "addE":
		if c.cardinality != "" && c.cardinality != "single" {
			return false, fmt.Errorf("Multi-property cardinality of [%s] can only be set for a Vertex but is being used for addE() with key: %s",
				c.cardinality, step.BriefArg(c.key))
		}
	case "addV":
		k := c.key.Value.Kind()
		if len(c.meta) > 0 || c.key.Child == nil && k != value.KindT && (k != value.KindString || c.cardinality != "") {
			return false, nil
		}
	default:
		return false, nil
	}
	n.Mods = append(n.Mods, traversal.Mod{Name: PropertyMod, Args: []traversal.Arg{c.key, c.val}})
	return true, nil
}

package services

import (
	"maps"
	"slices"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.ttl says how long elements are there: those of a label, from when they are added, or one
// element from now on. PT0S is for good.
//
//	call("gremlind.ttl")                                          {class, label, ttl} of each label
//	call("gremlind.ttl", [label: "session", ttl: "P1D"])          likewise
//	call("gremlind.ttl", [class: "edge", label: "saw", ttl: "P1D"])
//	V(9).call("gremlind.ttl", [ttl: "PT0S"])                      the vertex
//
// What is said of a label is done at once, and outlives a rollback of the query's transaction.
var ttlService = &service{
	name: "gremlind.ttl", kinds: either, right: traversal.WriteRight, call: callTTL,
	reads: func(params *value.Map) bool { return params.Len() == 0 },
	params: []traversal.ServiceParam{
		{Name: "ttl", Type: "String", Doc: "An ISO-8601 duration of at least one second, such as PT30M; PT0S is for good"},
		{Name: "label", Type: "String", Doc: "The label, at the start of a traversal"},
		{Name: "class", Type: "String", Doc: "vertex or edge, of the label; vertex without (optional)"},
	},
}

func callTTL(c traversal.ServiceCall) (traversal.Cursor, error) {
	_, labelled := c.Params.GetString("label")
	if c.In.Kind().IsElement() && !labelled {
		return expireOne(c)
	}
	g, err := wholeGraph(c)
	if err != nil {
		return nil, err
	}
	if c.Params.Len() == 0 {
		return labelTTLs(c, g)
	}
	label, err := text(c, "label")
	if err != nil {
		return nil, err
	}
	class := blueprints.VertexClass
	if _, given := c.Params.GetString("class"); given {
		name, err := text(c, "class")
		if err != nil {
			return nil, err
		}
		if class, err = blueprints.ParseClass(name); err != nil {
			return nil, err
		}
	}
	ttl, err := ttlParameter(c)
	if err != nil {
		return nil, err
	}
	if err := g.SetLabelTTL(c.Ctx, class, label, ttl); err != nil {
		return nil, err
	}
	return one(labelTTL(class, label, ttl)), nil
}

func ttlParameter(c traversal.ServiceCall) (time.Duration, error) {
	v, ok := c.Params.GetString("ttl")
	if !ok {
		return 0, step.IllegalArgument("gremlind.ttl wants the parameter ttl: a duration such as PT30M, or PT0S")
	}
	return blueprints.ParseTTLOrEnd(v)
}

// expireOne has an element end, or stay.
func expireOne(c traversal.ServiceCall) (traversal.Cursor, error) {
	class, id, err := counting(c, "gremlind.ttl")
	if err != nil {
		return nil, err
	}
	ttl, err := ttlParameter(c)
	if err != nil {
		return nil, err
	}
	m, err := c.Run.Write()
	if err != nil {
		return nil, err
	}
	var at time.Time
	if ttl > 0 {
		at = time.Now().Add(ttl)
	}
	return one(c.In), m.Expire(class, id, at)
}

func labelTTLs(c traversal.ServiceCall, g *blueprints.Graph) (traversal.Cursor, error) {
	var out []value.Value
	for _, class := range []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass} {
		all, err := g.LabelTTLs(c.Ctx, class)
		if err != nil {
			return nil, err
		}
		for _, label := range slices.Sorted(maps.Keys(all)) {
			out = append(out, labelTTL(class, label, all[label]))
		}
	}
	return traversal.Values(out), nil
}

func labelTTL(c blueprints.ElementClass, label string, ttl time.Duration) value.Value {
	m := value.NewMap()
	m.PutString("class", value.String(c.String()))
	m.PutString("label", value.String(label))
	m.PutString("ttl", value.String(blueprints.TTLText(ttl)))
	return m.Value()
}

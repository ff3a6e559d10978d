package services

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.feature lists what distinguishes the graph from those that older programs can
// read, and takes it away again, with all that is kept for it; autoIndex, history, stamps and ttl can be turned on.
//
//	call("gremlind.feature")                         {feature, keeps} of each
//	call("gremlind.feature", [off: "schema"])        {feature, keeps}, which are gone
//	call("gremlind.feature", [on: "autoIndex"])      {feature, keeps}
var feature = &service{
	name: "gremlind.feature", kinds: atStart, right: traversal.WriteRight, call: callFeature,
	params: []traversal.ServiceParam{
		{Name: "on", Type: "String", Doc: "autoIndex, which gives every key an index, history, which keeps what is overwritten, stamps, when elements were added and changed, or ttl, which lets them expire (optional)"},
		{Name: "off", Type: "String", Doc: "The feature to be lost, with what it keeps (optional)"},
	},
	reads: func(params *value.Map) bool {
		_, off := params.GetString("off")
		_, on := params.GetString("on")
		return !off && !on
	},
}

func callFeature(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, err := wholeGraph(c)
	if err != nil {
		return nil, err
	}
	if _, off := c.Params.GetString("off"); off {
		return featureOff(c, g)
	}
	if _, on := c.Params.GetString("on"); on {
		name, err := text(c, "on")
		if err != nil {
			return nil, err
		}
		if err := g.Gain(c.Ctx, blueprints.Feature(name)); err != nil {
			return nil, err
		}
		v, err := describeFeature(c, g, blueprints.Feature(name))
		return one(v), err
	}
	var out []value.Value
	for _, f := range g.Options().Features() {
		v, err := describeFeature(c, g, f)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return traversal.Values(out), nil
}

func featureOff(c traversal.ServiceCall, g *blueprints.Graph) (traversal.Cursor, error) {
	name, err := text(c, "off")
	if err != nil {
		return nil, err
	}
	f := blueprints.Feature(name)
	if !g.Uses(f) {
		return nil, fmt.Errorf("graph %s does not use the feature %q", g.Name(), name)
	}
	v, err := describeFeature(c, g, f)
	if err != nil {
		return nil, err
	}
	return one(v), g.Lose(c.Ctx, f)
}

func describeFeature(c traversal.ServiceCall, g *blueprints.Graph, f blueprints.Feature) (value.Value, error) {
	keeps, err := g.Keeps(c.Ctx, f)
	if err != nil {
		return value.Null, err
	}
	if keeps == "" {
		keeps = "what the graph was made with: it cannot be turned off"
	}
	m := value.NewMap()
	m.PutString("feature", value.String(string(f)))
	m.PutString("keeps", value.String(keeps))
	return m.Value(), nil
}

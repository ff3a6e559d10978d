package strategy

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// readOnly refuses traversals that write to the graph.
//
//	addV()    => an error
//	V().out() => V().out()
//
// Tolerates: all but steps that write; it changes nothing.
var readOnly = Strategy{Name: "ReadOnlyStrategy", Category: Verification, Rewrite: func(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	for _, n := range p.Nodes {
		if n.Effects()&traversal.WritesGraph != 0 {
			return nil, Error{"The provided traversal has a mutating step and thus is not read only: " + n.String()}
		}
	}
	return p, nil
}}

// lambdaRestriction refuses closures.
//
//	V().map(closure) is an error
//
// Tolerates: all but closures; it changes nothing.
var lambdaRestriction = Strategy{Name: "LambdaRestrictionStrategy", Category: Verification, Rewrite: func(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	closure := ""
	refuse := func(n *traversal.Node) {
		if n.Effects()&traversal.Opaque != 0 && closure == "" {
			closure = n.String()
		}
	}
	for _, n := range p.Nodes {
		refuse(n)
	}
	for _, g := range p.Guards {
		g.Walk(refuse)
	}
	if closure != "" {
		return nil, Error{"The provided traversal contains a lambda step: " + closure}
	}
	return p, nil
}}

// edgeLabelVerification refuses steps over edges of any label.
//
//	with EdgeLabelVerificationStrategy(throwException: true)
//	V().out() => an error
//	V().out("knows") => V().out("knows")
//
// Tolerates: all that has labels; it changes nothing.
var edgeLabelVerification = Strategy{Name: "EdgeLabelVerificationStrategy", Category: Verification, Rewrite: func(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if !c.truth("throwException", false) {
		return p, nil
	}
	for _, n := range p.Nodes {
		if h := hop(n); h != nil && len(h.Labels) == 0 {
			return nil, Error{fmt.Sprintf("The provided traversal contains a vertex step without any specified edge label: %s\n"+
				"Always specify edge labels which restrict traversal paths ensuring optimal performance.", traversal.Brief(n))}
		}
	}
	return p, nil
}}

// reservedKeysVerification refuses to set properties with reserved keys.
//
//	with ReservedKeysVerificationStrategy(throwException: true)
//	addV().property("id", 1)  => an error
//	addV().property("age", 1) => addV().property("age", 1)
//
// Tolerates: all other keys; it changes nothing.
var reservedKeysVerification = Strategy{Name: "ReservedKeysVerificationStrategy", Category: Verification, Rewrite: func(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if !c.truth("throwException", false) {
		return p, nil
	}
	reserved := map[string]bool{}
	if keys, ok := c.setting("keys"); ok {
		traversal.Each(keys, func(v value.Value, _ int64) { reserved[v.Str()] = true })
	} else {
		reserved["id"], reserved["label"] = true, true
	}
	for _, n := range p.Nodes {
		for _, key := range writtenKeys(n) {
			if reserved[key] {
				return nil, Error{fmt.Sprintf("The provided traversal contains a %s that is setting a property key to a reserved word: %s",
					propertyOwner(n), value.Brief(key))}
			}
		}
	}
	return p, nil
}}

// writtenKeys lists the keys that property() sets, meta-properties included.
func writtenKeys(n *traversal.Node) []string {
	var keys []string
	for _, m := range n.ModsNamed("property") {
		keys = append(keys, keysOf(m.Args)...)
	}
	if n.Name() == "property" {
		keys = append(keys, keysOf(n.Args)...)
	}
	return keys
}

// keysOf lists the string keys of property(cardinality, key, value, meta...).
func keysOf(args []traversal.Arg) []string {
	if len(args) > 0 && args[0].Value.Kind() == value.KindCardinality {
		args = args[1:]
	}
	var keys []string
	for i := 0; i < len(args); i += 2 {
		if args[i].Value.Kind() == value.KindString {
			keys = append(keys, args[i].Value.Str())
		}
		if m := args[i].Value.Map(); m != nil {
			for _, k := range m.Keys() {
				keys = append(keys, k.Str())
			}
		}
	}
	return keys
}

// propertyOwner is the reference's class of a step that sets properties.
func propertyOwner(n *traversal.Node) string {
	switch n.Name() {
	case "addV":
		return "AddVertexStartStep"
	case "addE":
		return "AddEdgeStep"
	}
	return "AddPropertyStep"
}

// standardVerification refuses what no engine can run.
//
//	V().repeat(count()).times(2)      => an error
//	V().repeat(inject(1)).times(2)    => an error
//	V().profile().count()             => an error
//	V().pageRank()                    => an error
//	V().peerPressure()                => an error
//	V().connectedComponent()          => an error
//	V().shortestPath()                => an error
//
// Tolerates: all that it does not refuse; it changes nothing.
var standardVerification = Strategy{Name: "StandardVerificationStrategy", On: []string{"repeat", "profile", "pageRank", "peerPressure", "connectedComponent", "shortestPath", "program"}, Category: Verification, Default: true, Whole: verifyStandard}

func verifyStandard(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if err := verifyPlan(p, nil, false); err != nil {
		return nil, err
	}
	if !c.Options.Computer {
		return p, verifyNoComputer(p)
	}
	return p, nil
}

func verifyPlan(p *traversal.Plan, body *traversal.Node, inRepeat bool) error {
	profiles := 0
	for i, n := range p.Nodes {
		reducing := n.Spec.Kind == traversal.ReduceStep && !isLocal(n) && n.Effects()&traversal.WritesSideEffect == 0 || n.Name() == "cap"
		switch {
		case n.Name() == "inject" && inRepeat:
			return Error{"The parent of inject()-step can not be repeat()-step: " + n.String()}
		case reducing && body != nil:
			return Error{"The parent of a reducing/supplying barrier can not be repeat()-step: " + n.String()}
		case n.Name() == "repeat" && n.Child(0) == nil && n.Child(1) == nil:
			return Error{"The repeat()-traversal was not defined:" + p.String()}
		case n.Name() == "profile":
			profiles++
			if rest := p.Nodes[i+1:]; len(rest) > 1 || len(rest) == 1 && rest[0].Name() != "cap" && rest[0].Name() != "profile" && rest[0].Name() != "discard" {
				return Error{"When specified, the profile()-Step must be the last step or followed only by the cap()-step."}
			}
		}
		if err := verifyChildren(n, inRepeat); err != nil {
			return err
		}
	}
	if profiles > 1 {
		return Error{"The profile()-Step cannot be specified multiple times."}
	}
	return nil
}

func verifyChildren(n *traversal.Node, inRepeat bool) error {
	var err error
	n.Children(func(c *traversal.Plan) {
		if err != nil {
			return
		}
		var body *traversal.Node
		if repeats(n) && (c == n.Child(0) || c == n.Child(1)) {
			body = n
		}
		err = verifyPlan(c, body, inRepeat || repeats(n))
	})
	return err
}

// repeats reports whether n is a repeat(), however it runs.
func repeats(n *traversal.Node) bool { return n.Name() == "repeat" || n.Name() == "~pathWalk" }

func isLocal(n *traversal.Node) bool {
	for _, a := range n.Args {
		if a.Value.Kind() == value.KindScope && a.Value.Str() == "local" {
			return true
		}
	}
	return false
}

// computerSteps run only under withComputer().
var computerSteps = map[string]bool{"pageRank": true, "peerPressure": true, "connectedComponent": true, "shortestPath": true, "program": true}

func verifyNoComputer(p *traversal.Plan) error {
	var found *traversal.Node
	p.Walk(func(n *traversal.Node) {
		if found == nil && computerSteps[n.Name()] {
			found = n
		}
	})
	if found != nil {
		return Error{"VertexComputing steps must be executed with a GraphComputer: [" + traversal.Brief(found) + "]"}
	}
	return nil
}

// vertexProgramRestriction refuses withComputer().
//
// Tolerates: all but withComputer(); it changes nothing.
var vertexProgramRestriction = Strategy{Name: "VertexProgramRestrictionStrategy", Category: Verification, Whole: func(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.Options.Computer {
		return nil, Error{"The TraversalSource does not allow the use of a GraphComputer"}
	}
	return p, nil
}}

package steps

import (
	"iter"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Names tells which labels and property keys a graph has; explain() asks it.
type Names interface {
	// NameUse says what a name is used for; false for one that nothing has.
	NameUse(name string) (blueprints.NameUse, bool, error)
	// Names yields all names.
	Names() iter.Seq[string]
}

// namesLooked bounds the names that are compared with one that is unknown.
const namesLooked = 10_000

// asked is a name that a plan asks for.
type asked struct {
	kind, name string
	// vague is set where the name may be one of something else, as a key of a map.
	vague bool
}

// What names are of, in the words of traversal.UnknownName.
const (
	ofElements = "label" // of vertices or of edges
	ofVertices = "vertex label"
	ofEdges    = "edge label"
	ofKeys     = "property key"
)

// unknownNames lists the labels and keys that a plan asks for and nothing in the graph
// has. A plan that writes may make them, and where a part of the graph is hidden its names
// are, too: both have none.
func unknownNames(m *traversal.Meter, p *traversal.Plan, g Names) ([]traversal.UnknownName, error) {
	if p.Effects()&(traversal.WritesGraph|traversal.Opaque|traversal.External) != 0 || slices.ContainsFunc(p.Options.Strategies, hides) {
		return nil, nil
	}
	var all []asked
	eachNode(p, ofElements, func(n *traversal.Node, labels string) { all = appendAsked(all, n, labels) })
	var out []traversal.UnknownName
	seen := map[asked]bool{}
	for _, a := range all {
		if seen[a] {
			continue
		}
		seen[a] = true
		use, ok, err := g.NameUse(a.name)
		if err != nil || ok && a.suits(use) {
			if err != nil {
				return nil, err
			}
			continue
		}
		best, err := a.nearest(m, g)
		if err != nil {
			return nil, err
		}
		if best != "" || !a.vague {
			out = append(out, traversal.UnknownName{Kind: a.kind, Name: a.name, Nearest: best})
		}
	}
	return out, nil
}

// eachNode calls fn with all nodes, and whose labels hasLabel() in their place asks for.
func eachNode(p *traversal.Plan, labels string, fn func(n *traversal.Node, labels string)) {
	for _, n := range p.Nodes {
		if start, ok := n.Data.(*traversal.GraphStart); ok { // which may have taken hasLabel() in
			labels = labelsOf(start.Edges)
		}
		fn(n, labels)
		passes := n.Spec.Kind == traversal.FilterStep
		n.Children(func(child *traversal.Plan) {
			if passes {
				eachNode(child, labels, fn)
			} else {
				eachNode(child, ofElements, fn)
			}
		})
		switch x := n.Data.(type) {
		case *traversal.Hop:
			labels = labelsOf(x.Edge)
		case *traversal.EndVertex:
			labels = ofVertices
		case *traversal.GraphStart:
		default:
			if !passes {
				labels = ofElements
			}
		}
	}
}

func labelsOf(edges bool) string {
	if edges {
		return ofEdges
	}
	return ofVertices
}

// hides reports whether a strategy shows a part of the graph alone.
func hides(s *traversal.StrategySpec) bool {
	return s.SimpleName() == "SubgraphStrategy" || s.SimpleName() == "PartitionStrategy"
}

// suits reports whether a name is what is asked for. A label may be a property key beside
// that; nobody knows.
func (a asked) suits(u blueprints.NameUse) bool {
	switch a.kind {
	case ofElements:
		return u.Vertices || u.Edges
	case ofVertices:
		return u.Vertices
	case ofEdges:
		return u.Edges
	}
	return true
}

// nearest finds the name that was meant, "" for none.
func (a asked) nearest(m *traversal.Meter, g Names) (string, error) {
	var near []string
	looked := 0
	for name := range g.Names() {
		if looked++; looked > namesLooked {
			break
		}
		if err := m.Work(1); err != nil {
			return "", err
		}
		if name == a.name || traversal.Nearest(a.name, []string{name}) == "" {
			continue
		}
		use, _, err := g.NameUse(name)
		if err != nil {
			return "", err
		}
		if a.kind == ofKeys && (use.Vertices || use.Edges) || !a.suits(use) {
			continue
		}
		near = append(near, name)
	}
	return traversal.Nearest(a.name, near), nil
}

// keySteps take property keys.
var keySteps = []string{"elementMap", "properties", "propertyMap", "valueMap", "values"}

// appendAsked adds the names that a step asks for, those of its children not. labels is
// whose hasLabel() asks for.
func appendAsked(out []asked, n *traversal.Node, labels string) []asked {
	add := func(kind, name string, vague bool) {
		if name != "" && !strings.HasPrefix(name, "~") {
			out = append(out, asked{kind, name, vague})
		}
	}
	switch x := n.Data.(type) {
	case []traversal.Has:
		for _, h := range x {
			switch {
			case h.Token.IsNull():
				add(ofKeys, h.Key, false)
			case h.Token.Str() == "label":
				eachText(h.P, func(name string) { add(labels, name, false) })
			case h.Token.Str() == "key":
				eachText(h.P, func(name string) { add(ofKeys, name, false) })
			}
		}
	case *traversal.Hop:
		for _, label := range x.Labels {
			add(ofEdges, label, false)
		}
	}
	exists := len(n.Args) == 1 && (n.Name() == "has" || n.Name() == "hasNot")
	if exists || slices.Contains(keySteps, n.Name()) {
		for _, a := range n.Args {
			if a.Child == nil && a.Value.Kind() == value.KindString {
				add(ofKeys, a.Value.Str(), false)
			}
		}
	}
	for _, by := range n.By {
		if by.Kind == traversal.ByKey {
			add(ofKeys, by.Key, true)
		}
	}
	return out
}

// eachText calls fn with the texts that a predicate compares with.
func eachText(p *traversal.P, fn func(string)) {
	if p == nil || p.Text {
		return
	}
	for _, a := range p.Members() {
		switch inner, ok := a.Object().(*traversal.P); {
		case ok:
			eachText(inner, fn)
		case a.Kind() == value.KindString:
			fn(a.Str())
		}
	}
}

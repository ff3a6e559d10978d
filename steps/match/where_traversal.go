package match

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// whereTest is the Data of where(traversal): the traversal with the labels at its ends
// taken off. It begins at what the first stands for and must arrive at what the last
// stands for.
type whereTest struct {
	from     string // "" for the object itself
	to       string // "" for anywhere
	connect  string // and, or, not: parts decide first; "" otherwise
	parts    []*whereTest
	body     *traversal.Plan // what is left of the traversal
	variable bool            // from or to is set, here or in a part
	pending  bool            // ConnectiveStrategy has yet to rewrite it
}

// plain reports whether no label is involved: then where() is filter().
func (w *whereTest) plain() bool { return !w.variable }

// newWhereTest takes a traversal apart as WhereTraversalStep does. Without a label at
// the start or the end of it or its connected parts, it stays whole.
func newWhereTest(p *traversal.Plan) (*whereTest, error) {
	w := &whereTest{body: p}
	if !hasVariables(p) {
		return w, nil
	}
	w.variable = true
	nodes := p.Nodes
	if first := nodes[0]; isConnective(first) {
		w.connect = first.Name()
		for i := range first.Args {
			part, err := newWherePart(first.Child(i))
			if err != nil {
				return w, err
			}
			w.parts = append(w.parts, part)
		}
		nodes = nodes[1:]
	} else if isVariableStart(first) {
		w.from = first.Labels[0]
		nodes = nodes[1:]
	}
	if n := len(nodes); n > 0 && len(nodes[n-1].Labels) > 0 {
		if len(nodes[n-1].Labels) > 1 {
			return w, fmt.Errorf("The end step of a where()-traversal can only have one label: %s", traversal.Brief(nodes[n-1]))
		}
		w.to = nodes[n-1].Labels[0]
		nodes = append(append([]*traversal.Node{}, nodes[:n-1]...), nodes[n-1].WithLabels(nil))
	}
	w.body = p.With(nodes)
	return w, nil
}

// newWherePart is newWhereTest for a part of a connective: it need not have labels.
func newWherePart(p *traversal.Plan) (*whereTest, error) {
	if p == nil {
		return nil, fmt.Errorf("where() takes traversals")
	}
	return newWhereTest(p)
}

func isConnective(n *traversal.Node) bool {
	return (n.Name() == "and" || n.Name() == "or" || n.Name() == "not") && len(n.Args) > 0
}

// isVariableStart recognises __.as("a") at the head of a traversal.
func isVariableStart(n *traversal.Node) bool { return n.Name() == "~start" && len(n.Labels) == 1 }

// hasVariables reports whether a traversal begins or ends at a label, or, when it
// begins with a connective, one of its parts does.
func hasVariables(p *traversal.Plan) bool {
	if p == nil || len(p.Nodes) == 0 {
		return false
	}
	first, last := p.Nodes[0], p.Nodes[len(p.Nodes)-1]
	if isVariableStart(first) || last.HasLabels() {
		return true
	}
	for _, n := range []*traversal.Node{first, last} {
		if w, ok := n.Data.(*whereP); ok && w.on {
			return true
		}
	}
	if isConnective(first) {
		for i := range first.Args {
			if hasVariables(first.Child(i)) {
				return true
			}
		}
	}
	w, ok := first.Data.(*whereTest)
	return ok && first.Name() == "where" && w.variable
}

// open makes the running test.
func (w *whereTest) open(r *traversal.Run, n *traversal.Node) (traversal.Predicate, error) {
	if w.plain() {
		return r.ChildTest(w.body)
	}
	parts := make([]traversal.Predicate, len(w.parts))
	for i, p := range w.parts {
		var err error
		if parts[i], err = p.open(r, n); err != nil {
			return nil, err
		}
	}
	decide := connectParts(w.connect, parts)
	pipe, err := r.OpenChild(w.body)
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) {
		if decide != nil {
			if ok, err := decide(t); !ok || err != nil {
				return false, err
			}
		}
		if len(w.body.Nodes) == 0 && w.from == "" && w.to == "" {
			return true, nil
		}
		return w.arrives(r, n, pipe, t)
	}, nil
}

// connectParts joins the parts' tests; nil when there is no connective.
func connectParts(name string, parts []traversal.Predicate) traversal.Predicate {
	switch name {
	case "":
		return nil
	case "not":
		return func(t *traversal.Traverser) (bool, error) {
			ok, err := parts[0](t)
			return !ok, err
		}
	}
	stop := name == "or"
	return func(t *traversal.Traverser) (bool, error) {
		for _, p := range parts {
			if ok, err := p(t); err != nil || ok == stop {
				return ok, err
			}
		}
		return !stop, nil
	}
}

// arrives runs the body from its start and reports whether a result is where it
// should be.
func (w *whereTest) arrives(r *traversal.Run, n *traversal.Node, pipe *traversal.Pipe, t *traversal.Traverser) (bool, error) {
	from, to := *t, value.Null
	var err error
	if w.to != "" {
		if to, err = step.SafeScopeValue(r, (*whereEnd)(w), t, w.to); err != nil {
			return false, err
		}
	}
	if w.from != "" {
		v, err := step.SafeScopeValue(r, (*whereStart)(w), t, w.from)
		if err != nil {
			return false, err
		}
		from = r.Split(t, v)
	}
	step.Feed(pipe, &from, 1)
	for {
		u, ok, err := pipe.Take()
		if !ok || err != nil {
			return false, err
		}
		if w.to == "" || value.Identical(u.Value, to) {
			return true, nil
		}
	}
}

// String prints the test as explain() shows it.
func (w *whereTest) String() string {
	var parts []string
	switch {
	case w.connect != "":
		parts = append(parts, w.connected())
	case w.from != "" || w.to != "":
		parts = append(parts, (*whereStart)(w).String())
	}
	for _, n := range w.body.Nodes {
		parts = append(parts, n.String())
	}
	if w.to != "" {
		parts = append(parts, (*whereEnd)(w).String())
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// connected prints the connective that the test begins with.
func (w *whereTest) connected() string {
	if w.connect == "not" {
		return "NotStep(" + w.parts[0].String() + ")"
	}
	parts := make([]string, len(w.parts))
	for i, p := range w.parts {
		parts[i] = p.String()
	}
	name := map[string]string{"and": "AndStep", "or": "OrStep"}[w.connect]
	return name + "([" + strings.Join(parts, ", ") + "])"
}

// whereStart and whereEnd print the ends of a test as errors name them.
type (
	whereStart whereTest
	whereEnd   whereTest
)

func (w *whereStart) String() string { return "WhereStartStep(" + orNull(w.from) + ")" }
func (w *whereEnd) String() string   { return "WhereEndStep(" + w.to + ")" }

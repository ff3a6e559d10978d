package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// connective turns infix and() and or() into their prefix forms; and() binds tighter.
//
//	has("a").or().has("b")             => or(has("a"), has("b"))
//	has("a").and().has("b").or().out() => or(and(has("a"), has("b")), out())
//	V().inject(1).is(1).or().is(2)     => V().inject(1).or(is(1), is(2))
//	is(1).and().is(2).inject(3)        => and(is(1), is(2)).inject(3)
//
// Tolerates: effects, side effects and unproductive operands, for it only says in another
// form what was written. The label of a marker goes to the start of the operand behind it.
var connective = Strategy{Name: "ConnectiveStrategy", On: []string{"and", "or"}, Category: Decoration, Default: true, Rewrite: rewriteConnective}

func rewriteConnective(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if !slices.ContainsFunc(p.Nodes, isInfix) {
		return p, nil
	}
	nodes, err := foldInfix(c, p, p.Nodes, "or")
	if err != nil {
		return nil, err
	}
	if nodes, err = foldInfix(c, p, nodes, "and"); err != nil {
		return nil, err
	}
	return p.With(nodes), nil
}

func isInfix(n *traversal.Node) bool {
	return (n.Name() == "or" || n.Name() == "and") && len(n.Args) == 0
}

// foldInfix replaces each run of operands around markers of one name. A run ends before an
// inject().
func foldInfix(c *Context, p *traversal.Plan, nodes []*traversal.Node, name string) ([]*traversal.Node, error) {
	marker := slices.IndexFunc(nodes, func(n *traversal.Node) bool { return isInfix(n) && n.Name() == name })
	if marker < 0 {
		return nodes, nil
	}
	begin := marker
	for begin > 0 && operand(nodes[begin-1], begin-1, p.Root) {
		begin--
	}
	var args []traversal.Arg
	var lead []*traversal.Node // what the operand starts with: the label of a marker
	piece := begin
	end := len(nodes)
	if i := slices.IndexFunc(nodes[marker:], func(n *traversal.Node) bool { return n.Name() == "inject" }); i >= 0 {
		end = marker + i
	}
	for i := begin; i <= end; i++ {
		if i < end && !(isInfix(nodes[i]) && nodes[i].Name() == name) {
			continue
		}
		child, err := connectiveOperand(c, p, append(lead, nodes[piece:i]...))
		if err != nil {
			return nil, err
		}
		lead = nil
		if i < end && len(nodes[i].Labels) > 0 {
			start, err := c.node("~start")
			if err != nil {
				return nil, err
			}
			lead = []*traversal.Node{start.WithLabels(nodes[i].Labels)}
		}
		args = append(args, traversal.Sub(child))
		piece = i + 1
	}
	folded, err := c.node(name, args...)
	if err != nil {
		return nil, err
	}
	rest, err := foldInfix(c, p, nodes[end:], name)
	if err != nil {
		return nil, err
	}
	return slices.Concat(nodes[:begin], []*traversal.Node{folded}, rest), nil
}

func connectiveOperand(c *Context, p *traversal.Plan, nodes []*traversal.Node) (*traversal.Plan, error) {
	child := &traversal.Plan{Nodes: nodes, Options: p.Options}
	return rewriteConnective(c, child)
}

// operand reports whether a node may belong to an operand: all but the start of the
// root traversal, and inject(), which is a start wherever it stands.
func operand(n *traversal.Node, i int, root bool) bool {
	return !(root && i == 0 && n.Spec.Start) && n.Name() != "inject"
}

package steps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// out(), in(), both() give adjacent vertices, outE(), inE(), bothE() incident edges.
//
//	out()         over all edges
//	out("knows")  over edges with one of the labels
//	out("a", "a") over each edge with the label twice
//
// both() visits outgoing edges first; a self-loop is met twice. to(Direction, ...)
// and toE(Direction, ...) take the direction as an argument.
var (
	outSpec   = hopSpec("out", "Gives the vertices at the other end of outgoing edges.")
	inSpec    = hopSpec("in", "Gives the vertices at the other end of incoming edges.")
	bothSpec  = hopSpec("both", "Gives the vertices at the other end of all edges.")
	outESpec  = hopSpec("outE", "Gives outgoing edges.")
	inESpec   = hopSpec("inE", "Gives incoming edges.")
	bothESpec = hopSpec("bothE", "Gives all incident edges.")
	toSpec    = hopSpec("to", "Gives adjacent vertices in a direction; behind addE() or path() it says where these end.")
	toESpec   = hopSpec("toE", "Gives incident edges in a direction.")
)

func hopSpec(name, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: "VertexStep", Kind: traversal.FlatMapStep, Effects: traversal.ReadsGraph,
		Doc: doc, Prepare: prepareHop, Append: appendHop, Open: openHop, Print: printHop,
	}
}

// appendHop makes a union of hops of one with a label twice, so that no hop has one:
// what reads edges may take labels for a set.
func appendHop(p *traversal.Plan, n *traversal.Node) error {
	rounds := labelRounds(n.Args)
	if len(rounds) < 2 {
		p.Nodes = append(p.Nodes, n)
		return nil
	}
	all := &traversal.Node{Spec: &unionSpec}
	for _, args := range rounds {
		hop := &traversal.Node{Spec: n.Spec, Args: args}
		if err := prepareHop(hop); err != nil {
			return err
		}
		all.Args = append(all.Args, traversal.Sub(&traversal.Plan{Nodes: []*traversal.Node{hop}, Options: p.Options}))
	}
	p.Nodes = append(p.Nodes, all)
	return nil
}

// labelRounds deals the labels of a hop out so that no round has one twice; what is no
// label, a direction, stands in each.
func labelRounds(args []traversal.Arg) (rounds [][]traversal.Arg) {
	var others []traversal.Arg
	times := map[string]int{}
	for _, a := range args {
		if a.Child != nil || a.Value.Kind() != value.KindString {
			others = append(others, a)
			continue
		}
		round := times[a.Value.Str()]
		times[a.Value.Str()]++
		if round == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[round] = append(rounds[round], a)
	}
	if len(others) > 0 {
		for i := range rounds {
			rounds[i] = append(slices.Clone(others), rounds[i]...)
		}
	}
	return rounds
}

func prepareHop(n *traversal.Node) error {
	name := strings.TrimSuffix(n.Name(), "E")
	h := &traversal.Hop{Edge: name != n.Name()}
	labels := n.Args
	switch name {
	case "out":
		h.Dir = blueprints.Out
	case "in":
		h.Dir = blueprints.In
	case "both":
		h.Dir = blueprints.Both
	default:
		d, err := argDirection(n)
		if err != nil {
			return err
		}
		h.Dir, labels = d, n.Args[1:]
	}
	for _, a := range labels {
		switch {
		case a.Child == nil && a.Value.Kind() == value.KindString:
			h.Labels = append(h.Labels, a.Value.Str())
		case a.Child == nil && a.Value.IsNull():
		default:
			return fmt.Errorf("%s() takes edge labels of type String, not %s", n.Name(), a.Value.Brief())
		}
	}
	h.None = len(labels) > 0 && len(h.Labels) == 0
	n.Data = h
	return nil
}

// argDirection returns the first argument as a direction.
func argDirection(n *traversal.Node) (blueprints.Direction, error) {
	if v := n.Value(0); v.Kind() == value.KindDirection {
		switch v.Str() {
		case "OUT":
			return blueprints.Out, nil
		case "IN":
			return blueprints.In, nil
		case "BOTH":
			return blueprints.Both, nil
		}
	}
	return 0, fmt.Errorf("%s() takes a Direction, not %s", n.Name(), n.Value(0).Brief())
}

func directionName(d blueprints.Direction) string {
	switch d {
	case blueprints.Out:
		return "OUT"
	case blueprints.In:
		return "IN"
	}
	return "BOTH"
}

func printHop(n *traversal.Node) string {
	h := n.Data.(*traversal.Hop)
	kind := "vertex"
	if h.Edge {
		kind = "edge"
	}
	labels := ""
	if len(h.Labels) > 0 {
		labels = "[" + strings.Join(h.Labels, ", ") + "],"
	}
	return fmt.Sprintf("VertexStep(%s,%s%s)", directionName(h.Dir), labels, kind)
}

func openHop(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	h := n.Data.(*traversal.Hop)
	s := traversal.MakeKeeping(r, (*hop).keepRoom)
	s.r, s.in.Run, s.in.Up, s.h = r, r, up, h
	s.edges.Init(r, r.Writes)
	s.syms.init(h.Labels, h.None)
	return s, nil
}

// labelSymbols resolves labels for one run. A run that writes may use a label for
// the first time, so there unknown labels are looked up again.
type labelSymbols struct {
	labels []string
	none   bool // nothing matches whatever the graph holds
	syms   []blueprints.Symbol
	done   bool
	room   [2]blueprints.Symbol
}

func (l *labelSymbols) init(labels []string, none bool) {
	l.labels, l.none, l.syms = labels, none, l.room[:0]
}

// resolve returns the known symbols; false means that nothing can match.
func (l *labelSymbols) resolve(r *traversal.Run) ([]blueprints.Symbol, bool) {
	if l.none {
		return nil, false
	}
	if !l.done {
		l.syms, _ = r.AppendSymbols(l.syms[:0], l.labels)
		l.done = r.Mutator == nil || len(l.syms) == len(l.labels)
	}
	return l.syms, len(l.labels) == 0 || len(l.syms) > 0
}

package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// match() binds labels so that all its patterns hold, and gives the bindings as maps.
//
//	V().match(as("a").out("created").as("b"), as("b").in("created").as("c"))
//	match(.., where("a", P.neq("c")), not(as("c").out().as("a")), or(.., ..))
//
// A pattern goes from what its first label stands for to what its last label stands
// for, or to what becomes that. The traverser's object is the first label's unless the
// path has one already. Which pattern goes next is decided for each traverser: tests
// before expansions, those whose end is bound before the others, and then the ones that
// have multiplied least so far.
var Match = traversal.Spec{
	Name: "match", Class: "MatchStep", Kind: traversal.BranchStep, Needs: traversal.NeedLabelledPath, HoldsChildren: true,
	Scope:   matchScope,
	Doc:     "Binds labels so that all patterns hold.",
	Prepare: prepareMatch, Open: openMatch, Print: printMatch,
}

// innerMatchSpec is and() and or() among patterns: a match() within the match().
var innerMatchSpec = traversal.Spec{
	Name: "match", Class: "MatchStep", Kind: traversal.BranchStep, Open: openMatch, Print: printMatch,
}

// patternsMax bounds the patterns of one match(): one bit each.
const patternsMax = 64

// matchArgs is the Data of match(), also of the and() and or() inside.
type matchArgs struct {
	or           bool
	patterns     []*pattern
	starts, ends []string   // labels at which patterns start and end
	first        string     // what the object is when no start label is bound
	outer        *matchArgs // whose pattern this is, nil for a match() itself
}

func prepareMatch(n *traversal.Node) error {
	if err := step.PrepareChildren(0, patternsMax)(n); err != nil {
		return err
	}
	plans := make([]*traversal.Plan, len(n.Args))
	for i := range n.Args {
		if plans[i] = n.Child(i); hasInfix(plans[i]) {
			return nil // ConnectiveStrategy comes first, then this again
		}
	}
	m, err := newMatch(plans, false)
	if err != nil {
		return err
	}
	n.Data = m
	if len(n.ModsNamed(probeMod)) > 0 && !m.probeHops() {
		return traversal.ErrUnfit
	}
	return nil
}

// hasInfix reports whether and() or or() still stand between their operands.
func hasInfix(p *traversal.Plan) bool {
	found := false
	p.Walk(func(n *traversal.Node) {
		found = found || (n.Name() == "and" || n.Name() == "or") && len(n.Args) == 0
	})
	return found
}

func newMatch(plans []*traversal.Plan, or bool) (*matchArgs, error) {
	m := &matchArgs{or: or}
	for _, p := range plans {
		pt, err := newPattern(p)
		if err != nil {
			return nil, err
		}
		m.patterns = append(m.patterns, pt)
		if pt.inner != nil {
			pt.inner.outer = m
			m.starts, m.ends = append(m.starts, pt.inner.starts...), append(m.ends, pt.inner.ends...)
		} else if pt.variable {
			m.starts = append(m.starts, pt.key)
		}
		if pt.end != "" {
			m.ends = append(m.ends, pt.end)
		}
	}
	for _, p := range m.patterns {
		p.require(m)
	}
	m.first = m.firstLabel()
	return m, nil
}

// matchScope gives every label of the match: patterns of others may start at them.
func matchScope(n *traversal.Node) ([]string, bool) {
	m, ok := n.Data.(*matchArgs)
	if !ok {
		return nil, false
	}
	return append(slices.Clone(m.starts), m.ends...), true
}

// scopeKeys are the labels that must be bound before a nested and() or or() is tried.
func (m *matchArgs) scopeKeys() []string {
	var keys []string
	for _, p := range m.patterns {
		for _, k := range append(slices.Clone(p.needs), p.end) {
			if k != "" && k != m.first && !slices.Contains(m.ends, k) && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// bindings is the map of all labels of the match on t's path.
func (m *matchArgs) bindings(t *traversal.Traverser) value.Value {
	b := value.NewMap()
	for p := t.History(); p != nil; p = p.Parent {
		for _, l := range p.Labels {
			k := value.String(l)
			if _, ok := b.Get(k); !ok && (slices.Contains(m.starts, l) || slices.Contains(m.ends, l)) {
				b.Put(k, p.Object)
			}
		}
	}
	return b.Value()
}

func printMatch(n *traversal.Node) string {
	m, ok := n.Data.(*matchArgs)
	if !ok {
		return "MatchStep"
	}
	if probes := m.probes(); len(probes) > 0 {
		return fmt.Sprintf("%s,probe=[%s])", strings.TrimSuffix(m.String(), ")"), strings.Join(probes, ", "))
	}
	return m.String()
}

// String prints a match as explain() shows it.
func (m *matchArgs) String() string {
	parts := make([]string, len(m.patterns))
	for i, p := range m.patterns {
		parts[i] = p.String()
	}
	name := "AND"
	if m.or {
		name = "OR"
	}
	return fmt.Sprintf("MatchStep(null,%s,[%s])", name, strings.Join(parts, ", "))
}

package find

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// V() and E() give the graph's elements.
//
//	V()          all vertices
//	V(1, v, [2]) those with the ids, in the order given, as often as given
//
// In mid-traversal they start again for every traverser. Filters behind them are
// folded in by FilterFolding and may choose an index (traversal.GraphStart).
var (
	V = traversal.Spec{
		Name: "V", Class: "GraphStep", Kind: traversal.FlatMapStep, Start: true, Effects: traversal.ReadsGraph,
		Doc: "Gives vertices: all, or those with the given ids.", Prepare: prepareGraphStart, Open: openGraphStart,
		Print: printGraphStart,
	}
	E = traversal.Spec{
		Name: "E", Class: "GraphStep", Kind: traversal.FlatMapStep, Start: true, Effects: traversal.ReadsGraph,
		Doc: "Gives edges: all, or those with the given ids.", Prepare: prepareGraphStart, Open: openGraphStart,
		Print: printGraphStart,
	}
)

func prepareGraphStart(n *traversal.Node) error {
	g := &traversal.GraphStart{Edges: n.Name() == "E", ByID: len(n.Args) > 0}
	var ids []value.Value
	for _, a := range n.Args {
		if a.Child != nil {
			return fmt.Errorf("%s() takes ids, not a traversal", n.Name())
		}
		ids = append(ids, a.Value)
	}
	for _, v := range unrolled(unrolled(ids)) { // V([[1]]) as well, in the reference
		if !v.IsNull() {
			g.IDs = append(g.IDs, v)
		}
	}
	n.Data = g
	return nil
}

func printGraphStart(n *traversal.Node) string {
	g := n.Data.(*traversal.GraphStart)
	text := "GraphStep(" + StartText(g) + ")" + accessString(g)
	if g.Short != "" {
		text += ", not by text " + g.Short + ": fewer than 3 letters"
	}
	return text
}

// StartText prints what is asked for: vertex,[ids],[filters].
func StartText(g *traversal.GraphStart) string {
	kind := "vertex"
	if g.Edges {
		kind = "edge"
	}
	switch {
	case len(g.Has) == 0:
		return kind + "," + value.List(g.IDs).JavaString()
	case g.ByID:
		return kind + "," + value.List(g.IDs).JavaString() + "," + FiltersText(g.Has)
	}
	return kind + "," + FiltersText(g.Has)
}

// accessString names the way in: the index with its ranges, or the label ranges.
func accessString(g *traversal.GraphStart) string {
	switch {
	case g.ByID || g.Index == nil:
		return ""
	case g.Index.Key == "":
		return " by label"
	}
	if g.Index.Ordered && g.Index.Declared != nil {
		return " " + strategy.OrderedText(g.Index, g.Has)
	}
	if g.Index.Ordered {
		return fmt.Sprintf(" in order of index %s, first %d", g.Index.Key, g.Index.Limit)
	}
	if g.Index.And != nil {
		return " by " + lookUpString(g.Index, g.Has) + " and " + lookUpString(g.Index.And, g.Has)
	}
	return " by " + lookUpString(g.Index, g.Has)
}

// lookUpString names an index and what is looked up in it.
func lookUpString(c *traversal.IndexChoice, has []traversal.Has) string {
	if c.Declared != nil {
		return strategy.DeclaredText(c, has)
	}
	ranges, _ := strategy.Ranges(has[c.At].P)
	parts := make([]string, len(ranges))
	for i, r := range ranges {
		parts[i] = r.String()
	}
	return "index " + c.Key + " " + strings.Join(parts, ", ")
}

func openGraphStart(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := n.Data.(*traversal.GraphStart)
	tests, err := compileRest(r, g)
	if err != nil {
		return nil, err
	}
	if up == nil {
		up = step.Once(r, value.Null)
	}
	e := traversal.MakeKeeping(r, (*elements).forget)
	e.r, e.g, e.tests = r, g, tests
	return r.Expand(up, e), nil
}

// elements opens the cursors of V() and E().
type elements struct {
	r     *traversal.Run
	g     *traversal.GraphStart
	tests []Test
	ids   idCursor
	index indexCursor
}

// forget makes e zero, of which most is what no ids are looked up with.
func (e *elements) forget() {
	if e.g == nil || !e.g.ByID {
		e.index = indexCursor{}
	}
	e.r, e.g, e.tests, e.ids = nil, nil, nil, idCursor{}
}

// Expand implements traversal.Expander.
func (e *elements) Expand(*traversal.Traverser) (traversal.Cursor, error) {
	switch {
	case e.g.ByID:
		e.ids = idCursor{r: e.r, g: e.g, tests: e.tests}
		return &e.ids, nil
	case e.g.Index.LooksUp() && e.g.Index.And == nil:
		e.index.start(e.r, e.g, e.tests)
		return &e.index, nil
	}
	return openElements(e.r, e.g, e.tests)
}

// Open gives the elements of V() or E() with its filters.
func Open(r *traversal.Run, g *traversal.GraphStart) (traversal.Cursor, error) {
	tests, err := compileRest(r, g)
	if err != nil {
		return nil, err
	}
	return openElements(r, g, tests)
}

// openElements picks the access path of V() or E(): ids, an index, label ranges, or
// a scan. tests are those of compileRest.
//
// Tolerates: any effects, labels and side effects behind it: which index serves a filter the
// plan says, and every way gives what the filters let through when it is asked for more.
func openElements(r *traversal.Run, g *traversal.GraphStart, tests []Test) (traversal.Cursor, error) {
	switch {
	case g.ByID:
		return &idCursor{r: r, g: g, tests: tests}, nil
	case g.Index != nil && g.Index.Ordered && g.Index.Declared != nil:
		return &firstCursor{r: r, g: g, tests: tests}, nil
	case g.Index != nil && g.Index.Ordered:
		return &orderedCursor{r: r, choice: g.Index}, nil
	case g.Index.LooksUp() && g.Index.And != nil:
		return openBoth(r, g)
	case g.Index.LooksUp():
		c := &indexCursor{}
		c.start(r, g, tests)
		return c, nil
	}
	var syms []blueprints.Symbol
	if g.Index != nil {
		var none bool
		if syms, none = r.Symbols(g.Index.Labels); none || len(syms) == 0 {
			return nil, nil
		}
	}
	c := &scanCursor{r: r, edges: g.Edges, tests: tests}
	if g.Edges {
		c.es = r.View.Edges(syms...)
	} else {
		c.vs = r.View.Vertices(syms...)
	}
	return c, nil
}

// compileRest compiles the filters but the one that the access path answers.
func compileRest(r *traversal.Run, g *traversal.GraphStart) ([]Test, error) {
	if g.ByID || g.Index == nil || !g.Index.Exact {
		return Compile(r, g.Has)
	}
	var rest []traversal.Has
	for i, h := range g.Has {
		if !g.Index.Answers(i) {
			rest = append(rest, h)
		}
	}
	if len(rest) == 0 {
		return nil, nil
	}
	return Compile(r, rest)
}

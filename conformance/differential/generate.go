package differential

import (
	"math/rand/v2"
	"strings"
)

// Generator makes random traversals. The same seed gives the same ones.
type Generator struct {
	rng     *rand.Rand
	byType  map[string][]rule
	labels  []string
	ordered bool // what has been written so far gives its results in a defined order
	picked  bool // and what it gives depends on one that is not defined
}

// NewGenerator returns the Generator of a seed. Beside the steps of every server it makes
// those of the parts of the grammar that are named: Closures, Files.
func NewGenerator(seed uint64, parts ...string) *Generator {
	g := &Generator{rng: rand.New(rand.NewPCG(seed, 38)), byType: map[string][]rule{}}
	for _, part := range append([]string{grammar, forms}, parts...) {
		for _, r := range rules(part) {
			g.byType[r.from] = append(g.byType[r.from], r)
		}
	}
	return g
}

const (
	stepsMax = 6 // of a traversal
	depthMax = 3 // of children
)

// Traversal returns one, from its source on.
func (g *Generator) Traversal() Query {
	g.labels, g.ordered, g.picked = nil, false, false
	var b strings.Builder
	b.WriteString("g.")
	switch g.rng.IntN(12) {
	case 0:
		b.WriteString("withSack(1).")
	case 1:
		b.WriteString("withSack(1,sum).")
	case 2:
		b.WriteString(`withSideEffect("x",[]).`)
	case 3:
		b.WriteString("withPath().")
	case 4:
		b.WriteString(pick(g, sources))
	}
	start := pick(g, g.byType["start"])
	b.WriteString(g.fill(start.text, 0))
	g.steps(&b, start.to, 1+g.rng.IntN(stepsMax), 0)
	return Query{Text: b.String(), Ordered: g.ordered, Picks: g.picked}
}

// steps writes n steps behind what gives objects of a type, and returns the type at the
// end.
func (g *Generator) steps(b *strings.Builder, typ string, n, depth int) string {
	for range n {
		from := typ
		if g.rng.IntN(4) == 0 || len(g.byType[typ]) == 0 {
			from = "x"
		}
		r := pick(g, g.byType[from])
		b.WriteString("." + g.fill(r.text, depth))
		if picks(r.text) && (depth > 0 || !g.ordered) {
			g.picked = true
		}
		if depth == 0 {
			g.ordered = orders(r.text) || g.ordered && keepsOrder(r.text)
		}
		if r.to != "x" {
			typ = r.to
		} else if from != "x" {
			typ = "x"
		}
		if g.rng.IntN(8) == 0 {
			b.WriteString(".as(" + g.newLabel() + ")")
		}
	}
	return typ
}

// fill fills in the places of a form.
func (g *Generator) fill(text string, depth int) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		place, after, _ := strings.Cut(rest, "}")
		b.WriteString(g.place(place, depth))
		text = after
	}
}

func (g *Generator) place(place string, depth int) string {
	kind, types, _ := strings.Cut(place, ":")
	switch kind {
	case "c":
		return g.child(types, depth+1)
	case "by":
		if g.rng.IntN(2) == 0 {
			return pick(g, []string{`"name"`, `"age"`, "label", `__.values("age")`, "__.out().count()", "__.bothE().count()"})
		}
		return g.child(types, depth+1)
	case "lab":
		if len(g.labels) > 0 {
			return pick(g, g.labels)
		}
		return g.newLabel()
	case "_":
		return "{_}"
	}
	choices, ok := places[kind]
	if !ok {
		choices, ok = countedWrites[kind]
	}
	if !ok {
		return "{" + place + "}" // a closure; anything else does not parse, which the test reports
	}
	return pick(g, choices)
}

// places are the constants that fill places.
var places = map[string][]string{
	"edge":  {`"knows"`, `"created"`, `"uses"`, `"none"`},
	"label": {`"person"`, `"software"`},
	"name":  {`"marko"`, `"josh"`, `"lop"`, `"nobody"`},
	"id":    {"1", "2", "4", "6", "98765"},
	"eid":   {"7", "9", "12", "13", "98765"},
	"n":     {"0", "1", "29", "-3", "2.5d"},
	"k":     {"0", "1", "2", "3"},
	"P":     {"P.gt(28)", "P.lt(30)", "P.eq(29)", "P.neq(0)", "P.within(27,29)", "P.between(20,30)", "P.gt(27).and(P.lt(33))", "P.outside(28,30)", "P.gte(1)"},
	"lang":  {`"go"`, `"java"`, `"lop"`, "1"},
	"nick":  {`"n1"`, `"n2"`, `"n7"`, `"none"`},
	"count": {"P.gt(2)", "P.lt(3l)", "P.eq(5)", "P.neq(0)", "P.within(1,2l,7)", "P.between(0,9)", "4", "P.gte(2.5d)"},
	"G":     {"P.gt(3)", "P.lt(20)", `P.lt("grade 3")`, "P.between(2,12)", "P.gte(5)", "P.within(4,6,7)"},
	"W":     {"P.gt(0.4d)", "P.lt(1)", "P.eq(1)", "0.5d", "P.between(0.2d,2)", "P.gte(1)", "P.neq(1)", "P.within(0.5d,1.0d)", "P.gt(0).and(P.lt(2))"},
	"T": {`TextP.containing("cable")`, `TextP.endingWith("one")`, `TextP.startingWith("a red")`, `TextP.containing("ab")`, `TextP.notContaining("cable")`,
		`TextP.regex("^a.*cable")`, `TextP.regex("b(lue|lack)")`, `TextP.containing("cable").and(TextP.containing("red"))`, `TextP.containing("marko").or(TextP.endingWith("cable"))`,
		`TextP.containing("josh")`, `TextP.startingWith("lop")`, `TextP.containing("été")`, `TextP.regex("(?i)cable")`, `TextP.containing("cable").negate()`, `TextP.notEndingWith("one")`},
}

// sources are what few traversals begin with.
var sources = []string{
	"withBulk(false).", "withBulk(false).withSack(1.0d,sum).", "withBulk(false).withSack(2.0d).", `withSideEffect("x",0,sum).`, `withSideEffect("y",5).`, "withSack(1.0d,sum).", "withSack([]).", "withStrategies(ProductiveByStrategy).",
	"withoutStrategies(LazyBarrierStrategy).", "withoutStrategies(PathRetractionStrategy).", "withoutStrategies(EarlyLimitStrategy).", `with("k",1).`,
}

// child writes an anonymous traversal.
func (g *Generator) child(types string, depth int) string {
	from, to, _ := strings.Cut(types, ">")
	if depth >= depthMax {
		if to == "v" {
			return "__.out()"
		}
		return "__.identity()"
	}
	var b strings.Builder
	b.WriteString("__.")
	fitting := []rule{}
	for _, r := range g.byType[from] {
		if to == "x" || r.to == to {
			fitting = append(fitting, r)
		}
	}
	r := pick(g, fitting)
	g.picked = g.picked || picks(r.text)
	b.WriteString(g.fill(r.text, depth))
	if to == "x" && g.rng.IntN(2) == 0 {
		g.steps(&b, r.to, 1, depth)
	}
	return b.String()
}

func (g *Generator) newLabel() string {
	l := pick(g, []string{`"a"`, `"b"`, `"c"`})
	g.labels = append(g.labels, l)
	return l
}

func pick[T any](g *Generator, list []T) T { return list[g.rng.IntN(len(list))] }

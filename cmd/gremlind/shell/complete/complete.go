package complete

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Completer proposes out of what it was made with and a schema.
type Completer struct {
	start, inner []Candidate // steps behind a source and behind a step
	predicates   []Candidate
	enums        map[string][]Candidate
}

// enumKinds are the enumerations that a script names.
var enumKinds = map[string]value.Kind{
	"T": value.KindT, "Direction": value.KindDirection, "Order": value.KindOrder, "Scope": value.KindScope, "Pop": value.KindPop,
	"Cardinality": value.KindCardinality, "Column": value.KindColumn, "Operator": value.KindOperator, "Pick": value.KindPick,
	"Barrier": value.KindBarrier, "Merge": value.KindMerge, "DT": value.KindDT, "GType": value.KindGType,
}

// New returns a Completer of this program's steps.
func New() *Completer {
	c := &Completer{enums: map[string][]Candidate{}}
	registry := steps.Registry()
	for _, name := range registry.Names() {
		s, _ := registry.Lookup(name)
		step := Candidate{Text: name, Doc: s.Doc, Kind: "steps"}
		if s.Kind != traversal.SourceStep {
			c.inner = append(c.inner, step)
		}
		if s.Start {
			c.start = append(c.start, step)
		}
	}
	for _, class := range []string{"P", "TextP"} {
		c.enums[class] = predicates(class)
		c.predicates = append(c.predicates, c.enums[class]...)
	}
	for class, kind := range enumKinds {
		for _, name := range value.EnumNames(kind) {
			c.enums[class] = append(c.enums[class], Candidate{Text: name, Kind: class})
		}
	}
	return c
}

// Propose says what may stand at the end of a text.
func (c *Completer) Propose(text string, s Schema) Proposal {
	p := read(text)
	out := Proposal{From: p.from}
	word := p.word
	if p.quote != 0 {
		out.Candidates = begin(named(p, s), word)
		for i := range out.Candidates {
			out.Candidates[i].Text = escaped(out.Candidates[i].Text, p.quote)
		}
		return out
	}
	if before, ok := p.afterDot(text); ok {
		out.Candidates = begin(c.behind(before, s), word)
		return out
	}
	switch {
	case len(p.calls) == 0:
		sources := []Candidate{{Text: "g", Doc: "the traversal source", Kind: "sources"}}
		for _, name := range s.Sources {
			if name != "g" {
				sources = append(sources, Candidate{Text: name, Kind: "sources"})
			}
		}
		out.Candidates = begin(sources, word)
	case word != "":
		list := slices.Concat(c.predicates, c.inner, classes)
		out.Candidates = begin(list, word)
	default:
		out.Candidates = quoted(named(p, s))
	}
	return out
}

var classes = func() []Candidate {
	out := []Candidate{{Text: "__", Doc: "begins a traversal inside a step", Kind: "classes"}, {Text: "P", Kind: "classes"}, {Text: "TextP", Kind: "classes"}}
	for name := range enumKinds {
		out = append(out, Candidate{Text: name, Kind: "classes"})
	}
	slices.SortFunc(out, func(a, b Candidate) int { return strings.Compare(a.Text, b.Text) })
	return out
}()

// behind is what may follow a dot.
func (c *Completer) behind(before string, s Schema) []Candidate {
	if list := c.enums[before]; list != nil {
		return list
	}
	switch {
	case before == "__":
		return c.inner
	case before == "g" || slices.Contains(s.Sources, before):
		return slices.Concat(c.start, sourceSteps)
	}
	return slices.Concat(c.inner, terminals)
}

// sourceSteps configure a source.
var sourceSteps = []Candidate{
	{"with", "Sets an option of the request.", "source steps"},
	{"withBulk", "Says whether equal traversers are merged.", "source steps"},
	{"withComputer", "Runs on a graph computer.", "source steps"},
	{"withPath", "Makes traversers keep their paths.", "source steps"},
	{"withSack", "Gives each traverser a sack.", "source steps"},
	{"withSideEffect", "Makes a side effect with a first value.", "source steps"},
	{"withStrategies", "Adds strategies.", "source steps"},
	{"withoutStrategies", "Takes strategies away.", "source steps"},
}

// terminals end a traversal.
var terminals = []Candidate{
	{"explain", "Shows the plan and what each strategy makes of it.", "terminals"},
	{"hasNext", "Says whether there is a result.", "terminals"},
	{"iterate", "Runs the traversal and gives nothing.", "terminals"},
	{"next", "Gives the first result, or the first few.", "terminals"},
	{"toList", "Gives all results as a list.", "terminals"},
	{"toSet", "Gives all results as a set.", "terminals"},
}

// Steps that take labels and keys.
var (
	vertexLabelSteps = []string{"addV", "hasLabel", "V"}
	edgeLabelSteps   = []string{"both", "bothE", "in", "inE", "out", "outE", "addE", "to", "toE", "hasLabel"}
	keySteps         = []string{"by", "elementMap", "has", "hasKey", "hasNot", "properties", "property", "propertyMap", "valueMap", "values"}
)

// named are the names of the graph that a text at p may be.
func named(p place, s Schema) []Candidate {
	call, argument := p.call()
	var out []Candidate
	add := func(kind string, names []string) {
		out = slices.Grow(out, len(names))
		for _, n := range names {
			out = append(out, Candidate{Text: n, Kind: kind})
		}
	}
	if slices.Contains(keySteps, call) && (argument == 0 || call != "has" && call != "property") {
		add("keys", s.Keys)
	}
	if slices.Contains(vertexLabelSteps, call) {
		add("vertex labels", s.VertexLabels)
	}
	if slices.Contains(edgeLabelSteps, call) {
		add("edge labels", s.EdgeLabels)
	}
	if call == "call" && argument == 0 {
		add("services", s.Services)
	}
	return out
}

func begin(list []Candidate, word string) []Candidate {
	out := make([]Candidate, 0, len(list))
	for _, c := range list {
		if strings.HasPrefix(c.Text, word) {
			out = append(out, c)
		}
	}
	return out
}

// quoted makes texts of names.
func quoted(list []Candidate) []Candidate {
	for i := range list {
		list[i].Text = "'" + escaped(list[i].Text, '\'') + "'"
	}
	return list
}

func escaped(name string, quote byte) string {
	if !strings.ContainsAny(name, "\\\n'\"") {
		return name
	}
	return strings.NewReplacer(`\`, `\\`, string(quote), `\`+string(quote), "\n", `\n`).Replace(name)
}

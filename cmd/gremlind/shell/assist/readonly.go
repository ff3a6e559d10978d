package assist

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// languageLang is the language of what is sent when nothing may be written: it has
// traversals and nothing else.
const languageLang = "gremlin-lang"

const readOnlyStrategy = "ReadOnlyStrategy"

// sourceName is how a text calls the traversal source that was chosen.
const sourceName = "g"

// traversalOf is a text that was read.
type traversalOf struct {
	// source is the one that the traversal begins with, "" for the chosen one.
	source string
	code   *traversal.Bytecode
}

// parse reads the one traversal of a text. Bindings stand in it as their values.
func parse(text string, bindings *value.Map) (*traversalOf, error) {
	q, err := lang.Parse(text, lang.Options{
		Steps:   func(name string) bool { _, ok := steps.Registry().Lookup(name); return ok },
		Sources: func(string) bool { return true }, // the server knows which there are
		Variables: func(name string) (value.Value, bool) {
			if bindings == nil {
				return value.Null, false
			}
			return bindings.GetString(name)
		},
	})
	if err != nil {
		return nil, err
	}
	s := q.Last()
	switch {
	case len(q.Statements) > 1:
		return nil, fmt.Errorf("there are %d statements: one traversal a call", len(q.Statements))
	case s.Bytecode == nil || len(s.Bytecode.Steps) == 0:
		return nil, errors.New("there is no traversal: one begins as g.V()")
	case s.ToString:
		return nil, errors.New("leave toString() away: results come as JSON")
	}
	b := *s.Bytecode
	switch s.Terminal {
	case "", "toList", "iterate":
	case "toSet":
		b.Steps = slices.Concat(b.Steps, []traversal.Instruction{{Name: "dedup"}})
	case "next":
		n := value.Value(value.Long(1))
		if len(s.Args) > 0 {
			n = value.Long(s.Args[0].Int64())
		}
		b.Steps = slices.Concat(b.Steps, []traversal.Instruction{{Name: "limit", Args: []value.Value{n}}})
	case "explain":
		return nil, errors.New("the tool explain explains: leave explain() away")
	default:
		return nil, fmt.Errorf("leave %s() away: results come as JSON", s.Terminal)
	}
	t := &traversalOf{code: &b}
	if s.Source != sourceName {
		t.source = s.Source
	}
	return t, nil
}

// text writes the traversal anew, as gremlin-lang.
func (t *traversalOf) text() string { return lang.Print(t.code) }

// readOnly returns a traversal that cannot write, or says what in it might. What it does
// is known from its compiled plan; the strategy, the last one that is set, has the server
// look at it again.
func (t *traversalOf) readOnly() (*traversalOf, error) {
	for _, in := range t.code.Source {
		if err := harmless(in); err != nil {
			return nil, err
		}
	}
	if err := onlyReads(t.code); err != nil {
		return nil, err
	}
	code := *t.code
	guard := value.Object(value.KindStrategy, &traversal.StrategySpec{Class: readOnlyStrategy})
	code.Source = slices.Concat(code.Source, []traversal.Instruction{{Name: "withStrategies", Args: []value.Value{guard}}})
	return &traversalOf{t.source, &code}, nil
}

// onlyReads looks at the compiled plan, children included.
func onlyReads(b *traversal.Bytecode) error {
	plan, err := traversal.Compile(nil, steps.Registry(), b)
	if err != nil {
		return err
	}
	plan.Walk(func(n *traversal.Node) {
		if err == nil && n.Effects()&forbidden != 0 {
			err = refusal(n.Spec.Name)
		}
	})
	return err
}

// forbidden are effects beyond reading the graph: writing, scripts, files and services
// of which nothing is known.
const forbidden = traversal.WritesGraph | traversal.Opaque | traversal.External

func refusal(step string) error {
	return fmt.Errorf("%s() may do more than read, and this server only reads: who started it decides that (gremlind mcp --write)", step)
}

// harmless looks at what configures the source: the traversals in it are part of no plan
// yet.
func harmless(in traversal.Instruction) error {
	for _, a := range in.Args {
		if err := harmlessValue(in.Name, a); err != nil {
			return err
		}
	}
	return nil
}

func harmlessValue(of string, v value.Value) error {
	switch x := v.Object().(type) {
	case *traversal.StrategySpec:
		if x.SimpleName() == "VertexProgramStrategy" && x.Config.Len() > 0 {
			return refusal(x.SimpleName()) // it can have results written into the graph
		}
		return harmlessEntries(x.SimpleName(), x.Config)
	case *traversal.Bytecode:
		child := traversal.Instruction{Name: "map", Args: []value.Value{v}}
		return onlyReads(&traversal.Bytecode{Steps: []traversal.Instruction{{Name: "inject", Args: []value.Value{value.Int(0)}}, child}})
	case *traversal.Lambda:
		return refusal(of)
	}
	for _, e := range v.Elems() {
		if err := harmlessValue(of, e); err != nil {
			return err
		}
	}
	return harmlessEntries(of, v.Map())
}

func harmlessEntries(of string, m *value.Map) error {
	for i := range m.Len() {
		_, v := m.Entry(i)
		if err := harmlessValue(of, v); err != nil {
			return err
		}
	}
	return nil
}

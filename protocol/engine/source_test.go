package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script"
)

// configured is an engine over the modern graph whose sources an initialisation script made.
func configured(t testing.TB, text string) *Engine {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := db.CreateGraph("graph", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sample.Load(t.Context(), g, "modern"); err != nil {
		t.Fatal(err)
	}
	st := &script.Startup{}
	if err := st.Read(t.Context(), text, func(name string) bool { return name == "graph" }); err != nil {
		t.Fatal(err)
	}
	o := Options{Database: db, Sources: map[string]string{}, Config: map[string][]traversal.Instruction{}}
	for name, s := range st.Sources {
		o.Sources[name], o.Config[name] = s.Graph, s.Config
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func ask(t *testing.T, e *Engine, q *contract.Query) (int, error) {
	t.Helper()
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	defer w.Close()
	res, err := w.Run(context.Background(), q)
	if err != nil {
		return 0, err
	}
	n := 0
	for {
		got, err := res.Next(nil, 100)
		for _, b := range got {
			n += int(b.Bulk)
		}
		if err != nil {
			return n, err
		}
		if len(got) == 0 {
			return n, w.Commit(context.Background(), true)
		}
	}
}

func groovy(text string) *contract.Query {
	return &contract.Query{Script: text, Language: languageGroovy}
}

// TestSource_ReadOnlyStaysReadOnly tries every way that a request has to a source.
func TestSource_ReadOnlyStaysReadOnly(t *testing.T) {
	e := configured(t, "[g: traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]")
	addV := []traversal.Instruction{{Name: "addV", Args: []value.Value{value.String("x")}}}
	without := traversal.Instruction{Name: "withoutStrategies", Args: []value.Value{value.Class("org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy")}}
	for name, q := range map[string]*contract.Query{
		"bytecode":              {Source: "g", Bytecode: &traversal.Bytecode{Steps: addV}},
		"bytecode, graph":       {Source: "graph", Bytecode: &traversal.Bytecode{Steps: addV}},
		"bytecode, without":     {Source: "g", Bytecode: &traversal.Bytecode{Source: []traversal.Instruction{without}, Steps: addV}},
		"lang":                  {Language: languageLang, Script: "g.addV('x')"},
		"lang, child":           {Language: languageLang, Script: "g.V().map(addV('x'))"},
		"lang, alias":           {Language: languageLang, Script: "x.addV('x')", Aliases: map[string]string{"x": "g"}},
		"lang, without":         {Language: languageLang, Script: "g.withoutStrategies(ReadOnlyStrategy).addV('x')"},
		"lang, drop":            {Language: languageLang, Script: "g.V().drop()"},
		"groovy":                groovy("def x = g; x.addV('x').next()"),
		"groovy, graph":         groovy("graph.addVertex('x')"),
		"groovy, its graph":     groovy("g.getGraph().addVertex('x')"),
		"groovy, again":         groovy("def x = graph; x.traversal().addV('x').iterate()"),
		"groovy, tx":            groovy("def x = g.tx().begin(); x.addV('x').iterate()"),
		"groovy, closure":       groovy("g.V().map{graph.addVertex('x')}.toList()"),
		"groovy, element":       groovy("def v = g.V().next(); v.property('x', 1)"),
		"groovy, removed":       groovy("def v = g.V().next(); v.remove()"),
		"groovy, without":       groovy("def x = g; x.withoutStrategies(ReadOnlyStrategy).addV('x').next()"),
		"a service that writes": {Language: languageLang, Script: "g.call('gremlind.index.create', [kind: 'vertex', key: 'name'])"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, e, q)
			if err == nil {
				t.Error("no error")
			}
			n, err := ask(t, e, groovy("g.V()"))
			if n != 6 || err != nil {
				t.Errorf("%d vertices, %v", n, err)
			}
			n, err = ask(t, e, groovy("g.V().values()"))
			if n != 12 || err != nil {
				t.Errorf("%d properties, %v", n, err)
			}
		})
	}
	// The same strategy again takes nothing away.
	if _, err := ask(t, e, groovy("g.withStrategies(ReadOnlyStrategy).V()")); err != nil {
		t.Error(err)
	}
}

// TestSource_SubgraphStays asks a source of a part for the rest.
func TestSource_SubgraphStays(t *testing.T) {
	e := configured(t, "[g: traversal().withEmbedded(graph).withStrategies(new SubgraphStrategy(vertices: __.has('age')))]")
	for text, want := range map[string]int{"g.V()": 4, "def x = g; x.V().toList()": 4, "graph.vertices()": 4, "g.V().out()": 2} {
		if n, err := ask(t, e, groovy(text)); n != want || err != nil {
			t.Errorf("%s: %d results, %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{
		"g.withStrategies(new SubgraphStrategy(vertices: __.V())).V()", "g.withoutStrategies(SubgraphStrategy).V()",
		"g.withStrategies(SubgraphStrategy).V()",
	} {
		_, err := ask(t, e, groovy(text))
		var status *message.StatusError
		if !errors.As(err, &status) || !strings.Contains(status.Message, "belongs to the traversal source g") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSource_ElementsStayBehindIt: an element shows of its graph what the source does that it came from,
// where no name reaches the graph itself.
func TestSource_ElementsStayBehindIt(t *testing.T) {
	e := configured(t, "[all: graph.traversal().withStrategies(ReadOnlyStrategy), old: graph.traversal().withStrategies(new SubgraphStrategy(vertices: __.has('age')))]")
	for text, want := range map[string]string{
		"all.V(1).next().edges(OUT).size()":           "3",
		"all.V(1).map{it.get().edges(OUT).size()}":    "3",
		"all.V(1).next().graph().vertices().size()":   "6",
		"all.V(1).next().property('age', 30).value()": "error: The provided traversal has a mutating step",
		"all.V(1).next().remove()":                    "error: The provided traversal has a mutating step",
		"old.V(1).next().edges(OUT).size()":           "2",
		"old.V(1).map{it.get().edges(OUT).size()}":    "2",
		"old.V(1).next().graph().vertices().size()":   "4",
	} {
		if got := auto(t, e, groovy(text)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSource_GraphIsHiddenBehindTwo has sources that show different parts.
func TestSource_GraphIsHiddenBehindTwo(t *testing.T) {
	e := configured(t, "[a: graph.traversal().withStrategies(ReadOnlyStrategy), b: graph.traversal().withStrategies(ReadOnlyStrategy)]")
	if e.Lookup(traversal.Anyone, "graph") != contract.NoName || e.Lookup(traversal.Anyone, "a") != contract.SourceName {
		t.Error("the graph is there by name")
	}
	e = configured(t, "[a: graph.traversal().withStrategies(ReadOnlyStrategy), b: graph.traversal()]")
	if e.Lookup(traversal.Anyone, "graph") != contract.GraphName {
		t.Error("the graph is not there by name")
	}
	if _, err := ask(t, e, groovy("b.addV()")); err != nil {
		t.Error(err)
	}
}

func TestEngine_Nearest(t *testing.T) {
	e := configured(t, "[gmodern: graph.traversal()]")
	for name, want := range map[string]string{"gmodren": "gmodern", "Graph": "graph", "something": ""} {
		if got := e.Nearest(traversal.Anyone, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

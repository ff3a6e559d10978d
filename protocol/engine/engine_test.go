package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script"
)

// open makes an engine over modern (without transactions, as TinkerGraph), crew, and
// tx, an empty graph with transactions.
func open(t testing.TB) *Engine {
	t.Helper()
	store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{Scratch: func() (storage.Store, error) {
		return pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	for _, name := range []string{"modern", "crew", "tx"} {
		o := blueprints.Options{VertexIDs: ids.Integer, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.Long, Transactional: name == "tx"}
		g, err := db.CreateGraph(name, o)
		if err != nil {
			t.Fatal(err)
		}
		if name == "tx" {
			continue
		}
		if _, err := sample.Load(context.Background(), g, name); err != nil {
			t.Fatal(err)
		}
	}
	e, err := New(Options{Database: db, Sources: map[string]string{"g": "modern", "gcrew": "crew", "gtx": "tx"}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func query(language, script string) *contract.Query {
	return &contract.Query{Script: script, Language: language}
}

// results runs a query and prints what it yields.
func results(w contract.Work, q *contract.Query) (string, error) {
	r, err := w.Run(context.Background(), q)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var parts []string
	err = each(r, func(b value.Bulked) error {
		for range b.Bulk {
			parts = append(parts, b.Value.JavaStringWith(r.Resolver()))
		}
		return nil
	})
	return strings.Join(parts, " "), err
}

// auto runs a query as a request of its own.
func auto(t testing.TB, e *Engine, q *contract.Query) string {
	t.Helper()
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	defer w.Close()
	text, err := results(w, q)
	if err == nil {
		err = w.Commit(context.Background(), true)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return text
}

func TestLang(t *testing.T) {
	e := open(t)
	for script, want := range map[string]string{
		"g.V(1).out().values('name')":      "lop vadas josh",
		"g.V().count()":                    "6",
		"g.V().hasNext()":                  "true",
		"g.V().next()":                     "v[1]",
		"g.V().next(2)":                    "v[1] v[2]",
		"g.V().hasLabel('x').next(2)":      "",
		"g.V().label().toSet()":            "software person",
		"g.V().iterate()":                  "",
		"g.V(1).valueMap().next()":         "name=[marko] age=[29]",
		"g.V().out().path().next()":        "v[1] v[3]",
		"''":                               "",
		"g.toString()":                     "graphtraversalsource[tinkergraph[vertices:6 edges:6], standard]",
		"g.inject(g.V(2).next()).id()":     "2",
		"g.V().hasLabel('x').next()":       "error: java.util.NoSuchElementException",
		"g.tx().commit()":                  "error: Graph does not support transactions",
		"gtx.tx().commit()":                "null",
		"g.V().tryNext()":                  "Optional[v[1]]",
		"g.addV('a');g.V().count()":        "6", // the first is never iterated
		"gcrew.V(7).values('name');g.V(1)": "v[1]",
	} {
		if got := auto(t, e, query(languageLang, script)); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
	if got := auto(t, e, query(languageLang, "g.addV('a').iterate();g.V().count()")); got != "7" {
		t.Errorf("iterated first: %s", got)
	}
}

func TestScripts(t *testing.T) {
	e := open(t)
	for script, want := range map[string]string{
		"1 + 1":                       "2",
		"g.V(1).out().values('name')": "lop vadas josh",
		"x = g.V(1).next(); g.V(x).out().count()":              "3",
		"g.V().count().next() + gcrew.V().count().next()":      "12",
		"[g.V(1).next(), gcrew.V(7).next()]":                   "v[1] v[7]",
		"g.V().map{it.get().value('name')}.limit(2)":           "marko vadas",
		"g.V(1).next().value('age') + 1":                       "30",
		"def f(x) { x * 2 }; f(4)":                             "8",
		"f(5)":                                                 "10", // functions outlive their request
		"y":                                                    "error: No such property: y for class: Script1",
		"def v = gcrew.V(1).next(); gcrew.V(v).values('name')": "marko",
		"g.addV('b').next(); x = g.V().hasLabel('b').count().next(); g.V().hasLabel('b').drop().iterate(); x": "1",
	} {
		if strings.HasPrefix(script, "f(") || script == "y" {
			continue
		}
		if got := auto(t, e, query(languageGroovy, script)); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
	if got := auto(t, e, query(languageGroovy, "f(5)")); got != "10" {
		t.Errorf("function of an earlier request: %s", got)
	}
	if got := auto(t, e, query("gremlin-python", "1")); !strings.Contains(got, "gremlin-python") {
		t.Errorf("unknown language: %s", got)
	}
}

func TestSessionVariablesServeBothLanguages(t *testing.T) {
	w := open(t).Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone})
	defer w.Close()
	for _, step := range []struct{ language, script, want string }{
		{languageGroovy, "x = 1", "1"},
		{languageGroovy, "x + 2", "3"},
		{languageLang, "g.V(x).values('name')", "marko"},
		{languageGroovy, "t = g.V();[]", ""},
		{languageGroovy, "t.next(2)", "v[1] v[2]"},
		{languageGroovy, "t.next(1)", "v[3]"},
		{languageGroovy, "t", "v[4] v[5] v[6]"},
		{languageGroovy, "v = g.V(1).next()", "v[1]"},
		{languageGroovy, "v.value('name')", "marko"},
	} {
		got, err := results(w, query(step.language, step.script))
		if err == nil {
			err = w.Commit(context.Background(), false)
		}
		if err != nil || got != step.want {
			t.Errorf("%s: %s %v, want %s", step.script, got, err, step.want)
		}
	}
}

func TestSessionTransactions(t *testing.T) {
	e := open(t)
	a, b := e.Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone}), e.Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone})
	defer a.Close()
	defer b.Close()
	run := func(w contract.Work, script, want string) {
		t.Helper()
		got, err := results(w, query(languageGroovy, script))
		if err == nil {
			err = w.Commit(context.Background(), false)
		}
		if err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", script, got, err, want)
		}
	}
	run(a, "gtx.addV('a').count()", "1")
	run(b, "gtx.V().count()", "0")
	if !a.Pending() || !a.Open() {
		t.Error("the transaction is not open")
	}
	if err := a.GraphOp(context.Background(), &contract.Query{Source: "gtx"}, "commit"); err != nil {
		t.Fatal(err)
	}
	run(b, "gtx.V().count()", "0") // b still reads its own snapshot
	if err := b.GraphOp(context.Background(), &contract.Query{Source: "gtx"}, "rollback"); err != nil {
		t.Fatal(err)
	}
	run(b, "gtx.V().count()", "1")
	run(b, "gtx.addV('b').count()", "1")
	b.Rollback(true)
	run(b, "gtx.V().count()", "1")
	// A graph without transactions commits every request.
	run(a, "g.addV('c').count()", "1")
	run(b, "g.V().count()", "7")
	if err := a.GraphOp(context.Background(), &contract.Query{Source: "g"}, "commit"); !errors.Is(err, contract.ErrNoTransactions) {
		t.Errorf("commit on modern: %v", err)
	}
}

// TestNoSteps asks for a source alone, which drivers do not send and others may.
func TestNoSteps(t *testing.T) {
	e := open(t)
	for _, b := range []*traversal.Bytecode{{}, {Source: []traversal.Instruction{{Name: "withPath"}}}} {
		if got := auto(t, e, &contract.Query{Bytecode: b, Source: "g"}); got != "" {
			t.Errorf("%v gives %q", b, got)
		}
	}
}

func TestConflict(t *testing.T) {
	e := open(t)
	a, b := e.Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone}), e.Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone})
	defer a.Close()
	defer b.Close()
	for _, w := range []contract.Work{a, b} {
		if _, err := results(w, query(languageLang, "gtx.V().count()")); err != nil {
			t.Fatal(err)
		}
		if _, err := results(w, query(languageLang, "gtx.addV('a')")); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.GraphOp(context.Background(), &contract.Query{Source: "gtx"}, "commit"); err != nil {
		t.Fatal(err)
	}
	if err := b.GraphOp(context.Background(), &contract.Query{Source: "gtx"}, "commit"); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("both read the count and both committed: %v", err)
	}
}

// TestCommitAsync commits requests that touch one graph or several, without waiting.
func TestCommitAsync(t *testing.T) {
	e := open(t)
	for _, script := range []string{"g.addV('x')", "g.addV('x').iterate(); gcrew.addV('x').iterate()", "g.V().count()"} {
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		if _, err := results(w, query(languageGroovy, script)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		w.CommitAsync(context.Background(), func(err error) { done <- err })
		if err := <-done; err != nil {
			t.Errorf("%s: %v", script, err)
		}
		w.Close()
	}
	for script, want := range map[string]string{"g.V().hasLabel('x').count()": "2", "gcrew.V().hasLabel('x').count()": "1"} {
		if got := auto(t, e, query(languageLang, script)); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
}

func TestReadersMayNotWrite(t *testing.T) {
	e := open(t)
	for _, script := range []string{
		"g.addV('a')", "g.V(1).property('a', 1)", "g.V(1).drop()", "g.mergeV([name: 'x'])", "g.V(1).sideEffect(__.addV('x'))",
		"g.call('gremlind.index.createKey', [class: 'vertex', key: 'name'])", "g.V(1).addE('x').to(__.V(2))",
	} {
		for _, session := range []bool{true, false} {
			w := e.Open(contract.WorkOptions{Identity: &traversal.Identity{Name: "bob", Roles: []traversal.Role{traversal.ReadRole}}, Session: session})
			for _, language := range []string{languageLang, languageGroovy} {
				if _, err := results(w, query(language, script)); !errors.Is(err, contract.ErrUnauthorized) {
					t.Errorf("%s: %v", script, err)
				}
			}
			if got, err := results(w, query(languageLang, "g.V().count()")); err != nil || got != "6" {
				t.Errorf("read: %s %v", got, err)
			}
			w.Close()
		}
	}
}

func TestRightsAreDecidedInOnePlace(t *testing.T) {
	e := open(t)
	writer := func(graphs ...string) *traversal.Identity {
		return &traversal.Identity{Name: "bob", Roles: []traversal.Role{traversal.WriteRole}, Graphs: graphs}
	}
	crew := e.o.Sources["gcrew"]
	addV := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "addV"}}}
	count := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V"}, {Name: "count"}}}
	queries := []*contract.Query{
		{Bytecode: addV, Source: "g"}, {Bytecode: count, Source: "g"}, query(languageLang, "g.V().count()"), query(languageLang, "g.toString()"),
		query(languageGroovy, "g.V().count()"), query(languageGroovy, "x = g.V().count().next(); x"), query(languageGroovy, "g.V().explain()"),
		query(languageGroovy, "def f() { g.V().next() }; f()"), query(languageGroovy, "g.inject(1).map{ g.V().next() }"),
		query(languageGroovy, "gtx.tx().begin(); gtx.V().count()"), query(languageLang, "g.call('gremlind.index.keys')"),
	}
	// Whom a graph is out of reach for is told that there is none, in the words of each way.
	absent := []string{`no such graph: "g"`, "expected a traversal source that is there but found g", "No such property: g"}
	for name, id := range map[string]*traversal.Identity{
		"nobody": nil, "no role": {Name: "bob"}, "another graph": writer(crew),
	} {
		for _, session := range []bool{true, false} {
			for _, q := range queries {
				w := e.Open(contract.WorkOptions{Identity: id, Session: session})
				got, err := results(w, q)
				refused := errors.Is(err, contract.ErrUnauthorized)
				if name != "no role" {
					refused = err != nil && slices.ContainsFunc(absent, func(s string) bool { return strings.Contains(err.Error(), s) })
				}
				if !refused {
					t.Errorf("%s: %s: %s %v", name, q.Script, got, err)
				}
				w.Close()
			}
		}
	}
	w := e.Open(contract.WorkOptions{Identity: writer(crew), Session: true})
	defer w.Close()
	if _, err := results(w, query(languageLang, "gcrew.addV('x')")); err != nil {
		t.Errorf("the graph that is reached: %v", err)
	}
}

// TestRightsTakenMeanwhile takes the right to write away while a transaction is open.
func TestRightsTakenMeanwhile(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	for name, commit := range map[string]func(contract.Work) error{
		"commit":  func(w contract.Work) error { return w.Commit(ctx, true) },
		"graphOp": func(w contract.Work) error { return w.GraphOp(ctx, &contract.Query{Source: "gtx"}, "commit") },
		"async": func(w contract.Work) error {
			done := make(chan error, 1)
			w.CommitAsync(ctx, func(err error) { done <- err })
			return <-done
		},
		"script": func(w contract.Work) error {
			_, err := results(w, query(languageGroovy, "gtx.tx().commit()"))
			return err
		},
	} {
		id := &traversal.Identity{Name: "bob", Roles: []traversal.Role{traversal.WriteRole}}
		w := e.Open(contract.WorkOptions{Identity: id, Session: true})
		if _, err := results(w, query(languageLang, "gtx.addV('taken')")); err != nil {
			t.Fatal(err)
		}
		id.Supersede(&traversal.Identity{Name: "bob", Roles: []traversal.Role{traversal.ReadRole}})
		if err := commit(w); !errors.Is(err, contract.ErrUnauthorized) {
			t.Errorf("%s: %v", name, err)
		}
		w.Close()
	}
	if got := auto(t, e, query(languageLang, "gtx.V().hasLabel('taken').count()")); got != "0" {
		t.Errorf("%s vertices were committed", got)
	}
}

// TestFunctionsBelongToTheirUser defines functions as a reader and calls them as a
// writer, who must not run what a reader wrote.
func TestFunctionsBelongToTheirUser(t *testing.T) {
	e := open(t)
	if err := script.Define(e.o.Functions, "def addItUp(x, y) { x + y }"); err != nil {
		t.Fatal(err)
	}
	reader := &traversal.Identity{Name: "reader", Roles: []traversal.Role{traversal.ReadRole}, Proof: "1"}
	writer := &traversal.Identity{Name: "writer", Roles: []traversal.Role{traversal.WriteRole}, Proof: "2"}
	as := func(id *traversal.Identity, session bool, script string) (string, error) {
		w := e.Open(contract.WorkOptions{Identity: id, Session: session})
		defer w.Close()
		got, err := results(w, query(languageGroovy, script))
		if err == nil {
			err = w.Commit(context.Background(), true)
		}
		return got, err
	}
	for _, session := range []bool{false, true} {
		if _, err := as(reader, session, "def helper(x) { g.V().drop().iterate(); x }; 1"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := as(reader, false, "helper(7)"); !errors.Is(err, contract.ErrUnauthorized) {
		t.Errorf("the reader's own: %s %v", got, err)
	}
	for _, session := range []bool{false, true} {
		if got, err := as(writer, session, "helper(7)"); err == nil || !strings.Contains(err.Error(), "No signature of method") {
			t.Errorf("the writer called the reader's function: %s %v", got, err)
		}
	}
	again := &traversal.Identity{Name: "reader", Roles: []traversal.Role{traversal.WriteRole}, Proof: "3"}
	if got, err := as(again, false, "helper(7)"); err == nil {
		t.Errorf("another user of the same name has the function: %s", got)
	}
	if _, err := as(reader, false, "def addItUp(x, y) { g.V().drop().iterate() }; 1"); err == nil || !strings.Contains(err.Error(), "(functions)") {
		t.Errorf("a function of the server was redefined: %v", err)
	}
	if got, err := as(writer, false, "addItUp(1, 2)"); err != nil || got != "3" {
		t.Errorf("a function of the server: %s %v", got, err)
	}
	if got := auto(t, e, query(languageLang, "g.V().count()")); got != "6" {
		t.Errorf("%s vertices are left", got)
	}
}

func TestTimeoutStopsScriptsAndTraversals(t *testing.T) {
	e := open(t)
	for _, script := range []string{"while(true){}", "Thread.sleep(60000)", "g.V().repeat(both()).count()", "g.V().map{Thread.sleep(60000)}"} {
		ctx, cancel := context.WithCancel(context.Background())
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		done := make(chan error, 1)
		go func() {
			r, err := w.Run(ctx, query(languageGroovy, script))
			if err == nil {
				err = drain(r)
			}
			done <- err
		}()
		cancel()
		if err := <-done; !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", script, err)
		}
		w.Close()
	}
}

func TestClosuresSwitchedOff(t *testing.T) {
	e := open(t)
	e.o.NoClosures = true
	for _, script := range []string{"1 + 1", "g.V().map{it}", "x = 1"} {
		if got := auto(t, e, query(languageGroovy, script)); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", script, got)
		}
	}
	if got := auto(t, e, query(languageGroovy, "g.V().count()")); got != "6" {
		t.Errorf("gremlin-lang: %s", got)
	}
	lambda := value.Object(value.KindLambda, &traversal.Lambda{Script: "it.get()", Language: "gremlin-groovy", Arguments: -1})
	b := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V"}, {Name: "map", Args: []value.Value{lambda}}}}
	if got := auto(t, e, &contract.Query{Bytecode: b, Source: "g"}); !strings.Contains(got, "closures are switched off") {
		t.Errorf("bytecode: %s", got)
	}
}

func BenchmarkPoint(b *testing.B) {
	e := open(b)
	id := value.Int(1)
	code := &traversal.Bytecode{Steps: []traversal.Instruction{
		{Name: "V", Args: []value.Value{id}}, {Name: "out"}, {Name: "values", Args: []value.Value{value.String("name")}}}}
	q := &contract.Query{Bytecode: code, Source: "g"}
	b.ReportAllocs()
	for b.Loop() {
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		r, err := w.Run(context.Background(), q)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		if err := each(r, func(value.Bulked) error { n++; return nil }); err != nil || n != 3 {
			b.Fatal(n, err)
		}
		w.Close()
	}
}

func BenchmarkText(b *testing.B) {
	e := open(b)
	for i, script := range []string{"g.V(1).out().values('name')", "1+1"} {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got := auto(b, e, query(languageGroovy, script)); strings.HasPrefix(got, "error") {
					b.Fatal(got)
				}
			}
		})
	}
}

// Requests use the memory of earlier ones, whatever those were.
func TestRequestsInTurn(t *testing.T) {
	e := open(t)
	queries := []struct{ script, want string }{
		{"g.V(%d).values('name')", "marko vadas lop josh ripple peter"},
		{"g.V(%d).out('created').count()", "1 0 0 2 0 1"},
		{"g.V(%d).out('created').values('name')", "lop    ripple lop   lop"},
		{"g.V(%d).out('created').order().by('name')", "v[3]   v[3] v[5]  v[3]"},
		{"g.V(%d).outE().count()", "3 0 0 2 0 1"},
		{"g.V(%d).where(__.out().has('age', P.gt(30))).values('age')", "29     "},
		{"g.V(%d).repeat(__.out()).emit().path().count()", "5 0 0 2 0 1"},
		{"g.V(%d).values('name').math('_')", ""},
		{"g.V(%d).union(__.id(), __.label())", "1 person 2 person 3 software 4 person 5 software 6 person"},
		{"g.V(%d).valueMap('name')", "{name=[marko]} {name=[vadas]} {name=[lop]} {name=[josh]} {name=[ripple]} {name=[peter]}"},
		{"g.V().has('name', 'josh').has('age', P.gt(%d)).id()", "4 4 4 4 4 4"},
		{"g.V(%d).as('a').out('created').as('b').select('a','b').count()", "1 0 0 2 0 1"},
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	want := make([][]string, len(queries))
	for i, q := range queries {
		for id := 1; id <= 6; id++ {
			want[i] = append(want[i], auto(t, e, query(languageLang, fmt.Sprintf(q.script, id))))
		}
		if got := strings.Join(want[i], " "); q.want != "" && strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(q.want), " ") {
			t.Errorf("%s: %s, want %s", q.script, got, q.want)
		}
	}
	for range 3000 {
		i, id := rnd.IntN(len(queries)), 1+rnd.IntN(6)
		script := fmt.Sprintf(queries[i].script, id)
		if got := auto(t, e, query(languageLang, script)); got != want[i][id-1] {
			t.Fatalf("%s: %s, want %s", script, got, want[i][id-1])
		}
	}
}

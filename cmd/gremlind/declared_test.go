package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// source is what a row sends as bytecode.
type source = *gremlingo.GraphTraversalSource

// indexRow is one request about declared indexes, as text and as bytecode, with what it
// answers, or "!" and what the error contains. Rows run in order on one graph.
type indexRow struct {
	text string
	code func(g source) *gremlingo.GraphTraversal
	want string
}

func createIndex(g source, kv ...any) *gremlingo.GraphTraversal {
	return g.Call("gremlind.index.create", params(kv...))
}

func params(kv ...any) map[interface{}]interface{} {
	m := map[interface{}]interface{}{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = kv[i+1]
	}
	return m
}

func nameOnly(service, name string) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index."+service, params("name", name))
	}
}

var indexRows = []indexRow{
	{"g.call('gremlind.index.create', [name:'email', class:'vertex', label:'person', keys:['email'], unique:true]).select('state')",
		func(g source) *gremlingo.GraphTraversal {
			return createIndex(g, "name", "email", "class", "vertex", "label", "person", "keys", []string{"email"}, "unique", true).Select("state")
		}, "ACTIVE"},
	{"g.V(1).property('email', 'b@x').values('email')", func(g source) *gremlingo.GraphTraversal { return g.V(1).Property("email", "b@x").Values("email") }, "b@x"},
	{"g.V(2).property('email', 'b@x')", func(g source) *gremlingo.GraphTraversal { return g.V(2).Property("email", "b@x") },
		"!Index email: another vertex of label person has [b@x]"},
	{"g.V(3).property('email', 'b@x').values('email')", func(g source) *gremlingo.GraphTraversal { return g.V(3).Property("email", "b@x").Values("email") }, "b@x"},
	{"g.V().has('person', 'email', 'b@x').id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("person", "email", "b@x").Id() }, "1"},
	{"g.mergeV([(T.label): 'person', email: 'b@x']).id()", func(g source) *gremlingo.GraphTraversal {
		return g.MergeV(map[interface{}]interface{}{gremlingo.T.Label: "person", "email": "b@x"}).Id()
	}, "1"},
	{"g.call('gremlind.index.create', [name:'ll', class:'vertex', keys:['lang'], unique:true])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "ll", "class", "vertex", "keys", []string{"lang"}, "unique", true)
	}, "!Index ll: 1 value occurs more than once, among them [java] (vertices 3, 5)"},
	{"g.call('gremlind.index.create', [name:'na', class:'vertex', label:'person', keys:['name','age']]).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "na", "class", "vertex", "label", "person", "keys", []string{"name", "age"}).Select("state")
	}, "ACTIVE"},
	{"g.V().has('person', 'name', 'marko').has('age', gt(20)).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("person", "name", "marko").Has("age", gremlingo.P.Gt(20)).Count()
	}, "1"},
	{"g.V().has('person', 'name', 'marko').order().by('age', desc).limit(10).id()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("person", "name", "marko").Order().By("age", gremlingo.Order.Desc).Limit(10).Id()
	}, "1"},
	{"g.V().has('person', 'age', 29).id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("person", "age", 29).Id() }, "1"},
	{"g.call('gremlind.index.create', [name:'w', class:'edge', label:'created', keys:['weight'], direction:'OUT']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "w", "class", "edge", "label", "created", "keys", []string{"weight"}, "direction", gremlingo.Direction.Out).Select("state")
	}, "ACTIVE"},
	{"g.V(4).outE('created').has('weight', gt(0.5)).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V(4).OutE("created").Has("weight", gremlingo.P.Gt(0.5)).Count()
	}, "1"},
	{"g.V(4).outE('created').order().by('weight', desc).limit(1).values('weight')", func(g source) *gremlingo.GraphTraversal {
		return g.V(4).OutE("created").Order().By("weight", gremlingo.Order.Desc).Limit(1).Values("weight")
	}, "1.0"},
	{"g.call('gremlind.index.verify', [name:'na']).unfold()", func(g source) *gremlingo.GraphTraversal { return nameOnly("verify", "na")(g).Unfold() }, "entries=4 missing=0 stale=0"},
	{"g.call('gremlind.index.verify', [name:'w']).unfold()", func(g source) *gremlingo.GraphTraversal { return nameOnly("verify", "w")(g).Unfold() }, "entries=4 missing=0 stale=0"},
	{"g.V(4).outE('created').has('weight', 1.0d).properties('weight').drop()", func(g source) *gremlingo.GraphTraversal {
		return g.V(4).OutE("created").Has("weight", 1.0).Properties("weight").Drop()
	}, ""},
	{"g.V(4).outE('created').order().by('weight', desc).limit(1).values('weight')", func(g source) *gremlingo.GraphTraversal {
		return g.V(4).OutE("created").Order().By("weight", gremlingo.Order.Desc).Limit(1).Values("weight")
	}, "0.4"},
	{"g.call('gremlind.index.hide', [name:'na']).select('state')", func(g source) *gremlingo.GraphTraversal { return nameOnly("hide", "na")(g).Select("state") }, "HIDDEN"},
	{"g.V().has('person', 'name', 'marko').id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("person", "name", "marko").Id() }, "1"},
	{"g.call('gremlind.index.show', [name:'na']).select('state')", func(g source) *gremlingo.GraphTraversal { return nameOnly("show", "na")(g).Select("state") }, "ACTIVE"},
	{"g.call('gremlind.index.create', [name:'na', class:'vertex', keys:['name']])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "na", "class", "vertex", "keys", []string{"name"})
	}, "!Index already exists: na"},
	{"g.call('gremlind.index.create', [name:'x', class:'vertex', label:'person'])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "x", "class", "vertex", "label", "person")
	}, "!the parameter label is for an index with keys: name them in keys, as a list"},
	{"g.call('gremlind.index.drop', [name:'w'])", nameOnly("drop", "w"), ""},
	{"g.call('gremlind.index.verify', [name:'w'])", nameOnly("verify", "w"), "!there is no complete index"},
	{"g.V(4).outE('created').count()", func(g source) *gremlingo.GraphTraversal { return g.V(4).OutE("created").Count() }, "2"},
}

// TestDeclaredIndexes sends the rows as text and as bytecode, to a graph of each isolation
// level.
func TestDeclaredIndexes(t *testing.T) {
	for _, level := range []string{"strict", "snapshot", "committed"} {
		for _, form := range []string{"text", "bytecode"} {
			t.Run(level+" "+form, func(t *testing.T) {
				p := serve(t, "--memory", writeFile(t, "g.yaml", fmt.Sprintf("graphs:\n  m: {sample: modern, isolation: %s}\ntraversalSources: {g: m}\n", level)))
				conn, g := p.connect("g")
				defer conn.Close()
				for _, r := range indexRows {
					got := p.asked(t, r, g, form)
					if !strings.HasPrefix(r.want, "!") && got != r.want || strings.HasPrefix(r.want, "!") && !strings.Contains(got, r.want[1:]) {
						t.Errorf("%s: %s, want %s", r.text, got, r.want)
					}
				}
			})
		}
	}
}

// asked is the answer to a row, or the error behind a "!".
func (p *process) asked(t *testing.T, r indexRow, g source, form string) string {
	t.Helper()
	if form == "text" {
		code, text := p.post(t, r.text)
		if code != 200 {
			return "!" + text
		}
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "==>", " ")), " ")
	}
	results, err := r.code(g).ToList()
	if err != nil {
		return "!" + err.Error()
	}
	var texts []string
	for _, x := range results {
		texts = append(texts, indexText(x.GetInterface()))
	}
	return strings.Join(texts, " ")
}

// indexText is a result as text/plain shows it.
func indexText(x any) string {
	switch x := x.(type) {
	case map[interface{}]interface{}:
		var parts []string
		for _, k := range []string{"entries", "missing", "stale"} {
			if v, ok := x[k]; ok {
				parts = append(parts, fmt.Sprintf("%s=%v", k, v))
			}
		}
		return strings.Join(parts, " ")
	case float64:
		if x == float64(int64(x)) {
			return fmt.Sprintf("%.1f", x)
		}
	}
	return fmt.Sprint(x)
}

// TestDeclaredIndexes_Explained: explain() names the index and what is looked up.
func TestDeclaredIndexes_Explained(t *testing.T) {
	p := serve(t, "--sample", "modern")
	for _, r := range []indexRow{indexRows[0], indexRows[7]} {
		if code, text := p.post(t, r.text); code != 200 {
			t.Fatal(text)
		}
	}
	for text, want := range map[string]string{
		"g.V().has('person', 'email', 'b@x')":                                    "by unique email [b@x]",
		"g.V().has('person', 'email', within('b@x', 'c@x'))":                     "by unique email [b@x], [c@x]",
		"g.V().has('person', 'name', 'marko').has('age', gt(20))":                "by composite na [marko, (20, inf)]",
		"g.V().has('person', 'age', 29)":                                         "by label",
		"g.V().has('name', 'marko')":                                             "name.eq(marko)])",
		"g.V().has('person', 'name', startingWith('m')).has('age', 1)":           `by composite na ["m"*]`,
		"g.V().has('person', 'name', 'marko').order().by('age', desc).limit(10)": "in order of composite na, first 10 of [marko, (-inf, inf)]",
	} {
		code, got := p.post(t, text+".explain()")
		if code != 200 || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	_, list := p.post(t, "g.call('gremlind.index.list')")
	contains(t, list, "name=email", "unique=true", "state=ACTIVE", "lookups=", "bytes=")
}

// TestDeclaredIndexes_EdgesExplained: so does the text of a hop.
func TestDeclaredIndexes_EdgesExplained(t *testing.T) {
	p := serve(t, "--sample", "modern")
	if code, text := p.post(t, "g.call('gremlind.index.create', [name:'w', class:'edge', label:'created', keys:['weight'], direction:'OUT'])"); code != 200 {
		t.Fatal(text)
	}
	for text, want := range map[string]string{
		"g.V(4).outE('created').has('weight', gt(0.5))":                       "by edge-centric w [(0.5, inf)]",
		"g.V(4).outE('created').order().by('weight', desc).limit(1)":          "in order of edge-centric w, first 1",
		"g.V(4).inE('created').has('weight', gt(0.5))":                        "VertexStep(IN",
		"g.V(4).outE('created').as('a').has('weight', gt(0.5)).inV()":         "VertexStep(OUT",
		"g.V(4).outE('created').has('weight', 1.0d).order().by('x').limit(1)": "by edge-centric w [1.0]",
	} {
		code, got := p.post(t, text+".explain()")
		if code != 200 || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestDeclaredIndexes_Session: within one transaction a value may move from one vertex to
// another; of two that take one value, one loses.
func TestDeclaredIndexes_Session(t *testing.T) {
	for _, level := range []string{"strict", "snapshot", "committed"} {
		p := serve(t, "--memory", writeFile(t, "g.yaml", fmt.Sprintf("graphs:\n  m: {transactional: true, isolation: %s}\ntraversalSources: {g: m}\n", level)))
		conn, g := p.connect("g")
		defer conn.Close()
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", level, err)
			}
		}
		begin := func() (*gremlingo.Transaction, source) {
			tx := g.Tx()
			gtx, err := tx.Begin()
			do(err)
			return tx, gtx
		}
		do(<-g.AddV("person").Property("n", 1).Property("email", "b@x").AddV("person").Property("n", 2).Iterate())
		do(<-createIndex(g, "name", "email", "class", "vertex", "label", "person", "keys", []string{"email"}, "unique", true).Iterate())
		tx, one := begin()
		do(<-one.V().Has("n", 1).Properties("email").Drop().Iterate())
		do(<-one.V().Has("n", 2).Property("email", "b@x").Iterate())
		do(tx.Commit())
		tx, one = begin()
		other, two := begin()
		do(<-one.V().Has("n", 1).Property("email", "c@x").Iterate())
		do(<-two.V().Has("n", 2).Property("email", "c@x").Iterate())
		do(tx.Commit())
		if err := other.Commit(); err == nil || !strings.Contains(err.Error(), "Conflict") {
			t.Errorf("%s: two took one address: %v", level, err)
		}
		err := <-g.V().Has("n", 2).Property("email", "c@x").Iterate()
		if err == nil || !strings.Contains(err.Error(), "Index email: another vertex of label person has [c@x]") {
			t.Errorf("%s: %v", level, err)
		}
	}
}

// TestDeclaredIndexes_Race: clients add the same addresses, and merge others; each exists
// once, and no conflict reaches a client.
func TestDeclaredIndexes_Race(t *testing.T) {
	for _, level := range []string{"strict", "snapshot"} {
		dir := t.TempDir()
		p := serve(t, "--data-dir", dir, writeFile(t, "g.yaml", fmt.Sprintf("graphs:\n  m: {isolation: %s}\ntraversalSources: {g: m}\n", level)))
		if code, text := p.post(t, indexRows[0].text); code != 200 {
			t.Fatal(text)
		}
		const clients, names = 16, 40
		var refused atomic.Int64
		inParallel(t, p, clients, func(client *gremlingo.Client) error {
			for i := range names {
				err := submit(client, fmt.Sprintf("g.addV('person').property('email', 'a%d')", i))
				if err != nil && !strings.Contains(err.Error(), "Index email: another vertex") {
					return err
				}
				if err != nil {
					refused.Add(1)
				}
				if err := submit(client, fmt.Sprintf("g.mergeV([(T.label): 'person', email: 'm%d'])", i)); err != nil {
					return err
				}
			}
			return nil
		})
		if _, text := p.post(t, "g.V().count()"); text != fmt.Sprintf("==>%d", 2*names) || refused.Load() != (clients-1)*names {
			t.Errorf("%s: %s vertices, %d refused", level, text, refused.Load())
		}
		p.stop(syscall.SIGTERM)
		if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
			t.Errorf("%s: %s%s", level, out, errs)
		}
	}
}

// TestDeclaredIndexes_Kill kills the server while indexes are built and one is dropped: all
// goes on when it starts again, and every answer is right meanwhile.
func TestDeclaredIndexes_Kill(t *testing.T) {
	dir := t.TempDir()
	patient := []string{"--data-dir", dir, "--set", "evaluationTimeout=0"} // however slow the machine is
	p := serve(t, patient...)
	many := raced.Times(20_000, 4)
	code, text := p.groovy(t, fmt.Sprintf("%d.times { g.addV('p').property('k', it).property('m', it %% 10).iterate() }; g.V().count()", many))
	if code != 200 {
		t.Fatal(text)
	}
	create := func(name, more string) string {
		t.Helper()
		_, text := p.post(t, fmt.Sprintf("g.call('gremlind.index.create', [name: '%s', class: 'vertex', label: 'p', %s]).select('state')", name, more))
		return text
	}
	if text := create("gone", "keys: ['m', 'k']"); text != "==>ACTIVE" {
		t.Fatal(text)
	}
	if text := create("k", "keys: ['k'], unique: true, wait: false"); text != "==>BUILDING" && text != "==>ACTIVE" {
		t.Fatal(text)
	}
	create("mk", "keys: ['m', 'k'], wait: false")
	p.post(t, "g.call('gremlind.index.drop', [name: 'gone'])")
	p.kill()
	p = serve(t, patient...)
	done := make(chan struct{})
	var asking sync.WaitGroup
	asking.Go(func() {
		for {
			for query, want := range map[string]string{"g.V().has('p', 'm', 3).has('k', lt(1000)).count()": "==>100", "g.V().has('p', 'k', 77).count()": "==>1"} {
				if _, text := p.post(t, query); text != want {
					t.Errorf("%s: %s", query, text)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	// The same index again waits until it is complete; of a name that is being dropped, until it is gone.
	for name, more := range map[string]string{"k": "keys: ['k'], unique: true", "mk": "keys: ['m', 'k']", "gone": "keys: ['k', 'm']"} {
		if text := create(name, more); text != "==>ACTIVE" {
			t.Errorf("%s: %s", name, text)
		}
	}
	close(done)
	asking.Wait()
	for _, name := range []string{"k", "mk", "gone"} {
		_, text := p.post(t, fmt.Sprintf("g.call('gremlind.index.verify', [name: '%s'])", name))
		contains(t, text, fmt.Sprintf("entries=%d", many), "missing=0", "stale=0")
	}
	p.stop(syscall.SIGTERM)
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
		t.Errorf("%s%s", out, errs)
	}
}

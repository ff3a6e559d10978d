package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

const sourcesConfig = `graphs:
  social: {sample: modern}
  other: {sample: modern}
  hidden: {sample: modern}
traversalSources:
  g: social
  gro: {graph: social, strategies: ReadOnlyStrategy}
  gpeople:
    graph: social
    strategies: ["new SubgraphStrategy(vertices: hasLabel('person'))", ReadOnlyStrategy]
  gpart: {graph: social, strategies: "new PartitionStrategy(partitionKey: 'part', writePartition: 'a', readPartitions: ['a'])"}
  gschema: {graph: other, with: {schema: 1}}
  gquick: {graph: other, with: {evaluationTimeout: 50ms}}
  h: {graph: hidden, strategies: "new SubgraphStrategy(vertices: hasLabel('person'))"}
`

func withSchema(v int) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.With("schema", v).V().Count() }
}

var sourceRows = []quotaRow{
	{"g", "g.call('gremlind.graph.list')", graphCall("list"), "hidden other social"},
	{"gro", "g.V().count()", vertexCount, "6"},
	{"gro", "g.addV('x')", func(g source) *gremlingo.GraphTraversal { return g.AddV("x") }, "!is not read only"},
	{"gro", "g.withoutStrategies(ReadOnlyStrategy).addV('x')", func(g source) *gremlingo.GraphTraversal {
		return g.WithoutStrategies(gremlingo.ReadOnlyStrategy()).AddV("x")
	}, "!ReadOnlyStrategy belongs to the traversal source gro of this server"},
	{"gpeople", "g.V().count()", vertexCount, "4"},
	{"gpeople", "g.E().count()", func(g source) *gremlingo.GraphTraversal { return g.E().Count() }, "2"},
	{"gpeople", "g.addV('x')", func(g source) *gremlingo.GraphTraversal { return g.AddV("x") }, "!is not read only"},
	{"gpart", "g.V().count()", vertexCount, "0"},
	{"gpart", "g.addV('x').count()", func(g source) *gremlingo.GraphTraversal { return g.AddV("x").Count() }, "1"},
	{"gpart", "g.V().count()", vertexCount, "1"},
	{"g", "g.V().has('part', 'a').count()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("part", "a").Count() }, "1"},
	{"gschema", "g.V().count()", vertexCount, "!graph other has no schema"},
	{"gquick", "g.call('gremlind.schema', [set: [[vertex: 'person', keys: [age: [type: 'Integer']]]]]).count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.schema", params("set", []interface{}{params("vertex", "person", "keys", params("age", params("type", "Integer")))})).Count()
	}, "1"},
	{"gschema", "g.V().count()", vertexCount, "6"},
	{"gschema", "g.with('schema', 1).V().count()", withSchema(1), "6"},
	{"gschema", "g.with('schema', 2).V().count()", withSchema(2), "!the source gschema fixes schema"},
	{"gquick", "g.with('evaluationTimeout', 9000).inject(1).repeat(identity().map(identity())).until(is(2))", func(g source) *gremlingo.GraphTraversal {
		return g.With("evaluationTimeout", 9000).Inject(1).Repeat(gremlingo.T__.Identity().Map(gremlingo.T__.Identity())).Until(gremlingo.T__.Is(2))
	}, "!evaluationTimeout of the source gquick"},
}

// TestSources_WithOptions: a source of the configuration has options and strategies that no
// request takes away, however it is sent.
func TestSources_WithOptions(t *testing.T) {
	for _, form := range []string{"text", "script", "bytecode"} {
		p := serve(t, "--memory", writeFile(t, "g.yaml", sourcesConfig))
		for range 2 {
			p.quotaRows(t, form, sourceRows[:7])
		}
		p.quotaRows(t, form, sourceRows[7:])
		if code, text := p.groovy(t, "hidden.traversal().V().count()"); code != 200 || text != "==>4" {
			t.Error("the name of a graph is a way around its source:", code, text)
		}
	}
}

// TestSources_Refused says what an entry of traversalSources cannot be.
func TestSources_Refused(t *testing.T) {
	for entry, want := range map[string]string{
		"{graph: social, with: {asof: 1}}":                                     "there is no option asof; did you mean asOf?",
		"{graph: social, stategies: ReadOnlyStrategy}":                         "unknown key stategies; did you mean strategies?",
		"{with: {schema: 1}}":                                                  "graph is missing",
		"{graph: social, strategies: 'ReadOnlyStrategy).addV('}":               "is no strategy",
		"{graph: social, strategies: NoSuchStrategy}":                          "there is no strategy NoSuchStrategy",
		"{graph: social, with: {evaluationTimeout: soon}}":                     `"soon" is no time`,
		"{graph: social, strategies: 'ReadOnlyStrategy).V().drop().iterate('}": "strateg",
	} {
		config := writeFile(t, "g.yaml", "graphs: {social: {}}\ntraversalSources:\n  g: "+entry+"\n")
		out, errs, code := run(t, "config", "--check", config)
		if code != exitUsage || !strings.Contains(out+errs, want) {
			t.Errorf("%s: %d %s%s", entry, code, out, errs)
		}
	}
}

// TestUserLimits: the lowest of server, graph and user holds, and the error says whose it is.
func TestUserLimits(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth")
	if out, code := pipe(t, "a password\n", "user", "add", "bob", "--role", "admin", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	var bob *gremlingo.GraphTraversalSource
	limits := func(args ...string) {
		t.Helper()
		if out, errs, code := run(t, append([]string{"user", "limits", "bob", "--data-dir", dir}, args...)...); code != exitDone {
			t.Fatal(out, errs)
		}
		bob = connect(t, p, "bob", "a password")
	}
	endless := func() error {
		_, err := bob.With("evaluationTimeout", 1000).Inject(1).Repeat(gremlingo.T__.Identity().Map(gremlingo.T__.Identity())).Until(gremlingo.T__.Is(2)).ToList()
		return err
	}
	limits("evaluationTimeout=50ms")
	contains(t, fmt.Sprint(endless()), "limits.evaluationTimeout of user bob")
	if _, err := bob.Call("gremlind.graph.set", params("name", "graph", "limit.evaluationTimeout", 20)).ToList(); err != nil {
		t.Fatal(err)
	}
	_, err := bob.V().Limit(0).Fold().Unfold().Inject(1).Repeat(gremlingo.T__.Identity().Map(gremlingo.T__.Identity())).Until(gremlingo.T__.Is(2)).ToList()
	contains(t, fmt.Sprint(err), "limit.evaluationTimeout of graph graph")
	limits("queryMemory=20kB")
	if _, err := bob.Call("gremlind.graph.set", params("name", "graph", "limit.evaluationTimeout", 0)).ToList(); err != nil {
		t.Fatal(err)
	}
	i := gremlingo.T__.Identity
	_, err = bob.Inject(1, 2, 3).Repeat(gremlingo.T__.Union(i(), i(), i())).Times(8).Path().Fold().Count(gremlingo.Scope.Local).ToList()
	contains(t, fmt.Sprint(err), "limits.queryMemory of user bob is 20000")
	limits("requests=1")
	out, _, _ := run(t, "user", "list", "--data-dir", dir)
	contains(t, out, "bob\tadmin\trequests=1")
	var all sync.WaitGroup
	errs := make(chan error, 8)
	for range cap(errs) {
		all.Go(func() { errs <- endless() })
	}
	all.Wait()
	close(errs)
	full := 0
	for err := range errs {
		if strings.Contains(fmt.Sprint(err), "user bob has 1 requests evaluated already (limits.requests)") {
			full++
		}
	}
	if full == 0 || full == 8 {
		t.Errorf("%d of 8 were refused", full)
	}
	limits()
	if got, err := bob.V().Count().ToList(); err != nil || len(got) != 1 {
		t.Error(err)
	}
	for text, want := range map[string]string{"queries=1": "there is no limit queries", "requests": "want KEY=VALUE", "requests=many": `"many"`} {
		if out, errs, code := run(t, "user", "limits", "bob", text, "--data-dir", dir); code != exitUsage || !strings.Contains(out+errs, want) {
			t.Errorf("%s: %d %s%s", text, code, out, errs)
		}
	}
}

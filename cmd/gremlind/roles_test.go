package main

import (
	"strings"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// TestRoles_OverTheWire: what a role allows, by bytecode and by text, and what becomes of
// it on connections that are open.
func TestRoles_OverTheWire(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern}\ntraversalSources: {g: social, g2: social}\n"))
	must := func(line string, args ...string) string {
		t.Helper()
		out, code := pipe(t, line, append(args, "--data-dir", dir)...)
		if code != exitDone {
			t.Fatalf("%v: %s", args, out)
		}
		return out
	}
	if out, code := pipe(t, "a password\n", "user", "add", "ann", "--role", "analyst", "--data-dir", dir); code == exitDone || !strings.Contains(out, `no such role: "analyst"`) {
		t.Errorf("an unknown role: %s", out)
	}
	must("", "role", "add", "analyst", "--graph", "soc*", "--source", "g", "--allow", "read", "--steps", "!call,!io")
	must("a password\n", "user", "add", "ann", "--role", "analyst")
	if out := must("", "role", "list"); !strings.Contains(out, "analyst\t--allow read --graph 'soc*' --source 'g' --steps '!call,!io'\n") {
		t.Errorf("role list: %s", out)
	}
	if out := must("", "role", "show", "analyst"); !strings.Contains(out, `"!io"`) {
		t.Errorf("role show: %s", out)
	}
	if out, code := pipe(t, "", "role", "delete", "analyst", "--data-dir", dir); code == exitDone || !strings.Contains(out, "ann has it") {
		t.Errorf("a role that somebody has: %s", out)
	}
	g := connect(t, p, "ann", "a password")
	ask := asker(t, p, "ann")
	an := gremlingo.T__
	for _, row := range []struct {
		text string
		tr   *gremlingo.GraphTraversal
		want string
	}{
		{"g.V().count()", g.V().Count(), "6"},
		{"g.V(1).property('x',1)", g.V(1).Property("x", 1), "!user ann may not write to graph social"},
		{"g.V().sideEffect(__.addV('x'))", g.V().SideEffect(an.AddV("x")), "!user ann may not write to graph social"},
		{"g.call('gremlind.graph.list')", g.Call("gremlind.graph.list"), "!user ann may not use the step call() on graph social"},
		{"g.V(1).map(__.call('tinker.degree.centrality'))", g.V(1).Map(an.Call("tinker.degree.centrality")), "!user ann may not use the step call() on graph social"},
		{"g.io('x.json').read()", g.Io("x.json").Read(), "!user ann may not use the step io() on graph social"},
		{"g.V(1).property('x',1).explain()", nil, "!user ann may not write to graph social"},
		{"g.call().explain()", nil, "!user ann may not use the step call() on graph social"},
		{"x = __.inject(1).call('tinker.search').toList(); x", nil, "!user ann may not use the step call()"},
		{"g.inject(1).map{ __.inject(1).call('tinker.search').next() }", nil, "!"},
		{"x = g.V(1).next(); x.property('a', 1); x", nil, "!user ann may not write to graph social"},
		{"g2.V().count()", nil, "!g2"},
		{"social.traversal().V().count()", nil, "!social"},
	} {
		if got := ask(row.text); !matchesRow(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.text, got, row.want)
		}
		if row.tr == nil {
			continue
		}
		if got := answerText(row.tr.ToList()); !matchesRow(got, row.want) {
			t.Errorf("bytecode of %s: got %s, want %s", row.text, got, row.want)
		}
	}
	must("", "role", "change", "analyst", "--allow", "write", "--steps", "", "--source", "g,g2")
	waitFor(t, "the analyst may write and call", func() bool {
		return <-g.AddV("person").Iterate() == nil && ask("g.call('gremlind.graph.list')") == "social" && ask("g2.V().count()") != ""
	})
	must("", "user", "rights", "ann", "--role", "read", "--graph", "elsewhere")
	must("", "role", "delete", "analyst")
	waitFor(t, "the graph is out of reach", func() bool { return strings.Contains(ask("g.V().count()"), "!") })
}

// TestRoles_OfTheConfiguration: users of the file have roles that were made.
func TestRoles_OfTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	hash, code := pipe(t, "a password\n", "user", "hash")
	if code != exitDone {
		t.Fatal(hash)
	}
	file := writeFile(t, "g.yaml", "auth: true\nusers:\n  ann:\n    hash: "+strings.TrimSpace(hash)+"\n    role: [analyst]\n")
	if out, code := pipe(t, "", "serve", "--data-dir", dir, "--port", "0", "--admin", "off", file); code != exitUsage || !strings.Contains(out, `user ann of the configuration: no such role: "analyst"`) {
		t.Errorf("before there is the role: %d %s", code, out)
	}
	if out, code := pipe(t, "", "role", "add", "analyst", "--allow", "read", "--steps", "!call", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	p := serve(t, "--data-dir", dir, file)
	ask := asker(t, p, "ann")
	for text, want := range map[string]string{"g.V().count()": "0", "g.addV()": "!user ann may not write", "g.call('--list')": "!user ann may not use the step call()"} {
		if got := ask(text); !matchesRow(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if out, code := pipe(t, "", "role", "delete", "analyst", "--data-dir", dir); code == exitDone || !strings.Contains(out, "ann of the configuration has it") {
		t.Errorf("a role that somebody of the file has: %s", out)
	}
}

// matchesRow compares an answer; an error only has to hold what is wanted.
func matchesRow(got, want string) bool {
	if text, failed := strings.CutPrefix(want, "!"); failed {
		return strings.HasPrefix(got, "!") && strings.Contains(got, text)
	}
	return got == want
}

// asker sends texts as a user, whose password is the usual one.
func asker(t *testing.T, p *process, user string) func(text string) string {
	t.Helper()
	client, err := gremlingo.NewClient("ws://"+p.addr+"/gremlin", func(s *gremlingo.ClientSettings) {
		s.AuthInfo, s.LogVerbosity = gremlingo.BasicAuthInfo(user, "a password"), gremlingo.Off
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return func(text string) string {
		rs, err := client.Submit(text)
		if err != nil {
			return "!" + err.Error()
		}
		return answerText(rs.All())
	}
}

// answerText is what came, or ! and the error.
func answerText(all []*gremlingo.Result, err error) string {
	if err != nil {
		return "!" + err.Error()
	}
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = r.GetString()
	}
	return strings.Join(texts, " ")
}

// deniedRows are what users see of the sample modern, where vertex 1 has an ssn and an index
// has it too: by text, and by bytecode where that is there.
var deniedRows = []struct {
	user, text string
	tr         func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal
	want       string
}{
	{"root", "g.V().has('ssn','123').count()", nil, "1"},
	{"keys", "g.V(1).valueMap()", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal { return g.V(1).ValueMap() }, "map[age:[29] name:[marko]]"},
	{"keys", "g.V().has('ssn','123').count()", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V().Has("ssn", "123").Count()
	}, "0"},
	{"keys", "g.V().has('ssn').count()", nil, "0"},
	{"keys", "g.V(1).values('ssn')", nil, ""},
	{"keys", "g.V(1).properties().key()", nil, "name age"},
	{"keys", "x = g.V(1).next(); x.keys()", nil, "name age"},
	{"keys", "x = g.V(1).next(); x.property('ssn').isPresent()", nil, "false"},
	{"writer", "g.V(1).map{ it.get().property('ssn').isPresent() }", nil, "false"},
	{"writer", "g.V(1).filter{ it.get().keys().contains('ssn') }.count()", nil, "0"},
	{"keys", "g.call('tinker.search',[search:'123'])", nil, ""},
	{"keys", "g.call('gremlind.names').select('name').filter(__.is(within('ssn','name')))", nil, "name"},
	{"keys", "g.V().has('ssn','123').explain().toString().contains('by index')", nil, "false"},
	{"keys", "g.V().has('ssb','123').explain().toString().contains('ssn')", nil, "false"},
	{"keys", "g.V(1).property('x',1)", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal { return g.V(1).Property("x", 1) }, "!user keys may not write to graph social"},
	{"keys", "g.call('gremlind.index.keys').select('key')", nil, "name"},
	{"keys", "g.call('gremlind.index.verify',[name:'x'])", nil, "!filtered view"},
	{"keys", "g.call('gremlind.graph.stats',[name:'social']).select('bytes')", nil, ""},
	{"edges", "g.V(1).outE().label().dedup()", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(1).OutE().Label().Dedup()
	}, "knows"},
	{"edges", "g.E().count()", nil, "2"},
	{"edges", "g.V(1).both().count()", nil, "2"},
	{"edges", "g.V(1).out('created')", nil, ""},
	{"edges", "g.E(9)", nil, ""},
	{"edges", "g.V().repeat(__.out()).times(2).count()", nil, "0"},
	{"edges", "g.V(4).bothE().count()", nil, "1"},
	{"edges", "g.call('gremlind.graph.stats',[name:'social']).select('edges')", nil, "2"},
	{"edges", "g.toString()", nil, "graphtraversalsource[tinkergraph[vertices:6 edges:2], standard]"},
	{"vertices", "g.V(1).out().count()", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal { return g.V(1).Out().Count() }, "2"},
	{"vertices", "g.V().count()", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal { return g.V().Count() }, "4"},
	{"vertices", "g.E().count()", nil, "2"},
	{"vertices", "g.V(3)", nil, ""},
	{"vertices", "g.E(9)", nil, ""},
	{"vertices", "g.V().has('name','lop')", nil, ""},
	{"vertices", "g.V(1).out('created').count()", nil, "0"},
	{"vertices", "g.V().groupCount().by(label)", nil, "map[person:4]"},
	{"writer", "g.V(1).property('x',1).values('x')", nil, "1"},
	{"writer", "g.V(1).property('ssn','9')", func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal { return g.V(1).Property("ssn", "9") }, "!user writer may not write the property key ssn in graph social"},
	{"writer", "g.addV('person').property('ssn','9')", nil, "!user writer may not write the property key ssn in graph social"},
	{"writer", "g.addV('software')", nil, "!user writer may not write vertices of label software in graph social"},
	{"writer", "g.V(1).addE('created').to(__.V(2))", nil, "!user writer may not write edges of label created in graph social"},
	{"writer", "g.mergeV([(T.label):'software'])", nil, "!user writer may not write vertices of label software in graph social"},
	{"writer", "g.V(1).properties('name').property('ssn','9')", nil, "!user writer may not write the property key ssn in graph social"},
	{"root", "g.V().has('ssn','123').count()", nil, "1"},
}

// TestRoles_Denied: what a role denies is not there for who has it, by whatever way he asks.
func TestRoles_Denied(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern}\ntraversalSources: {g: social}\n"))
	must := func(line string, args ...string) {
		t.Helper()
		if out, code := pipe(t, line, append(args, "--data-dir", dir)...); code != exitDone {
			t.Fatalf("%v: %s", args, out)
		}
	}
	must("", "role", "add", "keys", "--allow", "read", "--deny-keys", "ssn,salary")
	must("", "role", "add", "edges", "--allow", "read", "--deny-edge-labels", "created")
	must("", "role", "add", "vertices", "--allow", "read", "--deny-vertex-labels", "software")
	must("", "role", "add", "writer", "--allow", "write", "--deny-keys", "ssn", "--deny-vertex-labels", "software", "--deny-edge-labels", "created")
	must("a password\n", "user", "add", "root", "--role", "admin")
	for _, user := range []string{"keys", "edges", "vertices", "writer"} {
		must("a password\n", "user", "add", user, "--role", user)
	}
	asks := map[string]func(string) string{}
	sources := map[string]*gremlingo.GraphTraversalSource{}
	for _, user := range []string{"root", "keys", "edges", "vertices", "writer"} {
		asks[user], sources[user] = asker(t, p, user), connect(t, p, user, "a password")
	}
	for _, text := range []string{"g.V(1).property('ssn','123').iterate()", "g.call('gremlind.index.createKey',[class:'vertex',key:'ssn'])", "g.call('gremlind.index.createKey',[class:'vertex',key:'name'])"} {
		if got := asks["root"](text); strings.HasPrefix(got, "!") {
			t.Fatal(text, got)
		}
	}
	for _, row := range deniedRows {
		if got := asks[row.user](row.text); !matchesRow(got, row.want) {
			t.Errorf("%s: %s: got %s, want %s", row.user, row.text, got, row.want)
		}
		if row.tr == nil {
			continue
		}
		if got := answerText(row.tr(sources[row.user]).ToList()); !matchesRow(got, row.want) {
			t.Errorf("%s: bytecode of %s: got %s, want %s", row.user, row.text, got, row.want)
		}
	}
	must("", "role", "change", "keys", "--deny-keys", "")
	waitFor(t, "the key is there again", func() bool { return asks["keys"]("g.V().has('ssn','123').count()") == "1" })
}

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
	client, err := gremlingo.NewClient("ws://"+p.addr+"/gremlin", func(s *gremlingo.ClientSettings) {
		s.AuthInfo, s.LogVerbosity = gremlingo.BasicAuthInfo("ann", "a password"), gremlingo.Off
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	answer := func(all []*gremlingo.Result, err error) string {
		if err != nil {
			return "!" + err.Error()
		}
		texts := make([]string, len(all))
		for i, r := range all {
			texts[i] = r.GetString()
		}
		return strings.Join(texts, " ")
	}
	ask := func(text string) string {
		rs, err := client.Submit(text)
		if err != nil {
			return "!" + err.Error()
		}
		return answer(rs.All())
	}
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
		if got := answer(row.tr.ToList()); !matchesRow(got, row.want) {
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

// matchesRow compares an answer; an error only has to hold what is wanted.
func matchesRow(got, want string) bool {
	if text, failed := strings.CutPrefix(want, "!"); failed {
		return strings.HasPrefix(got, "!") && strings.Contains(got, text)
	}
	return got == want
}

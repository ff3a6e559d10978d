package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func graphCall(service string, kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.Call("gremlind.graph."+service, params(kv...)) }
}

// graphRows run in order on a server whose configuration has g, a source of the graph graph.
var graphRows = []indexRow{
	{"g.call('gremlind.graph.create', [name:'acme/shop'])", graphCall("create", "name", "acme/shop"), "acme/shop"},
	{"g.call('gremlind.graph.create', [name:'acme/shop'])", graphCall("create", "name", "acme/shop"), `!graph already exists: "acme/shop"`},
	{"g.call('gremlind.graph.create', [name:'acme/long', vertexIdManager:'LONG', transactional:false])",
		graphCall("create", "name", "acme/long", "vertexIdManager", "LONG", "transactional", false), "acme/long"},
	{"g.call('gremlind.graph.create', [name:'x', vertexIdManager:'FLOAT'])", graphCall("create", "name", "x", "vertexIdManager", "FLOAT"),
		`!graph "x": vertexIdManager: "FLOAT" is not one of [ANY INTEGER LONG UUID STRING]`},
	{"g.call('gremlind.graph.create', [name:'x', vertexIdManger:'LONG'])", graphCall("create", "name", "x", "vertexIdManger", "LONG"),
		"!gremlind.graph.create has no parameter vertexIdManger"},
	{"g.call('gremlind.graph.create', [name:'g'])", graphCall("create", "name", "g"), "!has a traversal source of that name, which leads to graph graph"},
	{"g.call('gremlind.graph.create', [name:'graph'])", graphCall("create", "name", "graph"), "!it is in the server's configuration"},
	{"g.call('gremlind.graph.create', [name:'a b'])", graphCall("create", "name", "a b"), "!' ' has no place in a name"},
	{"g.call('gremlind.graph.create', [name:''])", graphCall("create", "name", ""), "!want 1 to 255 bytes"},
	{"g.call('gremlind.graph.create')", graphCall("create"), "!Missing name parameter"},
	{"g.call('gremlind.graph.list')", graphCall("list"), "acme/long acme/shop graph kept"},
	{"g.call('gremlind.graph.stats', [name:'acme/long']).select('vertexIdManager')", func(g source) *gremlingo.GraphTraversal {
		return graphCall("stats", "name", "acme/long")(g).Select("vertexIdManager")
	}, "LONG"},
	{"g.call('gremlind.graph.stats', [name:'zeta'])", graphCall("stats", "name", "zeta"), `!no such graph: "zeta"`},
	{"g.call('gremlind.graph.drop', [name:'acme/long'])", graphCall("drop", "name", "acme/long"), "!name the graph again in confirm"},
	{"g.call('gremlind.graph.drop', [name:'acme/long', confirm:'acme'])", graphCall("drop", "name", "acme/long", "confirm", "acme"), "!name the graph again in confirm"},
	{"g.call('gremlind.graph.drop', [name:'graph', confirm:'graph'])", graphCall("drop", "name", "graph", "confirm", "graph"), "!it is in the server's configuration"},
	{"g.call('gremlind.graph.drop', [name:'acme/long', confirm:'acme/long'])", graphCall("drop", "name", "acme/long", "confirm", "acme/long"), ""},
	{"g.call('gremlind.graph.drop', [name:'acme/long', confirm:'acme/long'])", graphCall("drop", "name", "acme/long", "confirm", "acme/long"), `!no such graph: "acme/long"`},
	{"g.call('gremlind.graph.truncate', [name:'kept', confirm:'kept'])", graphCall("truncate", "name", "kept", "confirm", "kept"), "!ask one of its own traversal sources"},
	{"g.call('gremlind.graph.stats', [name:'kept'])", graphCall("stats", "name", "kept"), "!ask one of its own traversal sources"},
	{"g.call('gremlind.graph.drop', [name:'kept', confirm:'kept'])", graphCall("drop", "name", "kept", "confirm", "kept"), "!is in the server's configuration"},
	{"g.call('gremlind.graph.truncate', [name:'graph', confirm:'graph'])", graphCall("truncate", "name", "graph", "confirm", "graph"), ""},
	{"g.V().count()", func(g source) *gremlingo.GraphTraversal { return g.V().Count() }, "0"},
	{"g.withStrategies(ReadOnlyStrategy).call('gremlind.graph.create', [name:'y'])", func(g source) *gremlingo.GraphTraversal {
		return graphCall("create", "name", "y")(g.WithStrategies(gremlingo.ReadOnlyStrategy()))
	}, "!is not read only"},
	{"g.call('gremlind.sources').select('source')", func(g source) *gremlingo.GraphTraversal { return g.Call("gremlind.sources").Select("source") }, "acme/shop g gkept"},
}

// TestGraphs_AtRunTime: graphs that are made are there at once as traversal sources, also for
// connections that are open and behind a kill, each with elements of its own.
func TestGraphs_AtRunTime(t *testing.T) {
	for _, form := range []string{"text", "bytecode"} {
		t.Run(form, func(t *testing.T) {
			dir := t.TempDir()
			config := writeFile(t, "g.yaml", "graphs:\n  graph: {sample: modern}\n  kept: {}\ntraversalSources: {g: graph, gkept: kept}\n")
			p := serve(t, "--data-dir", dir, config)
			conn, g := p.connect("g")
			defer conn.Close()
			for _, r := range graphRows {
				got := strings.ReplaceAll(p.asked(t, r, g, form), `\"`, `"`)
				if !strings.HasPrefix(r.want, "!") && got != r.want || strings.HasPrefix(r.want, "!") && !strings.Contains(got, r.want[1:]) {
					t.Errorf("%s: %s, want %s", r.text, got, r.want)
				}
			}
			if _, err := graphCall("create", "name", "other")(g).ToList(); err != nil {
				t.Fatal(err)
			}
			for i, name := range []string{"acme/shop", "other"} {
				conn, g := p.connect(name)
				defer conn.Close()
				for range i + 1 { // the same ids, the same names
					if err := <-g.AddV("item").Property("name", "milk").Iterate(); err != nil {
						t.Fatal(name, err)
					}
				}
			}
			p.kill()
			p = serve(t, "--data-dir", dir, config)
			for i, name := range []string{"acme/shop", "other"} {
				conn, g := p.connect(name)
				defer conn.Close()
				if r, err := g.V().Has("name", "milk").Count().Next(); err != nil || fmt.Sprint(r.GetInterface()) != fmt.Sprint(i+1) {
					t.Error(name, r, err)
				}
			}
			p.stop(syscall.SIGTERM)
			wantDone(t, "check", "--data-dir", dir)
		})
	}
}

// TestGraphs_OutOfReach: to a user whose graphs are acme/*, others are as if there were none,
// whatever he asks.
func TestGraphs_OutOfReach(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth")
	for _, args := range [][]string{{"add", "root", "--role", "admin"}, {"add", "shop", "--role", "admin", "--graph", "acme/*"}, {"add", "clerk", "--role", "write", "--graph", "acme/*"}} {
		if out, code := pipe(t, "a password\n", append(append([]string{"user"}, args...), "--data-dir", dir)...); code != exitDone {
			t.Fatal(out)
		}
	}
	root := connect(t, p, "root", "a password")
	for _, name := range []string{"acme/shop", "zeta/x"} {
		if _, err := graphCall("create", "name", name)(root).ToList(); err != nil {
			t.Fatal(err)
		}
	}
	as := func(user, source string) *gremlingo.GraphTraversalSource {
		t.Helper()
		conn, err := gremlingo.NewDriverRemoteConnection("ws://"+p.addr+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
			s.AuthInfo, s.TraversalSource, s.LogVerbosity = gremlingo.BasicAuthInfo(user, "a password"), source, gremlingo.Off
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		return gremlingo.Traversal_().WithRemote(conn)
	}
	answers := func(tr *gremlingo.GraphTraversal) string {
		all, err := tr.ToList()
		if err != nil {
			return "!" + err.Error()
		}
		var texts []string
		for _, r := range all {
			texts = append(texts, r.GetString())
		}
		return strings.Join(texts, " ")
	}
	for _, name := range []string{"zeta/x", "zeta/y"} {
		got := answers(as("shop", name).V())
		contains(t, got, "The traversal source ["+name+"] for alias [g] is not configured on the server.")
		if strings.Contains(got, "Did you mean") {
			t.Error("a name that is out of reach is named:", got)
		}
	}
	shop, clerk := as("shop", "acme/shop"), as("clerk", "acme/shop")
	for _, row := range []struct {
		tr   *gremlingo.GraphTraversal
		want string
	}{
		{graphCall("list")(shop), "acme/shop"},
		{graphCall("list")(clerk), "acme/shop"},
		{graphCall("stats", "name", "acme/shop")(clerk).Select("name"), "acme/shop"},
		{graphCall("stats", "name", "zeta/x")(clerk), `!no such graph: "zeta/x"`},
		{graphCall("stats", "name", "zeta/y")(clerk), `!no such graph: "zeta/y"`},
		{graphCall("create", "name", "acme/two")(clerk), "!user clerk may not administer graphs"},
		{graphCall("create", "name", "zeta/two")(shop), "!may not make a graph zeta/two, which would be out of reach"},
		{graphCall("drop", "name", "zeta/x", "confirm", "zeta/x")(shop), `!no such graph: "zeta/x"`},
		{graphCall("create", "name", "acme/two")(shop), "acme/two"},
		{graphCall("list")(clerk), "acme/shop acme/two"},
		{graphCall("drop", "name", "acme/two", "confirm", "acme/two")(shop), ""},
		{graphCall("list")(root), "acme/shop graph zeta/x"},
		{clerk.Call("gremlind.sources").Select("source"), "acme/shop"},
	} {
		got := answers(row.tr)
		if !strings.HasPrefix(row.want, "!") && got != row.want || strings.HasPrefix(row.want, "!") && !strings.Contains(got, row.want[1:]) {
			t.Errorf("%s, want %s", got, row.want)
		}
	}
	contains(t, p.output(), "request refused: the user may not do that")
}

// TestGraphCommands makes and drops graphs through a server that runs, and in its directory.
func TestGraphCommands(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	for _, running := range []bool{true, false} {
		if !running {
			p.stop(syscall.SIGTERM)
		}
		for _, row := range []struct {
			args, want string
			code       int
		}{
			{"graph create acme/shop --option vertexIdManager=LONG", "made acme/shop\n", exitDone},
			{"graph create acme/shop", `graph already exists: "acme/shop"`, exitFailed},
			{"graph create x --option vertexIdManger=LONG", `unknown option "vertexIdManger"; did you mean vertexIdManager?`, exitUsage},
			{"graph create x --option inMemory=perhaps", `inMemory: "perhaps" is not true or false`, exitUsage},
			{"graph create x y", `want the name of one graph, not ["x" "y"]`, exitUsage},
			{"graph list", "acme/shop\ngraph\n", exitDone},
			{"graph stats acme/shop", "vertexIdManager                   LONG\n", exitDone},
			{"graph truncate acme/shop", "all elements of graph acme/shop would be lost; --yes does it", exitUsage},
			{"graph truncate acme/shop --yes", "", exitDone},
			{"graph drop acme/shop", "all of graph acme/shop would be lost; --yes does it", exitUsage},
			{"graph drop acme/shop --yes", "", exitDone},
			{"graph drop acme/shop --yes", `no such graph: "acme/shop"`, exitFailed},
			{"graph list", "graph\n", exitDone},
		} {
			out, errs, code := run(t, append(strings.Fields(row.args), "--data-dir", dir)...)
			if code != row.code || !strings.Contains(out+errs, row.want) {
				t.Errorf("running %v: %s: %d %s%s", running, row.args, code, out, errs)
			}
		}
	}
}

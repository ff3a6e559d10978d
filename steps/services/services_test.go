package services_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open returns a graph with a sample in it.
func open(t *testing.T, name string) *blueprints.Graph {
	t.Helper()
	store, err := pebble.Open("", pebble.Options{InMemory: true, CacheBytes: 8 << 20})
	must(t, err)
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	g, err := db.CreateGraph(name, blueprints.Options{
		VertexIDs: ids.Integer, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.Long, DefaultCardinality: "list",
	})
	must(t, err)
	_, err = sample.Load(ctx, g, name)
	must(t, err)
	return g
}

// caller calls services in one transaction.
type caller struct {
	t    *testing.T
	tx   *blueprints.Tx
	run  *traversal.Run
	size int // of a batch
}

func newCaller(t *testing.T, g *blueprints.Graph) *caller {
	t.Helper()
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	must(t, err)
	t.Cleanup(func() { tx.Close() })
	return &caller{t: t, tx: tx, run: &traversal.Run{Env: traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx, Mutator: tx}}, size: 64}
}

func (c *caller) vertex(id int32) value.Value {
	c.t.Helper()
	v, ok, err := c.tx.FindVertex(value.Int(id))
	if err != nil || !ok {
		c.t.Fatal("no vertex", id, err)
	}
	return value.VertexRef(uint64(v))
}

func (c *caller) edge(id int32) value.Value {
	c.t.Helper()
	e, ok, err := c.tx.FindEdge(value.Int(id))
	if err != nil || !ok {
		c.t.Fatal("no edge", id, err)
	}
	return value.EdgeRef(uint64(e))
}

// call calls a service; without in it begins a traversal. params are names and values.
func (c *caller) call(name string, in value.Value, params ...any) ([]value.Value, error) {
	c.t.Helper()
	s, ok := services.Lookup(name)
	if !ok {
		c.t.Fatal("no service", name)
	}
	m := value.NewMap()
	for i := 0; i < len(params); i += 2 {
		m.PutString(params[i].(string), value.Of(params[i+1]))
	}
	cur, err := s.Call(traversal.ServiceCall{Ctx: ctx, Run: c.run, In: in, Start: in.IsNull(), Params: m})
	if err != nil {
		return nil, err
	}
	defer cur.Close()
	var all []value.Value
	for {
		n := len(all)
		if all, err = cur.Next(all, c.size); err != nil || len(all) == n {
			return all, err
		}
		if len(all)-n > c.size {
			c.t.Fatalf("%s gave %d objects, was asked for %d", name, len(all)-n, c.size)
		}
	}
}

// texts are the results as Java prints them, sorted; an error stands for itself.
func (c *caller) texts(name string, in value.Value, params ...any) string {
	c.t.Helper()
	vs, err := c.call(name, in, params...)
	if err != nil {
		return "error: " + err.Error()
	}
	var all []string
	for _, v := range vs {
		s, err := c.run.JavaString(v)
		must(c.t, err)
		all = append(all, s)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func (c *caller) want(want, name string, in value.Value, params ...any) {
	c.t.Helper()
	if got := c.texts(name, in, params...); got != want {
		c.t.Errorf("%s%v\n got %s\nwant %s", name, params, got, want)
	}
}

func TestDegree(t *testing.T) {
	c := newCaller(t, open(t, "modern"))
	const name = "tinker.degree.centrality"
	for _, x := range []struct {
		vertex int32
		params []any
		want   string
	}{
		{3, nil, "3"}, {3, []any{"direction", "IN"}, "3"}, {3, []any{"direction", "OUT"}, "0"},
		{4, nil, "1"}, {4, []any{"direction", "OUT"}, "2"}, {4, []any{"direction", "BOTH"}, "3"},
		{4, []any{"direction", "in"}, "error: the parameter direction is a Direction, not in"},
	} {
		c.want(x.want, name, c.vertex(x.vertex), x.params...)
	}
	c.want("0", name, value.DetachedVertex(&value.Element{ID: value.Int(1), Label: "person"}))
	c.want("error: class java.lang.Integer cannot be cast to class org.apache.tinkerpop.gremlin.structure.Vertex", name, value.Int(1))
	c.want("error: class org.apache.tinkerpop.gremlin.structure.Edge cannot be cast to class org.apache.tinkerpop.gremlin.structure.Vertex", name, c.edge(7))
}

func TestSearch(t *testing.T) {
	const name = "tinker.search"
	c := newCaller(t, open(t, "crew"))
	for _, size := range []int{1, 2, 64} {
		c.size = size
		c.want("vp[location->spremberg] vp[name->stephen]", name, value.Null, "regex", "s(p|te).*")
		c.want("p[startTime->1997]", name, value.Null, "search", "1997", "type", "VertexProperty")
		c.want("", name, value.Null, "search", "1997", "type", "Vertex")
		c.want("p[since->2010] p[since->2010]", name, value.Null, "search", "2010")
		c.want("p[since->2010] p[since->2010]", name, value.Null, "search", "2010", "type", "Edge")
		c.want("", name, value.Null, "search", "marko", "type", "Edge")
		c.want("vp[name->marko]", name, value.Null, "search", "ark")
		c.want("", name, value.Null, "regex", "ark") // the whole value
		c.want("vp[name->marko]", name, value.Null, "regex", "x|marko")
	}
	c.want("error: Missing search/regex parameter", name, value.Null)
	c.want("error: Type must be one of Vertex/Edge/VertexProperty: Graph", name, value.Null, "search", "x", "type", "Graph")
	if got := c.texts(name, value.Null, "regex", "("); !strings.HasPrefix(got, "error: ") {
		t.Error("a regex that is none:", got)
	}
}

// A search looks at the clock.
func TestSearch_Stops(t *testing.T) {
	c := newCaller(t, open(t, "grateful"))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	c.run.Ctx = ended
	if _, err := c.call("tinker.search", value.Null, "search", "nothing like it"); err != traversal.ErrTimeout {
		t.Error(err)
	}
}

func TestKeyIndexes(t *testing.T) {
	g := open(t, "modern")
	c := newCaller(t, g)
	c.want("", "gremlind.index.createKey", value.Null, "class", "vertex", "key", "name")
	c.want("", "gremlind.index.createKey", value.Null, "class", "edge", "key", "weight")
	c.want("{class=edge, key=weight, state=ACTIVE, bytes=0} {class=vertex, key=name, state=ACTIVE, bytes=0}", "gremlind.index.keys", value.Null)
	c.want("{class=edge, key=weight, state=ACTIVE, bytes=0}", "gremlind.index.keys", value.Null, "class", "edge")
	c.want("", "gremlind.index.dropKey", value.Null, "class", "vertex", "key", "name")
	if got := c.texts("gremlind.index.keys", value.Null, "class", "vertex"); strings.Contains(got, "ACTIVE") {
		t.Error("after the drop:", got)
	}
	for _, name := range []string{"gremlind.index.createKey", "gremlind.index.dropKey"} {
		c.want("error: Missing class parameter", name, value.Null, "key", "name")
		c.want("error: Missing key parameter", name, value.Null, "class", "edge")
		c.want("error: the parameter key is a String, not 5", name, value.Null, "class", "edge", "key", 5)
		c.want("error: "+name+" has no parameter clas: it takes class, key; did you mean class?", name, value.Null, "clas", "edge")
	}
	if _, err := c.call("gremlind.index.createKey", value.Null, "class", "graph", "key", "name"); err == nil {
		t.Error("a graph has no key index")
	}
	if _, err := c.call("gremlind.index.keys", value.Null, "class", "graph"); err == nil {
		t.Error("a graph has no key indexes")
	}
	if infos, err := g.KeyIndexes(blueprints.EdgeClass); err != nil || len(infos) != 1 {
		t.Error(infos, err)
	}
}

func TestNamedIndexes(t *testing.T) {
	g := open(t, "modern")
	c := newCaller(t, g)
	c.want("", "gremlind.index.create", value.Null, "name", "people", "class", "vertex")
	c.want("", "gremlind.index.create", value.Null, "name", "links", "class", "edge")
	c.want("{name=links, class=edge, lookups=0, bytes=0, entries=0, exact=true} {name=people, class=vertex, lookups=0, bytes=0, entries=0, exact=true}", "gremlind.index.list", value.Null)
	c.want("error: Missing class parameter", "gremlind.index.create", value.Null, "name", "x")
	c.want("error: Missing name parameter", "gremlind.index.create", value.Null, "class", "edge")
	c.want("error: Missing name parameter", "gremlind.index.drop", value.Null)
	c.want("error: gremlind.index.list has no parameter name: it takes none", "gremlind.index.list", value.Null, "name", "x")
	if _, err := c.call("gremlind.index.create", value.Null, "name", "x", "class", "graph"); err == nil {
		t.Error("a graph has no index")
	}
	c.want("", "gremlind.index.drop", value.Null, "name", "links")
	c.want("{name=people, class=vertex, lookups=0, bytes=0, entries=0, exact=true}", "gremlind.index.list", value.Null)
}

func TestEntries(t *testing.T) {
	g := open(t, "modern")
	c := newCaller(t, g)
	c.want("", "gremlind.index.create", value.Null, "name", "people", "class", "vertex")
	c.want("", "gremlind.index.create", value.Null, "name", "links", "class", "edge")
	c = newCaller(t, g)
	nick := func(v any, more ...any) []any {
		return append([]any{"name", "people", "key", "nick", "value", v}, more...)
	}
	kind := func(v any, more ...any) []any {
		return append([]any{"name", "links", "key", "kind", "value", v}, more...)
	}
	// In the middle the traverser goes through, at the start nothing comes.
	c.want("v[1]", "gremlind.index.put", c.vertex(1), nick("x")...)
	c.want("", "gremlind.index.put", value.Null, nick("x", "element", 2)...)
	c.want("", "gremlind.index.put", value.Null, nick("y", "element", c.vertex(4))...)
	c.want("v[6]", "gremlind.index.put", c.vertex(6), nick("z", "element", value.DetachedVertex(&value.Element{ID: value.Int(3), Label: "software"}))...)
	c.want("e[7][1-knows->2]", "gremlind.index.put", c.edge(7), kind("k")...)
	c.want("", "gremlind.index.put", value.Null, kind("k", "element", 9)...)
	c.want("v[1] v[2]", "gremlind.index.get", value.Null, nick("x")...)
	c.want("v[4]", "gremlind.index.get", value.Null, nick("y")...)
	c.want("v[3]", "gremlind.index.get", value.Null, nick("z")...)
	c.want("2", "gremlind.index.count", value.Null, nick("x")...)
	c.want("0", "gremlind.index.count", value.Null, nick("w")...)
	for _, size := range []int{1, 3, 64} {
		c.size = size
		c.want("e[7][1-knows->2] e[9][1-created->3]", "gremlind.index.get", value.Null, kind("k")...)
		c.want("e[7][1-knows->2] e[9][1-created->3]", "gremlind.index.query", value.Null, "name", "links", "key", "kind")
		c.want("v[1] v[2] v[3] v[4]", "gremlind.index.query", value.Null, "name", "people", "key", "nick")
		c.want("v[3] v[4]", "gremlind.index.query", value.Null, nick(predicate("gt", value.String("x")))...)
		c.want("v[4]", "gremlind.index.query", value.Null, nick("y")...)
	}
	c.want("", "gremlind.index.remove", value.Null, nick("x", "element", 1)...)
	c.want("v[2]", "gremlind.index.remove", c.vertex(2), nick("nothing")...)
	c.want("v[2]", "gremlind.index.get", value.Null, nick("x")...)
	c.want("v[2]", "gremlind.index.remove", c.vertex(2), nick("x")...)
	c.want("", "gremlind.index.get", value.Null, nick("x")...)
}

func predicate(op string, v value.Value) value.Value {
	return value.Object(value.KindP, &traversal.P{Name: op, Args: []value.Value{v}})
}

func TestEntries_Errors(t *testing.T) {
	g := open(t, "modern")
	c := newCaller(t, g)
	c.want("", "gremlind.index.create", value.Null, "name", "people", "class", "vertex")
	c.want("", "gremlind.index.create", value.Null, "name", "links", "class", "edge")
	c = newCaller(t, g)
	for _, name := range []string{"put", "remove", "get", "count", "query"} {
		name = "gremlind.index." + name
		c.want("error: Missing name parameter", name, value.Null, "key", "k")
		c.want("error: Missing key parameter", name, value.Null, "name", "people")
		c.want(`error: there is no index "none"`, name, value.Null, "name", "none", "key", "k")
	}
	for _, name := range []string{"gremlind.index.put", "gremlind.index.remove"} {
		people, links := []any{"name", "people", "key", "k", "value", 1}, []any{"name", "links", "key", "k", "value", 1}
		c.want("error: there is no vertex 99", name, value.Null, append(people, "element", 99)...)
		c.want("error: there is no edge 99", name, value.Null, append(links, "element", 99)...)
		held := `error: the index "people" holds elements of class vertex, not e[`
		if got := c.texts(name, c.edge(7), people...); !strings.HasPrefix(got, held) {
			t.Error(got)
		}
		if got := c.texts(name, c.vertex(1), append(people, "element", c.edge(7))...); !strings.HasPrefix(got, held) {
			t.Error(got)
		}
		if got := c.texts(name, value.Int(1), links...); got != `error: the index "links" holds elements of class edge, not 1` {
			t.Error(got)
		}
	}
	if _, err := c.call("gremlind.index.query", value.Null, "name", "people", "key", "k", "value", predicate("regex", value.String("("))); err == nil {
		t.Error("a predicate that is none")
	}
	if n := c.texts("gremlind.index.query", value.Null, "name", "people", "key", "k"); n != "" {
		t.Error("a refused call wrote", n)
	}
}

func TestNames(t *testing.T) {
	c := newCaller(t, open(t, "modern"))
	for _, size := range []int{1, 2, 64} {
		c.size = size
		got := c.texts("gremlind.names", value.Null)
		for _, want := range []string{"{name=person, vertices=4, edges=0}", "{name=software, vertices=2, edges=0}",
			"{name=created, vertices=0, edges=4}", "{name=knows, vertices=0, edges=2}", "{name=age, vertices=0, edges=0}"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("batches of %d: %s is not there once: %s", size, want, got)
			}
		}
	}
}

// What asks for the graph itself is refused behind a guard.
func TestServices_BehindAGuard(t *testing.T) {
	c := newCaller(t, open(t, "modern"))
	c.run.View = struct{ blueprints.View }{c.tx}
	params := []any{"name", "x", "class", "vertex", "key", "k", "value", 1, "element", 1}
	for _, s := range services.List(value.NewMap(), nil) {
		if strings.HasPrefix(s.Str(), "gremlind.") {
			t.Error(s.Str(), "is shown to everybody")
		}
	}
	all := value.NewMap()
	all.PutString("all", value.Bool(true))
	n := 0
	for _, name := range services.List(all, nil) {
		if !strings.HasPrefix(name.Str(), "gremlind.") {
			continue
		}
		s, _ := services.Lookup(name.Str())
		var own []any
		for i := 0; i < len(params); i += 2 {
			if slices.ContainsFunc(s.Params(), func(p traversal.ServiceParam) bool { return p.Name == params[i] }) {
				own = append(own, params[i], params[i+1])
			}
		}
		want := "error: indexes and names cannot be reached through a filtered view of the graph"
		if s.Name() == "gremlind.schema" || s.Name() == "gremlind.ttl" || s.Name() == "gremlind.feature" {
			want = "error: the schema and the features belong to the whole graph, and this is a filtered view of it"
		}
		if strings.HasPrefix(s.Name(), "gremlind.graph.") {
			want = "error: graphs cannot be reached through a filtered view of one"
		}
		if s.Name() == "gremlind.changes" {
			want = "error: changes are not told through a filtered view of the graph"
		}
		if slices.Contains([]string{"gremlind.history", "gremlind.diff", "gremlind.trash", "gremlind.undo", "gremlind.restore", "gremlind.purge"}, s.Name()) {
			want = "error: history cannot be reached through a filtered view of the graph"
		}
		if s.Name() == "gremlind.running" || s.Name() == "gremlind.kill" { // about no graph
			want = "error: Failed to authorize: user  may not watch the server"
		}
		if slices.Contains(s.Kinds(), traversal.StartService) { // the others have an element that shows
			c.want(want, name.Str(), value.Null, own...)
			n++
		}
	}
	if n != 37 {
		t.Error(n, "services of gremlind")
	}
}

// Who may only read cannot call what writes, by its own word.
func TestServices_SayWhatTheyAre(t *testing.T) {
	more := []string{"running", "kill", "createKey", "dropKey", "create", "drop", "hide", "show", "put", "remove", "schema", "feature", "increment", "ttl", "truncate", "set", "undo", "restore", "purge"}
	both := []string{"history", "ttl", "put", "remove", "get", "count", "query"}
	all := value.NewMap()
	all.PutString("all", value.Bool(true))
	for _, name := range services.List(all, nil) {
		s, ok := services.Lookup(name.Str())
		if !ok || s.Name() != name.Str() {
			t.Fatal(name, "is not found")
		}
		last := name.Str()[strings.LastIndexByte(name.Str(), '.')+1:]
		if (s.Right(nil) != traversal.ReadRight) != slices.Contains(more, last) {
			t.Errorf("%s wants the right %v", name.Str(), s.Right(nil))
		}
		want := []traversal.ServiceKind{traversal.StartService}
		switch {
		case slices.Contains([]string{"centrality", "increment", "counter"}, last):
			want = []traversal.ServiceKind{traversal.StreamingService}
		case slices.Contains(both, last):
			want = append(want, traversal.StreamingService)
		}
		if !slices.Equal(s.Kinds(), want) {
			t.Errorf("%s stands at %v", name.Str(), s.Kinds())
		}
	}
	if _, ok := services.Lookup("gremlind.nothing"); ok {
		t.Error("nothing was found")
	}
}

// own is a service that a host adds.
type own struct{ name string }

func (o own) Name() string                 { return o.name }
func (own) Kinds() []traversal.ServiceKind { return []traversal.ServiceKind{"Start", "Streaming"} }
func (own) Params() []traversal.ServiceParam {
	return []traversal.ServiceParam{{Name: "a", Doc: `"b"`}, {Name: "c"}}
}
func (own) Right(*value.Map) traversal.Right                     { return traversal.ReadRight }
func (own) Call(traversal.ServiceCall) (traversal.Cursor, error) { return nil, nil }

func TestList(t *testing.T) {
	extra := []traversal.Service{own{"my.own"}, own{"gremlind.more"}}
	for _, c := range []struct {
		params []any
		want   string
	}{
		{nil, "tinker.search tinker.degree.centrality my.own"},
		{[]any{"all", false, "verbose", false}, "tinker.search tinker.degree.centrality my.own"},
		{[]any{"service", "my.own"}, "my.own"},
		{[]any{"service", "gremlind.more"}, "gremlind.more"},
		{[]any{"service", "none"}, ""},
		{[]any{"service", "my.own", "verbose", true},
			`{"name":"my.own","type:[requirements]:":{"Start":[],"Streaming":[]},"params":{"a":"\"b\"","c":""}}`},
	} {
		m := value.NewMap()
		for i := 0; i < len(c.params); i += 2 {
			m.PutString(c.params[i].(string), value.Of(c.params[i+1]))
		}
		var got []string
		for _, v := range services.List(m, extra) {
			got = append(got, v.Str())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %s", c.params, got)
		}
	}
	all := value.NewMap()
	all.PutString("all", value.Bool(true))
	seen := map[string]bool{}
	for _, v := range services.List(all, extra) {
		if seen[v.Str()] {
			t.Error(v.Str(), "comes twice")
		}
		seen[v.Str()] = true
	}
	if len(seen) != 43 || !seen["gremlind.more"] {
		t.Error(fmt.Sprint(len(seen)), seen)
	}
}

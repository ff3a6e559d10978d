package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestOpenedGraphs runs scripts with graphs of their own; the answers are those of the
// reference.
func TestOpenedGraphs(t *testing.T) {
	e := open(t)
	for _, c := range [][2]string{
		{"TinkerGraph.open().toString()", "tinkergraph[vertices:0 edges:0]"},
		{"TinkerFactory.createModern().toString()", "tinkergraph[vertices:6 edges:6]"},
		{"org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.createTheCrew().toString()", "tinkergraph[vertices:6 edges:14]"},
		{"TinkerFactory.createGratefulDead().traversal().V().count()", "808"},
		{"graph = TinkerGraph.open(); g = graph.traversal(); g.addV('a').iterate(); g.addV('b').iterate(); [g.V().count().next(), graph.toString()]",
			"2 tinkergraph[vertices:2 edges:0]"},
		{"g = traversal().with(TinkerFactory.createModern()); g.V().has('name','marko').out('knows').values('name')", "vadas josh"},
		{"AnonymousTraversalSource.traversal().withEmbedded(TinkerFactory.createModern()).E().count()", "6"},
		// what is there beside it
		{"x = TinkerGraph.open(); x.traversal().addV('a').iterate(); [g.V().count().next(), x.traversal().V().count().next()]", "6 1"},
		{"x = TinkerGraph.open(); y = TinkerGraph.open(); x.addVertex('a'); [x.toString(), y.toString()]",
			"tinkergraph[vertices:1 edges:0] tinkergraph[vertices:0 edges:0]"},
		// elements know their graph
		{"x = TinkerGraph.open(); v = x.addVertex('name', 'one'); g.V(1).next(); v.property('name', 'two'); [v.value('name'), x.traversal().V().values('name').next()]", "two two"},
		{"x = TinkerGraph.open(); a = x.addVertex('name', 'a'); b = x.addVertex('name', 'b'); e = a.addEdge('to', b, 'w', 1); " +
			"[e.outVertex().value('name'), e.inVertex().value('name'), e.value('w'), x.traversal().V(a).out().values('name').next()]", "a b 1 b"},
		{"x = TinkerGraph.open(); a = x.addVertex('name', 'a'); a.remove(); x.toString()", "tinkergraph[vertices:0 edges:0]"},
		{"x = TinkerGraph.open(); v = x.addVertex('name', 'a'); p = v.property('name'); p.property('acl', 'private'); v.property('name').value('acl')", "private"},
		{"x = TinkerFactory.createModern(); v = x.traversal().V(1).next(); [v.graph().toString(), v.property('name').element().value('age')]", "tinkergraph[vertices:6 edges:6] 29"},
		{"x = TinkerFactory.createModern(); v = x.traversal().V(1).next(); v.edges(OUT, 'created').toList().collect { it.inVertex().value('name') }", "lop"},
		// an element of the server's graph is nobody's there but by its id
		{"x = TinkerGraph.open(); v = g.V(1).next(); x.traversal().V(v).count().next()", "0"},
		{"x = TinkerFactory.createModern(); v = g.V(4).next(); x.traversal().V(v).out().values('name')", "ripple lop"},
		{"x = TinkerFactory.createModern(); v = x.traversal().V(4).next(); g.V(v).out().values('name')", "ripple lop"},
		// so do those that closures see
		{"x = TinkerFactory.createModern(); x.traversal().V().hasLabel('software').map{it.get().value('name')}", "lop ripple"},
		{"x = TinkerGraph.open(); x.traversal().addV().property(id, 1).property('name', 'other').iterate(); g.V(1).next(); x.traversal().V().map{it.get().value('name')}.toList()", "other"},
		{"x = TinkerFactory.createModern(); g.V(1).next(); x.traversal().V(1).map{it.get().edges(OUT).size()}.toList()", "3"},
		{"x = TinkerFactory.createModern(); x.traversal().V(1).flatMap{it.get().vertices(OUT)}.out().values('name').toList()", "ripple lop"},
		{"x = TinkerFactory.createModern(); v = g.V(2).next(); x.traversal().V(1).map{ v.value('name') + it.get().value('name') + g.V(4).next().value('name') }.toList()", "vadasmarkojosh"},
		{"x = TinkerFactory.createModern(); x.traversal().V().filter{ it.get().label() == 'person' }.order().by{ it.value('age') }.values('name').toList()", "vadas marko josh peter"},
		// settings
		{"c = new BaseConfiguration(); c.setProperty('gremlin.tinkergraph.defaultVertexPropertyCardinality', 'list'); x = TinkerGraph.open(c); " +
			"x.traversal().addV().property('a', 1).property('a', 2).iterate(); x.traversal().V().values('a').toList()", "1 2"},
		{"x = TinkerGraph.open(['gremlin.tinkergraph.vertexIdManager': 'UUID']); x.addVertex().id().getClass().getSimpleName()", "UUID"},
		{"x = TinkerGraph.open(); x.configuration().getString('gremlin.tinkergraph.defaultVertexPropertyCardinality')", "single"},
		{"c = new BaseConfiguration(); c.setProperty('gremlin.tinkergraph.graphLocation', '/tmp/x'); TinkerGraph.open(c)",
			"error: gremlin.tinkergraph.graphLocation: graphs of scripts have no files"},
		{"traversal().with('conf/remote-graph.properties')", "error: Could not locate: conf/remote-graph.properties: scripts read no files"},
		// no transactions
		{"TinkerGraph.open().tx().commit()", "error: Graph does not support transactions"},
		{"TinkerGraph.open().features().graph().supportsTransactions()", "false"},
		{"TinkerGraph.open().features().vertex().properties().supportsStringValues()", "true"},
		// indexes
		{"x = TinkerGraph.open(); x.createIndex('name', Vertex.class); x.createIndex('w', Edge); r = [x.getIndexedKeys(Vertex), x.getIndexedKeys(Edge)]; x.dropIndex('name', Vertex); r + [x.getIndexedKeys(Vertex)]",
			"[name] [w] []"},
		{"TinkerGraph.open().createIndex('', Vertex)", "error: The key for the index cannot be an empty string"},
		{"TinkerGraph.open().traversal().call('gremlind.index.create', [name: 'x', class: 'vertex'])", "error: a graph that a script opened has one transaction, and neither named indexes nor loads"},
		// subgraphs and side effects
		{"s = g.E().hasLabel('knows').subgraph('s').cap('s').next(); traversal().with(s).E().count()", "2"},
		{"t = g.V().hasLabel('person').aggregate('x').by('name').iterate(); t.sideEffects.get('x').size()", "4"},
		{"t = g.V().outE('knows').subgraph('k').iterate(); traversal().with(t.getSideEffects().get('k')).E().label()", "knows knows"},
		{"t = g.V().iterate(); t.sideEffects.get('x')", "error: The side-effect key does not exist in the side-effects: x"},
		// variables
		{"v = TinkerGraph.open().variables(); v.set('a', [1, 2]); v.set('b', 'x'); [v.keys().sort(), v.get('a').get(), v.asMap().b, v.get('c').isPresent(), v.toString()]",
			"[a, b] [1, 2] x false variables[size:2]"},
		{"TinkerGraph.open().variables().set('a', null)", "error: Graph variable value can not be null"},
		// programs
		{"r = TinkerFactory.createModern().compute().program(PageRankVertexProgram.build().create()).submit().get(); x = r.graph(); " +
			"[x.toString(), x.traversal().V().values('gremlin.pageRankVertexProgram.pageRank').sum().next().round(3)]", "tinkergraph[vertices:6 edges:0] 1.0"},
		{"r = graph_.compute().program(ShortestPathVertexProgram.build().create()).submit().get(); r.memory().get(ShortestPathVertexProgram.SHORTEST_PATHS).size()", "36"},
		{"r = graph_.compute().program(TraversalVertexProgram.build().traversal(g.V().both().hasLabel('person').values('age').groupCount('a')).create()).submit().get(); " +
			"[r.memory().a[29], r.memory().iteration, r.memory().keys().sort()]", "3 2 [a, gremlin.traversalVertexProgram.haltedTraversers]"},
		{"PageRankVertexProgram.build().initialRank(__.values('age'))", "error: PageRankVertexProgram.build().initialRank() is not supported in scripts (line 1, column 31)"},
		{"[PageRankVertexProgram.build().alpha(0.5).create().toString(), ShortestPathVertexProgram.build().includeEdges(true).create().toString()]",
			"PageRankVertexProgram[alpha=0.5, epsilon=1.0E-5, iterations=20] ShortestPathVertexProgram[includeEdges=true]"},
		{"TinkerFactory.createModern().compute().program(PeerPressureVertexProgram.build().create()).submit().get().toString()", "result[tinkergraph[vertices:6 edges:0],memory[size:0]]"},
		{"x = TinkerFactory.createTheCrew(); x.createIndex('name', Vertex); r = x.variables().keys().sort(); x.clear(); [r, x.getIndexedKeys(Vertex), x.variables().keys(), x.toString()]",
			"[comment, creator, lastModified] [] [] tinkergraph[vertices:0 edges:0]"},
		{"new BaseConfiguration().toString() ==~ /org.apache.commons.configuration2.BaseConfiguration@[0-9a-f]{8}/", "true"},
		// the rest
		{"Gremlin.version()", "3.8.1"},
		{"clock(3) { 1 } >= 0d", "true"},
		{"clockWithResult(1) { g.V().count().next() }[1]", "6"},
		{"org.apache.tinkerpop.gremlin.process.traversal.translator.GroovyTranslator.of('g').translate(g.V(1).out().bytecode).getScript()", "g.V(1).out()"},
		{"GraphSONWriter.build().wrapAdjacencyList(true).mapper(GraphSONMapper.build().version(GraphSONVersion.V1_0).create()).create().writeGraph(null, null)",
			"error: GraphSONWriter.writeGraph() is not supported in scripts (line 1, column 127)"},
	} {
		script := strings.ReplaceAll(c[0], "graph_", "g.getGraph()")
		if got := auto(t, e, query(languageGroovy, script)); got != c[1] {
			t.Errorf("%s\n have %s\n want %s", script, got, c[1])
		}
	}
	if got := auto(t, e, query(languageLang, "g.V().count()")); got != "6" {
		t.Errorf("the server's graph has %s vertices", got)
	}
}

// TestOpenedGraphs_Session keeps a graph for as long as a variable reaches it.
func TestOpenedGraphs_Session(t *testing.T) {
	e := open(t)
	inSession(t, e,
		asked{languageGroovy, "", "graph = TinkerFactory.createModern(); null", "null"},
		asked{languageGroovy, "", "mine = traversal().with(graph); v = mine.V(1).next(); null", "null"},
		asked{languageGroovy, "", "graph = null; mine.addV('x').iterate()", ""},
		asked{languageGroovy, "", "mine.V().count()", "7"},
		asked{languageLang, "", "mine.V().count()", "7"},
		asked{languageGroovy, "", "mine = null; v.value('name')", "marko"},
		asked{languageGroovy, "", "l = [a: [v]]; v = null; l.a[0].graph().toString()", "tinkergraph[vertices:7 edges:6]"},
		asked{languageGroovy, "", "t = l.a[0].graph().traversal().V(); l = null; 1", "1"},
		asked{languageGroovy, "", "t.count().next()", "7"},
		asked{languageGroovy, "", "g.V().count()", "6"},
	)
}

// TestOpenedGraphs_Charged charges graphs that scripts open before they are there, and
// gives it back with them.
func TestOpenedGraphs_Charged(t *testing.T) {
	e := open(t)
	session := account.New(nil, "sessionMemory", 2<<20)
	w := e.Open(contract.WorkOptions{Session: true, Account: session, Identity: traversal.Anyone})
	ask := func(script string) (string, error) {
		q := query(languageGroovy, script)
		q.Account = account.New(nil, "queryMemory", account.Unlimited)
		return results(w, q)
	}
	for _, script := range []string{
		"held = []; (1..1000).each { held << TinkerGraph.open() }; 1",
		"(1..1000).each { TinkerFactory.createModern() }; 1",
		"x = TinkerGraph.open().traversal(); (1..100000).each { x.addV('a').iterate() }; 1",
		"x = TinkerGraph.open(); (1..100000).each { x.createIndex('k' + it, Vertex) }; 1",
		"x = TinkerGraph.open().traversal(); (1..1000000).each { x.addV('a' + it).property('k' + it, it).iterate() }; 1",
		"x = TinkerGraph.open(); v = x.variables(); (1..100000).each { v.set('k', 'x' * 1000 + it) }; 1",
	} {
		if _, err := ask(script); !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "sessionMemory") {
			t.Errorf("%s: %v", script, err)
		}
		if _, err := ask("held = null; x = null; v = null; 1"); err != nil {
			t.Errorf("after %s: %v", script, err)
		}
		if _, err := ask("1"); err != nil || session.Used() > 64<<10 {
			t.Errorf("after %s: %v, %d bytes are charged", script, err, session.Used())
		}
	}
	if _, err := ask("x = TinkerGraph.open().variables(); x.set('k', 'x' * 2000000)"); err == nil || !strings.Contains(err.Error(), "1048576") {
		t.Errorf("a variable of 2 MB: %v", err)
	}
	if _, err := ask("x = TinkerFactory.createModern(); 1"); err != nil || session.Used() < 32<<10 {
		t.Errorf("%v, %d bytes are charged for a graph that is there", err, session.Used())
	}
	if _, err := ask("x = 'x' * 100000; l = [x]; 10.times { l = [l, l, l, l] }; TinkerGraph.open().variables().set('k', l)"); err == nil || !strings.Contains(err.Error(), "1048576") {
		t.Errorf("a variable of many times the same: %v", err)
	}
	if _, err := ask("x = null; l = null; 1"); err != nil {
		t.Error(err)
	}
	w.Close()
	if session.Used() > 4<<10 { // of the variables, which whoever has the account clears
		t.Errorf("%d bytes are charged to a session that has ended", session.Used())
	}
}

// TestOpenedGraphs_Timeout ends scripts that fill graphs without end.
func TestOpenedGraphs_Timeout(t *testing.T) {
	e := open(t)
	for _, script := range []string{
		"while (true) { TinkerGraph.open() }", "while (true) { TinkerFactory.createAirRoutes() }", "clock(2000000000) { 1 }",
		"x = TinkerGraph.open().variables(); while (true) { x.set('a', 1) }",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		q := query(languageGroovy, script)
		q.Account = account.New(nil, "queryMemory", 64<<20)
		began := time.Now()
		_, err := w.Run(ctx, q)
		if took := time.Since(began); err == nil || took > 20*time.Second {
			t.Errorf("%s: %v after %s", script, err, took)
		}
		w.Close()
		cancel()
	}
}

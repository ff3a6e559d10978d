package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// home is a folder in the shape of Gremlin Server's: conf/server.yaml with an init script
// and a graph's properties, named as seen from the folder, and data with its samples.
func home(t *testing.T, script string, edit ...string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"conf/empty.properties": "# a graph\ngremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph\ngremlin.tinkergraph.vertexIdManager=LONG\n",
		"scripts/init.groovy":   script,
		"data/modern.kryo":      "not ours",
		"conf/server.yaml": `scriptEngines: {
  gremlin-groovy: {
    plugins: { org.apache.tinkerpop.gremlin.groovy.jsr223.GroovyCompilerGremlinPlugin: {enableThreadInterrupt: true, timedInterrupt: 10000, extensions: org.apache.tinkerpop.gremlin.groovy.jsr223.customizer.SimpleSandboxExtension},
               org.apache.tinkerpop.gremlin.jsr223.ImportGremlinPlugin: {classImports: [java.lang.Math], methodImports: [java.lang.Math#*]},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [scripts/init.groovy]}}}}
graphs: {
  graph: conf/empty.properties}
`,
	}
	for i := 0; i < len(edit); i += 2 {
		files[edit[i]] = edit[i+1]
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	loadsModern = "def globals = [:]\nglobals << [hook : [\n  onStartUp: { ctx ->\n    ctx.logger.info('loading')\n    TinkerFactory.generateModern(graph)\n  },\n  onShutDown: { ctx -> ctx.logger.warn('going') }\n] as LifeCycleHook]\n"
	plainSource = "globals << [g : traversal().withEmbedded(graph)]\n"
	readOnly    = "globals << [g : traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]\n"
)

func readConfig(name string) (*config, error) {
	c := defaultConfig()
	if err := c.readFile(name); err != nil {
		return c, err
	}
	return c, c.finish()
}

// TestHomeOfGremlinServer serves a configuration from its home and from elsewhere.
func TestHomeOfGremlinServer(t *testing.T) {
	dir := home(t, "def twice(x) { x * 2 }\n"+loadsModern+plainSource)
	p := serve(t, filepath.Join(dir, "conf/server.yaml"), "--data-dir", t.TempDir())
	for _, q := range [][2]string{{"g.V().count()", "==>6"}, {"twice(4)", "==>8"}, {"g.V(1L).values('name')", "==>marko"}, {"g.addV('x').count()", "==>1"}} {
		if _, text := p.groovy(t, q[0]); text != q[1] {
			t.Errorf("%s: got %s", q[0], text)
		}
	}
	p.stop(syscall.SIGTERM)

	t.Chdir(dir)
	c, err := readConfig("conf/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if c.DataDir != otherDataDir || c.Limits.EvaluationTimeout != 10*time.Second || c.Limits.EvaluationTimeoutMax != 10*time.Second {
		t.Errorf("data in %s, timeout %s", c.DataDir, c.Limits.EvaluationTimeout)
	}
	if err := os.WriteFile("data/WATERMARK", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err = readConfig("conf/server.yaml"); err != nil || c.DataDir != "data" {
		t.Errorf("a store that is damaged is passed over for %s, %v", c.DataDir, err)
	}
}

// TestReadOnlyHome is a configuration whose only protection stands in its init script.
func TestReadOnlyHome(t *testing.T) {
	dir := home(t, loadsModern+readOnly)
	p := serve(t, filepath.Join(dir, "conf/server.yaml"), "--memory")
	for _, q := range []string{"g.addV()", "graph.addVertex()", "def x = g; x.addV().next()", "g.withoutStrategies(ReadOnlyStrategy).addV()"} {
		if code, text := p.groovy(t, q); code < 500 {
			t.Errorf("%s: %d %s", q, code, text)
		}
	}
	if _, text := p.post(t, "g.V().count()"); text != "==>6" {
		t.Errorf("got %s", text)
	}
}

// TestHomeThatCannotBeFollowed has what protects or holds data and is not there here.
func TestHomeThatCannotBeFollowed(t *testing.T) {
	const properties, yaml = "conf/empty.properties", "conf/server.yaml"
	conf := func(text string) []string { return []string{yaml, "graphs: {graph: conf/empty.properties}\n" + text} }
	for name, tc := range map[string]struct {
		script string
		edit   []string
		want   string
	}{
		"strategy":   {"\n\n[g: graph.traversal().withStrategies(new MineStrategy())]", nil, "init.groovy:3: the init script of"},
		"method":     {"\ngraph.openManagement()", nil, "init.groovy:2: the init script of"},
		"neo4j":      {plainSource, []string{properties, "\ngremlin.graph=org.apache.tinkerpop.gremlin.neo4j.structure.Neo4jGraph\n"}, "empty.properties:2: graph graph: the data of"},
		"janusgraph": {plainSource, []string{properties, "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=cql\n"}, "JanusGraph with storage.backend cql"},
		"read-only":  {plainSource, []string{properties, "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=inmemory\nstorage.read-only=true\n"}, "empty.properties:3: graph graph: storage.read-only"},
		"location":   {plainSource, []string{properties, "gremlin.graph=x.TinkerGraph\ngremlin.tinkergraph.graphLocation=data/x.kryo\n"}, "empty.properties:2: graph graph: graphLocation"},
		"no script":  {plainSource, conf("scriptEngines: {gremlin-groovy: {plugins: {x.ScriptFileGremlinPlugin: {files: [\n  none.groovy]}}}}\n"), "server.yaml:3: init script: there is no file none.groovy"},
		"extensions": {plainSource, conf("scriptEngines: {gremlin-groovy: {plugins: {x.GroovyCompilerGremlinPlugin: {extensions: com.example.Mine}}}}\n"), "server.yaml:2: extensions: com.example.Mine is refused"},
		"ssl":        {plainSource, conf("ssl: {\n  enabled: true}\n"), "server.yaml:3: ssl.enabled needs"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readConfig(filepath.Join(home(t, tc.script, tc.edit...), yaml))
			if err == nil || !strings.Contains(err.Error(), tc.want) || exitCode(err) != exitUsage {
				t.Errorf("exit %d: %v", exitCode(err), err)
			}
		})
	}
	c, err := readConfig(filepath.Join(home(t, "", properties, "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=inmemory\ncache.db-cache=true\n"), yaml))
	if err != nil || !c.Graphs[0].InMemory || !c.Graphs[0].Transactional {
		t.Errorf("JanusGraph in memory: %+v, %v", c.Graphs, err)
	}
}

func TestUnknownKeys(t *testing.T) {
	file := writeFile(t, "c.yaml", "host: localhost\nevaluationTimout: 5\nssl: {enabeld: true}\n")
	_, errs, code := run(t, "config", "--check", file)
	if code != exitUsage {
		t.Errorf("exit %d", code)
	}
	contains(t, errs, "c.yaml:2: unknown key evaluationTimout; did you mean evaluationTimeout?", "c.yaml:3: unknown key ssl.enabeld; did you mean ssl.enabled?")
	for want, args := range map[string][]string{
		`no command "serv", and no file of that name; did you mean serve?`: {"serv"},
		`gremlind user has no command "lsit"; did you mean list?`:          {"user", "lsit"},
		"unknown flag: --prot; did you mean --port?":                       {"serve", "--prot", "1"},
		"a key that gremlind config lists; did you mean queryMemory?":      {"serve", "--set", "querymemory=1"},
		`there is no graph "grpah"; did you mean graph?`:                   {"config", writeFile(t, "d.yaml", "traversalSources: {g: grpah}\n")},
		"a: unknown key inMemroy; did you mean inMemory?":                  {"config", writeFile(t, "e.yaml", "graphs: {a: {inMemroy: true}}\n")},
	} {
		if _, errs, code := run(t, args...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	if out, _, code := run(t, "--version"); code != exitDone || !strings.HasPrefix(out, "gremlind ") {
		t.Errorf("--version: %s", out)
	}
	_, errs, code = run(t, "config", "--check", "--set", "rowCache=1GB")
	if code != exitDone {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestUnits(t *testing.T) {
	c, err := configured(t, "queryMemory: 512MiB\nevaluationTimeout: 30s\n", []string{"GREMLIND_MEMORY=1GB", "GREMLIND_SESSIONTIMEOUT=1h30m"}, "--set", "maxContentLength=1.5 MiB", "--set", "stallTimeout=250ms")
	if err != nil {
		t.Fatal(err)
	}
	l := c.Limits
	if l.QueryBytes != 512<<20 || l.MemoryBytes != 1e9 || l.MessageBytes != 3<<19 || l.EvaluationTimeout != 30*time.Second ||
		l.SessionIdle != 90*time.Minute || l.StallTimeout != 250*time.Millisecond {
		t.Errorf("got %+v", l)
	}
	for key, text := range map[string]string{
		"queryMemory": "1 parsec", "memory": "-1GB", "evaluationTimeout": "5 apples", "sessionTimeout": "-5s", "gremlinPool": "1GB",
		"stallTimeout": "1ns", "rowCache": "9999999TB", "blockCache": "NaNGB",
	} {
		if _, err := configured(t, "", nil, "--set", key+"="+text); err == nil || exitCode(err) != exitUsage {
			t.Errorf("%s: %s is taken: %v", key, text, err)
		}
	}
}

func TestMetricsOfProcessAndGraphs(t *testing.T) {
	p := serve(t, "--sample", "modern", "--admin", "127.0.0.1:0")
	resp, err := http.Get("http://" + p.admin() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	contains(t, text, "process_resident_memory_bytes", "go_goroutines", "gremlind_build_info{", `gremlind_graph_vertices{graph="graph"} 6`, `gremlind_graph_edges{graph="graph"} 6`, `gremlind_graph_disk_bytes{graph="graph"}`, "gremlind_store_disk_bytes")
}

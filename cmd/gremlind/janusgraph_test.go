package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const janusFactory = "gremlin.graph = org.janusgraph.core.JanusGraphFactory\n"

// janusHome is a folder in the shape of a release of JanusGraph with one of its graphs, by
// the name that its files have.
func janusHome(t *testing.T, graph, properties string) (dir, yaml string) {
	t.Helper()
	yaml = "conf/gremlin-server/gremlin-server.yaml"
	dir = home(t, "def globals = [:]\nglobals << [hook : [\n  onStartUp: { ctx ->\n    ctx.logger.info(\"Executed once at startup of Gremlin Server.\")\n  },\n  onShutDown: { ctx ->\n    ctx.logger.info(\"Executed once at shutdown of Gremlin Server.\")\n  }\n] as LifeCycleHook]\nglobals << [g : graph.traversal()]\n",
		"conf/janusgraph-"+graph+".properties", "# a sample\n\n"+properties,
		yaml, `host: 0.0.0.0
port: 8182
evaluationTimeout: 30000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer
graphManager: org.janusgraph.graphdb.management.JanusGraphManager
graphs: {
  graph: conf/janusgraph-`+graph+`.properties
}
scriptEngines: {
  gremlin-groovy: {
    plugins: { org.janusgraph.graphdb.tinkerpop.plugin.JanusGraphGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.jsr223.ImportGremlinPlugin: {classImports: [java.lang.Math], methodImports: [java.lang.Math#*]},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [scripts/init.groovy]}}}}
processors:
  - { className: org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor, config: { sessionTimeout: 28800000 }}
  - { className: org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor, config: { cacheExpirationTime: 600000, cacheMaxSize: 1000 }}
metrics: {
  consoleReporter: {enabled: true, interval: 180000},
  graphiteReporter: {enabled: false, interval: 180000}}
maxContentLength: 65536
resultIterationBatchSize: 64
writeBufferHighWaterMark: 65536
`)
	return dir, filepath.Join(dir, yaml)
}

// TestJanusGraphFiles: each configuration of a release of JanusGraph starts as it is, or is
// refused with the line that cannot be followed.
func TestJanusGraphFiles(t *testing.T) {
	const berkeley = janusFactory + "storage.backend = berkeleyje\nstorage.directory = ../db/berkeley\n"
	const cql = janusFactory + "storage.backend = cql\nstorage.hostname = 127.0.0.1\nstorage.cql.keyspace = janusgraph\ncache.db-cache = true\n"
	const hbase = janusFactory + "storage.backend = hbase\nstorage.hostname = 127.0.0.1\ncache.db-cache = true\n"
	const elastic = "index.search.backend = elasticsearch\nindex.search.hostname = 127.0.0.1\nindex.search.elasticsearch.client-only = true\n"
	for graph, tc := range map[string]struct{ properties, want string }{
		"inmemory":               {janusFactory + "storage.backend = inmemory\n", "memory"},
		"berkeleyje":             {berkeley, "durable"},
		"berkeleyje-es":          {berkeley + elastic, "durable"},
		"berkeleyje-lucene":      {berkeley + "index.search.backend = lucene\nindex.search.directory = ../db/searchindex\n", "durable"},
		"cql":                    {cql, "janusgraph-cql.properties:4: graph graph: the data of JanusGraph with storage.backend cql is kept elsewhere"},
		"cql-es":                 {cql + elastic, "janusgraph-cql-es.properties:4: "},
		"hbase":                  {hbase, "janusgraph-hbase.properties:4: graph graph: the data of JanusGraph with storage.backend hbase is kept elsewhere"},
		"hbase-es":               {hbase + elastic, "janusgraph-hbase-es.properties:4: "},
		"cql-configurationgraph": {"gremlin.graph = org.janusgraph.core.ConfiguredGraphFactory\nstorage.backend = cql\ngraph.graphname = ConfigurationManagementGraph\n", "janusgraph-cql-configurationgraph.properties:3: graph graph: the data of org.janusgraph.core.ConfiguredGraphFactory is kept elsewhere"},
		"nothing":                {janusFactory, "janusgraph-nothing.properties:3: graph graph: a JanusGraph without storage.backend"},
	} {
		t.Run(graph, func(t *testing.T) {
			_, yaml := janusHome(t, graph, tc.properties)
			c, err := readConfig(yaml)
			if tc.want != "memory" && tc.want != "durable" {
				if err == nil || !strings.Contains(err.Error(), tc.want) || exitCode(err) != exitUsage {
					t.Errorf("exit %d: %v", exitCode(err), err)
				}
				return
			}
			if err != nil || len(c.unknown) > 0 {
				t.Fatalf("%v %v", err, c.unknown)
			}
			g := c.Graphs[0]
			if g.InMemory != (tc.want == "memory") || !g.Transactional || g.VertexIDs != "LONG" || c.Sources["g"] != "graph" || c.Limits.MessageBytes != 65536 {
				t.Errorf("%+v %v", g, c.Sources)
			}
		})
	}
}

// TestJanusGraphFolder: a folder of BerkeleyDB that holds a graph is not passed over.
func TestJanusGraphFolder(t *testing.T) {
	dir, yaml := janusHome(t, "berkeleyje", janusFactory+"storage.backend = org.janusgraph.diskstorage.berkeleyje.BerkeleyJEStoreManager\nstorage.directory = ../db/berkeley\n")
	folder := filepath.Join(dir, "db/berkeley")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := readConfig(yaml); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "00000000.jdb"), []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := readConfig(yaml)
	if want := "janusgraph-berkeleyje.properties:5: graph graph: the data of JanusGraph in the folder " + folder; err == nil || !strings.Contains(err.Error(), want) || exitCode(err) != exitUsage {
		t.Errorf("exit %d: %v", exitCode(err), err)
	}
}

// TestOpenHome: a configuration that listens to other machines, as JanusGraph's and that
// of Gremlin Server's container image do, is served once somebody says that it is meant.
func TestOpenHome(t *testing.T) {
	dir, yaml := janusHome(t, "berkeleyje", janusFactory+"storage.backend = berkeleyje\n")
	if _, errs, code := run(t, yaml); code != exitUsage || !strings.Contains(errs, "gremlin-server.yaml:1: host 0.0.0.0 is reachable from other machines and auth is off: set auth, or insecure if that is meant") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, errs, code := run(t, "config", "--check", "--insecure", yaml); code != exitDone {
		t.Errorf("exit %d: %s", code, errs)
	}
	text, err := os.ReadFile(yaml)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("WebSocketChannelizer"), []byte("WsAndHttpChannelizer"), 1)
	if err := os.WriteFile(yaml, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	p := serve(t, "conf/gremlin-server/gremlin-server.yaml")
	if _, text := p.groovy(t, "g.addV('x').id().next().class.simpleName"); text != "==>Long" {
		t.Errorf("got %s", text)
	}
	p.stop(syscall.SIGTERM)
	if _, err := os.Stat(otherDataDir); err != nil {
		t.Error(err)
	}
}

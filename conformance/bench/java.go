package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// javaServer is what a peer on the JVM needs to run.
type javaServer struct {
	name, durability string
	mainClass        string
	artifacts        []artifact.Coordinates
	managed          []artifact.Coordinates // versions that the build tool would choose too old
	files            map[string]string      // configuration, written to the working folder
	// withoutTransactions names the source whose graph has none.
	withoutTransactions string
	// answers tells which queries the server can answer; nil stands for all.
	answers func(*query) bool
}

// peerName is the server that the bars are set against.
const peerName = "Gremlin Server"

const gremlinServerMain = "org.apache.tinkerpop.gremlin.server.GremlinServer"

// opened are the packages that Gremlin Server reaches into on Java 17.
const opened = "java.io java.nio sun.nio.cs sun.nio.ch java.lang java.lang.invoke java.lang.reflect java.util " +
	"java.util.concurrent java.util.concurrent.atomic java.net"

const serverYAML = `host: localhost
port: PORT
evaluationTimeout: 600000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer
graphs: {GRAPHS}
scriptEngines: {gremlin-lang: {}, gremlin-groovy: {plugins: {
  org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
  PLUGIN: {},
  org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [init.groovy]}}}}
serializers:
  - {className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1}
processors:
  - {className: org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor, config: {sessionTimeout: 28800000}}
  - {className: org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor, config: {}}
`

const logback = `<configuration><appender name="S" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%-5level %logger{0} - %msg%n</pattern></encoder></appender>
<root level="ERROR"><appender-ref ref="S"/></root></configuration>
`

func gremlinServer() javaServer {
	const tinker = "gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure."
	const ids = "\ngremlin.tinkergraph.vertexIdManager=INTEGER\ngremlin.tinkergraph.edgeIdManager=INTEGER\ngremlin.tinkergraph.vertexPropertyIdManager=LONG\n"
	yaml := strings.NewReplacer("GRAPHS", "graph: graph.properties, grateful: graph.properties, air: graph.properties, tx: tx.properties",
		"PLUGIN", "org.apache.tinkerpop.gremlin.tinkergraph.jsr223.TinkerGraphGremlinPlugin").Replace(serverYAML)
	return javaServer{
		name: peerName, durability: "none (memory)", mainClass: gremlinServerMain, withoutTransactions: "g",
		artifacts: []artifact.Coordinates{
			{Group: "org.apache.tinkerpop", Name: "gremlin-server", Version: artifact.TinkerPop},
			{Group: "ch.qos.logback", Name: "logback-classic", Version: "1.2.13"},
		},
		files: map[string]string{"server.yaml": yaml, "graph.properties": tinker + "TinkerGraph" + ids,
			"tx.properties": tinker + "TinkerTransactionGraph" + ids, "logback.xml": logback, "init.groovy": `def globals = [:]
globals << [hook: [onStartUp: { ctx ->
  graph.createIndex('name', Vertex.class)
  TinkerFactory.generateGratefulDead(grateful)
  TinkerFactory.generateAirRoutes(air)
}] as LifeCycleHook]
globals << [g: traversal().withEmbedded(graph), ggrateful: traversal().withEmbedded(grateful), gair: traversal().withEmbedded(air), gtx: traversal().withEmbedded(tx)]
globals
`},
	}
}

func janusGraph() javaServer {
	disk := "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=berkeleyje\nstorage.directory=db\n" +
		"schema.default=default\nids.block-size=1000000\n"
	yaml := strings.NewReplacer("GRAPHS", "graph: graph.properties",
		"PLUGIN", "org.janusgraph.graphdb.tinkerpop.plugin.JanusGraphGremlinPlugin").Replace(serverYAML)
	return javaServer{
		name: "JanusGraph", durability: "BerkeleyJE default", mainClass: "org.janusgraph.graphdb.server.JanusGraphServer",
		// Its properties have ids of a type that no other client reads.
		answers: func(q *query) bool { return !q.elements },
		artifacts: []artifact.Coordinates{
			{Group: "org.janusgraph", Name: "janusgraph-server", Version: "1.1.0"},
			{Group: "org.janusgraph", Name: "janusgraph-berkeleyje", Version: "1.1.0"},
			{Group: "ch.qos.logback", Name: "logback-classic", Version: "1.2.13"},
		},
		managed: []artifact.Coordinates{{Group: "org.apache.commons", Name: "commons-lang3", Version: "3.17.0"}},
		files: map[string]string{"server.yaml": yaml, "graph.properties": disk, "logback.xml": logback, "init.groovy": `def globals = [:]
globals << [hook: [onStartUp: { ctx ->
  def m = graph.openManagement()
  def name = m.makePropertyKey('name').dataType(String.class).make()
  m.makePropertyKey('age').dataType(Integer.class).make()
  m.makeEdgeLabel('knows').make()
  m.makeVertexLabel('person').make()
  m.buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex()
  m.commit()
}] as LifeCycleHook]
globals << [g: traversal().withEmbedded(graph)]
globals
`},
	}
}

// startJava fetches a peer, starts it and has it read the GraphML file.
func startJava(ctx context.Context, o options, d *dataset, j javaServer) (*target, error) {
	short := strings.ToLower(strings.ReplaceAll(j.name, " ", "-"))
	classPath, err := artifact.ClassPath(ctx, filepath.Join(o.root, "conformance", ".cache"), short, j.managed, j.artifacts...)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(o.work, short)
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("clear data: %w", err)
	}
	port, err := server.FreePort()
	if err != nil {
		return nil, err
	}
	for name, text := range j.files {
		if err := writeFile(filepath.Join(dir, name), strings.ReplaceAll(text, "PORT", fmt.Sprint(port))); err != nil {
			return nil, err
		}
	}
	args := []string{"-Xmx" + o.heap, "-Dlogback.configurationFile=logback.xml"}
	for _, p := range strings.Fields(opened) {
		args = append(args, "--add-opens=java.base/"+p+"=ALL-UNNAMED")
	}
	cmd := exec.Command("java", append(args, "-cp", classPath+":.", j.mainClass, "server.yaml")...)
	cmd.Dir = dir
	t := &target{name: j.name, durability: j.durability, withoutTransactions: j.withoutTransactions, answers: j.answers, url: fmt.Sprintf("ws://127.0.0.1:%d/gremlin", port)}
	if t.startEmpty, err = t.launch(ctx, cmd, filepath.Join(dir, "log")); err != nil {
		return nil, err
	}
	t.emptyMB = residentMB(t.pid)
	if err := t.timed(func() error {
		_, err := t.text(ctx, "g", fmt.Sprintf("g.io(%q).read()", d.graphML))
		return err
	}); err != nil {
		return nil, errors.Join(fmt.Errorf("%s reads the graph: %w", j.name, err), t.stop())
	}
	return t, nil
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}

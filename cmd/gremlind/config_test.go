package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func configured(t *testing.T, file string, environ []string, flags ...string) (*config, error) {
	t.Helper()
	cmd := newServe()
	if err := cmd.Flags().Parse(flags); err != nil {
		t.Fatal(err)
	}
	var args []string
	if file != "" {
		args = []string{writeFile(t, "c.yaml", file)}
	}
	return loadConfig(cmd.Flags(), args, environ)
}

func TestPrecedence(t *testing.T) {
	file := "port: 1\nhost: a\nevaluationTimeout: 100\n"
	c, err := configured(t, file, []string{"GREMLIND_PORT=2", "GREMLIND_HOST=b"}, "--port", "3")
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 3 || c.Host != "b" || c.Limits.EvaluationTimeout != 100*time.Millisecond || c.Limits.BatchItems != 64 {
		t.Errorf("got port %d, host %s, timeout %s", c.Port, c.Host, c.Limits.EvaluationTimeout)
	}
	for key, want := range map[string]string{"port": "flag --port", "host": "environment GREMLIND_HOST", "evaluationTimeout": "c.yaml:3"} {
		if !strings.HasSuffix(c.origin[key], want) {
			t.Errorf("%s comes from %q, want %q", key, c.origin[key], want)
		}
	}
}

func TestGremlinServerYAML(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"graph.properties": "gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph\ngremlin.tinkergraph.vertexIdManager=LONG\n",
		"init.groovy":      "def globals = [:]\nglobals << [g : traversal().withEmbedded(graph), gReadOnly: traversal().withEmbedded(graph)]\n",
		"server.yaml": `host: localhost
port: 8182
evaluationTimeout: 30000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer
graphs: {
  graph: graph.properties}
scriptEngines: {
  gremlin-groovy: {
    plugins: { org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [init.groovy]}}}}
serializers:
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3, config: { ioRegistries: [org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerIoRegistryV3] }}
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1, config: { serializeResultToString: true }}
processors:
  - { className: org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor, config: { sessionTimeout: 28800000 }}
  - { className: org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor, config: { cacheExpirationTime: 600000 }}
metrics: { consoleReporter: {enabled: true, interval: 180000} }
strictTransactionManagement: false
idleConnectionTimeout: 0
keepAliveInterval: 0
maxInitialLineLength: 4096
maxHeaderSize: 8192
maxChunkSize: 8192
maxContentLength: 10485760
maxAccumulationBufferComponents: 1024
resultIterationBatchSize: 64
writeBufferLowWaterMark: 32768
ssl: { enabled: false }
threadPoolWorker: 1
gremlinPool: 8
colour: blue
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := defaultConfig()
	if err := c.readFile(filepath.Join(dir, "server.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := c.finish(); err != nil {
		t.Fatal(err)
	}
	if !c.WebSocketOnly || c.Limits.SessionIdle != 8*time.Hour || c.Limits.Running != 8 {
		t.Errorf("got %+v", c)
	}
	if len(c.Graphs) != 1 || c.Graphs[0].VertexIDs != "LONG" || c.Graphs[0].Transactional {
		t.Errorf("graphs: %+v", c.Graphs)
	}
	if c.Sources["gReadOnly"] != "graph" || c.Sources["g"] != "graph" {
		t.Errorf("sources: %v", c.Sources)
	}
	notes := strings.Join(c.notes, "\n")
	contains(t, notes, "server.yaml:29: threadPoolWorker is ignored", "metrics is ignored")
	contains(t, strings.Join(c.unknown, "\n"), "server.yaml:31: unknown key colour")
}

func TestBadConfiguration(t *testing.T) {
	for name, tc := range map[string]struct{ file, want string }{
		"number":        {"port: many\n", `c.yaml:1: port: "many" is not valid`},
		"negative":      {"gremlinPool: -1\n", "c.yaml:1: gremlinPool"},
		"list":          {"\nport: [1]\n", "c.yaml:2: port: want one value"},
		"no mapping":    {"- a\n", "want keys and values"},
		"syntax":        {"a: b: c\n", "mapping values are not allowed"},
		"key store":     {"ssl: {enabled: true, keyStore: a.jks}\n", "ssl.keyStore is refused: key stores are not read"},
		"handler":       {"authentication: {authenticationHandler: x}\n", "authentication.authenticationHandler is refused"},
		"authenticator": {"authentication: {authenticator: com.example.Mine}\n", "authenticator com.example.Mine is refused"},
		"authorizer":    {"authorization: {authorizer: x}\n", "authorization is refused"},
		"serializer":    {"serializers:\n - {className: com.example.Mine}\n", "c.yaml:2: serializer com.example.Mine is refused"},
		"imports":       {"scriptEngines: {gremlin-groovy: {imports: [java.lang.Math]}}\n", "imports is refused"},
		"engine":        {"scriptEngines: {nashorn: {}}\n", "script engine nashorn is refused"},
		"source":        {"traversalSources: {g: none}\n", `there is no graph "none"`},
		"graph key":     {"graphs:\n  a: {colour: blue}\n", "c.yaml:2: graph a: unknown key colour"},
		"id manager":    {"graphs:\n  a: {vertexIdManager: FLOAT}\n", `"FLOAT" is not one of [ANY INTEGER LONG UUID STRING]`},
		"sample":        {"graphs:\n  a: {sample: none}\n", `"none" is not one of`},
		"flag":          {"graphs:\n  a: {transactional: perhaps}\n", "is not true or false"},
		"no file":       {"graphs:\n  a: none.properties\n", "none.properties"},
		"tls":           {"ssl: {enabled: true}\n", "ssl.keyCertChainFile"},
		"origin path":   {"allowedOrigins: ['https://app.example/']\n", "is no origin"},
		"origin null":   {"allowedOrigins: ['null']\n", "is no origin"},
		"origin name":   {"allowedOrigins: app.example\n", "is no origin"},
		"all and one":   {"allowedOrigins: ['*', 'https://app.example']\n", "name it alone"},
		"all and auth":  {"allowedOrigins: '*'\nauth: true\n", "cannot be used with auth"},
		"user's role":   {"users: {stephen: {hash: x, role: []}}\n", "a user has a role: read, write, admin"},
		"user":          {"users: {a: plain}\n", "users.a: not a password hash"},
		"same name":     {"graphs:\n  g: {}\n", "a graph has the same name"},
		"channelizer":   {"channelizer: x.NioChannelizer\n", "channelizer x.NioChannelizer is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := configured(t, tc.file, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if exitCode(err) != exitUsage {
				t.Errorf("exit code %d", exitCode(err))
			}
		})
	}
	if _, err := configured(t, "", []string{"GREMLIND_PORT=x"}); err == nil || !strings.Contains(err.Error(), "environment GREMLIND_PORT") {
		t.Errorf("environment: %v", err)
	}
	if _, err := configured(t, "", nil, "--set", "nothing=1"); err == nil || !strings.Contains(err.Error(), "--set nothing=1") {
		t.Errorf("--set: %v", err)
	}
}

func TestSettingsShowAndReadAlike(t *testing.T) {
	c, again := defaultConfig(), defaultConfig()
	seen := map[string]bool{}
	for i := range settings {
		s := &settings[i]
		if seen[s.key] || s.doc == "" {
			t.Errorf("%s is there twice or has no text", s.key)
		}
		seen[s.key] = true
		if err := s.set(again, s.get(c), "test"); err != nil {
			t.Errorf("%s: %v", s.key, err)
		}
		if s.get(again) != s.get(c) {
			t.Errorf("%s: %s became %s", s.key, s.get(c), s.get(again))
		}
	}
}

func TestExposure(t *testing.T) {
	for name, tc := range map[string]struct {
		file string
		ok   bool
	}{
		"loopback":               {"host: 127.0.0.1\n", true},
		"open":                   {"host: 0.0.0.0\n", false},
		"open on purpose":        {"host: 0.0.0.0\ninsecure: true\n", true},
		"clear passwords":        {"host: 0.0.0.0\nauth: true\n", false},
		"tls":                    {"host: 0.0.0.0\nauth: true\nssl: {enabled: true, keyCertChainFile: a, keyFile: b}\n", true},
		"admin":                  {"admin: 127.0.0.1:1\n", true},
		"admin off":              {"admin: off\n", true},
		"open admin":             {"admin: 0.0.0.0:8183\n", false},
		"open admin, any":        {"admin: ':8183'\n", false},
		"open admin, a name":     {"admin: graph.example:8183\n", false},
		"open admin on purpose":  {"admin: 0.0.0.0:8183\ninsecure: true\n", true},
		"admin, clear passwords": {"admin: 0.0.0.0:8183\nauth: true\n", false},
		"admin, tls":             {"admin: 0.0.0.0:8183\nauth: true\nssl: {enabled: true, keyCertChainFile: a, keyFile: b}\n", true},
		"admin without a port":   {"admin: 127.0.0.1\n", false},
	} {
		c, err := configured(t, tc.file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkExposure(c, quiet()); (err == nil) != tc.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package main

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
)

// TestConfigurationPage keeps docs/configuration.md equal to the settings.
func TestConfigurationPage(t *testing.T) {
	golden.Check(t, "../../docs/configuration.md", configurationText())
}

func configurationText() string {
	var b strings.Builder
	b.WriteString(`# Configuration

gremlind serve takes a YAML file with the keys of gremlin-server.yaml. What [gremlind set](#settings-that-change-while-it-runs) changed
wins over a flag, a flag over the environment, the environment over the file, the file over the default. The environment variable of a key is GREMLIND_ and the key in capitals
(GREMLIND_PORT; nested keys with two underscores, GREMLIND_SSL__ENABLED). GREMLIN_YAML names the file. ` + "`gremlind config`" + `
prints each value with its origin, ` + "`gremlind config --check`" + ` only validates: it ends with code 2 where a key, an
environment variable or a line of a named file is not known or cannot be followed, and says its line and the nearest key.
A server that starts warns of unknown keys in its log.

Sizes are bytes, or have a unit: ` + "`512MiB`, `1GB`" + ` (kB, MB, GB, TB by 1,000; KiB, MiB, GiB, TiB by 1,024). Times are
milliseconds, or have a unit: ` + "`250ms`, `30s`, `5m`, `1h30m`" + `.

Generated from the settings themselves.

| key | default | flag | meaning |
|---|---|---|---|
`)
	c := defaultConfig()
	flags := map[string]string{}
	for name, key := range flagKeys {
		flags[key] = "--" + name
	}
	for i := range settings {
		s := &settings[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.key, s.get(c), flags[s.key], s.doc)
	}
	b.WriteString(`
## Settings that change while it runs

` + "`gremlind set KEY VALUE`" + ` changes one of these settings, ` + "`gremlind set --unset KEY`" + ` takes that back, ` + "`gremlind set`" + ` lists them:

` + wrapped(liveKeys()) + `

The value is kept in the data directory, holds at once for what comes next, and after a restart, whatever the flags, the environment
and the file say; ` + "`gremlind config`" + ` shows it with the origin set. What is not valid is refused and not kept. The command asks the server
by the socket of the data directory, or opens the directory when no server runs; with ` + "`auth`" + ` a user of role admin may also PUT
` + "`{\"key\":\"logLevel\",\"value\":\"debug\"}`" + ` to ` + "`/settings`" + ` of the admin address, DELETE a ` + "`key`" + `, and GET all that was set. A backup holds it too. A
connection that is open keeps the limits of connections; a request that runs, its own. The other settings want a restart;
users, roles, graphs and their limits have commands of their own.

## Graphs and sources

` + "```yaml" + `
graphs:
  social:
    vertexIdManager: LONG             # ANY, INTEGER, LONG, UUID or STRING
    edgeIdManager: LONG
    vertexPropertyIdManager: LONG
    idsByValue: true                  # with ANY, 1 is the same id in every width
    defaultVertexPropertyCardinality: single   # single, list or set
    allowNullPropertyValues: false
    autoIndex: false                  # an index of every property key
    history: none                     # keep what is overwritten: none, forever, 30d
    stamps: false                     # elements know when they were added and changed
    ttl: false                        # elements and properties can expire
    transactional: true               # clients may commit and roll back
    isolation: strict                 # strict, snapshot or committed
    inMemory: false
    quota.vertices: 0                 # and the other limits of graphs.md, when it is made; 0: none
    sample: modern                    # filled when it is empty: ` + strings.Join(sampleNames, ", ") + `
traversalSources:
  g: social
  gread: {graph: social, strategies: ReadOnlyStrategy}
  gpeople:
    graph: social
    with: {schema: 2, evaluationTimeout: 5s}
    strategies: ["new SubgraphStrategy(vertices: hasLabel('person'))"]
` + "```" + `

A source may have options and strategies, which stand in front of all that is sent to it, bytecode, text or scripts. Strategies are
written as in Gremlin: ReadOnlyStrategy, ` + "`new PartitionStrategy(partitionKey: 'p', writePartition: 'a', readPartitions: ['a'])`" + `. A request
neither takes them away nor gives another value of an option: ` + "`the source gpeople fixes schema`" + `. An ` + "`evaluationTimeout`" + ` bounds what
requests ask for. A request to a source whose strategies have parameters is compiled each time, which takes some 12 µs. The graph's own
name is no way around them, as said [below](#configurations-of-gremlin-server).

A graph keeps the options it was made with, by serve or by import: an entry that names another value is answered with a
warning. Only transactional follows the entry. With idsByValue: false the directory of a new graph is readable for every gremlind
([formats](formats.md#on-disk)). Keys of gremlin-server.yaml that have no meaning here are accepted with a
line in the log; keys that would weaken security if they were ignored (an authenticator or authorizer class that gremlind
does not have) are refused.

Graphs that are not named here are traversal sources of their own names; they are made [while the server runs](graphs.md).

## Configurations of Gremlin Server

A gremlin-server.yaml starts as it is, from its own home: a file that it names is looked for in the working folder, in the
folder of the YAML file, and in the two above that. What can be followed is; what protects or holds data and cannot be
followed is refused with exit code 2, the line, and what to do.

| in the file | here |
|---|---|
| graphs: TinkerGraph, TinkerTransactionGraph | a durable graph with the same id managers; without dataDir, and where the folder ` + "`data`" + ` holds files of something else (the samples of Gremlin Server), it is kept in ` + "`gremlind-data`" + ` |
| graphs: JanusGraph with storage.backend inmemory | a graph in memory, whose vertices have Longs as ids |
| graphs: JanusGraph with storage.backend berkeleyje | a durable graph in dataDir, if storage.directory is empty or not there yet: else refused, for what it holds would be missing; index.* is ignored, the graph has indexes of its own |
| graphs: Neo4jGraph, ConfiguredGraphFactory and other backends of JanusGraph (cql, hbase), graphLocation | refused: the data is elsewhere |
| ScriptFileGremlinPlugin | its init scripts run, as below |
| timedInterrupt | bounds evaluationTimeout, of all requests |
| extensions: SimpleSandboxExtension | what scripts may do is less than that always; other extensions are refused |
| credentialsDb | ignored: users are made with gremlind user; nobody can log in before |
| host: 0.0.0.0 without authentication, as in JanusGraph's files; the address of eth0, which the container image of Gremlin Server writes there | refused unless insecure is set: --insecure, or ` + "`GREMLIND_INSECURE=true`" + ` in a container |

Init scripts are read in the safe subset of Groovy before anything is open. Functions become the server's. The map that a
script returns, and what it assigns without ` + "`def`" + `, gives traversal sources and hooks: ` + "`traversal().withEmbedded(graph)`" + ` and
` + "`graph.traversal()`" + `, with ` + "`withStrategies()`, `with()`" + ` and so on behind. Strategies of a source hold for all that is sent to it,
bytecode, text or scripts: a request cannot remove or replace them, and the graph's own name is no way around them (it has the
strategies of its only source; a graph with several sources, all with strategies, is reached through these alone).
` + "`withStrategies(ReadOnlyStrategy)`" + ` makes a source that cannot write at all. A LifeCycleHook's onStartUp runs at each start
before the port is open, in one transaction, and onShutDown at the end; TinkerFactory's ` + "`generateModern(graph)`" + ` and its like fill a
graph only when it is empty, ` + "`ctx.logger`" + ` writes to the log. ReferenceElementStrategy sets tokens.

## Users, functions and other lists

` + "```yaml" + `
auth: true
users:                                # besides those of gremlind user; gremlind user hash makes a hash
  stephen: $argon2id$v=19$...         # role write
  analyst:
    hash: $2a$10$...                  # bcrypt is read too
    role: read                        # read, write (the default), admin, one of gremlind role, or a list of them
    graphs: [social, 'acme/*']        # the only graphs that this user reaches; all without
    limits: {evaluationTimeout: 5000, queryMemory: 67108864, requests: 4}   # of each request; of those that run at once
functions:                            # that every script can call and none can define again
  - "def addItUp(x, y) { x + y }"
allowedHosts: [graph.example]
allowedOrigins: ['https://app.example']
` + "```" + `

` + "`--set key=value`" + ` gives any setting of the table, lists with commas: ` + "`--set allowedHosts=a.example,b.example`" + `.
` + "`--memory`" + ` keeps everything in memory, also beside a dataDir. security.md says who can do what with which setting.
`)
	names := make([]string, 0, len(flags))
	for _, f := range flags {
		names = append(names, f)
	}
	sort.Strings(names)
	b.WriteString("\nFlags: " + strings.Join(names, ", ") + ".\n")
	return b.String()
}

// wrapped are names in code, with commas, in lines of the page.
func wrapped(names []string) string {
	var b strings.Builder
	width := 0
	for i, name := range names {
		text := "`" + name + "`"
		if i < len(names)-1 {
			text += ","
		}
		switch {
		case width > 0 && width+1+len(text) > 120:
			b.WriteString("\n")
			width = 0
		case width > 0:
			b.WriteString(" ")
			width++
		}
		b.WriteString(text)
		width += len(text)
	}
	return b.String() + "."
}

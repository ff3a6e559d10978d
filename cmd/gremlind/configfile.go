package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/traversal"
)

// configFileMax bounds the configuration file in bytes.
const configFileMax = 1 << 20

// readFile overlays a YAML file in the shape of gremlin-server.yaml.
func (c *config) readFile(name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return usageError{fmt.Errorf("read configuration: %w", err)}
	}
	if len(b) > configFileMax {
		return usage("%s is larger than %d bytes", name, configFileMax)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return usage("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return nil
	}
	f := &configFile{c: c, name: name}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return usage("%s:%d: want keys and values", name, root.Line)
	}
	if err := f.each(root, "", f.key); err != nil {
		return err
	}
	return f.runScripts()
}

// configFile is a file being read.
type configFile struct {
	c       *config
	name    string
	scripts []*yaml.Node // init scripts, read once the graphs are known
	longest *yaml.Node   // timedInterrupt
}

// find returns where a file is that the configuration names: relative to the working
// folder, which for Gremlin Server is its home, to the file's folder, or to one of the two
// above it: JanusGraph keeps its files in conf/gremlin-server.
func (f *configFile) find(n *yaml.Node) (string, error) {
	if filepath.IsAbs(n.Value) {
		_, err := os.Stat(n.Value)
		return n.Value, err
	}
	folder := filepath.Dir(f.name)
	for _, dir := range []string{".", folder, filepath.Join(folder, ".."), filepath.Join(folder, "../..")} {
		path := filepath.Join(dir, n.Value)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no file %s, neither in the working folder nor in %s nor above it", n.Value, folder)
}

func (f *configFile) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", f.name, n.Line) }

func (f *configFile) note(n *yaml.Node, format string, args ...any) {
	f.c.notes = append(f.c.notes, f.at(n)+": "+fmt.Sprintf(format, args...))
}

// each calls fn for every entry of a mapping.
func (f *configFile) each(n *yaml.Node, prefix string, fn func(key string, k, v *yaml.Node) error) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return usage("%s: %s: want keys and values", f.at(n), strings.TrimSuffix(prefix, "."))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := fn(prefix+n.Content[i].Value, n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// ignored are keys of gremlin-server.yaml that mean nothing here, with the reason.
var ignored = map[string]string{
	"threadPoolBoss": "goroutines need no pool", "threadPoolWorker": "goroutines need no pool",
	"useEpollEventLoop": "the Go runtime polls", "maxChunkSize": "chunks are not kept",
	"maxAccumulationBufferComponents":     "requests are read into one buffer",
	"graphManager":                        "graphs are managed by gremlind",
	"sessionLifetimeTimeout":              "sessions end by sessionTimeout",
	"useCommonEngineForSessions":          "sessions have variables of their own",
	"useGlobalFunctionCacheForSessions":   "functions belong to their session",
	"maxSessionTaskQueueSize":             "maxWorkQueueSize bounds all requests",
	"metrics":                             "metrics are served to Prometheus on the admin address",
	"writeBufferLowWaterMark":             "sendBytes bounds what waits for a slow client",
	"writeBufferHighWaterMark":            "sendBytes bounds what waits for a slow client",
	"processors":                          "all processors are there",
	"perGraphCloseTimeout":                "a rollback takes no time",
	"ssl.refreshInterval":                 "SIGHUP reads the files again",
	"ssl.sslCipherSuites":                 "Go chooses cipher suites",
	"ssl.keyStoreType":                    "PEM files are named directly",
	"ssl.trustStoreType":                  "PEM files are named directly",
	"authentication.enableAuditLog":       "enableAuditLog is a key of its own",
	"authentication.authenticatorHandler": "SASL PLAIN and HTTP Basic are served on one port",
}

// refused are keys that would promise something that does not exist here.
var refused = map[string]string{
	"authorization":                        "there are no authorizer classes; users have roles",
	"authentication.authenticationHandler": "there are no handler classes",
	"ssl.keyStore":                         "key stores are not read: name PEM files in ssl.keyCertChainFile and ssl.keyFile",
	"ssl.trustStore":                       "key stores are not read: name a PEM file in ssl.trustCertChainFile",
}

func (f *configFile) key(key string, k, v *yaml.Node) error {
	if s := findSetting(key); s != nil {
		return f.scalar(s, v)
	}
	if why, ok := refused[key]; ok {
		return usage("%s: %s is refused: %s", f.at(k), key, why)
	}
	if why, ok := ignored[key]; ok {
		if key == "processors" {
			return f.processors(v)
		}
		f.note(k, "%s is ignored: %s", key, why)
		return nil
	}
	switch key {
	case "graphs":
		f.c.Graphs = nil
		return f.each(v, "", f.graph)
	case "traversalSources":
		f.c.Sources, f.c.SourceConfig = map[string]string{}, map[string][]traversal.Instruction{}
		return f.each(v, "", f.source)
	case "functions":
		return v.Decode(&f.c.Functions)
	case "users":
		f.c.Users = map[string]auth.User{}
		return f.each(v, "", f.user)
	case "ssl":
		return f.each(v, "ssl.", f.key)
	case "jwt", "tracing":
		return f.each(v, key+".", f.key)
	case "ssl.sslEnabledProtocols":
		return v.Decode(&f.c.TLS.Protocols)
	case "ssl.keyStorePassword", "ssl.trustStorePassword", "ssl.keyPassword":
		return usage("%s: %s is refused: keys are PEM files without a password", f.at(k), key)
	case "authentication":
		return f.each(v, "authentication.", f.key)
	case "authentication.authenticator":
		return f.authenticator(k, v)
	case "authentication.config":
		f.note(k, "%s is ignored: users are kept in the store, see gremlind user", key)
		return nil
	case "channelizer":
		return f.channelizer(k, v)
	case "serializers":
		return f.serializers(v)
	case "scriptEngines":
		return f.scriptEngines(v)
	}
	f.c.unknown = append(f.c.unknown, fmt.Sprintf("%s: unknown key %s%s", f.at(k), key, traversal.Suggestion(key, "", fileKeys())))
	return nil
}

// fileKeys are all keys that a file may have, for suggestions.
func fileKeys() []string {
	keys := append(settingKeys(), "graphs", "traversalSources", "functions", "users", "ssl", "jwt", "tracing", "ssl.sslEnabledProtocols",
		"authentication", "authentication.authenticator", "authentication.config", "channelizer", "serializers", "scriptEngines")
	keys = slices.AppendSeq(keys, maps.Keys(ignored))
	return slices.AppendSeq(keys, maps.Keys(refused))
}

func (f *configFile) scalar(s *setting, v *yaml.Node) error {
	if v.Kind == yaml.AliasNode {
		v = v.Alias
	}
	if list, ok := s.ref(f.c).(*[]string); ok && v.Kind == yaml.SequenceNode {
		f.c.origin[s.key] = f.at(v)
		*list = nil
		return v.Decode(list)
	}
	if v.Kind != yaml.ScalarNode {
		return usage("%s: %s: want one value: %s", f.at(v), s.key, s.doc)
	}
	text := v.Value
	if v.Tag == "!!null" {
		text = ""
	}
	return s.set(f.c, text, f.at(v))
}

func (f *configFile) channelizer(k, v *yaml.Node) error {
	name := v.Value[strings.LastIndex(v.Value, ".")+1:]
	switch name {
	case "WsAndHttpChannelizer", "UnifiedChannelizer":
	case "WebSocketChannelizer":
		f.c.WebSocketOnly = true
	case "HttpChannelizer":
		f.c.HTTPOnly = true
	default:
		return usage("%s: channelizer %s is not known", f.at(k), v.Value)
	}
	return nil
}

func (f *configFile) authenticator(k, v *yaml.Node) error {
	switch v.Value[strings.LastIndex(v.Value, ".")+1:] {
	case "AllowAllAuthenticator":
		f.c.Auth = false
	case "SimpleAuthenticator":
		f.c.Auth = true
		f.c.origin["auth"] = f.at(v)
	default:
		return usage("%s: authenticator %s is refused: there are AllowAllAuthenticator and SimpleAuthenticator", f.at(k), v.Value)
	}
	return nil
}

// user reads name: hash, or name: {hash, role, graphs, authorizations}.
func (f *configFile) user(name string, k, v *yaml.Node) error {
	u := auth.User{Roles: auth.RoleNames{traversal.WriteRole.Name}}
	if v.Kind == yaml.ScalarNode {
		u.Hash = v.Value
	} else if err := v.Decode(&u); err != nil {
		return usage("%s: users.%s: %s", f.at(k), name, err)
	}
	u.Name = name
	// Which roles there are is known when the data directory is open.
	if err := u.CheckRights(func(name string) (traversal.Role, error) { return traversal.Role{Name: name}, nil }); err != nil {
		return usage("%s: users.%s: %s", f.at(k), name, err)
	}
	if err := auth.CheckHash(u.Hash); err != nil {
		return usage("%s: users.%s: %s; gremlind user hash makes one", f.at(k), name, err)
	}
	f.c.Users[name] = u
	return nil
}

var knownSerializers = regexp.MustCompile(`\.(Graph(SON|Binary)MessageSerializer(Gremlin)?V[123]|GraphSONUntypedMessageSerializerV[123]|GraphSONMessageSerializer(Gremlin)?V[123]d0|GraphBinaryMessageSerializerV1)$`)

// serializers are all served always; a class that nobody knows is refused.
func (f *configFile) serializers(v *yaml.Node) error {
	for _, entry := range v.Content {
		err := f.each(entry, "", func(key string, k, v *yaml.Node) error {
			if key == "className" && !knownSerializers.MatchString(v.Value) {
				return usage("%s: serializer %s is refused: GraphSON 1 to 3 and GraphBinary 1 are served", f.at(k), v.Value)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *configFile) processors(v *yaml.Node) error {
	for _, entry := range v.Content {
		err := f.each(entry, "", func(key string, _, v *yaml.Node) error {
			if key != "config" {
				return nil
			}
			return f.each(v, "", func(key string, k, v *yaml.Node) error {
				if key == "sessionTimeout" {
					return f.key(key, k, v)
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scriptEngines may name the two languages; scripts that bind traversal sources are
// read for those bindings.
func (f *configFile) scriptEngines(v *yaml.Node) error {
	return f.each(v, "", func(engine string, k, v *yaml.Node) error {
		if engine != "gremlin-groovy" && engine != "gremlin-lang" {
			return usage("%s: script engine %s is refused: gremlin-lang and a safe subset of gremlin-groovy are served", f.at(k), engine)
		}
		return f.each(v, "", func(key string, k, v *yaml.Node) error {
			if key == "imports" || key == "staticImports" {
				return usage("%s: %s is refused: there are no classes to import", f.at(k), key)
			}
			if key != "plugins" {
				f.note(k, "scriptEngines.%s.%s is ignored", engine, key)
				return nil
			}
			return f.each(v, "", f.plugin)
		})
	})
}

// graph reads one entry of graphs: our mapping, or the properties file of a TinkerGraph.
func (f *configFile) graph(name string, k, v *yaml.Node) error {
	g := newGraphConfig(name)
	var err error
	if v.Kind == yaml.ScalarNode {
		err = f.properties(&g, v)
	} else {
		err = f.each(v, "", func(key string, k, v *yaml.Node) error {
			return g.set(key, v.Value, f.at(k))
		})
	}
	f.c.Graphs = append(f.c.Graphs, g)
	return err
}

package main

import (
	"net/url"
	"time"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/protocol/auth/token"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/tracing"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// config is everything that serve can be told, with the defaults filled in. Keys of
// gremlin-server.yaml keep their names and units.
type config struct {
	Host    string
	Port    int
	Admin   string
	DataDir string
	IODir   string
	// Memory keeps every graph in memory.
	Memory bool
	Sample string

	Graphs  []graphConfig
	Sources map[string]string
	// SourceConfig is what init scripts, and options and strategies of the file, put in front
	// of every traversal of a source.
	SourceConfig map[string][]traversal.Instruction
	// Startup are the init scripts, whose hooks run when the server starts and ends.
	Startup   *script.Startup
	Functions []string
	// FunctionMemory bounds the functions that scripts define, in bytes.
	FunctionMemory int64

	RowCache   int64 // bytes
	BlockCache int64 // bytes

	ConflictMemory int64 // bytes

	TransactionBytes int64
	TransactionReads int
	DiskReserve      string

	Limits   quota.Limits
	Tokens   bool
	Closures bool
	Strict   bool
	Audit    bool
	// AuditFile is the path of the audit file.
	AuditFile string
	Close     bool // closeSessionPostGraphOp

	Auth           bool
	Users          map[string]auth.User // of the file
	JWT            token.Options
	Insecure       bool
	TLS            tlsConfig
	AllowedHosts   []string
	AllowedOrigins []string
	OpenMetrics    bool
	BackupDir      string
	WebSocketOnly  bool
	HTTPOnly       bool
	Explorer       bool

	Tracing         tracing.Options
	SlowQuery       time.Duration
	ShutdownTimeout time.Duration
	LogLevel        string
	LogFormat       string

	EngineBatch    int
	EngineOptimize bool

	notes      []string          // lines about keys that were mapped or ignored
	properties bool              // graphs come from properties files, as those of Gremlin Server do
	unknown    []string          // lines about keys that nobody knows
	origin     map[string]string // key -> where its value comes from
}

// tlsConfig names the PEM files of the endpoint.
type tlsConfig struct {
	Enabled    bool
	CertFile   string
	KeyFile    string
	ClientCA   string
	ClientAuth string // NONE, OPTIONAL or REQUIRE
	Protocols  []string
}

func defaultConfig() *config {
	c := &config{
		Host: "localhost", Port: 8182, DataDir: "data", Limits: quota.DefaultLimits(), Closures: true,
		FunctionMemory: machine.FunctionsMax, RowCache: rowCacheDefault, BlockCache: blockCacheDefault,
		ConflictMemory: 256 << 20, TransactionBytes: 256 << 20, TransactionReads: 1_000_000,
		ShutdownTimeout: 20 * time.Second, LogLevel: "info", LogFormat: "text", EngineOptimize: true, Explorer: true,
		JWT:     token.Options{Leeway: 10 * time.Second, NameClaim: "sub", RolesClaim: "roles", GraphsClaim: "graphs"},
		Tracing: tracing.Options{OneIn: 100, Version: version},
		origin:  map[string]string{},
	}
	c.Limits.MemoryBytes, c.Limits.QueryBytes = 0, 0 // finish finds out
	return c
}

// fillMemory chooses the limits of memory that are not given.
func (c *config) fillMemory() {
	all, each := defaultMemory()
	if c.Limits.MemoryBytes == 0 {
		c.Limits.MemoryBytes = all
	}
	if c.Limits.QueryBytes == 0 {
		c.Limits.QueryBytes = min(each, c.Limits.MemoryBytes)
	}
}

// finish fills in what depends on other settings.
func (c *config) finish() error {
	c.fillMemory()
	if c.TransactionBytes > transactionBytesMax {
		return usage("transactionBytes: %d is more than %d, what one commit can be", c.TransactionBytes, int64(transactionBytesMax))
	}
	if c.Sample != "" && len(c.Graphs) == 0 {
		g := newGraphConfig("graph")
		g.Sample = c.Sample
		g.VertexIDs, g.EdgeIDs, g.VertexPropertyIDs = "INTEGER", "INTEGER", "LONG"
		g.given = []string{"vertexIdManager", "edgeIdManager", "vertexPropertyIdManager"}
		c.Graphs = []graphConfig{g}
		// A sample to play with leaves nothing behind unless a place was named.
		if c.origin["dataDir"] == "" {
			c.Memory = true
		}
	}
	if len(c.Graphs) == 0 {
		c.Graphs = []graphConfig{newGraphConfig("graph")}
	}
	c.leaveSamples()
	if c.DataDir == "" {
		c.Memory = true
	}
	if len(c.Sources) == 0 {
		c.Sources = defaultSources(c.Graphs)
	}
	for source, graph := range c.Sources {
		if !c.hasGraph(graph) {
			return usage("traversal source %q: there is no graph %q%s", source, graph, traversal.Suggestion(graph, "", c.graphNames()))
		}
		if c.hasGraph(source) {
			return usage("traversal source %q: a graph has the same name", source)
		}
	}
	if _, _, err := c.diskReserve(); err != nil {
		return err
	}
	if c.TLS.Enabled && (c.TLS.CertFile == "" || c.TLS.KeyFile == "") {
		return usage("%sssl.enabled needs ssl.keyCertChainFile and ssl.keyFile (PEM)", c.from("ssl.enabled"))
	}
	if err := c.checkTokens(); err != nil {
		return err
	}
	if err := c.Tracing.Check(); err != nil {
		return usage("%stracing.endpoint: %w", c.from("tracing.endpoint"), err)
	}
	return c.checkOrigins()
}

// takesTokens reports whether there are keys of tokens.
func (c *config) takesTokens() bool { return len(c.JWT.KeyFiles) > 0 || c.JWT.SecretFile != "" }

// checkTokens refuses settings of tokens that would take too many, or none.
func (c *config) checkTokens() error {
	switch {
	case !c.takesTokens():
		return nil
	case !c.Auth:
		return usage("%sjwt: nobody is asked for a token unless auth is set", c.from("auth"))
	case len(c.JWT.Audience) == 0:
		return usage("jwt.audience: name whom the tokens must be for (aud), or those that were made for other services open this one too")
	case c.JWT.NameClaim == "":
		return usage("%sjwt.nameClaim: a token says whose it is in some claim, as sub", c.from("jwt.nameClaim"))
	}
	return nil
}

// checkOrigins refuses lists that do not mean what they seem to.
func (c *config) checkOrigins() error {
	for _, o := range c.AllowedOrigins {
		if o == "*" {
			switch {
			case len(c.AllowedOrigins) > 1:
				return usage("allowedOrigins: * stands for all origins: name it alone")
			case c.Auth:
				// A browser adds a password that it remembers to what any page sends.
				return usage("allowedOrigins: * cannot be used with auth: name the origins")
			}
			continue
		}
		u, err := url.Parse(o)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != o {
			return usage("allowedOrigins: %.100q is no origin: want a scheme and a host, as https://app.example or http://localhost:3000, without a path", o)
		}
	}
	return nil
}

// from is "file:line: " of a setting that the file gave, or its other origin; "" for a
// default.
func (c *config) from(key string) string {
	if c.origin[key] == "" {
		return ""
	}
	return c.origin[key] + ": "
}

func (c *config) graphNames() []string {
	var names []string
	for _, g := range c.Graphs {
		names = append(names, g.Name)
	}
	return names
}

func (c *config) hasGraph(name string) bool {
	for _, g := range c.Graphs {
		if g.Name == name {
			return true
		}
	}
	return false
}

// defaultSources gives every graph x a source gx, and g to the graph named "graph" or
// to the first.
func defaultSources(graphs []graphConfig) map[string]string {
	sources := map[string]string{"g": graphs[0].Name}
	for _, g := range graphs {
		if g.Name == "graph" {
			sources["g"] = "graph"
			continue
		}
		sources["g"+g.Name] = g.Name
	}
	return sources
}

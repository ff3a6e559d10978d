package main

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/traversal"
)

// setting is one scalar key: how its text is read and shown. Structured keys (graphs,
// traversalSources, ...) are in configfile.go.
type setting struct {
	key string
	doc string
	// bytes marks a size: a plain number, or one with a unit as 512MiB.
	bytes bool
	ref   func(c *config) any // pointer to the field; a plain number for a time.Duration is in milliseconds
}

// settings lists every scalar key, sorted by topic. The reference page is printed from it.
var settings = []setting{
	{key: "host", doc: "address to listen on", ref: func(c *config) any { return &c.Host }},
	{key: "port", doc: "port of WebSocket and HTTP; 0 takes a free one", ref: func(c *config) any { return &c.Port }},
	{key: "admin", doc: "address of health, metrics, pprof, status and kill; empty: the next port on 127.0.0.1, off: none", ref: func(c *config) any { return &c.Admin }},
	{key: "dataDir", doc: "data directory; empty keeps everything in memory", ref: func(c *config) any { return &c.DataDir }},
	{key: "ioDir", doc: "the only folder that io() may reach; empty refuses io()", ref: func(c *config) any { return &c.IODir }},
	{key: "sample", doc: "graph to start with: modern, classic, crew, sink, grateful, airroutes", ref: func(c *config) any { return &c.Sample }},
	{key: "evaluationTimeout", doc: "ms; of requests that name none, 0 for the longest", ref: func(c *config) any { return &c.Limits.EvaluationTimeout }},
	{key: "evaluationTimeoutMax", doc: "ms; the longest that a request may ask for", ref: func(c *config) any { return &c.Limits.EvaluationTimeoutMax }},
	{key: "resultIterationBatchSize", doc: "results in one response", ref: func(c *config) any { return &c.Limits.BatchItems }},
	{key: "batchBytes", bytes: true, doc: "bytes after which a response is cut", ref: func(c *config) any { return &c.Limits.BatchBytes }},
	{key: "responseBytes", bytes: true, doc: "bytes of the largest single result; drivers refuse large responses by settings of their own (Java: maxContentLength, Python: max_content_length)", ref: func(c *config) any { return &c.Limits.ResponseBytes }},
	{key: "resultsMax", doc: "results of one request", ref: func(c *config) any { return &c.Limits.ResultsMax }},
	{key: "maxContentLength", bytes: true, doc: "bytes of one request; a WebSocket with a larger one is closed with 1009, HTTP answers 413", ref: func(c *config) any { return &c.Limits.MessageBytes }},
	{key: "maxHeaderSize", bytes: true, doc: "bytes of an HTTP head", ref: func(c *config) any { return &c.Limits.HeaderBytes }},
	{key: "maxInitialLineLength", bytes: true, doc: "bytes of an HTTP request line", ref: func(c *config) any { return &c.Limits.URIBytes }},
	{key: "maxParameters", doc: "bindings of one script", ref: func(c *config) any { return &c.Limits.Parameters }},
	{key: "maxWorkQueueSize", doc: "requests running or waiting", ref: func(c *config) any { return &c.Limits.Queue }},
	{key: "gremlinPool", doc: "requests evaluated at once", ref: func(c *config) any { return &c.Limits.Running }},
	{key: "requestsPerConnection", doc: "requests of one connection evaluated at once", ref: func(c *config) any { return &c.Limits.InFlight }},
	{key: "connections", doc: "open connections", ref: func(c *config) any { return &c.Limits.Connections }},
	{key: "connectionsPerAddress", doc: "open connections from one address", ref: func(c *config) any { return &c.Limits.ConnectionsPerAddress }},
	{key: "sessions", doc: "open sessions", ref: func(c *config) any { return &c.Limits.Sessions }},
	{key: "sessionsPerUser", doc: "open sessions of one user, without authentication of one address", ref: func(c *config) any { return &c.Limits.SessionsPerUser }},
	{key: "sessionsPerConnection", doc: "open sessions of one connection", ref: func(c *config) any { return &c.Limits.SessionsPerConnection }},
	{key: "sessionTimeout", doc: "ms without a request that end a session", ref: func(c *config) any { return &c.Limits.SessionIdle }},
	{key: "transactionTimeout", doc: "ms without a request that roll back an open transaction", ref: func(c *config) any { return &c.Limits.TransactionIdle }},
	{key: "idleConnectionTimeout", doc: "ms without a message that close a connection; 0 never", ref: func(c *config) any { return &c.Limits.ConnectionIdle }},
	{key: "keepAliveInterval", doc: "ms between the server's pings; 0 none", ref: func(c *config) any { return &c.Limits.KeepAlive }},
	{key: "stallTimeout", doc: "ms after which a client that takes nothing is dropped", ref: func(c *config) any { return &c.Limits.StallTimeout }},
	{key: "messageTimeout", doc: "ms for a started request to arrive", ref: func(c *config) any { return &c.Limits.MessageTimeout }},
	{key: "authenticationTimeout", doc: "ms for a connection to authenticate", ref: func(c *config) any { return &c.Limits.AuthenticationTimeout }},
	{key: "sendBytes", bytes: true, doc: "bytes that may wait for a slow client", ref: func(c *config) any { return &c.Limits.SendBytes }},
	{key: "heldBytes", bytes: true, doc: "bytes of a writing request's answer that wait for its commit", ref: func(c *config) any { return &c.Limits.HeldBytes }},
	{key: "pingsPerSecond", doc: "pings that a client may send", ref: func(c *config) any { return &c.Limits.PingsPerSecond }},
	{key: "loginBytes", bytes: true, doc: "bytes that a connection may make the server keep before it has authenticated, with the requests that wait for that", ref: func(c *config) any { return &c.Limits.LoginBytes }},
	{key: "loginBytesPerAddress", bytes: true, doc: "the same, of all connections of one address", ref: func(c *config) any { return &c.Limits.LoginBytesPerAddress }},
	{key: "queryMemory", bytes: true, doc: "bytes that one request may keep: its message, what it compiles to, what its steps and scripts gather, what it writes (a file that io() reads too), its answer; 0: a quarter of the memory, at most 1 GiB", ref: func(c *config) any { return &c.Limits.QueryBytes }},
	{key: "sessionMemory", bytes: true, doc: "bytes that the variables, the traversals in them and the open transaction of one session may keep", ref: func(c *config) any { return &c.Limits.SessionBytes }},
	{key: "connectionMemory", bytes: true, doc: "bytes of the requests that wait and of the answers that nobody took on one connection; it is read no further when they are more", ref: func(c *config) any { return &c.Limits.ConnectionBytes }},
	{key: "userMemory", bytes: true, doc: "bytes that all connections of one user may keep, without authentication of one address; 0: three quarters of memory", ref: func(c *config) any { return &c.Limits.UserBytes }},
	{key: "memory", bytes: true, doc: "bytes that all clients may keep; 0: half of GOMEMLIMIT, or of the memory of the machine or container", ref: func(c *config) any { return &c.Limits.MemoryBytes }},
	{key: "functionMemory", bytes: true, doc: "bytes of the functions that scripts define, of all users; who holds most loses what was used least recently", ref: func(c *config) any { return &c.FunctionMemory }},
	{key: "rowCache", bytes: true, doc: "bytes of vertices and edges kept decoded, beside what requests keep; 0 for none", ref: func(c *config) any { return &c.RowCache }},
	{key: "blockCache", bytes: true, doc: "bytes of the store's blocks kept in memory", ref: func(c *config) any { return &c.BlockCache }},
	{key: "transactionBytes", bytes: true, doc: "bytes that one transaction may write, at most 2GiB; until they are committed they count for queryMemory, or for sessionMemory: twice, and some hundred bytes for each key of the store", ref: func(c *config) any { return &c.TransactionBytes }},
	{key: "transactionReads", doc: "places of a graph that one transaction may read, if it writes: ranges of elements and values, on graphs of isolation strict", ref: func(c *config) any { return &c.TransactionReads }},
	{key: "conflictMemory", bytes: true, doc: "bytes of written keys kept to find conflicts of open transactions; one that is too old for them fails with a conflict", ref: func(c *config) any { return &c.ConflictMemory }},
	{key: "diskReserve", doc: "free space below which writes are refused: bytes, or percent of the disk as in 5%; 0 never; empty: 5%, at least 32 MiB and at most 1 GiB", ref: func(c *config) any { return &c.DiskReserve }},
	{key: "strictTransactionManagement", doc: "scripts must come with aliases", ref: func(c *config) any { return &c.Strict }},
	{key: "closeSessionPostGraphOp", doc: "commit and rollback end the session", ref: func(c *config) any { return &c.Close }},
	{key: "enableAuditLog", doc: "note every request with its user, in auditFile or else in the log", ref: func(c *config) any { return &c.Audit }},
	{key: "auditFile", doc: "file that gets a line of JSON for what was refused, what failed and what was changed, with who, from where and why, and with enableAuditLog for every request; SIGHUP opens it again; empty: the log alone tells", ref: func(c *config) any { return &c.AuditFile }},
	{key: "tokens", doc: "send elements without properties unless asked otherwise", ref: func(c *config) any { return &c.Tokens }},
	{key: "closures", doc: "allow lambdas and Groovy scripts of the safe subset", ref: func(c *config) any { return &c.Closures }},
	{key: "auth", doc: "ask clients for a name and a password", ref: func(c *config) any { return &c.Auth }},
	{key: "insecure", doc: "listen beyond this machine without authentication", ref: func(c *config) any { return &c.Insecure }},
	{key: "jwt.keyFiles", doc: "public keys of tokens, by commas: files of PEM or JWKS, read again when they change; empty, as jwt.secretFile: no tokens are taken", ref: func(c *config) any { return &c.JWT.KeyFiles }},
	{key: "jwt.revokedFile", doc: "tokens that were called back, read again when it changes: lines of `jti ID`, or `before TIME NAME` for those of a user that were made before", ref: func(c *config) any { return &c.JWT.RevokedFile }},
	{key: "jwt.secretFile", doc: "the secret of tokens of HS256, of 32 bytes at least, read again when it changes", ref: func(c *config) any { return &c.JWT.SecretFile }},
	{key: "jwt.issuer", doc: "who must have made a token (iss); empty: whoever has the key", ref: func(c *config) any { return &c.JWT.Issuer }},
	{key: "jwt.audience", doc: "whom a token must be for (aud), one of these by commas", ref: func(c *config) any { return &c.JWT.Audience }},
	{key: "jwt.leeway", doc: "ms by which clocks may differ", ref: func(c *config) any { return &c.JWT.Leeway }},
	{key: "jwt.nameClaim", doc: "the claim with the user's name; dots lead into objects", ref: func(c *config) any { return &c.JWT.NameClaim }},
	{key: "jwt.rolesClaim", doc: "the claim with the names of roles; a token without it has the roles of the user of its name, who must be there; empty: so for all tokens", ref: func(c *config) any { return &c.JWT.RolesClaim }},
	{key: "jwt.graphsClaim", doc: "the claim with the only graphs that the user reaches; empty: tokens do not say", ref: func(c *config) any { return &c.JWT.GraphsClaim }},
	{key: "ssl.enabled", doc: "serve TLS", ref: func(c *config) any { return &c.TLS.Enabled }},
	{key: "ssl.keyCertChainFile", doc: "PEM certificates", ref: func(c *config) any { return &c.TLS.CertFile }},
	{key: "ssl.keyFile", doc: "PEM key", ref: func(c *config) any { return &c.TLS.KeyFile }},
	{key: "ssl.trustCertChainFile", doc: "PEM authorities of clients", ref: func(c *config) any { return &c.TLS.ClientCA }},
	{key: "ssl.needClientAuth", doc: "REQUIRE: clients must show a certificate of those authorities; OPTIONAL or NONE", ref: func(c *config) any { return &c.TLS.ClientAuth }},
	{key: "allowedHosts", doc: "names, by commas, that a Host header may have besides this machine's; on loopback only, against DNS rebinding", ref: func(c *config) any { return &c.AllowedHosts }},
	{key: "explorer", doc: "serve the page for people at /, to browsers", ref: func(c *config) any { return &c.Explorer }},
	{key: "allowedOrigins", doc: "origins of pages, by commas, that may use the server from a browser, as https://app.example; * for all", ref: func(c *config) any { return &c.AllowedOrigins }},
	{key: "openMetrics", doc: "/metrics of the admin address needs no login", ref: func(c *config) any { return &c.OpenMetrics }},
	{key: "backupDir", doc: "the only folder that backups asked for over the admin address are written to; empty refuses them", ref: func(c *config) any { return &c.BackupDir }},
	{key: "slowQueryMillis", doc: "ms after which a request is logged; 0 none", ref: func(c *config) any { return &c.SlowQuery }},
	{key: "tracing.endpoint", doc: "URL of a collector of OpenTelemetry that takes OTLP as JSON over HTTP, as http://localhost:4318; empty: requests are not traced", ref: func(c *config) any { return &c.Tracing.Endpoint }},
	{key: "tracing.oneIn", doc: "how many requests there are for one that is traced, by chance; 0: only those whose client says so by a traceparent, which are always", ref: func(c *config) any { return &c.Tracing.OneIn }},
	{key: "shutdownTimeout", doc: "ms that running requests get at the end", ref: func(c *config) any { return &c.ShutdownTimeout }},
	{key: "logLevel", doc: "debug, info, warn or error", ref: func(c *config) any { return &c.LogLevel }},
	{key: "logFormat", doc: "text or json", ref: func(c *config) any { return &c.LogFormat }},
}

func findSetting(key string) *setting {
	for i := range settings {
		if settings[i].key == key {
			return &settings[i]
		}
	}
	return nil
}

func settingKeys() []string {
	keys := make([]string, len(settings))
	for i := range settings {
		keys[i] = settings[i].key
	}
	return keys
}

// set reads a value's text.
func (s *setting) set(c *config, text, origin string) error {
	var err error
	switch p := s.ref(c).(type) {
	case *string:
		*p = text
	case *[]string:
		*p = listOf(text)
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *int:
		var n int64
		n, err = s.number(text, math.MaxInt32)
		*p = int(n)
	case *int64:
		*p, err = s.number(text, math.MaxInt64)
	case *time.Duration:
		*p, err = readDuration(text)
	}
	if err != nil {
		return usage("%s: %s: %q is not valid (%v): %s", origin, s.key, text, err, s.doc)
	}
	c.origin[s.key] = origin
	return nil
}

// listOf reads a list that is written with commas.
func listOf(text string) []string {
	var list []string
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// number reads a count, or a size.
func (s *setting) number(text string, most int64) (int64, error) {
	if s.bytes {
		return readSize(text, most)
	}
	return wholeNumber(text, most)
}

// get shows the value.
func (s *setting) get(c *config) string {
	switch p := s.ref(c).(type) {
	case *string:
		return *p
	case *[]string:
		return strings.Join(*p, ",")
	case *time.Duration:
		return strconv.FormatInt(p.Milliseconds(), 10)
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *int64:
		return strconv.FormatInt(*p, 10)
	}
	return ""
}

// envName is the environment variable of a key: GREMLIND_SSL__ENABLED.
func envName(key string) string {
	return "GREMLIND_" + strings.ToUpper(strings.ReplaceAll(key, ".", "__"))
}

// applyEnvironment overlays GREMLIND_* variables; environ is as os.Environ gives it.
func (c *config) applyEnvironment(environ []string) error {
	byName := map[string]*setting{}
	for i := range settings {
		byName[envName(settings[i].key)] = &settings[i]
	}
	sort.Strings(environ)
	for _, kv := range environ {
		name, text, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "GREMLIND_") {
			continue
		}
		s := byName[name]
		if s == nil {
			c.unknown = append(c.unknown, "environment: "+name+" is no setting"+traversal.Suggestion(name, "", slices.Collect(maps.Keys(byName))))
			continue
		}
		if err := s.set(c, text, "environment "+name); err != nil {
			return err
		}
	}
	return nil
}

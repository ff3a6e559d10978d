package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/protocol/auth/token"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/engine"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/tracing"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

var sampleNames = sample.Names()

// openDatabase opens the data directory, or a database in memory.
func openDatabase(c *config, log *slog.Logger) (*blueprints.Database, error) {
	memory, err := openMemory(c, log)
	if err != nil {
		return nil, fmt.Errorf("open memory store: %w", err)
	}
	store := memory
	o := blueprints.DatabaseOptions{CacheBytes: c.RowCache, Late: true, Scratch: func() (storage.Store, error) {
		return openMemory(nil, log)
	}}
	if c.RowCache <= 0 {
		o.CacheBytes = -1
	}
	if !c.Memory {
		if store, err = openStore(c, log); err != nil {
			_ = memory.Close()
			return nil, err
		}
		o.Memory = memory
	}
	return blueprints.Open(store, o)
}

// openGraphs makes the configured graphs that do not exist yet and fills samples.
func openGraphs(ctx context.Context, c *config, db *blueprints.Database, log *slog.Logger) error {
	existing := map[string]bool{}
	for _, name := range db.GraphNames() {
		existing[name] = true
	}
	for i := range c.Graphs {
		gc := &c.Graphs[i]
		want := gc.options(c.Memory)
		if !existing[gc.Name] {
			if _, err := db.CreateGraph(gc.Name, want); err != nil {
				return fmt.Errorf("create graph %s: %w", gc.Name, err)
			}
		}
		g, err := db.Graph(gc.Name)
		if err != nil {
			return err
		}
		if existing[gc.Name] {
			if err := gc.adopt(db, g.Options(), want, log); err != nil {
				return err
			}
		}
		if gc.Sample == "" {
			continue
		}
		loaded, err := sample.Load(ctx, g, gc.Sample)
		if err != nil {
			return fmt.Errorf("graph %s: %w", gc.Name, err)
		}
		log.Debug("sample", "graph", gc.Name, "sample", gc.Sample, "loaded", loaded)
	}
	return nil
}

// codecs are the serializers by mime type. application/json is GraphSON 3, typed.
func codecs() message.Codecs {
	c := message.Codecs{
		message.MimeGraphBinary:        graphbinary.Codec{},
		message.MimeGraphBinaryStringd: graphbinary.Codec{Stringd: true},
	}
	c[message.MimeJSON] = graphson.Codec{Version: 3}
	for version, mime := range map[int]string{1: message.MimeGraphSON1, 2: message.MimeGraphSON2, 3: message.MimeGraphSON3} {
		c[mime] = graphson.Codec{Version: version}
		c[mime+message.Untyped] = graphson.Codec{Version: version, Untyped: true}
	}
	return c
}

// knownFunctions can be named instead of defined: those of TinkerPop's test server.
var knownFunctions = map[string]string{"addItUp": "def addItUp(x, y) { x + y }"}

// newEngine makes what evaluates requests.
func newEngine(c *config, h *host, db *blueprints.Database, log *slog.Logger) (*engine.Engine, error) {
	functions := &machine.Functions{Max: c.FunctionMemory}
	for _, f := range c.Functions {
		if text, ok := knownFunctions[f]; ok {
			f = text
		}
		if err := script.Define(functions, f); err != nil {
			return nil, usage("functions: %s", err)
		}
	}
	if c.Startup != nil {
		c.Startup.Fix(functions)
	}
	return engine.New(engine.Options{
		Functions: functions,
		Database:  db, Sources: c.Sources, Graphs: c.graphNames(), Config: c.SourceConfig, Host: h, NoClosures: !c.Closures,
		BatchMax: c.EngineBatch, NoOptimization: !c.EngineOptimize,
		Print: func(text string) { log.Debug("script prints", "text", text) },
	})
}

// newGuard makes what knows the users; tokens are nil where none are taken.
func newGuard(c *config, users *auth.Users, tokens *token.Verifier, log *slog.Logger) (*auth.Guard, error) {
	g, err := auth.NewGuard(users, c.Users, log)
	if errors.Is(err, auth.ErrNoRole) {
		return nil, usageError{err}
	}
	if err == nil && tokens != nil {
		g.UseTokens(tokens)
	}
	return g, err
}

// tokenPeriod is how often the keys of tokens are looked at.
const tokenPeriod = 500 * time.Millisecond

// openTokens reads the keys of tokens, now and when they change until ctx ends; nil where
// none are taken.
func openTokens(ctx context.Context, c *config, log *slog.Logger) (*token.Verifier, error) {
	if !c.Auth || !c.takesTokens() {
		return nil, nil
	}
	v, err := token.New(c.JWT)
	if err != nil {
		return nil, usage("keys of tokens: %s", err)
	}
	go v.Watch(ctx, tokenPeriod, log)
	return v, nil
}

// openAudit opens the audit file; nil where none is configured.
func openAudit(c *config) (*audit.File, error) {
	if c.AuditFile == "" {
		return nil, nil
	}
	f, err := audit.Open(c.AuditFile)
	if err != nil {
		return nil, usage("auditFile: %s", err)
	}
	return f, nil
}

// newServer joins the engine and the endpoint.
func newServer(c *config, e *engine.Engine, db *blueprints.Database, users *auth.Users, tokens *token.Verifier, trail *audit.File, log *slog.Logger) (srv *protocol.Server, err error) {
	var guard contract.Authenticator
	if c.Auth {
		if guard, err = newGuard(c, users, tokens, log); err != nil {
			return nil, err
		}
	}
	traces, err := tracing.New(c.Tracing, log)
	if err != nil {
		return nil, usage("tracing.endpoint: %w", err)
	}
	srv = protocol.New(protocol.Options{
		Options: request.Options{
			Traces: traces,
			Engine: e, Feed: e, Auth: guard, Codecs: codecs(), Limits: c.Limits, Log: log, Tokens: c.Tokens,
			StrictTransactions: c.Strict, CloseSessionAfterGraphOp: c.Close, Audit: c.Audit, AuditFile: trail, SlowQuery: c.SlowQuery,
		},
		Ready: func() error { return ready(db.Store()) }, Faults: faultsOf(c, db.Store()),
		Hosts: c.AllowedHosts, Origins: c.AllowedOrigins, Loopback: loopback(c.Host),
		WebSocketOnly: c.WebSocketOnly, HTTPOnly: c.HTTPOnly, Explorer: newExplorer(c),
	})
	paceCollector(srv.Memory())
	return srv, registerMetrics(srv.Registry(), db)
}

func dataPath(c *config, name string) string { return filepath.Join(c.DataDir, name) }

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/traversal"
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve [config.yaml]",
		Short: "Serve Gremlin over WebSocket and HTTP",
		Long: `Serve Gremlin over WebSocket and HTTP.

The file has the keys of gremlin-server.yaml, and ours. A flag beats an environment
variable (GREMLIND_PORT), which beats the file (or the one that GREMLIN_YAML names),
which beats the default. "gremlind config" shows every value and where it comes from.`,
		Args: cobra.MaximumNArgs(1),
	}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), args, os.Environ())
		if err != nil {
			return err
		}
		return runServe(cmd.Context(), c, func(s *server, at net.Addr) error { s.announce(at); return nil })
	}
	return cmd
}

// flagKeys are the settings that have a flag of their own; --set reaches the others.
var flagKeys = map[string]string{
	"host": "host", "port": "port", "data-dir": "dataDir", "io-dir": "ioDir", "sample": "sample",
	"admin": "admin", "log-level": "logLevel", "log-format": "logFormat", "insecure": "insecure", "auth": "auth",
}

func configFlags(f *pflag.FlagSet) {
	for name, key := range flagKeys {
		s := findSetting(key)
		f.String(name, "", s.doc)
		if _, isFlag := s.ref(defaultConfig()).(*bool); isFlag {
			f.Lookup(name).NoOptDefVal = "true"
		}
	}
	f.Bool("memory", false, "keep everything in memory")
	f.StringArray("set", nil, "any setting: --set key=value")
	f.Int("engine-batch", 0, "traversers that steps exchange at once (tests)")
	f.Bool("engine-optimize", true, "apply optimizing strategies (tests)")
	for _, name := range []string{"engine-batch", "engine-optimize"} {
		f.Lookup(name).Hidden = true
	}
}

// loadConfig merges defaults, file, environment and flags.
func loadConfig(f *pflag.FlagSet, args, environ []string) (*config, error) {
	c := defaultConfig()
	file := os.Getenv("GREMLIN_YAML")
	if len(args) > 0 {
		file = args[0]
	}
	if file != "" {
		if err := c.readFile(file); err != nil {
			return nil, err
		}
	}
	if err := c.applyEnvironment(environ); err != nil {
		return nil, err
	}
	if err := c.applyFlags(f); err != nil {
		return nil, err
	}
	return c, c.finish()
}

func (c *config) applyFlags(f *pflag.FlagSet) error {
	var err error
	f.Visit(func(flag *pflag.Flag) {
		if key, ok := flagKeys[flag.Name]; ok && err == nil {
			err = findSetting(key).set(c, flag.Value.String(), "flag --"+flag.Name)
		}
	})
	if err != nil {
		return err
	}
	sets, err := f.GetStringArray("set")
	if err != nil {
		return err
	}
	for _, kv := range sets {
		key, text, ok := strings.Cut(kv, "=")
		s := findSetting(key)
		if s == nil || !ok {
			return usage("--set %s: want key=value with a key that gremlind config lists%s", kv, traversal.Suggestion(key, "", settingKeys()))
		}
		if err := s.set(c, text, "flag --set"); err != nil {
			return err
		}
	}
	if memory, _ := f.GetBool("memory"); memory {
		c.Memory = true
	}
	c.EngineBatch, _ = f.GetInt("engine-batch")
	c.EngineOptimize, _ = f.GetBool("engine-optimize")
	return nil
}

// newLogger makes the log, whose level may be changed.
func newLogger(c *config) (*slog.Logger, *slog.LevelVar, error) {
	first, err := logLevel(c.LogLevel)
	if err != nil {
		return nil, nil, err
	}
	level := new(slog.LevelVar)
	level.Set(first)
	o := &slog.HandlerOptions{Level: level}
	switch c.LogFormat {
	case "json":
		return slog.New(slog.NewJSONHandler(os.Stderr, o)), level, nil
	case "text":
		return slog.New(slog.NewTextHandler(os.Stderr, o)), level, nil
	}
	return nil, nil, usage("logFormat: %q is neither text nor json", c.LogFormat)
}

// server is everything that runs while serving.
type server struct {
	c     *config // as it was given, and what gremlind set had changed at the start
	base  *config // without that
	log   *slog.Logger
	level *slog.LevelVar
	set   sync.Mutex // held while a setting is changed
	db    *blueprints.Database
	gate  *protocol.Server
	users *auth.Users
	admin *adminServer
	certs *certificates
	audit *audit.File // nil: none is configured
}

// runServe serves until a signal ends it. When it listens it calls ready, whose error ends it.
func runServe(ctx context.Context, c *config, ready func(s *server, at net.Addr) error) (err error) {
	tuneCollector()
	log, level, err := newLogger(c)
	if err != nil {
		return err
	}
	for _, line := range c.notes {
		log.Info("configuration", "note", line)
	}
	for _, line := range c.unknown {
		log.Warn("configuration", "note", line)
	}
	if err := checkExposure(c, log); err != nil {
		return err
	}
	// Signals are caught before anything is open, so that none is lost.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt, syscall.SIGHUP)
	defer signal.Stop(signals)

	s := &server{c: c, log: log, level: level}
	end, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	l, err := s.listen()
	if err != nil {
		return err
	}
	if err := s.startAdmin(); err != nil {
		return err
	}
	s.startSocket()
	defer s.admin.close()
	if err := ready(s, l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	notify("READY=1")
	if err := forgetStart(); err != nil {
		log.Debug("pages of the program are kept", "error", err)
	}
	gathering, stopGathering := context.WithCancel(ctx)
	defer stopGathering()
	go keepHuge(gathering, log)
	return s.run(l, signals)
}

// announce says in the log where the server is.
func (s *server) announce(at net.Addr) {
	s.log.Info("serving", "address", at.String(), "version", version, "dataDir", s.place(), "graphs", len(s.c.Graphs))
	if s.c.explores() {
		s.log.Info("explorer", "open", explorerURL(s.c, at))
	}
}

// open makes all that answers requests; the caller listens. What it returns closes it
// again.
func (s *server) open(ctx context.Context) (end func() error, err error) {
	if s.db, err = openDatabase(s.c, s.log); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.db.Close())
		}
	}()
	if err := s.recallSettings(); err != nil {
		return nil, err
	}
	if err := openGraphs(ctx, s.c, s.db, s.log); err != nil {
		return nil, err
	}
	s.users = auth.NewUsers(s.db.Store())
	host := newHost(s.c, s.db)
	engine, err := newEngine(s.c, host, s.db, s.log)
	if err != nil {
		return nil, err
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			stopWatching()
		}
	}()
	tokens, err := openTokens(watching, s.c, s.log)
	if err != nil {
		return nil, err
	}
	if s.audit, err = openAudit(s.c); err != nil {
		return nil, err
	}
	if s.gate, err = newServer(s.c, engine, s.db, s.users, tokens, s.audit, s.log); err != nil {
		return nil, err
	}
	host.requests, host.administered = s.gate.Requests(), s.gate.GraphAdministered
	if s.c.Auth {
		host.users = s.users.Names
	}
	stopHooks, err := startHooks(ctx, s.c, engine, s.db, s.log)
	if err != nil {
		return nil, err
	}
	return func() error { stopWatching(); stopHooks(); return errors.Join(s.db.Close(), s.audit.Close()) }, nil
}

func (s *server) place() string {
	if s.c.Memory {
		return "(memory)"
	}
	return s.c.DataDir
}

// run serves until a signal asks to stop; a second one ends the process at once.
func (s *server) run(l net.Listener, signals <-chan os.Signal) error {
	failed := make(chan error, 1)
	go func() { failed <- s.gate.Serve(l) }()
	for {
		select {
		case err := <-failed:
			return fmt.Errorf("serve: %w", err)
		case sig := <-signals:
			if sig == syscall.SIGHUP {
				s.reload()
				continue
			}
			return s.drain(sig, signals)
		}
	}
}

// drain stops accepting, lets running requests finish and closes everything.
func (s *server) drain(sig os.Signal, signals <-chan os.Signal) error {
	s.log.Info("stopping", "signal", sig.String())
	notify("STOPPING=1")
	ctx, cancel := context.WithTimeout(context.Background(), s.c.ShutdownTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.gate.Shutdown(ctx) }()
	for {
		select {
		case err := <-done:
			if err == nil {
				s.log.Info("stopped")
			}
			return err
		case sig := <-signals:
			if sig != syscall.SIGHUP {
				os.Exit(exitInterrupted)
			}
		}
	}
}

func (s *server) listen() (net.Listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(s.c.Host, strconv.Itoa(s.c.Port)))
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return s.secure(l)
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// checkAdmin does the same for the admin address.
func checkAdmin(c *config, log *slog.Logger) error {
	host, _, err := net.SplitHostPort(c.Admin)
	if c.Admin == "" || c.Admin == "off" {
		return nil
	}
	if err != nil {
		return usage("admin: %s: want host:port, or off", err)
	}
	switch {
	case loopback(host):
	case !c.Auth && !c.Insecure:
		return usage(c.from("admin")+"admin %s is reachable from other machines and auth is off: set auth, or insecure if that is meant", c.Admin)
	case !c.Auth:
		log.Warn("everybody who reaches the admin address may stop requests and look into the process", "admin", c.Admin)
	case !c.TLS.Enabled && !c.Insecure:
		return usage(c.from("admin")+"admin %s is reachable from other machines and passwords would travel in the clear: set ssl, or insecure if that is meant", c.Admin)
	}
	return nil
}

// checkExposure refuses to show an open graph to the network by accident.
func checkExposure(c *config, log *slog.Logger) error {
	if err := checkAdmin(c, log); err != nil || loopback(c.Host) {
		return err
	}
	switch {
	case !c.Auth && !c.Insecure:
		return usage(c.from("host")+"host %s is reachable from other machines and auth is off: set auth, or insecure if that is meant", c.Host)
	case !c.Auth:
		log.Warn("everybody who reaches this address may read and write", "host", c.Host)
	case !c.TLS.Enabled && !c.Insecure:
		return usage(c.from("host")+"host %s is reachable from other machines and passwords would travel in the clear: set ssl, or insecure if that is meant", c.Host)
	case !c.TLS.Enabled:
		log.Warn("passwords travel in the clear", "host", c.Host)
	}
	return nil
}

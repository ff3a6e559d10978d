package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol/engine"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// plugin reads one of scriptEngines.x.plugins. Those that are not named here only bring
// names that are always there.
func (f *configFile) plugin(name string, k, v *yaml.Node) error {
	switch name[strings.LastIndex(name, ".")+1:] {
	case "ScriptFileGremlinPlugin":
		return f.each(v, "", func(key string, _, v *yaml.Node) error {
			if key == "files" {
				f.scripts = append(f.scripts, v.Content...)
			}
			return nil
		})
	case "GroovyCompilerGremlinPlugin":
		return f.each(v, "", f.compiler)
	}
	return nil
}

// compiler reads what bounds scripts in the reference.
func (f *configFile) compiler(key string, k, v *yaml.Node) error {
	switch key {
	case "timedInterrupt":
		f.longest = v
	case "extensions":
		if class := v.Value[strings.LastIndex(v.Value, ".")+1:]; v.Value != "" && class != "SimpleSandboxExtension" {
			return usage("%s: extensions: %s is refused: scripts run in gremlind's own safe subset, which has no extensions; take the line out if that is enough, or set closures: false", f.at(k), v.Value)
		}
	}
	return nil
}

// interrupt follows timedInterrupt, which bounds scripts in ms: here all requests.
func (f *configFile) interrupt() error {
	if f.longest == nil {
		return nil
	}
	d, err := readDuration(f.longest.Value)
	if err != nil {
		return usage("%s: timedInterrupt: %q is not valid: ms that a script may run", f.at(f.longest), f.longest.Value)
	}
	if d == 0 {
		return nil
	}
	l := &f.c.Limits
	if l.EvaluationTimeout == 0 || l.EvaluationTimeout > d {
		l.EvaluationTimeout = d
		f.c.origin["evaluationTimeout"] = f.at(f.longest)
	}
	if l.EvaluationTimeoutMax > d {
		l.EvaluationTimeoutMax = d
		f.c.origin["evaluationTimeoutMax"] = f.at(f.longest)
	}
	f.note(f.longest, "timedInterrupt bounds evaluationTimeout, of all requests")
	return nil
}

// runScripts evaluates the init scripts for the sources and hooks that they make.
func (f *configFile) runScripts() error {
	if err := f.interrupt(); err != nil {
		return err
	}
	for _, n := range f.scripts {
		if err := f.initScript(n); err != nil {
			return err
		}
	}
	if f.c.Startup == nil || len(f.c.Startup.Sources) == 0 {
		return nil
	}
	if f.c.Sources == nil {
		f.c.Sources = map[string]string{}
	}
	if f.c.SourceConfig == nil {
		f.c.SourceConfig = map[string][]traversal.Instruction{}
	}
	for name, s := range f.c.Startup.Sources {
		if len(f.c.SourceConfig[name]) > 0 {
			return usage("%s: the source %s is in traversalSources, with options or strategies, and in an init script: take one out", f.name, name)
		}
		f.c.Sources[name], f.c.SourceConfig[name] = s.Graph, s.Config
	}
	return nil
}

func (f *configFile) initScript(n *yaml.Node) error {
	path, err := f.find(n)
	if err != nil {
		return usage("%s: init script: %s", f.at(n), err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return usageError{fmt.Errorf("%s: init script: %w", f.at(n), err)}
	}
	if f.c.Startup == nil {
		f.c.Startup = &script.Startup{}
	}
	known := f.c.graphNames()
	if len(known) == 0 {
		known = []string{"graph"}
	}
	err = f.c.Startup.Read(context.Background(), string(text), func(name string) bool { return slices.Contains(known, name) })
	if err != nil {
		return f.badScript(path, n, err)
	}
	return f.checkStrategies(path, string(text), n)
}

// badScript is a script that cannot be followed, with its line.
func (f *configFile) badScript(path string, n *yaml.Node, err error) error {
	var bad *machine.Error
	if errors.As(err, &bad) && bad.Line > 0 {
		path = fmt.Sprintf("%s:%d", path, bad.Line)
	}
	return usage("%s: the init script of %s cannot be followed: %w: change the line, or take the script out and name the sources in traversalSources", path, f.at(n), err)
}

// checkStrategies refuses sources whose strategies nobody here knows: they may protect.
func (f *configFile) checkStrategies(path, text string, n *yaml.Node) error {
	for name, s := range f.c.Startup.Sources {
		for _, in := range s.Config {
			for _, a := range in.Args {
				spec, ok := a.Object().(*traversal.StrategySpec)
				if !ok || in.Name != "withStrategies" {
					continue
				}
				if !strategy.Known(spec.SimpleName()) {
					line := 1 + strings.Count(text[:max(strings.Index(text, spec.SimpleName()), 0)], "\n")
					return usage("%s:%d: the init script of %s cannot be followed: the strategy %s of the source %s is not known to this server", path, line, f.at(n), spec.SimpleName(), name)
				}
				if spec.SimpleName() == "ReferenceElementStrategy" && !f.c.Tokens {
					f.c.Tokens = true
					f.c.origin["tokens"] = f.at(n)
					f.note(n, "%s of %s: tokens is set: elements are sent without properties, from all sources", spec.SimpleName(), name)
				}
			}
		}
	}
	return nil
}

// startHooks fills the samples and runs onStartUp of the init scripts; what it returns
// runs onShutDown.
func startHooks(ctx context.Context, c *config, e *engine.Engine, db *blueprints.Database, log *slog.Logger) (stop func(), err error) {
	if c.Startup == nil {
		return func() {}, nil
	}
	h := engine.Hooks{Startup: c.Startup, Host: hookHost{db, log}}
	up, down := c.Startup.Hooks()
	if up {
		if err := e.Up(ctx, h); err != nil {
			return nil, fmt.Errorf("onStartUp of the init scripts: %w", err)
		}
	}
	return func() {
		if !down {
			return
		}
		if err := e.Down(context.WithoutCancel(ctx), h); err != nil {
			log.Error("onShutDown of the init scripts", "error", err)
		}
	}, nil
}

// hookHost is what init scripts reach of the server.
type hookHost struct {
	db  *blueprints.Database
	log *slog.Logger
}

// Sample fills a graph that is empty.
func (h hookHost) Sample(ctx context.Context, graph, name string) error {
	g, err := namedGraph(h.db, graph)
	if err != nil {
		return err
	}
	loaded, err := sample.Load(ctx, g, name)
	if err == nil && !loaded {
		h.log.Info("the graph is not empty and stays as it is", "graph", graph, "sample", name)
	}
	return err
}

// Log writes what ctx.logger is told.
func (h hookHost) Log(level, text string) {
	var l slog.Level
	if l.UnmarshalText([]byte(level)) != nil {
		l = slog.LevelInfo
	}
	h.log.Log(context.Background(), l, "init script", "text", text)
}

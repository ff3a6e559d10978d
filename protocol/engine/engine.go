// Package engine evaluates requests on the graphs of a database: it is what stands
// behind contract.Engine in a running server.
//
// A Work is one request or one session. It opens a transaction on a graph when a
// traversal first touches it, keeps it until Commit or Rollback, and reads everything
// through it. Bytecode becomes a plan (package steps) and runs; text goes through
// traversal/lang or traversal/script and comes out as bytecode or as a value.
package engine

import (
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Options are what an Engine is made of.
type Options struct {
	Database *blueprints.Database
	// Sources maps the names of traversal sources to names of graphs.
	Sources map[string]string
	// Graphs are those that the configuration names: they are reached through Sources. Any
	// other is its own source.
	Graphs []string
	// Config are the source instructions that every traversal of a source begins with, by
	// the source's name: withStrategies(ReadOnlyStrategy) and so on. Requests cannot take
	// its strategies away.
	Config map[string][]traversal.Instruction
	// Host is what io() and call() reach; nil refuses both.
	Host traversal.Host
	// Functions are what scripts can call without defining it, and where those that they
	// define are kept for their user.
	Functions *machine.Functions
	// NoClosures refuses lambdas and scripts beyond gremlin-lang.
	NoClosures bool
	// Print takes what scripts print; nil throws it away. Connections share it.
	Print func(text string)
	// BatchMax caps the demands of steps, for tests; 0 means the default.
	BatchMax int
	// NoOptimization leaves out the strategies that only make things faster, for tests.
	NoOptimization bool
}

// Engine evaluates requests; it implements contract.Engine.
type Engine struct {
	o       Options
	sources map[string]*source
	graphs  map[string]*source // that have no source without Config; nil: not there by name
	led     map[string]bool    // graphs of the configuration
	// programs keeps scripts and lambdas that were read.
	programs *script.Programs
	plans    *plancache.Cache
	slow     slow
}

var _ contract.Engine = (*Engine)(nil)

// New returns an Engine. Every source must name an existing graph.
func New(o Options) (*Engine, error) {
	e := &Engine{o: o, sources: make(map[string]*source, len(o.Sources)), plans: plancache.New(steps.Registry()), programs: script.NewPrograms()}
	if e.o.Functions == nil {
		e.o.Functions = &machine.Functions{}
	}
	for name, graph := range o.Sources {
		g, err := o.Database.Graph(graph)
		if err != nil {
			return nil, err
		}
		if e.sources[name], err = newSource(name, g, o.Config[name]); err != nil {
			return nil, err
		}
	}
	e.guardGraphs()
	for _, name := range o.Graphs {
		e.led[name] = true
	}
	return e, nil
}

// Lookup says what a global name means.
func (e *Engine) Lookup(who *traversal.Identity, name string) contract.NameKind {
	if s, ok := e.sources[name]; ok {
		if who.Enters(name, s.graph.Name()) {
			return contract.SourceName
		}
		return contract.NoName
	}
	guard, guarded := e.graphs[name]
	switch {
	case guarded && guard == nil || !who.Enters(name, name) || !e.o.Database.HasGraph(name):
		return contract.NoName
	case e.led[name]:
		return contract.GraphName
	}
	return contract.SourceName // a graph without a source is its own
}

// Open makes the state of one request or session.
func (e *Engine) Open(o contract.WorkOptions) contract.Work {
	if o.Session {
		return &work{e: e, o: o, query: &plancache.Query{}}
	}
	w := works.Get().(*work)
	w.e, w.o, w.txs = e, o, w.oneTx[:0]
	w.keep()
	return w
}

// Quick looks for what reaches beyond the graph, in bytecode by what the steps declare,
// in text by name.
func (e *Engine) Quick(q *contract.Query) bool {
	if q.IsBytecode() {
		return quick(q.Code())
	}
	if len(q.Script) > quickText {
		return false
	}
	for _, word := range []string{"call", "io(", "{", "=", "sleep", "tx"} {
		if strings.Contains(q.Script, word) {
			return false
		}
	}
	return true
}

// quickText is the length in bytes above which a script is not thought of as quick.
const quickText = 4 << 10

func quick(b *traversal.Bytecode) bool {
	for _, list := range [][]traversal.Instruction{b.Source, b.Steps} {
		for i := range list {
			spec, ok := steps.Registry().Lookup(list[i].Name)
			if ok && spec.Effects&(traversal.Opaque|traversal.External) != 0 {
				return false
			}
			for _, a := range list[i].Args {
				if nested, ok := a.Object().(*traversal.Bytecode); ok && !quick(nested) || a.Kind() == value.KindLambda {
					return false
				}
			}
		}
	}
	return true
}

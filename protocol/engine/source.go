package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// source is what traversals start from: a graph, and what the server's configuration
// puts in front of each of them.
type source struct {
	name   string
	graph  *blueprints.Graph
	config []traversal.Instruction
	// fixed are the strategies of config by simple name: requests neither remove nor
	// replace them.
	fixed    map[string]*traversal.StrategySpec
	readOnly bool
	// options are what with() in config asks of the graph: requests cannot ask otherwise.
	options map[string]value.Value
	// timeout is how long a request may take, 0 for what others say.
	timeout time.Duration
}

const readOnlyStrategy = "ReadOnlyStrategy"

func newSource(name string, g *blueprints.Graph, config []traversal.Instruction) (*source, error) {
	s := &source{name: name, graph: g, config: config}
	for _, in := range config {
		if key, v, ok := option(in); ok {
			s.fix(key, v)
		}
		if in.Name != "withStrategies" {
			continue
		}
		for _, a := range in.Args {
			spec, ok := a.Object().(*traversal.StrategySpec)
			if !ok {
				return nil, fmt.Errorf("traversal source %s: withStrategies() takes strategies, not %s", name, a.Brief())
			}
			if s.fixed == nil {
				s.fixed = map[string]*traversal.StrategySpec{}
			}
			if !spec.IsOptions() {
				s.fixed[spec.SimpleName()] = spec
				continue
			}
			for i := range spec.Config.Len() {
				s.fix(spec.Config.Entry(i))
			}
		}
	}
	s.readOnly = s.fixed[readOnlyStrategy] != nil
	return s, nil
}

// option is what with() says, false for other instructions.
func option(in traversal.Instruction) (key, v value.Value, ok bool) {
	if in.Name != "with" || len(in.Args) == 0 {
		return key, v, false
	}
	v = value.Bool(true)
	if len(in.Args) > 1 {
		v = in.Args[1]
	}
	return in.Args[0], v, true
}

// fix takes note of an option of the source.
func (s *source) fix(key, v value.Value) {
	switch {
	case traversal.IsOption(key.Str()):
		if s.options == nil {
			s.options = map[string]value.Value{}
		}
		s.options[key.Str()] = v
	case key.Str() == "evaluationTimeout" && v.Kind() != value.KindString:
		s.timeout = time.Duration(v.Int64()) * time.Millisecond
	}
}

// otherwise refuses an option that the source has with another value.
func (s *source) otherwise(key, v value.Value) error {
	if has, fixed := s.options[key.Str()]; fixed && !value.Equal(has, v) {
		return &message.StatusError{Code: 597, Class: "java.lang.IllegalArgumentException",
			Message: fmt.Sprintf("the source %s fixes %s", s.name, key.Str())}
	}
	return nil
}

// configured is b behind the configuration of the source. Every traversal comes through
// here, whatever form it was sent in.
func (s *source) configured(b *traversal.Bytecode) (*traversal.Bytecode, error) {
	if len(s.config) == 0 {
		return b, nil
	}
	for _, in := range b.Source {
		if err := s.keeps(in); err != nil {
			return nil, err
		}
	}
	c := *b
	c.Source = append(s.config[:len(s.config):len(s.config)], b.Source...)
	return &c, nil
}

// keeps refuses an instruction that would take a strategy of the source away. The same
// one again is harmless.
func (s *source) keeps(in traversal.Instruction) error {
	if key, v, ok := option(in); ok {
		return s.otherwise(key, v)
	}
	if in.Name != "withStrategies" && in.Name != "withoutStrategies" && in.Name != "withComputer" {
		return nil
	}
	for _, a := range in.Args {
		name, given := a.Str(), (*traversal.StrategySpec)(nil)
		if spec, ok := a.Object().(*traversal.StrategySpec); ok {
			name, given = spec.Class, spec
			if spec.IsOptions() && in.Name != "withoutStrategies" {
				for i := range spec.Config.Len() {
					if err := s.otherwise(spec.Config.Entry(i)); err != nil {
						return err
					}
				}
			}
		}
		name = (&traversal.StrategySpec{Class: name}).SimpleName()
		fixed := s.fixed[name]
		if fixed == nil || in.Name != "withoutStrategies" && given != nil && given.Config.Len() == 0 && fixed.Config.Len() == 0 {
			continue
		}
		return &message.StatusError{Code: 597, Class: "java.lang.IllegalArgumentException",
			Message: fmt.Sprintf("%s belongs to the traversal source %s of this server: a request cannot remove or replace it", name, s.name)}
	}
	return nil
}

// guardGraphs sees to it that the name of a graph is no way around its sources: where
// all of them have a configuration, the name has it too when there is one, and is not
// there when there are more.
func (e *Engine) guardGraphs() {
	of := map[string][]*source{}
	for _, s := range e.sources {
		of[s.graph.Name()] = append(of[s.graph.Name()], s)
	}
	e.graphs, e.led = map[string]*source{}, map[string]bool{}
	for name, all := range of {
		e.led[name] = true
		free := false
		for _, s := range all {
			free = free || len(s.fixed) == 0 && len(s.options) == 0
		}
		switch {
		case free:
		case len(all) > 1:
			e.graphs[name] = nil
		default:
			e.graphs[name] = all[0]
		}
	}
}

// source returns what a global name traverses: a source, or a graph by its own name. One
// that the user does not reach is answered as one that is not there.
func (e *Engine) source(who *traversal.Identity, name string) (*source, error) {
	s, err := e.anySource(name)
	if err == nil && !who.Enters(name, s.graph.Name()) {
		return nil, fmt.Errorf("%w: %q", blueprints.ErrNoGraph, name)
	}
	return s, err
}

func (e *Engine) anySource(name string) (*source, error) {
	if s, ok := e.sources[name]; ok {
		return s, nil
	}
	if s, ok := e.graphs[name]; ok {
		if s == nil {
			return nil, fmt.Errorf("the graph %s is reached through its traversal sources alone", name)
		}
		return s, nil
	}
	g, err := e.o.Database.Graph(name)
	if err != nil {
		return nil, err
	}
	return &source{name: name, graph: g}, nil
}

// global returns what a name in a script traverses. The server's own scripts reach graphs
// as they are.
func (w *work) global(g host.Global) (*source, error) {
	if g.Opened > 0 {
		return w.opened.source(g)
	}
	if w.hook == nil {
		return w.e.source(w.o.Identity, g.Name)
	}
	graph, err := w.e.o.Database.Graph(g.Name)
	if err != nil {
		return nil, err
	}
	return &source{name: g.Name, graph: graph}, nil
}

// Nearest returns the source or graph whose name is nearest to one that is not there, ""
// for none.
func (e *Engine) Nearest(who *traversal.Identity, name string) string {
	return traversal.Nearest(name, e.globalNames(who))
}

// globalNames are those of all sources and graphs that a user reaches.
func (e *Engine) globalNames(who *traversal.Identity) []string {
	names := slices.Collect(maps.Keys(e.sources))
	for _, g := range e.o.Database.GraphNames() {
		if e.sources[g] == nil {
			names = append(names, g)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return e.Lookup(who, name) == contract.NoName })
}

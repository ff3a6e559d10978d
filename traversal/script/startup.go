package script

import (
	"context"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Source is a traversal source that an initialisation script configured.
type Source struct {
	Graph string
	// Config are its withStrategies(), with() and so on, in order.
	Config []traversal.Instruction
}

// Startup is what the initialisation scripts of a server make: traversal sources,
// functions, and hooks that run when the server starts and ends. Scripts are read before
// any graph is open: what touches one stands in a hook.
type Startup struct {
	// Sources are by name.
	Sources map[string]Source

	functions []*function
	up, down  []*closure
	samples   []startupSample // asked for outside a hook
}

// startupSteps bounds the turns of loops of a script that is read: it only names things.
const startupSteps = 1_000_000

type startupSample struct{ graph, name string }

// Read evaluates an initialisation script, which can name the graphs that known tells.
// What it returns or assigns, besides sources and hooks, is an error.
func (st *Startup) Read(ctx context.Context, text string, known func(graph string) bool) error {
	p, err := parse(&traversal.Meter{Ctx: ctx}, text, Limits{}.withDefaults())
	if err != nil {
		return err
	}
	s := NewSession(&unopened{known: known}, Options{Startup: (*startupReader)(st), Limits: Limits{Steps: startupSteps}})
	v, err := s.machine(ctx).run(p)
	if err != nil {
		return err
	}
	st.functions = append(st.functions, p.functions...)
	for name, v := range s.vars {
		if err := st.bind(name, v); err != nil {
			return err
		}
	}
	if v.Kind() != value.KindMap {
		return nil // the reference takes a map alone
	}
	for i := range v.Map().Len() {
		k, v := v.Map().Entry(i)
		if err := st.bind(k.Str(), v); err != nil {
			return err
		}
	}
	return nil
}

// bind takes one name that a script gives to the server.
func (st *Startup) bind(name string, v value.Value) error {
	switch o := foreign(v).(type) {
	case *traversalSource:
		if st.Sources == nil {
			st.Sources = map[string]Source{}
		}
		st.Sources[name] = Source{Graph: o.g.Name, Config: o.config}
		return nil
	case *lifeCycle:
		if o.up != nil {
			st.up = append(st.up, o.up)
		}
		if o.down != nil {
			st.down = append(st.down, o.down)
		}
		return nil
	}
	return fail(argumentException, "%s is neither a traversal source nor a LifeCycleHook: a server's script cannot give it to clients", clip(name))
}

// Fix makes the functions of the scripts the server's: every script can call them, none
// replaces them.
func (st *Startup) Fix(fs *Functions) { fs.fix(st.functions) }

// Up fills samples and runs onStartUp of the hooks in a session with a StartupHost.
func (st *Startup) Up(ctx context.Context, s *Session) error {
	for _, x := range st.samples {
		if err := s.o.Startup.Sample(ctx, x.graph, x.name); err != nil {
			return err
		}
	}
	return runHooks(ctx, s, st.up)
}

// Down runs onShutDown.
func (st *Startup) Down(ctx context.Context, s *Session) error { return runHooks(ctx, s, st.down) }

// Hooks reports whether Up and Down have anything to do.
func (st *Startup) Hooks() (up, down bool) {
	return len(st.up)+len(st.samples) > 0, len(st.down) > 0
}

func runHooks(ctx context.Context, s *Session, hooks []*closure) error {
	for _, c := range hooks {
		if _, err := c.call(s.machine(ctx), []value.Value{wrap(startupContext{})}); err != nil {
			return err
		}
	}
	return nil
}

// startupReader notes what stands outside hooks for later.
type startupReader Startup

func (r *startupReader) Sample(_ context.Context, graph, name string) error {
	r.samples = append(r.samples, startupSample{graph, name})
	return nil
}

func (r *startupReader) Log(string, string) {}

// unopened knows the names of graphs that are not open yet.
type unopened struct{ known func(string) bool }

var _ Host = (*unopened)(nil)

func (h *unopened) Lookup(name string) (Global, bool) {
	return Global{Kind: GraphGlobal, Name: name}, h.known(name)
}

func (h *unopened) notYet() error {
	return fail(unsupported, "no graph is open while the script is read: what touches one stands in onStartUp of a LifeCycleHook")
}

func (h *unopened) Execute(context.Context, Global, *traversal.Bytecode) (Iterator, error) {
	return nil, h.notYet()
}

func (h *unopened) Explain(context.Context, Global, *traversal.Bytecode) (value.Value, error) {
	return value.Null, h.notYet()
}

func (h *unopened) Steps(context.Context, Global, *traversal.Bytecode, bool) ([]string, error) {
	return nil, h.notYet()
}

func (h *unopened) Describe(context.Context, Global) (string, error) {
	return "", h.notYet()
}

func (h *unopened) Tx(context.Context, Global, string) (value.Value, error) {
	return value.Null, h.notYet()
}

func (h *unopened) Elements() Elements { return nil }

// lifeCycle is [onStartUp: {..}, onShutDown: {..}] as LifeCycleHook.
type lifeCycle struct{ up, down *closure }

func (o *lifeCycle) className() string {
	return "org.apache.tinkerpop.gremlin.server.util.LifeCycleHook"
}

func (o *lifeCycle) text(*machine) string { return o.className() }

func (o *lifeCycle) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *lifeCycle) method(*machine, string, []value.Value) (value.Value, bool, error) {
	return value.Null, false, nil
}

// asLifeCycle is what the scripts of a server cast to besides.
func asLifeCycle(simple string, v value.Value) (value.Value, bool, error) {
	if simple != "LifeCycleHook" || v.Kind() != value.KindMap {
		return v, false, nil
	}
	h, err := newLifeCycle(v)
	return h, true, err
}

// newLifeCycle takes a map of closures.
func newLifeCycle(v value.Value) (value.Value, error) {
	o := &lifeCycle{}
	for i := range v.Map().Len() {
		k, x := v.Map().Entry(i)
		c, isClosure := foreign(x).(*closure)
		switch {
		case isClosure && k.Str() == "onStartUp":
			o.up = c
		case isClosure && k.Str() == "onShutDown":
			o.down = c
		default:
			return v, fail(argumentException, "a LifeCycleHook has the closures onStartUp and onShutDown, not %s", k.Brief())
		}
	}
	return wrap(o), nil
}

// startupContext is what a hook is given: ctx.logger.
type startupContext struct{}

func (startupContext) className() string {
	return "org.apache.tinkerpop.gremlin.server.util.LifeCycleHook$Context"
}

func (c startupContext) text(*machine) string { return c.className() }

func (startupContext) property(_ *machine, name string) (value.Value, bool) {
	return wrap(startupLogger{}), name == "logger"
}

func (startupContext) method(_ *machine, name string, args []value.Value) (value.Value, bool, error) {
	return wrap(startupLogger{}), name == "getLogger" && len(args) == 0, nil
}

type startupLogger struct{}

func (startupLogger) className() string { return "org.slf4j.Logger" }

func (l startupLogger) text(*machine) string { return l.className() }

func (startupLogger) property(*machine, string) (value.Value, bool) { return value.Null, false }

// method is info("text") and its like; {} stands for the arguments behind it.
func (startupLogger) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if name == "trace" {
		name = "debug"
	}
	if len(args) == 0 || name != "debug" && name != "info" && name != "warn" && name != "error" {
		return value.Null, false, nil
	}
	text := m.string(args[0])
	for _, a := range args[1:] {
		text = strings.Replace(text, "{}", m.string(a), 1)
	}
	m.s.o.Startup.Log(name, text)
	return value.Null, true, nil
}

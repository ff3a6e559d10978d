package script

import (
	"context"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/syntax"
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

	functions []*machine.Function
	up, down  []*machine.Closure
	samples   []startupSample // asked for outside a hook
}

// startupSteps bounds the turns of loops of a script that is read: it only names things.
const startupSteps = 1_000_000

type startupSample struct{ graph, name string }

// Read evaluates an initialisation script, which can name the graphs that known tells.
// What it returns or assigns, besides sources and hooks, is an error.
func (st *Startup) Read(ctx context.Context, text string, known func(graph string) bool) error {
	p, err := syntax.Parse(&traversal.Meter{Ctx: ctx}, text, machine.Limits{}.WithDefaults())
	if err != nil {
		return err
	}
	s := NewSession(&unopened{known: known}, machine.Options{Startup: (*startupReader)(st), Limits: machine.Limits{Steps: startupSteps}})
	v, err := s.Machine(ctx).Run(p)
	if err != nil {
		return err
	}
	st.functions = append(st.functions, p.Functions...)
	for name, v := range s.Vars {
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
	switch o := machine.Foreign(v).(type) {
	case *graphs.Source:
		if st.Sources == nil {
			st.Sources = map[string]Source{}
		}
		st.Sources[name] = Source{Graph: o.Global.Name, Config: o.Config}
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
	return machine.Fail(machine.ArgumentException, "%s is neither a traversal source nor a LifeCycleHook: a server's script cannot give it to clients", machine.Clip(name))
}

// Fix makes the functions of the scripts the server's: every script can call them, none
// replaces them.
func (st *Startup) Fix(fs *machine.Functions) { fs.Fix(st.functions) }

// Up fills samples and runs onStartUp of the hooks in a session with a StartupHost.
func (st *Startup) Up(ctx context.Context, s *Session) error {
	for _, x := range st.samples {
		if err := s.Options.Startup.Sample(ctx, x.graph, x.name); err != nil {
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

func runHooks(ctx context.Context, s *Session, hooks []*machine.Closure) error {
	for _, c := range hooks {
		if _, err := c.Run(s.Machine(ctx), []value.Value{machine.Wrap(startupContext{})}); err != nil {
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

var _ host.Host = (*unopened)(nil)

func (h *unopened) Lookup(name string) (host.Global, bool) {
	return host.Global{Kind: host.GraphGlobal, Name: name}, h.known(name)
}

func (h *unopened) Here() (host.Global, bool) { return h.Lookup("g") }

func (h *unopened) notYet() error {
	return machine.Fail(machine.Unsupported, "no graph is open while the script is read: what touches one stands in onStartUp of a LifeCycleHook")
}

func (h *unopened) Execute(context.Context, host.Global, *traversal.Bytecode) (host.Iterator, error) {
	return nil, h.notYet()
}

func (h *unopened) Explain(context.Context, host.Global, *traversal.Bytecode) (value.Value, error) {
	return value.Null, h.notYet()
}

func (h *unopened) Steps(context.Context, host.Global, *traversal.Bytecode, bool) ([]string, error) {
	return nil, h.notYet()
}

func (h *unopened) Describe(context.Context, host.Global) (string, error) {
	return "", h.notYet()
}

func (h *unopened) Tx(context.Context, host.Global, string) (value.Value, error) {
	return value.Null, h.notYet()
}

func (h *unopened) Elements() host.Elements { return nil }

// lifeCycle is [onStartUp: {..}, onShutDown: {..}] as LifeCycleHook.
type lifeCycle struct{ up, down *machine.Closure }

func (o *lifeCycle) ClassName() string {
	return "org.apache.tinkerpop.gremlin.server.util.LifeCycleHook"
}

func (o *lifeCycle) Text(*machine.Machine) string { return o.ClassName() }

func (o *lifeCycle) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (o *lifeCycle) Method(*machine.Machine, string, []value.Value) (value.Value, bool, error) {
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
		c, isClosure := machine.Foreign(x).(*machine.Closure)
		switch {
		case isClosure && k.Str() == "onStartUp":
			o.up = c
		case isClosure && k.Str() == "onShutDown":
			o.down = c
		default:
			return v, machine.Fail(machine.ArgumentException, "a LifeCycleHook has the closures onStartUp and onShutDown, not %s", k.Brief())
		}
	}
	return machine.Wrap(o), nil
}

// startupContext is what a hook is given: ctx.logger.
type startupContext struct{}

func (startupContext) ClassName() string {
	return "org.apache.tinkerpop.gremlin.server.util.LifeCycleHook$Context"
}

func (c startupContext) Text(*machine.Machine) string { return c.ClassName() }

func (startupContext) Property(_ *machine.Machine, name string) (value.Value, bool) {
	return machine.Wrap(startupLogger{}), name == "logger"
}

func (startupContext) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return machine.Wrap(startupLogger{}), name == "getLogger" && len(args) == 0, nil
}

type startupLogger struct{}

func (startupLogger) ClassName() string { return "org.slf4j.Logger" }

func (l startupLogger) Text(*machine.Machine) string { return l.ClassName() }

func (startupLogger) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Method is info("text") and its like; {} stands for the arguments behind it.
func (startupLogger) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if name == "trace" {
		name = "debug"
	}
	if len(args) == 0 || name != "debug" && name != "info" && name != "warn" && name != "error" {
		return value.Null, false, nil
	}
	text := m.String(args[0])
	for _, a := range args[1:] {
		text = strings.Replace(text, "{}", m.String(a), 1)
	}
	m.State.Options.Startup.Log(name, text)
	return value.Null, true, nil
}

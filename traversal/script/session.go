package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
	"github.com/gremlind/gremlind/traversal/script/syntax"
)

// Session evaluates scripts one after the other. One goroutine uses it.
type Session struct {
	machine.State
	// Programs keeps what was read, for all sessions that have the same Limits; nil reads
	// every text anew.
	Programs *Programs
	// Once says that no other text is evaluated after the first, so that nothing of it
	// is left.
	Once bool

	reading traversal.Meter // of the text under way
}

// NewSession makes an empty session. h may be nil when no globals exist.
func NewSession(h host.Host, o machine.Options) *Session {
	s := &Session{State: machine.NewState(h, o, builtin())}
	if o.Startup != nil {
		s.As = asLifeCycle
	}
	return s
}

// Result is what a script evaluates to: a traversal that is still to be drained, or
// else a value.
type Result struct {
	Value     value.Value
	Traversal *graphs.Traversal
}

// SetGlobal makes name a variable that stands for a source or graph of the host, as an
// alias does. Settle charges it.
func (s *Session) SetGlobal(name string, g host.Global) {
	if was, _ := s.Source(name); was == g && g.Kind == host.SourceGlobal {
		return
	}
	s.Set(name, syntax.GlobalObject(g))
}

// Source returns the source that a variable stands for; of a variable that is anything
// else, which hides what the host calls so, it is empty. It is false without a variable.
func (s *Session) Source(name string) (host.Global, bool) {
	v, ok := s.Vars[name]
	if !ok {
		return host.Global{}, false
	}
	if o, ok := machine.Foreign(v).(*graphs.Source); ok && len(o.Config) == 0 {
		return o.Global, true
	}
	return host.Global{}, true
}

// Eval runs a text with request bindings, which may be nil.
func (s *Session) Eval(ctx context.Context, text string, bindings *value.Map) (Result, error) {
	read := s.Programs.script
	if s.Once {
		read = s.Programs.shaped
	}
	s.reading = traversal.Meter{Ctx: ctx, Account: s.Options.Account}
	p, err := read(&s.reading, text, s.Options.Limits)
	if err != nil {
		return Result{}, err
	}
	for i := range bindings.Len() {
		k, v := bindings.Entry(i)
		s.SetVariable(k.Str(), v)
	}
	s.Forget()
	m := s.Machine(ctx)
	s.Moved = p.moved
	v, err := m.RunWith(p.program, p.literals)
	s.Touched = s.Touched || m.Bytes > 0
	if serr := s.Settle(); err == nil {
		err = serr
	}
	if err != nil {
		return Result{}, machine.Suggested(err)
	}
	if t, ok := v.Object().(*graphs.Traversal); ok && v.Kind() == value.KindForeign {
		return Result{Traversal: t}, nil
	}
	if p, ok := v.Object().(*classes.Package); ok && v.Kind() == value.KindForeign {
		return Result{}, machine.Fail(machine.SecurityException, "%s is not supported in scripts", p.Name)
	}
	if all, ok := machine.Foreign(v).(*methods.Stream); ok {
		v = machine.NewList(all.Elems)
	}
	v, err = m.Sent(v)
	return Result{Value: v}, err
}

// Define adds the functions of a text for everybody, as a server's initialisation
// script does.
func Define(fs *machine.Functions, text string) error {
	own := (&machine.Functions{Max: 1 << 40}).Of("")
	if _, err := NewSession(nil, machine.Options{Functions: own}).Eval(context.Background(), text, nil); err != nil {
		return err
	}
	fs.Fix(own.All())
	return nil
}

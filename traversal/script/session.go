package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Session evaluates scripts one after the other. One goroutine uses it.
type Session struct {
	*state
	// Programs keeps what was read, for all sessions that have the same Limits; nil reads
	// every text anew.
	Programs *Programs
}

// NewSession makes an empty session. host may be nil when no globals exist.
func NewSession(host Host, o Options) *Session {
	s := &Session{state: newState(host, o, builtin())}
	if o.Startup != nil {
		s.as = asLifeCycle
	}
	return s
}

// Result is what a script evaluates to: a traversal that is still to be drained, or
// else a value.
type Result struct {
	Value     value.Value
	Traversal *Traversal
}

// SetGlobal makes name a variable that stands for a source or graph of the host, as an
// alias does. Settle charges it.
func (s *Session) SetGlobal(name string, g Global) {
	if was, _ := s.Source(name); was == g && g.Kind == SourceGlobal {
		return
	}
	s.set(name, globalObject(g))
}

// Source returns the source that a variable stands for; of a variable that is anything
// else, which hides what the host calls so, it is empty. It is false without a variable.
func (s *Session) Source(name string) (Global, bool) {
	v, ok := s.vars[name]
	if !ok {
		return Global{}, false
	}
	if o, ok := foreign(v).(*traversalSource); ok && len(o.config) == 0 {
		return o.g, true
	}
	return Global{}, true
}

// Eval runs a text with request bindings, which may be nil.
func (s *Session) Eval(ctx context.Context, text string, bindings *value.Map) (Result, error) {
	p, err := s.Programs.script(&traversal.Meter{Ctx: ctx, Account: s.o.Account}, text, s.o.Limits)
	if err != nil {
		return Result{}, err
	}
	for i := range bindings.Len() {
		k, v := bindings.Entry(i)
		s.SetVariable(k.Str(), v)
	}
	s.forget()
	m := s.machine(ctx)
	v, err := m.run(p)
	s.touched = s.touched || m.bytes > 0
	if serr := s.Settle(); err == nil {
		err = serr
	}
	if err != nil {
		return Result{}, err
	}
	if t, ok := v.Object().(*Traversal); ok && v.Kind() == value.KindForeign {
		return Result{Traversal: t}, nil
	}
	if p, ok := v.Object().(*packageObject); ok && v.Kind() == value.KindForeign {
		return Result{}, fail(securityException, "%s is not supported in scripts", p.name)
	}
	if all, ok := foreign(v).(*stream); ok {
		v = newList(all.elems)
	}
	v, err = m.sent(v)
	return Result{Value: v}, err
}

// Define adds the functions of a text for everybody, as a server's initialisation
// script does.
func Define(fs *Functions, text string) error {
	p, err := parse(nil, text, Limits{}.withDefaults())
	if err != nil {
		return err
	}
	own := &Functions{Max: 1 << 40}
	if _, err := NewSession(nil, Options{Functions: own.Of("")}).Eval(context.Background(), text, nil); err != nil {
		return err
	}
	fs.fix(p.functions)
	return nil
}

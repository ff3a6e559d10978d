package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Options configures a Session.
type Options struct {
	Limits Limits
	// Functions are those that scripts of the same owner defined, and where this one's
	// are kept; without any they are kept in the session.
	Functions Scope
	// Programs keeps what was read, for all sessions; nil reads every text anew. All
	// sessions that share it have the same Limits.
	Programs *Programs
	// Steps reports whether a name that the grammar does not have is a step. Nil knows
	// the grammar's only.
	Steps func(name string) bool
	// Account is charged for what a script makes, besides Limits.Bytes. It may be nil.
	Account *account.Account
	// Kept is charged for what the variables keep from one script to the next; nil
	// where they do not outlive a request.
	Kept *account.Account
	// Print takes what println and its like print; nil throws it away.
	Print func(text string)
	// Startup is set for the scripts of the server itself; nil for those of clients.
	Startup StartupHost
}

// Limits bounds one evaluation.
type Limits struct {
	TextBytes int   // of the script; default 10 MiB
	Depth     int   // of nesting in the text; default 200
	Calls     int   // of calls within calls; default 800
	Steps     int64 // turns of loops and calls; default 200,000,000
	Bytes     int64 // made by the script, not only kept; default 128 MiB
	Items     int   // of a range; default 1,000,000
}

func (l Limits) withDefaults() Limits {
	if l.TextBytes == 0 {
		l.TextBytes = 10 << 20
	}
	if l.Depth == 0 {
		l.Depth = 200
	}
	if l.Calls == 0 {
		l.Calls = 800
	}
	if l.Steps == 0 {
		l.Steps = 200_000_000
	}
	if l.Bytes == 0 {
		l.Bytes = 128 << 20
	}
	if l.Items == 0 {
		l.Items = 1_000_000
	}
	return l
}

// Session is what outlives a script: variables and functions. One goroutine uses it.
type Session struct {
	host      Host
	o         Options
	vars      map[string]value.Value
	functions Scope
	last      Global // where the last traversal ran
	kept      int64  // bytes charged for the variables
	touched   bool   // since then
	kinds     mapKinds
}

// Charge has another account charged for what scripts make: the next request's.
func (s *Session) Charge(a *account.Account) { s.o.Account = a }

// NewSession makes an empty session. host may be nil when no globals exist.
func NewSession(host Host, o Options) *Session {
	o.Limits = o.Limits.withDefaults()
	s := &Session{host: host, o: o, vars: map[string]value.Value{}, functions: o.Functions}
	if s.functions.fs == nil {
		s.functions = new(Functions).Of("")
	}
	return s
}

// Variable returns a variable that a script assigned or a request bound, as values
// that a traversal takes.
func (s *Session) Variable(name string) (value.Value, bool) {
	v, ok := s.vars[name]
	if !ok {
		return value.Null, false
	}
	x, err := s.machine(context.Background()).checkedExport(v)
	return x, err == nil
}

// SetVariable binds a variable. Settle charges it.
func (s *Session) SetVariable(name string, v value.Value) {
	s.vars[name], s.touched = imported(v), true
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
	s.vars[name], s.touched = globalObject(g), true
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
	p, err := s.o.Programs.script(&traversal.Meter{Ctx: ctx, Account: s.o.Account}, text, s.o.Limits)
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

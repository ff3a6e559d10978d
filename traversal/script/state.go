package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// state is what outlives a script: variables and functions, and what it may reach and use.
// One goroutine uses it.
type state struct {
	host      Host
	o         Options
	methods   *tables
	vars      map[string]value.Value
	functions Scope
	last      Global // where the last traversal ran
	kept      int64  // bytes charged for the variables
	touched   bool   // since then
	kinds     mapKinds
	// as casts to types beside those that all scripts know, false for what is none of
	// them; nil where there are none.
	as func(simpleName string, v value.Value) (value.Value, bool, error)
}

func newState(host Host, o Options, methods *tables) *state {
	o.Limits = o.Limits.withDefaults()
	s := &state{host: host, o: o, methods: methods, vars: map[string]value.Value{}, functions: o.Functions}
	if s.functions.fs == nil {
		s.functions = new(Functions).Of("")
	}
	return s
}

// bare is the state without its variables.
func (s *state) bare() *state {
	return &state{host: s.host, o: s.o, methods: s.methods, vars: map[string]value.Value{}, functions: s.functions, last: s.last, as: s.as}
}

// Charge has another account charged for what scripts make: the next request's.
func (s *state) Charge(a *account.Account) { s.o.Account = a }

// Variable returns a variable that a script assigned or a request bound, as values
// that a traversal takes.
func (s *state) Variable(name string) (value.Value, bool) {
	v, ok := s.vars[name]
	if !ok {
		return value.Null, false
	}
	x, err := s.machine(context.Background()).checkedExport(v)
	return x, err == nil
}

// SetVariable binds a variable. Settle charges it.
func (s *state) SetVariable(name string, v value.Value) { s.set(name, imported(v)) }

func (s *state) set(name string, v value.Value) { s.vars[name], s.touched = v, true }

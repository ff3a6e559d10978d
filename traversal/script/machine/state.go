package machine

import (
	"context"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// State is what outlives a script: variables and functions, and what it may reach and use.
// One goroutine uses it.
type State struct {
	Host      host.Host
	Options   Options
	methods   *Tables
	Vars      map[string]value.Value
	Functions Scope
	kept      int64 // bytes charged for the variables
	Touched   bool  // since then
	Kinds     mapKinds
	// As casts to types beside those that all scripts know, false for what is none of
	// them; nil where there are none.
	As func(simpleName string, v value.Value) (value.Value, bool, error)
	// Moved says where the places of a program are in the text that is evaluated, when it
	// was read from another.
	Moved Moved
}

// NewState makes a state without variables. h may be nil when no globals exist.
func NewState(h host.Host, o Options, methods *Tables) State {
	o.Limits = o.Limits.WithDefaults()
	s := State{Host: h, Options: o, methods: methods, Vars: map[string]value.Value{}, Functions: o.Functions}
	if s.Functions.fs == nil {
		s.Functions = new(Functions).Of("")
	}
	return s
}

// Bare is the state without its variables.
func (s *State) Bare() *State {
	return &State{Host: s.Host, Options: s.Options, methods: s.methods, Vars: map[string]value.Value{}, Functions: s.Functions, As: s.As}
}

// Charge has another account charged for what scripts make: the next request's.
func (s *State) Charge(a *account.Account) { s.Options.Account = a }

// Variable returns a variable that a script assigned or a request bound, as values
// that a traversal takes.
func (s *State) Variable(name string) (value.Value, bool) {
	v, ok := s.Vars[name]
	if !ok {
		return value.Null, false
	}
	x, err := s.Machine(context.Background()).CheckedExport(v)
	return x, err == nil
}

// SetVariable binds a variable. Settle charges it.
func (s *State) SetVariable(name string, v value.Value) { s.Set(name, Imported(v)) }

// Set binds a variable to a value of scripts. Settle charges it.
func (s *State) Set(name string, v value.Value) { s.Vars[name], s.Touched = v, true }

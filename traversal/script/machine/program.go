package machine

import (
	"github.com/gremlind/gremlind/storage/value"
)

// Expression evaluates to a value.
type Expression func(f *Frame) (value.Value, error)

// Statement runs; its value counts when it is the last one of a body.
type Statement func(f *Frame) (value.Value, Signal, error)

// Signal says how a statement ended.
type Signal uint8

// How a statement ends: at its end, or by return, break or continue.
const (
	Normal Signal = iota
	Returned
	Broken
	Continued
)

// Program is a script that was read.
type Program struct {
	Scope     *Block
	Body      Statement
	Functions []*Function
	Tokens    int // of its text
	// Literals are the variables of its literals, in the order of the text; nil for those
	// that are part of the program.
	Literals []*Variable
	Source   *Source
}

// Param is a parameter of a function or closure.
type Param struct {
	Reference *Reference
	Convert   string     // type to coerce to, "" for def
	Initial   Expression // default value; nil when there is none
}

// Function is the code of a function or closure.
type Function struct {
	Name   string // "" for a closure
	Params []Param
	// Implicit is set for a closure without ->, whose only parameter it may be left out.
	Implicit bool
	// Rest is set when the last parameter takes all arguments that are left.
	Rest   bool
	Scope  *Block
	Body   Statement
	Text   string
	Source int // bytes of the text that it stands in
}

// arity is how many arguments must be given at least.
func (fn *Function) required() int {
	n := 0
	for _, p := range fn.Params {
		if p.Initial == nil {
			n++
		}
	}
	return n
}

// Call runs fn with its arguments; up is the frame in which a closure was made.
func (fn *Function) Call(m *Machine, up *Frame, args []value.Value) (value.Value, error) {
	if err := m.Enter(); err != nil {
		return value.Null, err
	}
	defer m.Leave()
	f := NewFrame(m, up, fn.Scope)
	if fn.Rest {
		args = gathered(args, len(fn.Params))
	}
	given := 0
	spare := len(args) - fn.required() // how many parameters with a default are given
	for _, p := range fn.Params {
		var v value.Value
		switch {
		case p.Initial == nil && given < len(args):
			v = args[given]
			given++
		case p.Initial != nil && spare > 0:
			v = args[given]
			given++
			spare--
		case p.Initial != nil:
			var err error
			if v, err = p.Initial(f); err != nil {
				return value.Null, err
			}
		}
		if p.Convert != "" {
			var err error
			if v, err = m.AssignTo(p.Convert, v); err != nil {
				return value.Null, err
			}
		}
		*f.Slot(p.Reference) = v
	}
	v, _, err := fn.Body(f)
	return v, err
}

// Accepts reports whether fn can be called with n arguments.
func (fn *Function) Accepts(n int) bool {
	if fn.Implicit {
		return n <= 1
	}
	if fn.Rest {
		return n >= len(fn.Params)-1
	}
	return n >= fn.required() && n <= len(fn.Params)
}

// gathered makes a list of the arguments from the last parameter on, unless it is given one.
func gathered(args []value.Value, params int) []value.Value {
	n := params - 1
	if len(args) < n {
		return args
	}
	if len(args) == params {
		if l, ok := Foreign(args[n]).(*List); ok {
			return append(args[:n:n], Wrap(l))
		}
	}
	return append(args[:n:n], NewList(append([]value.Value(nil), args[n:]...)))
}

package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// expression evaluates to a value.
type expression func(f *frame) (value.Value, error)

// statement runs; its value counts when it is the last one of a body.
type statement func(f *frame) (value.Value, signal, error)

// signal says how a statement ended.
type signal uint8

const (
	normal signal = iota
	returned
	broken
	continued
)

// program is a script that was read.
type program struct {
	scope     *scope
	body      statement
	functions []*function
	tokens    int // of its text
}

// param is a parameter of a function or closure.
type param struct {
	ref     *reference
	convert string     // type to coerce to, "" for def
	initial expression // default value; nil when there is none
}

// function is the code of a function or closure.
type function struct {
	name   string // "" for a closure
	params []param
	// implicit is set for a closure without ->, whose only parameter it may be left out.
	implicit bool
	// rest is set when the last parameter takes all arguments that are left.
	rest   bool
	scope  *scope
	body   statement
	text   string
	source int // bytes of the text that it stands in
}

// arity is how many arguments must be given at least.
func (fn *function) required() int {
	n := 0
	for _, p := range fn.params {
		if p.initial == nil {
			n++
		}
	}
	return n
}

// call runs fn with its arguments; up is the frame in which a closure was made.
func (fn *function) call(m *machine, up *frame, args []value.Value) (value.Value, error) {
	if err := m.enter(); err != nil {
		return value.Null, err
	}
	defer m.leave()
	f := newFrame(m, up, fn.scope)
	if fn.rest {
		args = gathered(args, len(fn.params))
	}
	given := 0
	spare := len(args) - fn.required() // how many parameters with a default are given
	for _, p := range fn.params {
		var v value.Value
		switch {
		case p.initial == nil && given < len(args):
			v = args[given]
			given++
		case p.initial != nil && spare > 0:
			v = args[given]
			given++
			spare--
		case p.initial != nil:
			var err error
			if v, err = p.initial(f); err != nil {
				return value.Null, err
			}
		}
		if p.convert != "" {
			var err error
			if v, err = m.assignTo(p.convert, v); err != nil {
				return value.Null, err
			}
		}
		*f.slot(p.ref) = v
	}
	v, _, err := fn.body(f)
	return v, err
}

// accepts reports whether fn can be called with n arguments.
func (fn *function) accepts(n int) bool {
	if fn.implicit {
		return n <= 1
	}
	if fn.rest {
		return n >= len(fn.params)-1
	}
	return n >= fn.required() && n <= len(fn.params)
}

// gathered makes a list of the arguments from the last parameter on, unless it is given one.
func gathered(args []value.Value, params int) []value.Value {
	n := params - 1
	if len(args) < n {
		return args
	}
	if len(args) == params {
		if l, ok := foreign(args[n]).(*list); ok {
			return append(args[:n:n], wrap(l))
		}
	}
	return append(args[:n:n], newList(append([]value.Value(nil), args[n:]...)))
}

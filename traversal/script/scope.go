package script

import "github.com/gremlind/gremlind/storage/value"

// Local variables live in frames. A call of a function or closure has one, and so has
// every turn of a loop whose body declares variables and makes closures, so that each
// closure keeps its own. Which frame and which slot is known once the whole text is
// read: references are resolved then.

// scope is a block of the text.
type scope struct {
	up       *scope
	function bool // the body of a function, closure or script
	// opaque hides the variables outside: a function sees none of the script's.
	opaque   bool
	loop     bool // the body of a loop
	closures bool // a closure begins in it
	vars     map[string]*variable
	framed   bool
	slots    int // of its frame, when framed
}

// variable is a declared name.
type variable struct {
	in    *scope
	index int
}

// reference is one use of a variable.
type reference struct {
	v    *variable
	from *scope
	hops int
}

func (s *scope) declare(name string) *variable {
	v := &variable{in: s}
	if s.vars == nil {
		s.vars = map[string]*variable{}
	}
	s.vars[name] = v
	return v
}

func (s *scope) find(name string) *variable {
	for ; s != nil; s = s.up {
		if v := s.vars[name]; v != nil {
			return v
		}
		if s.opaque {
			return nil
		}
	}
	return nil
}

// noteClosure marks the scopes whose variables a closure that begins here may keep.
func (s *scope) noteClosure() {
	for ; s != nil; s = s.up {
		s.closures = true
		if s.function {
			return
		}
	}
}

// frameScope is the innermost scope with a frame.
func (s *scope) frameScope() *scope {
	for !s.framed {
		s = s.up
	}
	return s
}

// layout hands out slots. scopes are listed parents first, vars in order.
func layout(scopes []*scope, vars []*variable, refs []*reference) {
	for _, s := range scopes {
		s.framed = s.function || s.loop && s.closures
	}
	for _, v := range vars {
		f := v.in.frameScope()
		v.index = f.slots
		f.slots++
	}
	for _, r := range refs {
		target := r.v.in.frameScope()
		for s := r.from.frameScope(); s != target; s = s.up.frameScope() {
			r.hops++
		}
	}
}

// frame holds the variables of one call or one turn of a loop.
type frame struct {
	m    *machine
	up   *frame
	vars []value.Value
}

func (f *frame) slot(r *reference) *value.Value {
	for range r.hops {
		f = f.up
	}
	return &f.vars[r.v.index]
}

func newFrame(m *machine, up *frame, s *scope) *frame {
	return &frame{m: m, up: up, vars: make([]value.Value, s.slots)}
}

package machine

import "github.com/gremlind/gremlind/storage/value"

// Local variables live in frames. A call of a function or closure has one, and so has
// every turn of a loop whose body declares variables and makes closures, so that each
// closure keeps its own. Which frame and which slot is known once the whole text is
// read: references are resolved then.

// Block is a block of the text.
type Block struct {
	Up       *Block
	Function bool // the body of a function, closure or script
	// Opaque hides the variables outside: a function sees none of the script's.
	Opaque   bool
	Loop     bool // the body of a loop
	closures bool // a closure begins in it
	Vars     map[string]*Variable
	Framed   bool
	slots    int // of its frame, when framed
}

// Variable is a declared name.
type Variable struct {
	in    *Block
	index int
}

// Reference is one use of a variable.
type Reference struct {
	Variable *Variable
	From     *Block
	hops     int
}

// Declare adds a variable to the block.
func (s *Block) Declare(name string) *Variable {
	v := &Variable{in: s}
	if s.Vars == nil {
		s.Vars = map[string]*Variable{}
	}
	s.Vars[name] = v
	return v
}

// Find returns the variable that a name means here, or nil.
func (s *Block) Find(name string) *Variable {
	for ; s != nil; s = s.Up {
		if v := s.Vars[name]; v != nil {
			return v
		}
		if s.Opaque {
			return nil
		}
	}
	return nil
}

// NoteClosure marks the scopes whose variables a closure that begins here may keep.
func (s *Block) NoteClosure() {
	for ; s != nil; s = s.Up {
		s.closures = true
		if s.Function {
			return
		}
	}
}

// frameScope is the innermost scope with a frame.
func (s *Block) frameScope() *Block {
	for !s.Framed {
		s = s.Up
	}
	return s
}

// Layout hands out slots. scopes are listed parents first, vars in order.
func Layout(scopes []*Block, vars []*Variable, refs []*Reference) {
	for _, s := range scopes {
		s.Framed = s.Function || s.Loop && s.closures
	}
	for _, v := range vars {
		f := v.in.frameScope()
		v.index = f.slots
		f.slots++
	}
	for _, r := range refs {
		target := r.Variable.in.frameScope()
		for s := r.From.frameScope(); s != target; s = s.Up.frameScope() {
			r.hops++
		}
	}
}

// Frame holds the variables of one call or one turn of a loop.
type Frame struct {
	Machine *Machine
	up      *Frame
	vars    []value.Value
	kept    bool // by a closure, and charged
}

// Slot returns where the variable stands that a reference means.
func (f *Frame) Slot(r *Reference) *value.Value {
	for range r.hops {
		f = f.up
	}
	return &f.vars[r.Variable.index]
}

// NewFrame makes a frame for the variables of a block, inside another.
func NewFrame(m *Machine, up *Frame, s *Block) *Frame {
	if s.slots == 0 || s.slots > fewVars {
		return &Frame{Machine: m, up: up, vars: make([]value.Value, s.slots)}
	}
	f := &fewFrame{Frame: Frame{Machine: m, up: up}}
	f.vars = f.few[:s.slots]
	return &f.Frame
}

// fewFrame is a frame with room for few variables, as most have: one object in place of two.
type fewFrame struct {
	Frame
	few [fewVars]value.Value
}

const fewVars = 2

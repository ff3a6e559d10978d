package traversal

import "github.com/gremlind/gremlind/storage/value"

// Place is where a step stands in the bytecode that it was compiled from.
type Place struct {
	// In is the traversal that has the step, Parent the one that In is an argument of, nil
	// when there is none, and Owner the name of the step of Parent that In belongs to.
	In, Parent *Bytecode
	Owner      string
}

// Find returns the place of the step that compiling b numbered at, see Node.At.
func (reg *Registry) Find(b *Bytecode, at int) (Place, bool) {
	f := finder{reg: reg, left: at}
	found := at > 0 && f.find(Place{In: b})
	return f.place, found
}

// finder counts steps as the compiler does: one before its children.
type finder struct {
	reg   *Registry
	left  int
	place Place
}

func (f *finder) find(p Place) bool {
	owner := ""
	for _, in := range p.In.Steps {
		if f.left--; f.left == 0 {
			f.place = p
			return true
		}
		owner = f.owner(in, owner)
		for _, v := range in.Args {
			if child := childOf(v); child != nil && f.find(Place{child, p.In, owner}) {
				return true
			}
		}
	}
	return false
}

// owner is the step that an instruction is, or that it modulates.
func (f *finder) owner(in Instruction, before string) string {
	spec, ok := f.reg.Lookup(in.Name)
	switch {
	case ok && spec.Kind != ModulatorStep && (in.Name != "to" || isDirection(in.Args)):
		return in.Name
	case in.Name == "until" || in.Name == "emit" || in.Name == "times":
		return "repeat"
	}
	return before
}

// Size is the number of steps, with those of children.
func (b *Bytecode) Size() int {
	n := len(b.Steps)
	for _, in := range b.Steps {
		for _, v := range in.Args {
			if child := childOf(v); child != nil {
				n += child.Size()
			}
		}
	}
	return n
}

// childOf is the traversal that an argument is, nil for any other.
func childOf(v value.Value) *Bytecode {
	if b, ok := v.Object().(*Binding); ok && v.Kind() == value.KindBinding {
		v = b.Value
	}
	b, ok := v.Object().(*Bytecode)
	if !ok || v.Kind() != value.KindBytecode || isCardinality(b) {
		return nil
	}
	return b
}

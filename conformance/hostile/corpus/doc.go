// Package corpus holds what a hostile client may send: traversals without end and of
// great size for every step, strategy and source option, values of every kind that are
// wide or deep, and scripts. What is registered is enumerated, so that nothing that is
// new can be forgotten.
package corpus

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Part is some instructions, or the arguments of one, by name.
type Part[T any] struct {
	Name string
	Of   []T
}

// Instruction is one step or source option.
func Instruction(name string, args ...value.Value) traversal.Instruction {
	return traversal.Instruction{Name: name, Args: args}
}

// Bytecode is a child traversal.
func Bytecode(in ...traversal.Instruction) value.Value {
	return (&traversal.Bytecode{Steps: in}).Value()
}

// Child is a child traversal of one step.
func Child(step string, args ...value.Value) value.Value { return Bytecode(Instruction(step, args...)) }

// Name is one of many texts.
func Name(i int) value.Value { return value.String(fmt.Sprintf("name%d", i)) }

// Many is n values.
func Many(n int, part func(i int) value.Value) []value.Value {
	vs := make([]value.Value, n)
	for i := range vs {
		vs[i] = part(i)
	}
	return vs
}

package traversal

import "github.com/gremlind/gremlind/storage/value"

// Bytecode is a traversal as clients send it: source instructions (withSack, ...)
// and step instructions, in order. Nested traversals are arguments of kind
// value.KindBytecode.
type Bytecode struct {
	Source []Instruction
	Steps  []Instruction
}

// Instruction is one method call of a traversal.
type Instruction struct {
	Name string
	Args []value.Value
}

// Value wraps b as an argument.
func (b *Bytecode) Value() value.Value { return value.Object(value.KindBytecode, b) }

// Lambda is a closure in source form. Arguments is -1 when the sender did not say.
type Lambda struct {
	Script    string
	Language  string
	Arguments int32
	// Native is the closure itself when a script on this server made it.
	Native Closure
}

// StrategySpec is a strategy named by a client, with its configuration.
type StrategySpec struct {
	// Class is the fully qualified Java class name, or the simple name from text.
	Class  string
	Config *value.Map // string keys; nil when empty
}

// Binding is a named argument (older drivers' Bindings.of).
type Binding struct {
	Key   string
	Value value.Value
}

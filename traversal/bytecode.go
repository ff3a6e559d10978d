package traversal

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

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

// Arity is how many arguments the lambda takes; drivers that cannot tell send -1, and
// then the parameters in front of its arrow are counted. A lambda without an arrow takes one.
func (l *Lambda) Arity() int {
	if l.Arguments >= 0 {
		return int(l.Arguments)
	}
	params, _, found := strings.Cut(l.Script, "->")
	if params = strings.TrimLeft(params, "{( \t\n"); !found || strings.ContainsAny(params, "{;=\"'") {
		return 1
	}
	if params = strings.TrimRight(params, ") \t\n"); params == "" {
		return 0
	}
	return strings.Count(params, ",") + 1
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

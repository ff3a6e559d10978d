package corpus

import (
	"math"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Doubled is one object that stands for 2^60.
func Doubled(more ...traversal.Instruction) []traversal.Instruction {
	return append([]traversal.Instruction{Instruction("inject", value.Int(1)),
		Instruction("repeat", Child("union", Child("identity"), Child("identity"))), Instruction("times", value.Int(60))}, more...)
}

// Sources are what comes to a step: without end, in bulk, and large.
func Sources() []Part[traversal.Instruction] {
	type steps = []traversal.Instruction
	all := Instruction("V")
	return []Part[traversal.Instruction]{
		{"endless", steps{Instruction("inject", value.Int(1)), Instruction("repeat", Child("identity")), Instruction("emit")}},
		{"distinct", steps{Instruction("inject", value.Long(1)), Instruction("as", value.String("a")),
			Instruction("repeat", Bytecode(Instruction("math", value.String("_+1")), Instruction("as", value.String("a")))), Instruction("emit")}},
		{"bulk", Doubled()},
		{"bulkset", Doubled(Instruction("aggregate", value.String("x")), Instruction("cap", value.String("x")))},
		{"product", steps{all, all, all, all, all, all}},
		{"list", steps{Instruction("inject", value.List(Many(1_000_000, func(i int) value.Value { return value.Int(int32(i)) })))}},
		{"text", steps{Instruction("inject", value.String(strings.Repeat("a, ", 1_000_000)))}},
	}
}

// Arguments are what a step is called with.
func Arguments() []Part[value.Value] {
	regex := &traversal.P{Name: "regex", Text: true, Args: []value.Value{value.String("(a|b|, )*(a?){900}c")}}
	return []Part[value.Value]{
		{"nothing", nil},
		{"text", []value.Value{value.String("a")}},
		{"most", []value.Value{value.Long(math.MaxInt64)}},
		{"child", []value.Value{Child("identity")}},
		{"local", []value.Value{value.Enum(value.KindScope, "local")}},
		{"list", []value.Value{value.List(Many(50_000, Name))}},
		{"texts", Many(20_000, Name)},
		{"children", Many(2_000, func(int) value.Value { return Child("out") })},
		{"regex", []value.Value{regex.Value()}},
		{"within", []value.Value{(&traversal.P{Name: "without", Args: Many(100_000, func(i int) value.Value { return value.Double(float64(i)) })}).Value()}},
	}
}

// Behind is bytecode that calls a step behind a source.
func Behind(source []traversal.Instruction, step string, args []value.Value) *traversal.Bytecode {
	return &traversal.Bytecode{Steps: append(slices.Clone(source), Instruction(step, args...))}
}

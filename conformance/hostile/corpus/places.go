package corpus

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Places are where a large value may stand in a traversal.
var Places = []struct {
	Name string
	Make func(v value.Value) *traversal.Bytecode
}{
	{"inject", func(v value.Value) *traversal.Bytecode { return steps(Instruction("inject", v)) }},
	{"group", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("inject", v, v), Instruction("group"))
	}},
	{"unfold", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("inject", v), Instruction("unfold"), Instruction("dedup"), Instruction("order"), Instruction("fold"))
	}},
	{"is", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("V"), Instruction("V"), Instruction("constant", v), Instruction("is", v))
	}},
	{"side effect", func(v value.Value) *traversal.Bytecode {
		x := value.String("x")
		b := steps(Instruction("V"), Instruction("out"), Instruction("select", x))
		b.Source = []traversal.Instruction{Instruction("withSideEffect", x, v)}
		return b
	}},
	{"sack", func(v value.Value) *traversal.Bytecode {
		b := steps(Instruction("V"), Instruction("both"), Instruction("both"), Instruction("sack"))
		b.Source = []traversal.Instruction{Instruction("withSack", v)}
		return b
	}},
	{"text", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("inject", v), Instruction("asString"), Instruction("length"))
	}},
	{"product", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("inject", v), Instruction("combine", v), Instruction("product", value.List([]value.Value{v, v})))
	}},
	{"property", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("addV"), Instruction("property", value.String("k"), v))
	}},
	{"keys", func(v value.Value) *traversal.Bytecode {
		return steps(Instruction("inject", v, v), Instruction("unfold"), Instruction("groupCount"), Instruction("order", value.Enum(value.KindScope, "local")))
	}},
}

func steps(in ...traversal.Instruction) *traversal.Bytecode { return &traversal.Bytecode{Steps: in} }

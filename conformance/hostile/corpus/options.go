package corpus

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// settings are all that strategies are configured with, each given what may be large.
var settings = []string{
	"vertices", "edges", "vertexProperties", "checkAdjacentVertices", "partitionKey", "writePartition", "readPartitions",
	"includeMetaProperties", "keys", "throwException", "logWarning", "productiveKeys", "seed", "sideEffects", "computer",
	"workers", "persist", "result", "evaluationTimeout", "idPropertyKey", "haltedTraverserFactory",
}

// configurations are what a strategy may be given.
func configurations() []Part[value.Value] {
	chain := func(n int) value.Value {
		steps := make([]traversal.Instruction, n)
		for i := range steps {
			steps[i] = Instruction("out")
		}
		return Bytecode(steps...)
	}
	nested := Child("out")
	for range 100 {
		nested = Child("where", nested)
	}
	return []Part[value.Value]{
		{"nothing", []value.Value{value.Null}},
		{"a text", []value.Value{Name(1)}},
		{"names", []value.Value{value.List(Many(50_000, Name))}},
		{"a set of names", []value.Value{value.NewSet(Many(50_000, Name)...).Value()}},
		{"a long chain", []value.Value{chain(5_000)}},
		{"children", []value.Value{Child("or", Many(2_000, func(i int) value.Value { return Child("has", Name(i)) })...)}},
		{"levels", []value.Value{nested}},
		{"no end", []value.Value{Bytecode(Instruction("repeat", Child("both")), Instruction("emit"))}},
		{"all", []value.Value{Bytecode(Instruction("V"), Instruction("V"), Instruction("V"), Instruction("V"), Instruction("count"))}},
	}
}

// Strategies are source options that add each strategy that is known, with each
// configuration, or many times, or take it away many times.
func Strategies() []Part[traversal.Instruction] {
	var list []Part[traversal.Instruction]
	for _, name := range strategy.Names() {
		for _, c := range configurations() {
			config := value.NewMap()
			for _, key := range settings {
				config.PutString(key, c.Of[0])
			}
			spec := value.Object(value.KindStrategy, &traversal.StrategySpec{Class: name, Config: config})
			list = append(list, Part[traversal.Instruction]{name + " of " + c.Name, []traversal.Instruction{Instruction("withStrategies", spec)}})
		}
		plain := value.Object(value.KindStrategy, &traversal.StrategySpec{Class: name})
		list = append(list,
			Part[traversal.Instruction]{name + " often", []traversal.Instruction{Instruction("withStrategies", Many(20_000, func(int) value.Value { return plain })...)}},
			Part[traversal.Instruction]{"no " + name, []traversal.Instruction{Instruction("withoutStrategies", Many(20_000, func(int) value.Value { return value.Class(name) })...)}})
	}
	return list
}

// SourceOptions are all source instructions with arguments of all kinds, once and often.
func SourceOptions() []Part[traversal.Instruction] {
	var list []Part[traversal.Instruction]
	lambda := value.Object(value.KindLambda, &traversal.Lambda{Language: "gremlin-groovy", Script: "{ a, b -> while (true) { } }", Arguments: 2})
	split := value.Object(value.KindLambda, &traversal.Lambda{Language: "gremlin-groovy", Script: "{ it -> [it, it] }", Arguments: 1})
	sum, addAll := value.Enum(value.KindOperator, "sum"), value.Enum(value.KindOperator, "addAll")
	large := value.List(Many(50_000, Name))
	arguments := append(Arguments(),
		Part[value.Value]{"a value and sum", []value.Value{value.Int(1), sum}},
		Part[value.Value]{"a list and addAll", []value.Value{large, addAll}},
		Part[value.Value]{"a key, a list and addAll", []value.Value{value.String("x"), large, addAll}},
		Part[value.Value]{"a key and a closure", []value.Value{value.String("x"), lambda}},
		Part[value.Value]{"a list and closures", []value.Value{large, split, lambda}},
		Part[value.Value]{"a key and a list", []value.Value{value.String("x"), large}},
		Part[value.Value]{"true", []value.Value{value.Bool(true)}},
		Part[value.Value]{"false", []value.Value{value.Bool(false)}},
	)
	for _, name := range traversal.SourceInstructions() {
		for _, args := range arguments {
			in := Instruction(name, args.Of...)
			list = append(list, Part[traversal.Instruction]{name + " of " + args.Name, []traversal.Instruction{in}})
			if len(args.Of) <= 3 {
				often := make([]traversal.Instruction, 10_000)
				for i := range often {
					often[i] = in
				}
				list = append(list, Part[traversal.Instruction]{name + " of " + args.Name + " often", often})
			}
		}
	}
	return list
}

// Configured are traversals that strategies and source options make the most of.
func Configured() []Part[traversal.Instruction] {
	type steps = []traversal.Instruction
	chain := make(steps, 2_000)
	for i := range chain {
		chain[i] = Instruction([]string{"out", "outE", "inV", "has", "values"}[i%5], Name(i))
	}
	return []Part[traversal.Instruction]{
		{"everything", steps{Instruction("V"), Instruction("both"), Instruction("both"), Instruction("properties"), Instruction("value"), Instruction("sack"), Instruction("fold")}},
		{"a chain", append(steps{Instruction("V")}, chain...)},
		{"side effects", steps{Instruction("V"), Instruction("as", value.String("a")), Instruction("both"), Instruction("both"), Instruction("aggregate", value.String("x")),
			Instruction("where", (&traversal.P{Name: "within", Args: []value.Value{value.String("x")}}).Value()), Instruction("cap", value.String("x"))}},
		{"bulk", Doubled(Instruction("barrier"), Instruction("sack"), Instruction("path"))},
		{"pages", steps{Instruction("V"), Instruction("pageRank"), Instruction("valueMap")}},
		{"writing", steps{Instruction("V"), Instruction("V"), Instruction("addV", value.String("x")), Instruction("property", value.String("k"), value.Int(1))}},
	}
}

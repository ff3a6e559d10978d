package traversal

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// categories gives the names of TinkerPop's strategy categories.
var categories = map[string]string{
	"D": "DecorationStrategy", "O": "OptimizationStrategy", "P": "ProviderOptimizationStrategy",
	"F": "FinalizationStrategy", "V": "VerificationStrategy",
}

// Map is the form in which every serializer writes an explanation.
func (x *Explanation) Map() *value.Map {
	m := value.NewMap()
	m.PutString("original", stringList(x.Original))
	steps := make([]value.Value, len(x.Intermediate))
	for i, s := range x.Intermediate {
		category, ok := categories[s.Category]
		if !ok {
			category = s.Category
		}
		e := value.NewMap()
		e.PutString("strategy", value.String(s.Strategy))
		e.PutString("category", value.String(category))
		e.PutString("traversal", stringList(s.Traversal))
		steps[i] = e.Value()
	}
	m.PutString("intermediate", value.List(steps))
	m.PutString("final", stringList(x.Final))
	return m
}

func stringList(list []string) value.Value {
	out := make([]value.Value, len(list))
	for i, s := range list {
		out[i] = value.String(s)
	}
	return value.List(out)
}

// JavaString is P's toString: gt(1), within([1, 2]), and(gt(1), lt(3)).
func (p *P) JavaString() string {
	args := make([]string, len(p.Args))
	for i, a := range p.Args {
		args[i] = a.JavaString()
	}
	switch p.Name {
	case "within", "without":
		return p.Name + "([" + strings.Join(args, ", ") + "])"
	case "between", "inside":
		lower := map[string]string{"between": "gte", "inside": "gt"}[p.Name]
		if len(args) == 2 {
			return "and(" + lower + "(" + args[0] + "), lt(" + args[1] + "))"
		}
	case "outside":
		if len(args) == 2 {
			return "or(lt(" + args[0] + "), gt(" + args[1] + "))"
		}
	}
	if len(p.Args) == 1 && p.Args[0].IsNull() {
		return p.Name
	}
	return p.Name + "(" + strings.Join(args, ", ") + ")"
}

// JavaString is Lambda's toString.
func (l *Lambda) JavaString() string { return "lambda[" + l.Script + "]" }

// JavaString is the strategy's simple name.
func (s *StrategySpec) JavaString() string {
	return s.Class[strings.LastIndexByte(s.Class, '.')+1:]
}

// JavaString is Binding's toString.
func (b *Binding) JavaString() string { return "binding[" + b.Key + "=" + b.Value.JavaString() + "]" }

// JavaString is Bytecode's toString: [[source], [steps]].
func (b *Bytecode) JavaString() string {
	return "[" + instructionText(b.Source) + ", " + instructionText(b.Steps) + "]"
}

func instructionText(list []Instruction) string {
	out := make([]string, len(list))
	for i, in := range list {
		args := make([]string, len(in.Args))
		for j, a := range in.Args {
			args[j] = a.JavaString()
		}
		out[i] = in.Name + "(" + strings.Join(args, ", ") + ")"
	}
	return "[" + strings.Join(out, ", ") + "]"
}

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
	if len(x.Unknown) > 0 { // the reference knows of no such entry
		unknown := make([]string, len(x.Unknown))
		for i, u := range x.Unknown {
			unknown[i] = u.String()
		}
		m.PutString("unknown", stringList(unknown))
	}
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
func (p *P) JavaString() string { return p.Value().JavaString() }

// AppendJavaString appends JavaString.
func (p *P) AppendJavaString(t *value.JavaText, dst []byte) []byte {
	two := func(words ...string) []byte {
		dst = t.Value(append(dst, words[0]...), p.Args[0])
		dst = t.Value(append(dst, words[1]...), p.Args[1])
		return append(dst, "))"...)
	}
	switch {
	case p.Name == "within" || p.Name == "without":
		return append(t.Values(append(append(dst, p.Name...), "(["...), p.Args), "])"...)
	case p.Name == "between" && len(p.Args) == 2:
		return two("and(gte(", "), lt(")
	case p.Name == "inside" && len(p.Args) == 2:
		return two("and(gt(", "), lt(")
	case p.Name == "outside" && len(p.Args) == 2:
		return two("or(lt(", "), gt(")
	case len(p.Args) == 1 && p.Args[0].IsNull():
		return t.Text(dst, p.Name)
	}
	return append(t.Values(append(t.Text(dst, p.Name), '('), p.Args), ')')
}

// AppendJavaString appends Lambda's toString.
func (l *Lambda) AppendJavaString(t *value.JavaText, dst []byte) []byte {
	return append(t.Text(append(dst, "lambda["...), l.Script), ']')
}

// AppendJavaString appends the strategy's simple name.
func (s *StrategySpec) AppendJavaString(t *value.JavaText, dst []byte) []byte {
	return t.Text(dst, s.Class[strings.LastIndexByte(s.Class, '.')+1:])
}

// AppendJavaString appends Binding's toString.
func (b *Binding) AppendJavaString(t *value.JavaText, dst []byte) []byte {
	dst = append(t.Text(append(dst, "binding["...), b.Key), '=')
	return append(t.Value(dst, b.Value), ']')
}

// AppendJavaString appends Bytecode's toString: [[source], [steps]].
func (b *Bytecode) AppendJavaString(t *value.JavaText, dst []byte) []byte {
	dst = appendInstructions(t, append(dst, '['), b.Source)
	return append(appendInstructions(t, append(dst, ", "...), b.Steps), ']')
}

func appendInstructions(t *value.JavaText, dst []byte, list []Instruction) []byte {
	dst = append(dst, '[')
	for i, in := range list {
		if t.Ended() {
			return dst
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(t.Values(append(t.Text(dst, in.Name), '('), in.Args), ')')
	}
	return append(dst, ']')
}

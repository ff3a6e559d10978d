package traversal

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// sourceOptions folds the source instructions.
func (c *compiler) sourceOptions(source []Instruction) (*SourceOptions, error) {
	o := &SourceOptions{Bulk: true, With: map[string]value.Value{}, Without: map[string]bool{}}
	for _, in := range source {
		if err := o.apply(in); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *SourceOptions) apply(in Instruction) error {
	arg := func(i int) value.Value {
		if i < len(in.Args) {
			return in.Args[i]
		}
		return value.Null
	}
	switch in.Name {
	case "withSack":
		o.Sack = newSack(in.Args)
	case "withSideEffect":
		o.SideEffects = append(o.SideEffects, SideEffectOption{Key: arg(0).Str(), Initial: arg(1), Reducer: arg(2)})
	case "withStrategies":
		return o.addStrategies(in.Args)
	case "withoutStrategies":
		for _, a := range in.Args {
			o.Without[simpleName(strategyName(a))] = true
		}
	case "withBulk":
		o.Bulk = arg(0).Bool()
	case "withPath":
		o.Path = true
	case "withComputer":
		o.Computer = true
		return o.addStrategies(in.Args)
	case "with":
		v := value.Bool(true)
		if len(in.Args) > 1 {
			v = arg(1)
		}
		o.With[arg(0).Str()] = v
	default:
		return CompileError{fmt.Sprintf("Could not locate method: GraphTraversalSource.%s()", in.Name)}
	}
	return nil
}

// newSack tells split from merge operators: one operator merges when it is a
// constant of Operator, and splits when it is a closure of one argument.
func newSack(args []value.Value) *SackOptions {
	s := &SackOptions{Initial: args[0]}
	for _, a := range args[1:] {
		l, isLambda := a.Object().(*Lambda)
		if isLambda && l.Arity() == 1 {
			s.Split = a
		} else {
			s.Merge = a
		}
	}
	return s
}

func (o *SourceOptions) addStrategies(args []value.Value) error {
	for _, a := range args {
		s, ok := a.Object().(*StrategySpec)
		if !ok {
			return fmt.Errorf("withStrategies() takes strategies, not %s", a.JavaString())
		}
		switch simpleName(s.Class) {
		case "OptionsStrategy":
			o.addOptions(s)
		case "VertexProgramStrategy":
			o.Computer = true
			o.Strategies = append(o.Strategies, s)
		default:
			o.Strategies = append(o.Strategies, s)
		}
	}
	return nil
}

func (o *SourceOptions) addOptions(s *StrategySpec) {
	if s.Config == nil {
		return
	}
	for i := 0; i < s.Config.Len(); i++ {
		k, v := s.Config.Entry(i)
		o.With[k.Str()] = v
	}
}

func strategyName(v value.Value) string {
	if s, ok := v.Object().(*StrategySpec); ok {
		return s.Class
	}
	return v.Str()
}

// simpleName cuts the package off a Java class name.
func simpleName(class string) string {
	return class[strings.LastIndexAny(class, ".$")+1:]
}

// SimpleName is the strategy's name without its package.
func (s *StrategySpec) SimpleName() string { return simpleName(s.Class) }

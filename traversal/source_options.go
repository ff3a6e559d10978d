package traversal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// sourceOptions folds the source instructions.
func (c *compiler) sourceOptions(source []Instruction) (*SourceOptions, error) {
	o := &SourceOptions{Bulk: true, Without: map[string]bool{}}
	for _, in := range source {
		if err := c.count(in); err != nil {
			return nil, err
		}
		if err := o.apply(in); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// sourceInstructions are what stands before the first step.
var sourceInstructions = map[string]func(o *SourceOptions, args []value.Value) error{
	"withSack": func(o *SourceOptions, args []value.Value) (err error) {
		o.Sack, err = newSack(args)
		return err
	},
	"withSideEffect": func(o *SourceOptions, args []value.Value) error {
		o.SideEffects = append(o.SideEffects, SideEffectOption{Key: at(args, 0).Str(), Initial: at(args, 1), Reducer: at(args, 2)})
		return nil
	},
	"withStrategies": (*SourceOptions).addStrategies,
	"withoutStrategies": func(o *SourceOptions, args []value.Value) error {
		for _, a := range args {
			o.Without[simpleName(strategyName(a))] = true
		}
		return nil
	},
	"withBulk": func(o *SourceOptions, args []value.Value) error {
		o.Bulk = at(args, 0).Bool()
		return nil
	},
	"withPath": func(o *SourceOptions, _ []value.Value) error {
		o.Path = true
		return nil
	},
	"withComputer": func(o *SourceOptions, args []value.Value) error {
		o.Computer = true
		return o.addStrategies(args)
	},
	"with": func(o *SourceOptions, args []value.Value) error {
		v := value.Bool(true)
		if len(args) > 1 {
			v = args[1]
		}
		o.with(at(args, 0), v)
		return nil
	},
}

// SourceInstructions returns the names of all source instructions, in order.
func SourceInstructions() []string { return slices.Sorted(maps.Keys(sourceInstructions)) }

func at(args []value.Value, i int) value.Value {
	if i < len(args) {
		return args[i]
	}
	return value.Null
}

func (o *SourceOptions) apply(in Instruction) error {
	f := sourceInstructions[in.Name]
	if f == nil {
		return CompileError{fmt.Sprintf("Could not locate method: GraphTraversalSource.%s()", value.Brief(in.Name)) +
			Suggestion(in.Name, "()", SourceInstructions())}
	}
	return f(o, in.Args)
}

// newSack tells split from merge operators: one operator merges when it is a
// constant of Operator, and splits when it is a closure of one argument.
func newSack(args []value.Value) (*SackOptions, error) {
	if len(args) == 0 {
		return nil, CompileError{"Could not locate method: GraphTraversalSource.withSack()"}
	}
	s := &SackOptions{Initial: args[0]}
	for _, a := range args[1:] {
		l, isLambda := a.Object().(*Lambda)
		if isLambda && l.Arity() == 1 {
			s.Split = a
		} else {
			s.Merge = a
		}
	}
	return s, nil
}

func (o *SourceOptions) addStrategies(args []value.Value) error {
	for _, a := range args {
		s, ok := a.Object().(*StrategySpec)
		if !ok {
			return fmt.Errorf("withStrategies() takes strategies, not %s", a.Brief())
		}
		switch {
		case s.IsOptions():
			o.addOptions(s)
		case simpleName(s.Class) == "VertexProgramStrategy":
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
		o.with(k, v)
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

// IsOptions reports whether the strategy is what with(key, value) becomes in bytecode.
func (s *StrategySpec) IsOptions() bool { return simpleName(s.Class) == "OptionsStrategy" }

// SimpleName is the strategy's name without its package.
func (s *StrategySpec) SimpleName() string { return simpleName(s.Class) }

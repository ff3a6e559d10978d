package classes

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

func random() float64 { return rand.Float64() }

// Construct makes an object of a class, false when scripts cannot.
func Construct(m *machine.Machine, simple, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case strings.HasSuffix(simple, "Strategy"):
		v, err := newStrategy(m, simple, args)
		return v, true, err
	case machine.IsExceptionName(simple) && len(args) <= 1:
		return machine.Wrap(newException(simple, name, m, args)), true, nil
	}
	switch simple {
	case "ArrayList", "LinkedList":
		return constructList(m, args)
	case "TreeMap":
		v, err := methods.NewTreeMap(m, args)
		return v, len(args) <= 1, err
	case "StringBuilder", "StringBuffer":
		b := &methods.TextBuilder{}
		if len(args) == 1 && !args[0].Kind().IsNumber() {
			return machine.Wrap(b), true, b.Grow(m, m.String(args[0]))
		}
		return machine.Wrap(b), len(args) <= 1, nil
	case "Random":
		return machine.Wrap(methods.NewRandom(args)), len(args) <= 1, nil
	case "HashMap", "LinkedHashMap":
		if len(args) == 1 && args[0].Kind() == value.KindMap {
			c := value.NewMap()
			return c.Value(), true, m.PutAll(c, args[0].Map())
		}
		return value.NewMap().Value(), len(args) == 0, nil
	case "HashSet", "LinkedHashSet":
		if len(args) == 1 {
			v, err := m.SetOf(args[0])
			return v, true, err
		}
		return value.NewSet().Value(), len(args) == 0, nil
	case "String", "Integer", "Long", "Double", "Float", "Short", "Byte", "BigDecimal", "BigInteger":
		if len(args) == 1 {
			v, err := m.As(simple, args[0])
			return v, true, err
		}
	case "Date":
		if len(args) == 1 && args[0].Kind().IsNumber() {
			return value.Date(time.UnixMilli(value.AsInt64(args[0]))), true, nil
		}
		return value.Date(time.Now()), len(args) == 0, nil
	case "BaseConfiguration", "PropertiesConfiguration":
		return machine.Wrap(&graphs.Configuration{Settings: value.NewMap()}), len(args) == 0, nil
	case "Object":
		return value.NewMap().Value(), len(args) == 0, nil
	}
	return value.Null, false, nil
}

func constructList(m *machine.Machine, args []value.Value) (value.Value, bool, error) {
	if len(args) == 1 && !args[0].Kind().IsNumber() {
		v, err := m.ListOf(args[0])
		return v, true, err
	}
	return machine.NewList(nil), len(args) <= 1, nil
}

func newException(simple, name string, m *machine.Machine, args []value.Value) *machine.Exception {
	x := &machine.Exception{Class: name}
	if !strings.Contains(name, ".") {
		x.Class = "java.lang." + simple
	}
	if len(args) == 1 {
		x.Message = m.String(args[0])
	}
	x.Err = &machine.Error{Class: x.Class, Message: x.Message}
	return x
}

// newStrategy is new SubgraphStrategy(vertices: .., ..).
func newStrategy(m *machine.Machine, name string, args []value.Value) (value.Value, error) {
	s := &traversal.StrategySpec{Class: name}
	switch {
	case len(args) == 1 && args[0].Kind() == value.KindMap:
		s.Config = m.Export(args[0]).Map()
	case len(args) == 1 && name == "SeedStrategy":
		s.Config = value.NewMap()
		s.Config.PutString("seed", args[0])
	case len(args) > 0:
		return value.Null, machine.Fail(machine.ArgumentException, "%s takes named options", name)
	}
	return value.Object(value.KindStrategy, s), nil
}

// strategyMethod is instance(), build() and create() of a strategy's class.
func strategyMethod(m *machine.Machine, class, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "instance" && len(args) == 0, name == "create" && len(args) <= 1:
		v, err := newStrategy(m, class, args)
		return v, true, err
	case name == "build" && len(args) == 0:
		return machine.Wrap(&builder{spec: &traversal.StrategySpec{Class: class, Config: value.NewMap()}}), true, nil
	}
	return value.Null, false, nil
}

// builder is what X.build() returns: every method of one argument sets an option.
type builder struct{ spec *traversal.StrategySpec }

func (b *builder) ClassName() string { return b.spec.Class + "$Builder" }

func (b *builder) Text(*machine.Machine) string { return b.ClassName() }

func (b *builder) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (b *builder) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "create" && len(args) == 0:
		return value.Object(value.KindStrategy, b.spec), true, nil
	case len(args) == 0 && (name == "throwException" || name == "logWarning"):
		b.spec.Config.PutString(name, value.Bool(true))
		return machine.Wrap(b), true, nil
	case len(args) == 1:
		b.spec.Config.PutString(name, m.Export(args[0]))
		return machine.Wrap(b), true, nil
	case len(args) > 1:
		b.spec.Config.PutString(name, m.Export(machine.NewList(args)))
		return machine.Wrap(b), true, nil
	}
	return value.Null, false, nil
}

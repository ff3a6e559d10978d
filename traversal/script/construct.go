package script

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func random() float64 { return rand.Float64() }

// construct makes an object of a class, false when scripts cannot.
func (m *machine) construct(simple, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case strings.HasSuffix(simple, "Strategy"):
		v, err := m.newStrategy(simple, args)
		return v, true, err
	case isExceptionName(simple) && len(args) <= 1:
		return wrap(newException(simple, name, m, args)), true, nil
	}
	switch simple {
	case "ArrayList", "LinkedList":
		return m.constructList(args)
	case "TreeMap":
		v, err := m.newTreeMap(args)
		return v, len(args) <= 1, err
	case "StringBuilder", "StringBuffer":
		b := &textBuilder{}
		if len(args) == 1 && !args[0].Kind().IsNumber() {
			return wrap(b), true, b.grow(m, m.string(args[0]))
		}
		return wrap(b), len(args) <= 1, nil
	case "Random":
		return wrap(newRandom(args)), len(args) <= 1, nil
	case "HashMap", "LinkedHashMap":
		if len(args) == 1 && args[0].Kind() == value.KindMap {
			c := value.NewMap()
			return c.Value(), true, m.putAll(c, args[0].Map())
		}
		return value.NewMap().Value(), len(args) == 0, nil
	case "HashSet", "LinkedHashSet":
		if len(args) == 1 {
			v, err := m.setOf(args[0])
			return v, true, err
		}
		return value.NewSet().Value(), len(args) == 0, nil
	case "String", "Integer", "Long", "Double", "Float", "Short", "Byte", "BigDecimal", "BigInteger":
		if len(args) == 1 {
			v, err := m.as(simple, args[0])
			return v, true, err
		}
	case "Date":
		if len(args) == 1 && args[0].Kind().IsNumber() {
			return value.Date(time.UnixMilli(value.AsInt64(args[0]))), true, nil
		}
		return value.Date(time.Now()), len(args) == 0, nil
	case "BaseConfiguration", "PropertiesConfiguration":
		return wrap(&configuration{value.NewMap()}), len(args) == 0, nil
	case "Object":
		return value.NewMap().Value(), len(args) == 0, nil
	}
	return value.Null, false, nil
}

func (m *machine) constructList(args []value.Value) (value.Value, bool, error) {
	if len(args) == 1 && !args[0].Kind().IsNumber() {
		v, err := m.listOf(args[0])
		return v, true, err
	}
	return newList(nil), len(args) <= 1, nil
}

func newException(simple, name string, m *machine, args []value.Value) *exception {
	x := &exception{class: name}
	if !strings.Contains(name, ".") {
		x.class = "java.lang." + simple
	}
	if len(args) == 1 {
		x.message = m.string(args[0])
	}
	x.err = &Error{Class: x.class, Message: x.message}
	return x
}

// newStrategy is new SubgraphStrategy(vertices: .., ..).
func (m *machine) newStrategy(name string, args []value.Value) (value.Value, error) {
	s := &traversal.StrategySpec{Class: name}
	switch {
	case len(args) == 1 && args[0].Kind() == value.KindMap:
		s.Config = m.export(args[0]).Map()
	case len(args) == 1 && name == "SeedStrategy":
		s.Config = value.NewMap()
		s.Config.PutString("seed", args[0])
	case len(args) > 0:
		return value.Null, fail(argumentException, "%s takes named options", name)
	}
	return value.Object(value.KindStrategy, s), nil
}

// strategyMethod is instance(), build() and create() of a strategy's class.
func (m *machine) strategyMethod(class, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "instance" && len(args) == 0, name == "create" && len(args) <= 1:
		v, err := m.newStrategy(class, args)
		return v, true, err
	case name == "build" && len(args) == 0:
		return wrap(&builder{spec: &traversal.StrategySpec{Class: class, Config: value.NewMap()}}), true, nil
	}
	return value.Null, false, nil
}

// builder is what X.build() returns: every method of one argument sets an option.
type builder struct{ spec *traversal.StrategySpec }

func (b *builder) className() string { return b.spec.Class + "$Builder" }

func (b *builder) text(*machine) string { return b.className() }

func (b *builder) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (b *builder) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "create" && len(args) == 0:
		return value.Object(value.KindStrategy, b.spec), true, nil
	case len(args) == 0 && (name == "throwException" || name == "logWarning"):
		b.spec.Config.PutString(name, value.Bool(true))
		return wrap(b), true, nil
	case len(args) == 1:
		b.spec.Config.PutString(name, m.export(args[0]))
		return wrap(b), true, nil
	case len(args) > 1:
		b.spec.Config.PutString(name, m.export(newList(args)))
		return wrap(b), true, nil
	}
	return value.Null, false, nil
}

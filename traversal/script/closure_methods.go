package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// callable is what can be called besides closures: compositions, curried closures and
// pointers to methods.
type callable struct {
	name string
	held []value.Value // that fn keeps
	fn   func(m *machine, args []value.Value) (value.Value, error)
}

func (c *callable) keeps() ([]value.Value, int) { return c.held, 0 }

func (c *callable) isCase(m *machine, v value.Value) (bool, error) {
	r, err := m.invoke(wrap(c), "call", []value.Value{v})
	return m.truth(r), err
}

func (c *callable) className() string { return "groovy.lang.Closure" }

func (c *callable) text(*machine) string { return "Script1$_run_closure1" }

func (c *callable) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (c *callable) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return closureMethod(m, wrap(c), name, args)
}

// callNames are the methods by which Groovy and Java's functional interfaces call.
var callNames = map[string]bool{"call": true, "doCall": true, "apply": true, "accept": true, "test": true, "applyAsInt": true, "compare": true, "run": true}

// closureMethod is a method of anything that can be called.
func closureMethod(m *machine, self value.Value, name string, args []value.Value) (value.Value, bool, error) {
	if callNames[name] || name == "get" && len(args) == 0 {
		switch c := foreign(self).(type) {
		case *closure:
			v, err := c.call(m, args)
			return v, true, err
		case *callable:
			if err := m.enter(); err != nil {
				return value.Null, true, err
			}
			defer m.leave()
			v, err := c.fn(m, args)
			return v, true, err
		}
	}
	n := len(args)
	switch {
	case (name == "rightShift" || name == "andThen") && n == 1:
		return composed(self, args[0]), true, nil
	case (name == "leftShift" || name == "compose") && n == 1:
		return composed(args[0], self), true, nil
	case name == "curry" && n > 0:
		return curried(self, args, func(given []value.Value) []value.Value { return joinedArgs(args, given) }), true, nil
	case name == "rcurry" && n > 0:
		return curried(self, args, func(given []value.Value) []value.Value { return joinedArgs(given, args) }), true, nil
	case name == "ncurry" && n > 1:
		at := int(min(max(value.AsInt64(args[0]), 0), 255))
		return curried(self, args, func(given []value.Value) []value.Value {
			at := min(at, len(given))
			return joinedArgs(given[:at], args[1:], given[at:])
		}), true, nil
	case name == "negate" && n == 0:
		return wrap(&callable{name, []value.Value{self}, func(m *machine, args []value.Value) (value.Value, error) {
			v, err := m.invoke(self, "call", args)
			return value.Bool(!m.truth(v)), err
		}}), true, nil
	case (name == "memoize" || name == "clone" || name == "dehydrate" || name == "trampoline") && n == 0:
		return self, true, nil
	case name == "getMaximumNumberOfParameters" && n == 0:
		v, ok := foreign(self).property(m, "maximumNumberOfParameters")
		return v, ok, nil
	}
	return value.Null, false, nil
}

func joinedArgs(parts ...[]value.Value) []value.Value {
	var all []value.Value
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func composed(first, then value.Value) value.Value {
	return wrap(&callable{"compose", []value.Value{first, then}, func(m *machine, args []value.Value) (value.Value, error) {
		v, err := m.invoke(first, "call", args)
		if err != nil {
			return v, err
		}
		return m.invoke(then, "call", []value.Value{v})
	}})
}

func curried(of value.Value, held []value.Value, with func([]value.Value) []value.Value) value.Value {
	return wrap(&callable{"curry", append([]value.Value{of}, held...), func(m *machine, args []value.Value) (value.Value, error) {
		return m.invoke(of, "call", with(args))
	}})
}

// isCallable reports whether v can be called.
func isCallable(v value.Value) bool {
	switch foreign(v).(type) {
	case *closure, *callable:
		return true
	}
	return false
}

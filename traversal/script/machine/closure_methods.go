package machine

import (
	"github.com/gremlind/gremlind/storage/value"
)

// Callable is what can be called besides closures: compositions, curried closures and
// pointers to methods.
type Callable struct {
	Name string
	Held []value.Value // that fn keeps
	Call func(m *Machine, args []value.Value) (value.Value, error)
}

// Keeps returns what the object holds.
func (c *Callable) Keeps() ([]value.Value, int) { return c.Held, 0 }

// IsCase tests a value as a label of a switch does.
func (c *Callable) IsCase(m *Machine, v value.Value) (bool, error) {
	r, err := m.Invoke(Wrap(c), "call", []value.Value{v})
	return m.Truth(r), err
}

// ClassName returns the name of the Java class.
func (c *Callable) ClassName() string { return "groovy.lang.Closure" }

// Text returns the text of the object.
func (c *Callable) Text(*Machine) string { return "Script1$_run_closure1" }

// Property reads a property, false when there is none of that name.
func (c *Callable) Property(*Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (c *Callable) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	return closureMethod(m, Wrap(c), name, args)
}

// callNames are the methods by which Groovy and Java's functional interfaces call.
var callNames = map[string]bool{"call": true, "doCall": true, "apply": true, "accept": true, "test": true, "applyAsInt": true, "compare": true, "run": true}

// closureMethod is a method of anything that can be called.
func closureMethod(m *Machine, self value.Value, name string, args []value.Value) (value.Value, bool, error) {
	v, ok, err := calledOrJoined(m, self, name, args)
	if c, made := Foreign(v).(*Callable); made && ok && err == nil && !callNames[name] {
		err = m.Charge(CallableBytes + ValueBytes*len(c.Held))
	}
	return v, ok, err
}

func calledOrJoined(m *Machine, self value.Value, name string, args []value.Value) (value.Value, bool, error) {
	if callNames[name] || name == "get" && len(args) == 0 {
		switch c := Foreign(self).(type) {
		case *Closure:
			v, err := c.Run(m, args)
			return v, true, err
		case *Callable:
			if err := m.Enter(); err != nil {
				return value.Null, true, err
			}
			defer m.Leave()
			v, err := c.Call(m, args)
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
		return Wrap(&Callable{name, []value.Value{self}, func(m *Machine, args []value.Value) (value.Value, error) {
			v, err := m.Invoke(self, "call", args)
			return value.Bool(!m.Truth(v)), err
		}}), true, nil
	case (name == "memoize" || name == "clone" || name == "dehydrate" || name == "trampoline") && n == 0:
		return self, true, nil
	case name == "getMaximumNumberOfParameters" && n == 0:
		v, ok := Foreign(self).Property(m, "maximumNumberOfParameters")
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
	return Wrap(&Callable{"compose", []value.Value{first, then}, func(m *Machine, args []value.Value) (value.Value, error) {
		v, err := m.Invoke(first, "call", args)
		if err != nil {
			return v, err
		}
		return m.Invoke(then, "call", []value.Value{v})
	}})
}

func curried(of value.Value, held []value.Value, with func([]value.Value) []value.Value) value.Value {
	return Wrap(&Callable{"curry", append([]value.Value{of}, held...), func(m *Machine, args []value.Value) (value.Value, error) {
		return m.Invoke(of, "call", with(args))
	}})
}

// IsCallable reports whether v can be called.
func IsCallable(v value.Value) bool {
	switch Foreign(v).(type) {
	case *Closure, *Callable:
		return true
	}
	return false
}

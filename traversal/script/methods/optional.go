package methods

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Optional is java.util.Optional.
type Optional struct {
	Value   value.Value
	Present bool
}

// Keeps returns what the object holds.
func (o *Optional) Keeps() ([]value.Value, int) { return []value.Value{o.Value}, 0 }

// ClassName returns the name of the Java class.
func (o *Optional) ClassName() string { return "java.util.Optional" }

// Text returns the text of the object.
func (o *Optional) Text(m *machine.Machine) string {
	if !o.Present {
		return "Optional.empty"
	}
	return "Optional[" + m.String(o.Value) + "]"
}

// Property reads a property, false when there is none of that name.
func (o *Optional) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (o *Optional) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "isPresent" && len(args) == 0:
		return value.Bool(o.Present), true, nil
	case name == "isEmpty" && len(args) == 0:
		return value.Bool(!o.Present), true, nil
	case name == "get" && len(args) == 0:
		if !o.Present {
			return value.Null, true, machine.Fail(machine.NoSuchElement, "No value present")
		}
		return o.Value, true, nil
	case name == "orElse" && len(args) == 1:
		if o.Present {
			return o.Value, true, nil
		}
		return args[0], true, nil
	case name == "orElseGet" && len(args) == 1:
		if o.Present {
			return o.Value, true, nil
		}
		v, err := m.Invoke(args[0], "call", nil)
		return v, true, err
	}
	return o.with(m, name, args)
}

// moreOptionalMethods are those of java.util.Optional that take a closure.
func (o *Optional) with(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if name == "orElseThrow" && len(args) == 0 {
		if !o.Present {
			return value.Null, true, machine.Fail(machine.NoSuchElement, "No value present")
		}
		return o.Value, true, nil
	}
	if len(args) != 1 || !machine.IsCallable(args[0]) {
		return value.Null, false, nil
	}
	switch name {
	case "map", "flatMap", "ifPresent", "filter":
		if !o.Present {
			return machine.Wrap(o), true, nil
		}
	default:
		return value.Null, false, nil
	}
	v, err := m.Invoke(args[0], "call", []value.Value{o.Value})
	switch {
	case err != nil || name == "flatMap":
		return v, true, err
	case name == "ifPresent":
		return value.Null, true, nil
	case name == "filter":
		return machine.Wrap(&Optional{o.Value, m.Truth(v)}), true, nil
	}
	return machine.Wrap(&Optional{v, !v.IsNull()}), true, nil
}

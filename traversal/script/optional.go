package script

import "github.com/gremlind/gremlind/storage/value"

// optional is java.util.Optional.
type optional struct {
	v       value.Value
	present bool
}

func (o *optional) keeps() ([]value.Value, int) { return []value.Value{o.v}, 0 }

func (o *optional) className() string { return "java.util.Optional" }

func (o *optional) text(m *machine) string {
	if !o.present {
		return "Optional.empty"
	}
	return "Optional[" + m.string(o.v) + "]"
}

func (o *optional) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *optional) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "isPresent" && len(args) == 0:
		return value.Bool(o.present), true, nil
	case name == "isEmpty" && len(args) == 0:
		return value.Bool(!o.present), true, nil
	case name == "get" && len(args) == 0:
		if !o.present {
			return value.Null, true, fail(noSuchElement, "No value present")
		}
		return o.v, true, nil
	case name == "orElse" && len(args) == 1:
		if o.present {
			return o.v, true, nil
		}
		return args[0], true, nil
	case name == "orElseGet" && len(args) == 1:
		if o.present {
			return o.v, true, nil
		}
		v, err := m.invoke(args[0], "call", nil)
		return v, true, err
	}
	return o.with(m, name, args)
}

// moreOptionalMethods are those of java.util.Optional that take a closure.
func (o *optional) with(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if name == "orElseThrow" && len(args) == 0 {
		if !o.present {
			return value.Null, true, fail(noSuchElement, "No value present")
		}
		return o.v, true, nil
	}
	if len(args) != 1 || !isCallable(args[0]) {
		return value.Null, false, nil
	}
	switch name {
	case "map", "flatMap", "ifPresent", "filter":
		if !o.present {
			return wrap(o), true, nil
		}
	default:
		return value.Null, false, nil
	}
	v, err := m.invoke(args[0], "call", []value.Value{o.v})
	switch {
	case err != nil || name == "flatMap":
		return v, true, err
	case name == "ifPresent":
		return value.Null, true, nil
	case name == "filter":
		return wrap(&optional{o.v, m.truth(v)}), true, nil
	}
	return wrap(&optional{v, !v.IsNull()}), true, nil
}

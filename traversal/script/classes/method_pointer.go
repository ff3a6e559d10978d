package classes

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Pointer is target.&name: a closure that calls the method.
func Pointer(src *machine.Source, at int, target value.Value, name string) value.Value {
	return machine.Wrap(&machine.Callable{Name: name, Held: []value.Value{target}, Call: func(m *machine.Machine, args []value.Value) (value.Value, error) {
		if _, isClass := machine.Foreign(target).(*Class); isClass && len(args) > 0 {
			if name == "new" {
				c := machine.Foreign(target).(*Class)
				v, ok, err := Construct(m, c.Simple(), c.name, args)
				if err == nil && !ok {
					err = m.Refused(src, at, "new "+c.name)
				}
				return v, err
			}
			if v, ok, err := m.TryMethod(target, name, args); ok {
				return v, err
			}
			return m.Method(src, at, args[0], name, args[1:]) // String.&toUpperCase
		}
		return m.Method(src, at, target, name, args)
	}})
}

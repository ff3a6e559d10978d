package script

import "github.com/gremlind/gremlind/storage/value"

// pointer is target.&name: a closure that calls the method.
func pointer(src *source, at int, target value.Value, name string) value.Value {
	return wrap(&callable{name, []value.Value{target}, func(m *machine, args []value.Value) (value.Value, error) {
		if _, isClass := foreign(target).(*classObject); isClass && len(args) > 0 {
			if name == "new" {
				c := foreign(target).(*classObject)
				v, ok, err := m.construct(c.simple(), c.name, args)
				if err == nil && !ok {
					err = src.refused(at, "new "+c.name)
				}
				return v, err
			}
			if v, ok, err := m.tryMethod(target, name, args); ok {
				return v, err
			}
			return m.method(src, at, args[0], name, args[1:]) // String.&toUpperCase
		}
		return m.method(src, at, target, name, args)
	}})
}

package methods

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// anyMethods are those of every object.
func anyMethods() machine.Methods {
	return machine.Methods{
		"toString": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Text(m.String(self))
		}},
		"getClass": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Class(m.ClassOf(self)), nil
		}},
		"equals": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.Equal(self, a[0])), nil
		}},
		"is": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.Equal(self, a[0])), nil
		}},
		"hashCode": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(value.Hash(m.Export(self)))), nil
		}},
		"with": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.Invoke(a[0], "call", []value.Value{self})
		}},
		"tap": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, err := m.Invoke(a[0], "call", []value.Value{self})
			return self, err
		}},
		"collect": {1, 1, collect},
		"each":    {1, 1, eachItem},
	}
}

func enumMethods() machine.Methods {
	return machine.Methods{
		"name": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()), nil
		}},
		"getDeclaringClass": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Class(value.JavaClass(self)), nil
		}},
		"ordinal": {0, 0, enumOrdinal},
		"getAccessor": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String("~" + self.Str()), nil
		}},
		"opposite": {0, 0, enumOpposite},
	}
}

func enumOrdinal(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	for i, name := range value.EnumNames(self.Kind()) {
		if name == self.Str() {
			return value.Int(int32(i)), nil
		}
	}
	return value.Int(-1), nil
}

func enumOpposite(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	if self.Kind() != value.KindDirection {
		return value.Null, m.NoMethod(self, "opposite", nil)
	}
	name := map[string]string{"OUT": "IN", "IN": "OUT"}[self.Str()]
	if name == "" {
		return self, nil
	}
	return value.Enum(value.KindDirection, name), nil
}

// classMethods are those of a class that a value was asked for.
func classMethods() machine.Methods {
	return machine.Methods{
		"getName": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()), nil
		}},
		"getSimpleName": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(machine.SimpleName(self.Str())), nil
		}},
		"getPackageName": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()[:max(strings.LastIndexByte(self.Str(), '.'), 0)]), nil
		}},
		"isInstance": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.InstanceOf(a[0], self.Str())), nil
		}},
	}
}

package script

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// anyMethods are those of every object.
func anyMethods() methods {
	return methods{
		"toString": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.text(m.string(self))
		}},
		"getClass": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Class(m.classOf(self)), nil
		}},
		"equals": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.equal(self, a[0])), nil
		}},
		"is": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.equal(self, a[0])), nil
		}},
		"hashCode": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(value.Hash(m.export(self)))), nil
		}},
		"with": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.invoke(a[0], "call", []value.Value{self})
		}},
		"tap": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, err := m.invoke(a[0], "call", []value.Value{self})
			return self, err
		}},
		"collect": {1, 1, collect},
		"each":    {1, 1, eachItem},
	}
}

func enumMethods() methods {
	return methods{
		"name": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()), nil
		}},
		"getDeclaringClass": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Class(value.JavaClass(self)), nil
		}},
		"ordinal": {0, 0, enumOrdinal},
		"getAccessor": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String("~" + self.Str()), nil
		}},
		"opposite": {0, 0, enumOpposite},
	}
}

func enumOrdinal(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
	for i, name := range value.EnumNames(self.Kind()) {
		if name == self.Str() {
			return value.Int(int32(i)), nil
		}
	}
	return value.Int(-1), nil
}

func enumOpposite(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	if self.Kind() != value.KindDirection {
		return value.Null, m.noMethod(self, "opposite", nil)
	}
	name := map[string]string{"OUT": "IN", "IN": "OUT"}[self.Str()]
	if name == "" {
		return self, nil
	}
	return value.Enum(value.KindDirection, name), nil
}

// classMethods are those of a class that a value was asked for.
func classMethods() methods {
	return methods{
		"getName": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()), nil
		}},
		"getSimpleName": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(simpleName(self.Str())), nil
		}},
		"getPackageName": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(self.Str()[:max(strings.LastIndexByte(self.Str(), '.'), 0)]), nil
		}},
		"isInstance": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.instanceOf(a[0], self.Str())), nil
		}},
	}
}

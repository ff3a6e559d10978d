package graphs

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// traversalEffects is traversal.getSideEffects().
type traversalEffects struct{ all *value.Map }

func (o *traversalEffects) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.util.DefaultTraversalSideEffects"
}

func (o *traversalEffects) Text(m *machine.Machine) string {
	return "sideEffects[size:" + m.String(value.Int(int32(o.all.Len()))) + "]"
}

func (o *traversalEffects) Keeps() ([]value.Value, int) { return []value.Value{o.all.Value()}, 0 }

func (o *traversalEffects) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

func (o *traversalEffects) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Effects.Try(m, machine.Wrap(o), name, args)
}

func sideEffectMethods() machine.Methods {
	of := func(v value.Value) *value.Map { return machine.Foreign(v).(*traversalEffects).all }
	return machine.Methods{
		"get": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			v, ok := of(self).Get(m.Key(a[0]))
			if !ok {
				return v, machine.Fail(machine.ArgumentException, "The side-effect key does not exist in the side-effects: %s", m.Shown(a[0]))
			}
			return machine.Imported(v), nil
		}},
		"exists": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).Get(m.Key(a[0]))
			return value.Bool(ok), nil
		}},
		"keys": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.NewSet(of(self).Keys())
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(of(self).Len() == 0), nil
		}},
	}
}

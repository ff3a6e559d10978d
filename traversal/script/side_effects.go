package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// traversalEffects is traversal.getSideEffects().
type traversalEffects struct{ all *value.Map }

func (o *traversalEffects) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.util.DefaultTraversalSideEffects"
}

func (o *traversalEffects) text(m *machine) string {
	return "sideEffects[size:" + m.string(value.Int(int32(o.all.Len()))) + "]"
}

func (o *traversalEffects) keeps() ([]value.Value, int) { return []value.Value{o.all.Value()}, 0 }

func (o *traversalEffects) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *traversalEffects) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().effects.try(m, wrap(o), name, args)
}

func sideEffectMethods() methods {
	of := func(v value.Value) *value.Map { return foreign(v).(*traversalEffects).all }
	return methods{
		"get": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			v, ok := of(self).Get(m.key(a[0]))
			if !ok {
				return v, fail(argumentException, "The side-effect key does not exist in the side-effects: %s", m.shown(a[0]))
			}
			return imported(v), nil
		}},
		"exists": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).Get(m.key(a[0]))
			return value.Bool(ok), nil
		}},
		"keys": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.newSet(of(self).Keys())
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(of(self).Len() == 0), nil
		}},
	}
}

package methods

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// parted is split{ }: what passes the closure, and what does not.
func parted(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var in, out []value.Value
	err := m.Each(self, func(item value.Value) (bool, error) {
		ok, err := test(m, a, item)
		if ok {
			in = append(in, item)
		} else {
			out = append(out, item)
		}
		if err == nil {
			err = m.Charge(machine.ValueBytes)
		}
		return true, err
	})
	if err == nil {
		err = m.Charge(2 * machine.ObjectBytes)
	}
	return machine.NewList([]value.Value{machine.NewList(in), machine.NewList(out)}), err
}

// findResult is the first of what a closure makes that is not null.
func findResult(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	found := value.Null
	err := m.Each(self, func(item value.Value) (bool, error) {
		var err error
		found, err = apply(m, a[0], item)
		return found.IsNull(), err
	})
	return found, err
}

// findResults are all of them.
func findResults(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var all []value.Value
	err := m.Each(self, func(item value.Value) (bool, error) {
		v, err := apply(m, a[0], item)
		if err == nil && !v.IsNull() {
			all = append(all, v)
			err = m.Charge(machine.ValueBytes)
		}
		return true, err
	})
	return machine.NewList(all), err
}

// listPermutations lists all orders of the elements.
func listPermutations(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	out := [][]value.Value{nil}
	for _, e := range ElemsOf(self) {
		var next [][]value.Value
		for _, before := range out {
			for at := range len(before) + 1 {
				if err := m.Charge(machine.ValueBytes * (2*len(before) + 4)); err != nil {
					return value.Null, err
				}
				with := append(append([]value.Value(nil), before[:at]...), e)
				next = append(next, append(with, before[at:]...))
			}
		}
		out = next
	}
	return lists(m, out)
}

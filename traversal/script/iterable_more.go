package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// parted is split{ }: what passes the closure, and what does not.
func parted(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	var in, out []value.Value
	err := m.each(self, func(item value.Value) (bool, error) {
		ok, err := m.test(a, item)
		if ok {
			in = append(in, item)
		} else {
			out = append(out, item)
		}
		if err == nil {
			err = m.charge(valueBytes)
		}
		return true, err
	})
	return newList([]value.Value{newList(in), newList(out)}), err
}

// findResult is the first of what a closure makes that is not null.
func findResult(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	found := value.Null
	err := m.each(self, func(item value.Value) (bool, error) {
		var err error
		found, err = m.apply(a[0], item)
		return found.IsNull(), err
	})
	return found, err
}

// findResults are all of them.
func findResults(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	var all []value.Value
	err := m.each(self, func(item value.Value) (bool, error) {
		v, err := m.apply(a[0], item)
		if err == nil && !v.IsNull() {
			all = append(all, v)
			err = m.charge(valueBytes)
		}
		return true, err
	})
	return newList(all), err
}

// listPermutations lists all orders of the elements.
func listPermutations(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	out := [][]value.Value{nil}
	for _, e := range elemsOf(self) {
		var next [][]value.Value
		for _, before := range out {
			for at := range len(before) + 1 {
				if err := m.charge(valueBytes * (2*len(before) + 4)); err != nil {
					return value.Null, err
				}
				with := append(append([]value.Value(nil), before[:at]...), e)
				next = append(next, append(with, before[at:]...))
			}
		}
		out = next
	}
	return m.lists(out)
}

package machine

import (
	"github.com/gremlind/gremlind/storage/value"
)

// kindsMax bounds the maps of a session that have a default or are kept sorted.
const kindsMax = 10_000

// mapKinds are the maps that are more than their entries, as far as anything still holds
// them: Settle forgets the others.
type mapKinds struct {
	Defaults map[*value.Map]value.Value // withDefault(): the closure that makes what is missing
	Sorted   map[*value.Map]bool        // TreeMap
}

// Special notes one more of them.
func (m *Machine) Special() error {
	k := &m.State.Kinds
	if len(k.Defaults)+len(k.Sorted) >= kindsMax {
		return Fail(StateException, "more than %d maps have a default or are kept sorted", kindsMax)
	}
	if k.Defaults == nil {
		k.Defaults, k.Sorted = map[*value.Map]value.Value{}, map[*value.Map]bool{}
	}
	return m.Charge(EntryBytes)
}

// prune forgets the maps that were not met.
func (k *mapKinds) prune(met func(any) bool) {
	for of := range k.Defaults {
		if !met(of) {
			delete(k.Defaults, of)
		}
	}
	for of := range k.Sorted {
		if !met(of) {
			delete(k.Sorted, of)
		}
	}
}

// MapWithDefault keeps the closure beside the map: a look-up that finds nothing calls it
// and puts what it returns.
func MapWithDefault(m *Machine, self value.Value, a []value.Value) (value.Value, error) {
	if err := m.Special(); err != nil {
		return value.Null, err
	}
	m.State.Kinds.Defaults[self.Map()] = a[0]
	return self, nil
}

// LookUp is map[k] with the map's default.
func (m *Machine) LookUp(of *value.Map, k value.Value) (value.Value, error) {
	v, ok := of.Get(m.Export(k))
	if ok || m.State.Kinds.Defaults == nil {
		return v, nil
	}
	fn, has := m.State.Kinds.Defaults[of]
	if !has {
		return v, nil
	}
	v, err := m.Invoke(fn, "call", []value.Value{k})
	if err == nil {
		err = m.Charge(EntryBytes)
	}
	if err == nil {
		err = m.Put(of, m.Key(k), v)
	}
	return v, err
}

// Put adds an entry that was charged for; a TreeMap stays in the order of its keys.
func (m *Machine) Put(of *value.Map, k, v value.Value) error {
	if m.Failed != nil {
		return m.Surface()
	}
	n := of.Len()
	of.Put(k, v)
	if !m.State.Kinds.Sorted[of] || of.Len() == n || n == 0 {
		return nil
	}
	if last, _ := of.Entry(n - 1); value.Order(last, k) < 0 {
		return nil
	}
	if err := m.Work(ItemWork * n); err != nil {
		return err
	}
	again, added := value.NewMapSize(of.Len()), false
	for i := range n {
		at, x := of.Entry(i)
		if !added && value.Order(at, k) > 0 {
			again.Put(k, v)
			added = true
		}
		again.Put(at, x)
	}
	*of = *again // it takes the place of the old one, which was charged for
	return nil
}

// putEach puts the entries of one map into another.
func (m *Machine) putEach(to, from *value.Map) error {
	if !m.State.Kinds.Sorted[to] {
		return m.PutAll(to, from)
	}
	if err := m.Charge(EntryBytes * from.Len()); err != nil {
		return err
	}
	for i := range from.Len() {
		k, v := from.Entry(i)
		if err := m.Put(to, k, v); err != nil {
			return err
		}
	}
	return nil
}

package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// kindsMax bounds the maps of a session that have a default or are kept sorted.
const kindsMax = 10_000

// mapKinds are the maps that are more than their entries, as far as anything still holds
// them: Settle forgets the others.
type mapKinds struct {
	defaults map[*value.Map]value.Value // withDefault(): the closure that makes what is missing
	sorted   map[*value.Map]bool        // TreeMap
}

// special notes one more of them.
func (m *machine) special() error {
	k := &m.s.kinds
	if len(k.defaults)+len(k.sorted) >= kindsMax {
		return fail(stateException, "more than %d maps have a default or are kept sorted", kindsMax)
	}
	if k.defaults == nil {
		k.defaults, k.sorted = map[*value.Map]value.Value{}, map[*value.Map]bool{}
	}
	return m.charge(entryBytes)
}

// prune forgets the maps that were not met.
func (k *mapKinds) prune(met func(any) bool) {
	for of := range k.defaults {
		if !met(of) {
			delete(k.defaults, of)
		}
	}
	for of := range k.sorted {
		if !met(of) {
			delete(k.sorted, of)
		}
	}
}

// mapWithDefault keeps the closure beside the map: a look-up that finds nothing calls it
// and puts what it returns.
func mapWithDefault(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if err := m.special(); err != nil {
		return value.Null, err
	}
	m.s.kinds.defaults[self.Map()] = a[0]
	return self, nil
}

// lookUp is map[k] with the map's default.
func (m *machine) lookUp(of *value.Map, k value.Value) (value.Value, error) {
	v, ok := of.Get(m.export(k))
	if ok || m.s.kinds.defaults == nil {
		return v, nil
	}
	fn, has := m.s.kinds.defaults[of]
	if !has {
		return v, nil
	}
	v, err := m.invoke(fn, "call", []value.Value{k})
	if err == nil {
		err = m.charge(entryBytes)
	}
	if err == nil {
		err = m.put(of, m.key(k), v)
	}
	return v, err
}

// put adds an entry that was charged for; a TreeMap stays in the order of its keys.
func (m *machine) put(of *value.Map, k, v value.Value) error {
	if m.failed != nil {
		return m.surface()
	}
	n := of.Len()
	of.Put(k, v)
	if !m.s.kinds.sorted[of] || of.Len() == n || n == 0 {
		return nil
	}
	if last, _ := of.Entry(n - 1); value.Order(last, k) < 0 {
		return nil
	}
	if err := m.Work(itemWork * n); err != nil {
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
func (m *machine) putEach(to, from *value.Map) error {
	if !m.s.kinds.sorted[to] {
		return m.putAll(to, from)
	}
	if err := m.charge(entryBytes * from.Len()); err != nil {
		return err
	}
	for i := range from.Len() {
		k, v := from.Entry(i)
		if err := m.put(to, k, v); err != nil {
			return err
		}
	}
	return nil
}

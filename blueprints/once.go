package blueprints

import "github.com/gremlind/gremlind/storage/table"

// onceBytes is what a transaction keeps in memory of a graph that it goes through: some
// thousand vertices with their edges, which are read together.
const onceBytes = 16 << 20

// ReadOnce calls fn, which reads most of the graph and comes back to little of it: an
// export, a check of all elements. Rows that it reads are the transaction's, within a
// bound, and do not push those out of the graph's cache that others read again and again.
// All elements are observed at once: one by one they would be as many ranges.
func (t *Tx) ReadOnce(fn func() error) error {
	if t.over || t.once {
		return fn()
	}
	shared, observing := t.cache, t.observing
	t.once = true
	defer func() { t.once, t.cache, t.observing = false, shared, observing }()
	if observing {
		t.key = table.AppendTable(t.key[:0], t.g.number, table.Vertices)
		t.key2 = table.AppendTable(t.key2[:0], t.g.number, table.Counters)
		t.tx.Observe(t.key, t.key2)
		t.observing = false
	}
	if shared == nil {
		return fn()
	}
	if t.options.Account.Charge(onceBytes) != nil { // then without
		t.cache = nil
		return fn()
	}
	defer t.options.Account.Release(onceBytes)
	t.cache = shared.over(onceBytes)
	return fn()
}

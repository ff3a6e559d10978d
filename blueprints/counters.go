package blueprints

import (
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Counters are properties that are changed by deltas. Their cells stand in the rows of
// elements and in no cached row: a commit that adds to one says by how much and not what
// comes out, and the rows of what is counted often would be read anew each time. So they are
// read beside the row, of labels that have some.
//
// An element has a key as a counter or as other properties, never both: once a key is a
// counter of a label, nobody sets other properties of that key on its elements. Those that
// have one from before keep it until they are given a number, which is a counter then.

// SlotCounter is in place of the ordinal of a counter.
const SlotCounter = ^uint64(0)

// counterKey makes t.key the key of a counter.
func (t *Tx) counterKey(c table.Class, id uint64, key Symbol) {
	t.key = table.AppendElementCounter(t.key[:0], table.ElementCounter{Graph: t.g.number, Class: c, Element: id, Key: uint32(key)})
}

// readCounter reads a counter. One that is only shown is not observed when the transaction
// has added to it: see ResolveVertex.
func (t *Tx) readCounter(c table.Class, id uint64, key Symbol, shown bool) (int64, bool, error) {
	if t.asOf != 0 {
		return 0, false, t.noPastCounter(key)
	}
	t.counterKey(c, id, key)
	if shown && t.tx.Wrote(t.key, nil) {
		return t.peekCounter()
	}
	b, ok, err := t.get()
	if err != nil || !ok {
		return 0, false, err
	}
	return counterValue(b)
}

// peekCounter reads the counter at t.key without observing it.
func (t *Tx) peekCounter() (int64, bool, error) {
	t.key2 = append(append(t.key2[:0], t.key...), 0)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2, Unobserved: true})
	defer it.Close()
	if !it.Next() {
		return 0, false, it.Err()
	}
	return counterValue(it.Value())
}

func counterValue(b []byte) (int64, bool, error) {
	n, ok := storage.Count(b)
	if !ok || len(b) == 0 {
		return 0, false, corrupt("counter", nil)
	}
	return n, true, nil
}

// appendCounters appends the counters of an element among keys (none: all), by key.
func (t *Tx) appendCounters(dst []PropertyEntry, c table.Class, id uint64, keys []Symbol, shown bool) ([]PropertyEntry, error) {
	if _, err := t.definitions(); err != nil || t.counters == nil {
		return dst, err
	}
	if len(keys) > 0 && !slices.ContainsFunc(keys, func(key Symbol) bool { return t.counters.anyOf(c, 0, key) }) {
		return dst, nil
	}
	label, ok, err := t.elementLabel(c, id)
	if err != nil || !ok {
		return dst, err
	}
	for _, key := range t.counters.of(c, label) {
		if !among(keys, key) {
			continue
		}
		n, ok, err := t.readCounter(c, id, key, shown)
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, t.g.counterEntry(c, id, key, n))
		}
	}
	return dst, nil
}

// What follows reads as if the graph had no counters: the ways that most graphs read do
// not ask twice.

// plainProperties is VertexProperties without counters.
func (t *Tx) plainProperties(dst []PropertyEntry, v VertexID, keys []Symbol) ([]PropertyEntry, error) {
	defer t.plainly(t.counting)
	t.counting = false
	return t.VertexProperties(dst, v, keys)
}

// plainValue is VertexValue without counters.
func (t *Tx) plainValue(v VertexID, key Symbol) (value.Value, bool, error) {
	defer t.plainly(t.counting)
	t.counting = false
	return t.VertexValue(v, key)
}

// plainEdgeValue is EdgeValue without counters.
func (t *Tx) plainEdgeValue(e EdgeID, key Symbol) (value.Value, bool, error) {
	defer t.plainly(t.counting)
	t.counting = false
	return t.EdgeValue(e, key)
}

// countedEdgeProperties is edgeProperties in a graph that may have counters.
func (t *Tx) countedEdgeProperties(dst []PropertyEntry, e EdgeID, keys []Symbol, shown bool) ([]PropertyEntry, error) {
	from := len(dst)
	t.counting = false
	dst, err := t.edgeProperties(dst, e, keys, shown)
	if t.counting = true; err != nil {
		return dst, err
	}
	if dst, err = t.appendCounters(dst, table.EdgeClass, uint64(e), keys, shown); err == nil {
		sortProperties(dst[from:])
	}
	return dst, err
}

// plainly ends such a reading.
func (t *Tx) plainly(counting bool) { t.counting = counting }

// among reports whether a key is one of keys, which are all when there are none.
func among(keys []Symbol, key Symbol) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return len(keys) == 0
}

// counterEntry is a counter as a property. That of a vertex has an id, as all its properties
// have, which follows from the vertex and the key.
func (g *Graph) counterEntry(c table.Class, id uint64, key Symbol, n int64) PropertyEntry {
	return g.computedEntry(c, id, key, SlotCounter, value.Long(n))
}

// computedEntry is what is no cell of a property, as a property.
func (g *Graph) computedEntry(c table.Class, id uint64, key Symbol, slot uint64, val value.Value) PropertyEntry {
	p := PropertyEntry{Key: key, Ordinal: slot, Value: val}
	if c == table.EdgeClass {
		return p
	}
	p.Number = -1 - int64(id<<counterSymbolBits|uint64(key)&(1<<counterSymbolBits-1))
	switch g.options.VertexPropertyIDs {
	case ids.UUID:
		name := binary.BigEndian.AppendUint64(nil, uint64(p.Number))
		p.rest = &propertyRest{id: value.UUID(uuid.NewSHA1(uuid.NameSpaceOID, name))}
	case ids.String:
		p.rest = &propertyRest{id: value.String(value.Long(p.Number).JavaString())}
	case ids.Integer: // of few bits: those of the vertex count
		p.rest = &propertyRest{id: value.Int(int32(-1 - int64(id<<8|uint64(key)&0xff)))}
	}
	return p
}

// elementCounter reads the counter that an element has under a key.
func (t *Tx) elementCounter(c table.Class, id uint64, key Symbol) (value.Value, bool, error) {
	is, err := t.isCounter(c, id, key)
	if err != nil || !is {
		return value.Null, false, err
	}
	n, ok, err := t.readCounter(c, id, key, false)
	return value.Long(n), ok, err
}

// setCounter gives a counter a value, in place of all that the element has under the key.
// Whoever adds to it meanwhile conflicts.
func (t *Tx) setCounter(c table.Class, id uint64, key Symbol, val value.Value) (PropertyEntry, error) {
	n, ok := wholeNumber(val)
	if !ok {
		user, err := t.userID(c, id)
		if err != nil {
			return PropertyEntry{}, err
		}
		return PropertyEntry{}, illegalArgument("key %s of %s %s is a counter: it takes a whole number within a Long, not %s",
			t.Name(key), c, user.Brief(), val.Brief())
	}
	if err := t.removePlain(c, id, key); err != nil {
		return PropertyEntry{}, err
	}
	if len(t.newCounters) > 0 {
		label, _, err := t.elementLabel(c, id)
		if err == nil {
			err = t.barPlain(c, id, label, key)
		}
		if err != nil {
			return PropertyEntry{}, err
		}
	}
	t.counterKey(c, id, key)
	t.cell = storage.AppendCount(t.cell[:0], n)
	return t.g.counterEntry(c, id, key, n), t.tx.Set(t.key, t.cell)
}

// takesCounter reports whether a property that is set is a counter: its key is one of the
// element's label. While there are to be no counters any more the element loses its.
func (t *Tx) takesCounter(c table.Class, id uint64, key Symbol) (bool, error) {
	is, err := t.isCounter(c, id, key)
	if err != nil || !is || !t.g.uncounting.Load() {
		return is, err
	}
	return false, t.removeCounter(c, id, key)
}

// setVertexCounter is setCounter for what SetVertexProperty takes besides.
func (t *Tx) setVertexCounter(v VertexID, cardinality string, key Symbol, val value.Value, meta []value.Property) (PropertyEntry, error) {
	if len(meta) > 0 {
		return PropertyEntry{}, illegalArgument("key %s is a counter, which has no properties of its own: not %s", t.Name(key), value.Brief(meta[0].Key))
	}
	if cardinality != "" && cardinality != cardinalitySingle { // as addV() sets what there is none of yet
		_, has, err := t.readCounter(table.VertexClass, uint64(v), key, false)
		if err != nil {
			return PropertyEntry{}, err
		}
		if has {
			return PropertyEntry{}, illegalArgument("key %s is a counter, which has one value: the cardinality is single, not %s", t.Name(key), cardinality)
		}
	}
	return t.setCounter(table.VertexClass, uint64(v), key, val)
}

// removePlain removes the properties that an element has under a key that became a counter.
func (t *Tx) removePlain(c table.Class, id uint64, key Symbol) error {
	if c == table.EdgeClass {
		return t.removeEdgeProperty(EdgeID(id), key)
	}
	old, err := t.plainProperties(nil, VertexID(id), []Symbol{key})
	for i := 0; i < len(old) && err == nil; i++ {
		err = t.removeProperty(VertexID(id), old[i])
	}
	return err
}

// barPlain makes the transaction conflict with those that give an element a property of a key
// which is a counter from this transaction on: they do not know that yet, and what was only
// read makes nobody conflict on every level of isolation.
func (t *Tx) barPlain(c table.Class, id uint64, label, key Symbol) error {
	for _, k := range t.newCounters {
		if k.Class == c && k.Label == uint32(label) && k.Key == uint32(key) {
			from := source{t.g.number}.appendProperty(nil, c, id, uint32(key))
			return t.tx.DeleteRange(from, table.PrefixEnd(nil, from)) // of nothing
		}
	}
	return nil
}

// removeCounter removes a counter with its intervals; one that is not there is no error.
// Who counts in an interval adds to the sum too, and so conflicts.
func (t *Tx) removeCounter(c table.Class, id uint64, key Symbol) error {
	_, ok, err := t.readCounter(c, id, key, false)
	if err != nil || !ok {
		return err
	}
	t.key2 = table.PrefixEnd(t.key2[:0], t.key)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2})
	defer it.Close()
	for it.Next() {
		t.key = append(t.key[:0], it.Key()...)
		if err := t.tx.Delete(t.key); err != nil {
			return err
		}
	}
	return it.Err()
}

func (t *Tx) userID(c table.Class, id uint64) (value.Value, error) {
	if c == table.EdgeClass {
		return t.EdgeUserID(EdgeID(id))
	}
	return t.VertexUserID(VertexID(id))
}

// Count returns the number of a record's property whose key is a counter; several says that
// the key comes more than once.
func (p *PropertyRecord) Count(several bool) (int64, error) {
	n, ok := wholeNumber(p.Value)
	switch {
	case !ok:
		return 0, illegalArgument("key %s is a counter: it takes a whole number within a Long, not %s", p.Key, p.Value.Brief())
	case len(p.Meta) > 0:
		return 0, illegalArgument("key %s is a counter, which has no properties of its own: not %s", p.Key, value.Brief(p.Meta[0].Key))
	case several:
		return 0, illegalArgument("key %s is a counter, which has one value", p.Key)
	}
	return n, nil
}

// wholeNumber returns the whole number that a value is, false for others and for those
// beyond a Long.
func wholeNumber(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return v.Int64(), true
	case value.KindBigInteger:
		if n := v.BigInt(); n.IsInt64() {
			return n.Int64(), true
		}
	}
	return 0, false
}

// Increment adds to a counter of a vertex or an edge, which is 0 before, and to those of the
// intervals. Increments commute: those of many transactions conflict with whoever reads or
// sets the counter and not with each other, on each level of isolation. A key that is no
// counter yet becomes one of the element's label. Sums wrap as Java's long does.
func (t *Tx) Increment(c ElementClass, id uint64, key string, by int64, at ...Interval) error {
	if err := t.writable(); err != nil {
		return err
	}
	if err := ValidateKey(key); err != nil {
		return err
	}
	if err := t.guardElement(c, id); err != nil {
		return err
	}
	label, _, err := t.elementLabel(c, id)
	if err != nil {
		return err
	}
	sym, err := t.Intern(key)
	if err != nil {
		return err
	}
	if err := t.noOther(c, id, sym); err != nil {
		return err
	}
	if t.g.uncounting.Load() {
		return errUncounting
	}
	if err := t.declareCounter(c, label, sym); err != nil {
		return err
	}
	if err := t.barPlain(c, id, label, sym); err != nil {
		return err
	}
	k := table.ElementCounter{Graph: t.g.number, Class: c, Element: id, Key: uint32(sym)}
	t.key = table.AppendElementCounter(t.key[:0], k)
	if err := t.tx.Merge(t.key, by); err != nil {
		return err
	}
	for _, i := range at {
		k.Interval, k.Start = byte(i.Unit), i.Start.Unix()
		t.key = table.AppendElementCounter(t.key[:0], k)
		if err := t.tx.Merge(t.key, by); err != nil {
			return err
		}
	}
	return nil
}

// noOther returns an error when an element has properties of a key that are no counter.
func (t *Tx) noOther(c table.Class, id uint64, key Symbol) error {
	var val value.Value
	var has bool
	var err error
	if c == table.EdgeClass {
		val, has, err = t.plainEdgeValue(EdgeID(id), key)
	} else {
		val, has, err = t.plainValue(VertexID(id), key)
	}
	if err != nil || !has {
		return err
	}
	user, err := t.userID(c, id)
	if err != nil {
		return err
	}
	return illegalArgument("key %s of %s %s is no counter: it is %s", t.Name(key), c, user.Brief(), value.Article(val.Kind().String()))
}

func (t *Tx) guardElement(c table.Class, id uint64) error {
	if c == table.EdgeClass {
		return t.guardEdge(EdgeID(id))
	}
	return t.guardVertex(VertexID(id))
}

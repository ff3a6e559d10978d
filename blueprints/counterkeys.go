package blueprints

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Which property keys are counters: of the elements of a label, from the first increment on.
// It stands with the definitions of indexes, is read with them, and moves their version, so
// that a transaction which writes such a key and one that makes a counter of it conflict.

// CounterKeys are the keys that are counters, by class and label. They are immutable; nil
// has none.
type CounterKeys struct {
	labels [2]map[Symbol][]Symbol // ascending
	n      int
}

const (
	// counterKeysMax is how many counters the labels of a graph may have. What a name would
	// be made up for each time, such as a day, is an interval.
	counterKeysMax = 1024
	// counterSymbolBits is how many bits of a counter's id are those of its key.
	counterSymbolBits = 24
)

// countersBit is the feature among those that a graph gained.
var countersBit = Gained(0).with(Counters, true)

// counting reports whether the graph may have counters.
func (g *Graph) counting() bool { return Gained(g.gained.Load())&countersBit != 0 }

// of lists the counters of a label. The caller must not change the list.
func (k *CounterKeys) of(c table.Class, label Symbol) []Symbol {
	if k == nil {
		return nil
	}
	return k.labels[classSlot(c)][label]
}

// Has reports whether a key is a counter of a label.
func (k *CounterKeys) Has(c ElementClass, label, key Symbol) bool {
	return slices.Contains(k.of(c, label), key)
}

// Any reports whether a key is a counter of one of the labels of a class.
func (k *CounterKeys) Any(c ElementClass, key Symbol) bool { return k.anyOf(c, 0, key) }

// anyOf reports whether a key is a counter of one of the labels of a class, or of that which
// is given.
func (k *CounterKeys) anyOf(c table.Class, label, key Symbol) bool {
	if k == nil || label != 0 {
		return k.Has(c, label, key)
	}
	for _, keys := range k.labels[classSlot(c)] {
		if slices.Contains(keys, key) {
			return true
		}
	}
	return false
}

// with returns the keys with more.
func (k *CounterKeys) with(more []table.CounterKey) *CounterKeys {
	if len(more) == 0 {
		return k
	}
	next := &CounterKeys{labels: [2]map[Symbol][]Symbol{{}, {}}}
	if k != nil {
		next.n = k.n
		for i := range k.labels {
			for label, keys := range k.labels[i] {
				next.labels[i][label] = keys
			}
		}
	}
	for _, m := range more {
		of, label := next.labels[classSlot(m.Class)], Symbol(m.Label)
		if !slices.Contains(of[label], Symbol(m.Key)) {
			next.n++
			of[label] = sortSymbols(append(slices.Clone(of[label]), Symbol(m.Key)))
		}
	}
	return next
}

// all lists the keys, by class and label.
func (k *CounterKeys) all(graph uint32) []table.CounterKey {
	var all []table.CounterKey
	if k == nil {
		return nil
	}
	for _, c := range definedClasses {
		of := k.labels[classSlot(c)]
		labels := make([]Symbol, 0, len(of))
		for label := range of {
			labels = append(labels, label)
		}
		for _, label := range sortSymbols(labels) {
			for _, key := range of[label] {
				all = append(all, table.CounterKey{Graph: graph, Class: c, Label: uint32(label), Key: uint32(key)})
			}
		}
	}
	return all
}

// ReadCounterKeys reads the keys that are counters in a graph, nil for none.
func ReadCounterKeys(r storage.Reader, graph uint32) (*CounterKeys, error) {
	from := table.AppendCounterKeys(nil, graph)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	var found []table.CounterKey
	for it.Next() {
		k, err := table.DecodeCounterKey(it.Key())
		if err != nil {
			return nil, fmt.Errorf("definition of a counter: %w: %w", storage.ErrCorrupt, err)
		}
		found = append(found, k)
	}
	if err := it.Err(); err != nil {
		return nil, err
	}
	return (*CounterKeys)(nil).with(found), nil
}

// loadCounterKeys is ReadCounterKeys that asks the store only in a graph with the feature.
func (g *Graph) loadCounterKeys(r storage.Reader) (*CounterKeys, error) {
	if !g.counting() {
		return nil, nil
	}
	return ReadCounterKeys(r, g.number)
}

// countersOf lists the counters of a label, as the transaction sees them.
func (t *Tx) countersOf(c table.Class, label Symbol) ([]Symbol, error) {
	if !t.counting {
		return nil, nil
	}
	if _, err := t.definitions(); err != nil {
		return nil, err
	}
	return t.counters.of(c, label), nil
}

// isCounter reports whether a key is a counter of an element, which exists.
func (t *Tx) isCounter(c table.Class, id uint64, key Symbol) (bool, error) {
	if !t.counting {
		return false, nil
	}
	if _, err := t.definitions(); err != nil || !t.counters.anyOf(c, 0, key) {
		return false, err
	}
	label, ok, err := t.elementLabel(c, id)
	return ok && t.counters.Has(c, label, key), err
}

// elementLabel returns the label of an element, false when there is none.
func (t *Tx) elementLabel(c table.Class, id uint64) (Symbol, bool, error) {
	if c == table.EdgeClass {
		cell, ok, err := t.edgeCell(EdgeID(id))
		return cell.Label, ok, err
	}
	v := VertexID(id)
	label, err := t.labelOf(v, t.rowInMemory(v) == nil)
	if errors.Is(err, ErrNoElement) {
		return 0, false, nil
	}
	return label, err == nil, err
}

// DeclareCounter makes a key a counter of the elements of a label, as the first increment
// of one does.
func (t *Tx) DeclareCounter(c ElementClass, label, key string) error {
	if err := t.writable(); err != nil {
		return err
	}
	if err := ValidateLabel(label); err != nil {
		return err
	}
	if err := ValidateKey(key); err != nil {
		return err
	}
	l, err := t.Intern(label)
	if err != nil {
		return err
	}
	k, err := t.Intern(key)
	if err != nil {
		return err
	}
	return t.declareCounter(c, l, k)
}

// declareCounter makes a key a counter of a label, unless it is one.
func (t *Tx) declareCounter(c table.Class, label, key Symbol) error {
	if t.g.scratch != nil {
		return errScratch
	}
	defs, err := t.definitions()
	if err != nil || t.counters.Has(c, label, key) {
		return err
	}
	name := t.Name(key)
	switch {
	case t.g.uncounting.Load():
		return errUncounting
	case indexed(defs, c, label, key) || t.indexesNewly(c, key):
		return illegalArgument("key %s has an index: counters have no index, drop it first", name)
	case t.counters != nil && t.counters.n >= counterKeysMax:
		return illegalArgument("key %s: the labels of a graph have %d counters at most: what each time has a name of its own, count in an interval", name, counterKeysMax)
	case key >= 1<<counterSymbolBits:
		return illegalArgument("key %s: a graph with so many names has no further counters", name)
	}
	for _, r := range t.rules {
		if m := r.counts(c, label, key); m != nil {
			return m
		}
	}
	if err := t.g.db.setFeature(t.g, Counters, true); err != nil {
		return err
	}
	if defs.Every(c) {
		keyindex.GuardKey(t.tx, t.g.number, c, name)
	}
	k := table.CounterKey{Graph: t.g.number, Class: c, Label: uint32(label), Key: uint32(key)}
	if err := t.tx.Set(table.AppendCounterKey(nil, k), counterKeyCell); err != nil {
		return err
	}
	if err := t.g.touchVersion(t.tx); err != nil {
		return err
	}
	t.newCounters = append(t.newCounters, k)
	t.counting, t.counters = true, t.counters.with(t.newCounters)
	return nil
}

// counterKeyCell is the value of the cell of each such key: a version.
var counterKeyCell = []byte{1}

// indexed reports whether a key of a label has an index, or will have one.
func indexed(defs *keyindex.Definitions, c table.Class, label, key Symbol) bool {
	return defs.Maintained(c, uint32(key)) ||
		slices.ContainsFunc(defs.Upkeep(c), func(d *keyindex.Definition) bool { return d.Covers(uint32(label), uint32(key)) })
}

// noneCounts returns an error when one of the keys of an index is a counter, of its label or
// of any; r is the transaction that defines it.
func (g *Graph) noneCounts(r storage.Reader, d *keyindex.Definition) error {
	counters, err := g.loadCounterKeys(r)
	if err != nil {
		return err
	}
	keys := d.Symbols
	if !d.Declared() {
		keys = []uint32{d.Symbol}
	}
	for _, key := range keys {
		if counters.anyOf(d.Class, Symbol(d.LabelSymbol), Symbol(key)) {
			return illegalArgument("key %s is a counter: counters have no index", g.symbols.name(Symbol(key)))
		}
	}
	return nil
}

// counts reports why a key cannot be a counter of a label. Counters change without being
// read, so nobody could say at a commit whether one keeps to a bound.
func (r *Rules) counts(c table.Class, label, key Symbol) *schema.Misfit {
	lr := r.labels[classSlot(c)][label]
	if lr == nil {
		return nil
	}
	name := lr.name(key)
	k := lr.key(key)
	switch {
	case k == nil && lr.Closed:
		return lr.Unknown(name)
	case k == nil:
		return nil
	case k.Required || !k.Min.IsNull() || !k.Max.IsNull():
		return lr.Uncountable(name)
	}
	return lr.Value(k, value.Long(0))
}

// countersFit reports why the counters of the graph do not fit a schema.
func (g *Graph) countersFit(tx storage.Reader, s *schema.Schema) error {
	counters, err := g.loadCounterKeys(tx)
	if counters == nil || err != nil {
		return err
	}
	r, err := compile(s, g.knownName(), g.symbols.name)
	if err != nil {
		return err
	}
	for _, k := range counters.all(g.number) {
		if m := r.counts(k.Class, Symbol(k.Label), Symbol(k.Key)); m != nil {
			return m
		}
	}
	return nil
}

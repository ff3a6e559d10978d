package blueprints

import (
	"fmt"
	"sync/atomic"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// indexState caches the definitions of a graph's indexes.
type indexState struct {
	version []byte // keyindex.VersionKey
	// changed is the last commit that wrote a definition; set before that commit is
	// published, so a transaction that begins at it or later knows.
	changed atomic.Uint64
	cached  atomic.Pointer[definitionsAt]
}

type definitionsAt struct {
	changed uint64 // the value of indexState.changed that they belong to
	defs    *keyindex.Definitions
	rules   []*Rules // of the schema, none or one
	// counters are the keys that are counters, nil for none.
	counters *CounterKeys
	ttls     *labelTTLs // nil for none
}

// definitions returns the indexes as of the transaction's snapshot. A writing
// transaction depends on them from then on.
func (t *Tx) definitions() (*keyindex.Definitions, error) {
	if !t.guarded && !t.options.ReadOnly {
		t.guarded = true
		t.tx.Guard(t.g.indexes.version)
	}
	if t.defs != nil {
		return t.defs, nil
	}
	st, seq := &t.g.indexes, t.tx.Seq()
	changed := st.changed.Load()
	c := st.cached.Load()
	if c == nil || c.changed != changed || seq < changed {
		var err error
		if c, err = t.g.definitionsIn(t.tx.Snapshot()); err != nil {
			return nil, err
		}
		if c.changed = changed; seq >= changed {
			st.cached.Store(c)
		}
	}
	t.defs, t.rules, t.counters = c.defs, t.g.enforced(c.rules), c.counters.with(t.newCounters)
	t.ttls = c.ttls
	if t.asOf != 0 {
		t.defs = c.defs.AsOf(t.asOf)
	}
	return t.defs, nil
}

// definitionsIn reads the definitions of indexes, the schema, and which keys are counters.
func (g *Graph) definitionsIn(r storage.Reader) (*definitionsAt, error) {
	defs, err := keyindex.Load(r, g.number)
	if err != nil {
		return nil, err
	}
	rules, err := g.loadRules(r)
	if err != nil {
		return nil, err
	}
	counters, err := g.loadCounterKeys(r)
	if err != nil {
		return nil, err
	}
	ttls, err := g.loadLabelTTLs(r)
	return &definitionsAt{defs: defs, rules: rules, counters: counters, ttls: ttls}, err
}

// VertexIndexes lists the complete key indexes of vertices.
func (t *Tx) VertexIndexes() []string { return t.completeIndexes(table.VertexClass) }

// EdgeIndexes lists the complete key indexes of edges.
func (t *Tx) EdgeIndexes() []string { return t.completeIndexes(table.EdgeClass) }

// IndexVersion is nil when the definitions cannot be read, too.
func (t *Tx) IndexVersion() *keyindex.Definitions {
	d, err := t.definitions()
	if err != nil {
		return nil
	}
	return d
}

// completeIndexes lists none when the definitions cannot be read: the reads that
// follow will report why.
func (t *Tx) completeIndexes(c table.Class) []string {
	d, err := t.definitions()
	if err != nil {
		return nil
	}
	return d.Active(c)
}

// LookupVertices walks a complete key index.
func (t *Tx) LookupVertices(key string, r ValueRange) VertexIterator {
	h := t.lookup(table.VertexClass, key, r, t.vertexGone)
	return t.leaseVertices(vertexHits{h}, h)
}

// LookupEdges walks a complete key index.
func (t *Tx) LookupEdges(key string, r ValueRange) EdgeIterator {
	h := t.lookup(table.EdgeClass, key, r, t.edgeGone)
	return t.leaseEdges(edgeHits{h}, h)
}

func (t *Tx) lookup(c table.Class, key string, r ValueRange, gone func(uint64) bool) *trackedHits {
	h := &trackedHits{t: t}
	sym, err := t.indexed(c, key)
	if err != nil {
		h.err = err
		return h
	}
	if t.options.ReadOnly {
		gone = nil
	}
	if val, ok := r.point(); ok {
		p, ok, err := t.posting(c, sym, val, nil)
		if err != nil {
			h.err = err
			return h
		}
		if ok {
			h.found, h.gone, h.known = appendElements(h.few[:0], p), gone, true
			t.track(h)
			return h
		}
	}
	t.index.Lookup(&h.hits, t.tx, t.g.number, c, uint32(sym), r.keyRange(), gone)
	h.hits.ChargeTo(t.options.Account)
	t.track(h)
	return h
}

// indexed returns the symbol of a key that has a complete index.
func (t *Tx) indexed(c table.Class, key string) (Symbol, error) {
	d, err := t.definitions()
	if err != nil {
		return 0, err
	}
	sym, _ := t.Symbol(key)
	def, ok := d.Key(c, uint32(sym))
	if !ok || def.State != keyindex.Active {
		return 0, fmt.Errorf("no complete %s index on key %q", c, key)
	}
	if t.over {
		return 0, storage.ErrClosed
	}
	return sym, nil
}

// point returns the value that all values in the range equal, if there is one.
func (r *ValueRange) point() (value.Value, bool) {
	return r.Min, r.HasMin && r.HasMax && !r.MinOpen && !r.MaxOpen && r.Prefix == "" && value.Identical(r.Min, r.Max)
}

func (r ValueRange) keyRange() keyindex.Range {
	return keyindex.Range{
		Min: r.Min, Max: r.Max, HasMin: r.HasMin, HasMax: r.HasMax,
		MinOpen: r.MinOpen, MaxOpen: r.MaxOpen, Prefix: r.Prefix, Reverse: r.Reverse,
	}
}

// trackedHits is a look-up that the end of the transaction closes: in the store or,
// when known is set, in what was found of it before.
type trackedHits struct {
	place
	hits keyindex.Hits
	t    *Tx
	err  error
	buf  []uint64
	last int // how many elements the last read gave
	few  [fewHits]uint64

	known   bool
	inexact bool // of what is known
	found   []uint64
	gone    func(uint64) bool
}

// fewHits is how many elements a look-up reads at first; more when there were as many.
const fewHits = 4

func (h *trackedHits) next(n int) []uint64 {
	if h.err != nil {
		return nil
	}
	if h.known {
		return h.nextFound(n)
	}
	switch {
	case h.buf == nil:
		h.buf = h.few[:]
	case len(h.buf) < n && h.last == len(h.buf):
		h.buf = make([]uint64, min(n, 2*len(h.buf)))
	}
	h.last = h.hits.Next(h.buf[:min(n, len(h.buf))])
	return h.buf[:h.last]
}

func (h *trackedHits) nextFound(n int) []uint64 {
	out, i := h.found[:0], 0
	for ; i < len(h.found) && len(out) < n; i++ {
		if h.gone == nil || !h.gone(h.found[i]) {
			out = append(out, h.found[i])
		}
	}
	h.found = h.found[i:]
	return out
}

// Exact reports whether what was found needs no recheck.
func (h *trackedHits) Exact() bool {
	return h.err == nil && (h.known && !h.inexact || !h.known && h.hits.Exact())
}

// Err returns why the walk ended early.
func (h *trackedHits) Err() error {
	if h.err != nil {
		return h.err
	}
	return h.hits.Err()
}

// Close releases the look-up; it is idempotent.
func (h *trackedHits) Close() error {
	if h.err != nil {
		return h.err
	}
	h.t.untrack(h)
	h.found = nil
	return h.hits.Close()
}

type vertexHits struct{ *trackedHits }

// Next fills buf with vertices.
func (h vertexHits) Next(buf []VertexID) int {
	ids := h.next(len(buf))
	for i, id := range ids {
		buf[i] = VertexID(id)
	}
	return len(ids)
}

type edgeHits struct{ *trackedHits }

// Next fills buf with edges.
func (h edgeHits) Next(buf []EdgeID) int {
	ids := h.next(len(buf))
	for i, id := range ids {
		buf[i] = EdgeID(id)
	}
	return len(ids)
}

// maintained reports whether a change of a property has to reach an index.
func (t *Tx) maintained(c table.Class, key Symbol) (bool, error) {
	d, err := t.definitions()
	if err != nil || d.Maintained(c, uint32(key)) {
		return err == nil, err
	}
	if d.Every(c) {
		return t.newKey(d, c, key)
	}
	return false, nil
}

func (t *Tx) keyEntry(c table.Class, element uint64, key Symbol) table.KeyIndex {
	return table.KeyIndex{Graph: t.g.number, Class: c, Key: uint32(key), Element: element}
}

// indexProperty adds the entry of a value that was just written.
func (t *Tx) indexProperty(c table.Class, element uint64, key Symbol, val value.Value) error {
	ok, err := t.maintained(c, key)
	if err != nil || !ok {
		return err
	}
	return t.index.Add(t.tx, t.keyEntry(c, element, key), val)
}

// unindexEdgeProperty removes the entry of the value that an edge has under key.
func (t *Tx) unindexEdgeProperty(e EdgeID, key Symbol) error {
	ok, err := t.maintained(table.EdgeClass, key)
	if err != nil || !ok {
		return err
	}
	old, ok, err := t.EdgeValue(e, key)
	if err != nil || !ok {
		return err
	}
	return t.index.Remove(t.tx, t.keyEntry(table.EdgeClass, uint64(e), key), old)
}

// unindexProperty removes the entry of a value that was just deleted, unless another
// value of the vertex still needs it.
func (t *Tx) unindexProperty(v VertexID, key Symbol, old value.Value) error {
	ok, err := t.maintained(table.VertexClass, key)
	if err != nil || !ok {
		return err
	}
	rest, err := t.VertexProperties(nil, v, []Symbol{key})
	if err != nil {
		return err
	}
	for _, p := range rest {
		same, err := t.index.SameForm(old, p.Value)
		if err != nil {
			return err
		}
		if !same {
			continue
		}
		if t.unvalidated() {
			// Another transaction may be removing that one because of this one: writing
			// the entry makes one of them lose.
			return t.index.Add(t.tx, t.keyEntry(table.VertexClass, uint64(v), key), old)
		}
		return nil
	}
	return t.index.Remove(t.tx, t.keyEntry(table.VertexClass, uint64(v), key), old)
}

// unindexElement removes every entry of an element that is being dropped.
func (t *Tx) unindexElement(c table.Class, element uint64) error {
	d, err := t.definitions()
	if err != nil || !d.Any(c) {
		return err
	}
	return t.index.RemoveElement(t.tx, t.g.number, c, element, d, t.unvalidated())
}

package blueprints

import (
	"fmt"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Index is a named index within a transaction: Blueprints' Index, whose entries
// clients put and remove by hand. Key and value need not be a property of the element;
// properties that change leave the entries alone; removing the element removes them.
type Index struct {
	t   *Tx
	def keyindex.Definition
}

// Index returns a named index, nil when there is none (IndexableGraph.getIndex). Its
// class has to be c, unless c is 0.
func (t *Tx) Index(name string, c ElementClass) (*Index, error) {
	d, err := t.definitions()
	if err != nil {
		return nil, err
	}
	def, ok := d.Named(name)
	switch {
	case !ok:
		return nil, nil
	case c != 0 && def.Class != c:
		return nil, illegalState("%s does not support class: %s", name, c)
	}
	return &Index{t: t, def: def}, nil
}

// Indices returns the named indexes, by name.
func (t *Tx) Indices() ([]*Index, error) {
	d, err := t.definitions()
	if err != nil {
		return nil, err
	}
	var all []*Index
	for _, def := range d.AllNamed() {
		all = append(all, &Index{t: t, def: def})
	}
	return all, nil
}

// Name returns the index's name (Index.getIndexName).
func (x *Index) Name() string { return x.def.Name }

// Class returns the class of its elements (Index.getIndexClass).
func (x *Index) Class() ElementClass { return x.def.Class }

// Put adds an entry for a vertex or an edge, by its internal id. An entry that is
// there already is no error.
func (x *Index) Put(key string, val value.Value, element uint64) error {
	e, err := x.entry(key, element)
	if err != nil {
		return err
	}
	if err := x.guardElement(element); err != nil {
		return fmt.Errorf("put into index %s: %w", x.def.Name, err)
	}
	return keyindex.Put(x.t.tx, e, val)
}

// guardElement makes sure that the element exists, and still does at the commit.
func (x *Index) guardElement(element uint64) error {
	if x.def.Class == VertexClass {
		return x.t.guardVertex(VertexID(element))
	}
	return x.t.guardEdge(EdgeID(element))
}

// Remove removes the element's entries of key whose value equals val; none is no error.
func (x *Index) Remove(key string, val value.Value, element uint64) error {
	e, err := x.entry(key, element)
	if err != nil {
		return err
	}
	return keyindex.Take(x.t.tx, e, val)
}

func (x *Index) entry(key string, element uint64) (table.NamedEntry, error) {
	if err := x.t.writable(); err != nil {
		return table.NamedEntry{}, err
	}
	if key == "" {
		return table.NamedEntry{}, illegalArgument("Index key can not be empty")
	}
	sym, err := x.t.Intern(key)
	return table.NamedEntry{Graph: x.t.g.number, Index: x.def.Number, Key: uint32(sym), Element: element}, err
}

// IndexHits walks the elements that an Index found, by internal id. Close never fails
// for a reason that Err has not told.
type IndexHits interface {
	Next(buf []uint64) int
	Err() error
	Close() error
}

// Get walks the elements put under key with a value that equals val.
func (x *Index) Get(key string, val value.Value) IndexHits {
	return x.hits(key, func(sym uint32) *keyindex.Hits {
		return keyindex.Get(x.t.tx, x.t.g.number, x.def.Number, sym, val, x.gone())
	})
}

// Query walks the elements put under key with a value in the range that test, when it
// is not nil, accepts.
func (x *Index) Query(key string, r ValueRange, test func(value.Value) bool) IndexHits {
	return x.hits(key, func(sym uint32) *keyindex.Hits {
		return keyindex.Query(x.t.tx, x.t.g.number, x.def.Number, sym, r.keyRange(), x.gone(), test)
	})
}

// Count counts what Get would find.
func (x *Index) Count(key string, val value.Value) (int64, error) {
	x.t.g.lookups.of(x.def.Number).Add(1)
	sym, ok := x.t.Symbol(key)
	if !ok {
		return 0, nil
	}
	return keyindex.Count(x.t.tx, x.t.g.number, x.def.Number, uint32(sym), val)
}

func (x *Index) gone() func(uint64) bool {
	if x.def.Class == VertexClass {
		return x.t.vertexGone
	}
	return x.t.edgeGone
}

func (x *Index) hits(key string, open func(sym uint32) *keyindex.Hits) IndexHits {
	h := &namedHits{t: x.t}
	if x.t.over {
		h.err = storage.ErrClosed
		return h
	}
	x.t.g.lookups.of(x.def.Number).Add(1)
	sym, _ := x.t.Symbol(key) // symbol 0 has no entries
	h.Hits = open(uint32(sym))
	h.Hits.ChargeTo(x.t.options.Account)
	x.t.track(h)
	return x.t.leaseHits(h, h)
}

type namedHits struct {
	*keyindex.Hits
	place
	t   *Tx
	err error
}

// Exact reports whether what was found needs no recheck.
func (h *namedHits) Exact() bool { return h.err == nil && h.Hits.Exact() }

// Err returns why the walk ended early.
func (h *namedHits) Err() error {
	if h.err != nil {
		return h.err
	}
	return h.Hits.Err()
}

// Next fills buf with elements.
func (h *namedHits) Next(buf []uint64) int {
	if h.err != nil {
		return 0
	}
	return h.Hits.Next(buf)
}

// Close releases the look-up; it is idempotent.
func (h *namedHits) Close() error {
	h.t.untrack(h)
	if h.err != nil {
		return nil
	}
	return h.Hits.Close()
}

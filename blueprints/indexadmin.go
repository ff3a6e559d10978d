package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// ElementClass says which elements an index holds.
type ElementClass = table.Class

// The element classes.
const (
	VertexClass = table.VertexClass
	EdgeClass   = table.EdgeClass
)

// IndexState is where a key index is in its life.
type IndexState = keyindex.State

// ParseClass returns the class named "vertex" or "edge".
func ParseClass(name string) (ElementClass, error) {
	switch name {
	case "vertex", "Vertex":
		return VertexClass, nil
	case "edge", "Edge":
		return EdgeClass, nil
	case "":
		return 0, validClass(0)
	}
	return 0, illegalArgument("elementClass must be vertex or edge, not %q", name)
}

func validClass(c ElementClass) error {
	switch c {
	case VertexClass, EdgeClass:
		return nil
	case 0:
		return illegalArgument("elementClass argument cannot be null.")
	}
	return illegalArgument("elementClass must be vertex or edge, not %d", c)
}

// CreateKeyIndex indexes a property key over all vertices or all edges, also those
// that exist (Blueprints' KeyIndexableGraph.createKeyIndex). Over a graph with
// elements the index is built in the background; CreateKeyIndex returns when it is
// complete, or with the error of ctx while the building goes on. An index that exists
// is no error.
func (g *Graph) CreateKeyIndex(ctx context.Context, c ElementClass, key string) error {
	if err := validClass(c); err != nil {
		return err
	}
	if err := ValidateKey(key); err != nil {
		return err
	}
	if g.scratch != nil {
		return g.scratch.define(c, key)
	}
	sym, err := g.intern(ctx, key)
	if err != nil {
		return err
	}
	for {
		err := g.define(ctx, func(tx storage.Tx) error {
			if err := g.noneCounts(tx, &keyindex.Definition{Class: c, Symbol: uint32(sym)}); err != nil {
				return err
			}
			return keyindex.Define(tx, g.number, c, key, uint32(sym))
		})
		if err == nil {
			break
		}
		if errors.As(err, new(*Exception)) {
			return err
		}
		if !errors.Is(err, keyindex.ErrDropping) {
			return fmt.Errorf("create %s index on %q: %w", c, key, err)
		}
		gone := func(d *keyindex.Definitions) bool { _, ok := d.Key(c, uint32(sym)); return !ok }
		if err := g.worker.Wait(ctx, gone); err != nil {
			return fmt.Errorf("create %s index on %q while the old one is dropped: %w", c, key, err)
		}
	}
	g.worker.Wake()
	// Whoever drops it meanwhile ends the wait too.
	err = g.worker.Wait(ctx, func(d *keyindex.Definitions) bool {
		def, ok := d.Key(c, uint32(sym))
		return !ok || def.State != keyindex.Building
	})
	if err != nil {
		return fmt.Errorf("build %s index on %q: %w", c, key, err)
	}
	return nil
}

// DropKeyIndex removes a key index (KeyIndexableGraph.dropKeyIndex). Look-ups end at
// once; the entries go in the background. An index that does not exist is no error.
func (g *Graph) DropKeyIndex(ctx context.Context, c ElementClass, key string) error {
	if err := validClass(c); err != nil {
		return err
	}
	if g.scratch != nil {
		g.scratch.undefine(c, key)
		return nil
	}
	err := g.define(ctx, func(tx storage.Tx) error {
		if all, err := keyindex.AllMarked(tx, g.number); err != nil {
			return err
		} else if all {
			return illegalArgument("graph %s has an index of every key (%s): turn that off first", g.name, string(AutoIndex))
		}
		return keyindex.Undefine(tx, g.number, c, key)
	})
	if err != nil {
		return fmt.Errorf("drop %s index on %q: %w", c, key, err)
	}
	g.worker.Wake()
	return nil
}

// define changes definitions, again and again until it wins.
func (g *Graph) define(ctx context.Context, fn func(storage.Tx) error) error {
	if g.dropped.Load() {
		return fmt.Errorf("%w: %q", ErrGraphDropped, g.name)
	}
	g.defining.RLock()
	defer g.defining.RUnlock()
	if g.loading.Load() {
		return ErrLoading
	}
	if err := g.Writable(); err != nil {
		return err
	}
	return g.small(ctx, fn)
}

// IndexedKeys lists the keys of a class that have an index, complete or being built
// (KeyIndexableGraph.getIndexedKeys).
func (g *Graph) IndexedKeys(c ElementClass) ([]string, error) {
	infos, err := g.KeyIndexes(c)
	var keys []string
	for _, i := range infos {
		if i.State != keyindex.Dropping {
			keys = append(keys, i.Name)
		}
	}
	return keys, err
}

// IndexInfo describes an index. What follows Lookups is a declared one's alone.
type IndexInfo struct {
	Name  string
	Class ElementClass
	State IndexState
	// Lookups is how often one that has a name was asked since the graph was opened.
	Lookups int64

	Kind      keyindex.Kind
	Label     string
	Keys      []string
	Unique    bool
	Direction string
	Analyzer  string
}

// KeyIndexes describes the key indexes of a class, by key.
func (g *Graph) KeyIndexes(c ElementClass) ([]IndexInfo, error) {
	if err := validClass(c); err != nil {
		return nil, err
	}
	if g.scratch != nil {
		return g.scratch.indexes(c), nil
	}
	var infos []IndexInfo
	err := g.View(context.Background(), func(tx *Tx) error {
		d, err := tx.definitions()
		if err != nil {
			return err
		}
		for _, def := range d.Keys(c) {
			infos = append(infos, IndexInfo{Name: def.Name, Class: def.Class, State: def.State})
		}
		return nil
	})
	return infos, err
}

// CreateIndex makes a named index that clients fill by hand
// (IndexableGraph.createIndex). A name is unique over both classes.
func (g *Graph) CreateIndex(ctx context.Context, name string, c ElementClass) error {
	if err := validClass(c); err != nil {
		return err
	}
	if name == "" || len(name) > NameMax {
		return illegalArgument("Index name can not be empty or longer than %d bytes", NameMax)
	}
	return g.define(ctx, func(tx storage.Tx) error {
		exists, err := keyindex.DefineNamed(tx, g.number, c, name)
		if err == nil && exists {
			return illegalArgument("Index already exists: %s", name)
		}
		return err
	})
}

// DropIndex removes a named index with its entries (IndexableGraph.dropIndex), or a declared
// one, whose look-ups and constraint end at once and whose entries go in the background. An
// index that does not exist is no error.
func (g *Graph) DropIndex(ctx context.Context, name string) error {
	found := false
	err := g.define(ctx, func(tx storage.Tx) (err error) {
		if found, err = keyindex.Revoke(tx, g.number, name); found || err != nil {
			return err
		}
		return keyindex.UndefineNamed(tx, g.number, name)
	})
	if err != nil {
		return fmt.Errorf("drop index %q: %w", name, err)
	}
	if found {
		g.worker.Wake()
	}
	return nil
}

// Indices describes the named indexes, by name (IndexableGraph.getIndices); key
// indexes are not among them.
func (g *Graph) Indices() ([]IndexInfo, error) {
	var infos []IndexInfo
	err := g.View(context.Background(), func(tx *Tx) error {
		d, err := tx.definitions()
		if err != nil {
			return err
		}
		for _, def := range d.AllNamed() {
			infos = append(infos, IndexInfo{Name: def.Name, Class: def.Class, State: def.State, Lookups: g.lookups.of(def.Number).Load()})
		}
		return nil
	})
	return infos, err
}

// source shows the graph's elements to the builder of its indexes.
type source struct{ number uint32 }

// elementsRoom is for how many elements there is room before it is known that there are so many.
const elementsRoom = 1 << 11

// Elements implements keyindex.Source. The place in the walk is the end of a key of
// the label table.
func (s source) Elements(r storage.Reader, c table.Class, label uint32, after []byte, last uint64, max int) ([]uint64, []byte, error) {
	prefix := table.AppendTable(nil, s.number, labelTable(c))
	from := append([]byte(nil), prefix...)
	if label != 0 {
		from = table.AppendLabelElements(nil, s.number, c, label)
	}
	to := table.PrefixEnd(nil, from)
	if after != nil {
		from = append(append(append([]byte(nil), prefix...), after...), 0)
	}
	it := r.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	ids := make([]uint64, 0, min(max, elementsRoom))
	var next []byte
	for len(ids) < max && it.Next() {
		l, err := table.DecodeLabel(it.Key())
		if err != nil {
			return nil, nil, corrupt("label", err)
		}
		if l.Element > last {
			continue
		}
		ids = append(ids, l.Element)
		next = append(next[:0], it.Key()[len(prefix):]...)
	}
	return ids, next, it.Err()
}

// Values implements keyindex.Source, with one question for all elements.
func (s source) Values(r storage.Reader, c table.Class, elements []uint64, symbol uint32, fn func(element uint64, v value.Value) error) error {
	w := &wanted{}
	for _, id := range elements {
		prefix := func(b []byte) []byte { return s.appendProperty(b, c, id, symbol) }
		w.add(prefix, prefix)
	}
	return r.ScanMany(w.ranges, func(i int, _, val []byte) (bool, error) {
		v, err := decodeValue(c, val)
		if err == nil {
			err = fn(elements[i], v)
		}
		return true, err
	})
}

// Last implements keyindex.Source.
func (s source) Last(r storage.Reader, c table.Class) (uint64, error) {
	from, to := s.Rows(c, 0, math.MaxUint64)
	it := r.Scan(storage.ScanOptions{From: from, To: to, Reverse: true, Unobserved: true})
	defer it.Close()
	if !it.Next() {
		return 0, it.Err()
	}
	cell := table.VertexCell
	if c == table.EdgeClass {
		cell = table.EdgeCell
	}
	id, _, ok := cell(it.Key())
	if !ok {
		return 0, corrupt("row", nil)
	}
	return id, nil
}

// Rows implements keyindex.Source.
func (s source) Rows(c table.Class, first, last uint64) (from, to []byte) {
	row := table.AppendVertexRow
	if c == table.EdgeClass {
		row = table.AppendEdgeRow
	}
	return row(nil, s.number, first), table.PrefixEnd(nil, row(nil, s.number, last))
}

package blueprints

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// vertexRow is a vertex without its edges, or the knowledge that there is none.
type vertexRow struct {
	props   []PropertyEntry // in insertion order; first, for scans go straight to them
	exists  bool
	partial bool // the properties are too many to keep
	own     bool // added by the transaction that holds the row
	cell    VertexCell
}

// edgeRow is an edge, or the knowledge that there is none.
type edgeRow struct {
	exists  bool
	partial bool
	own     bool
	cell    EdgeCell
	props   []PropertyEntry // by key
}

// Limits of what is kept of one element.
const (
	cachedPropertiesMax    = 256
	cachedPropertyBytesMax = 64 << 10
	cachedPropertySize     = 64 // of an entry, beyond its value
	cachedVertexSize       = 96
	cachedEdgeSize         = 112
)

// sizeOf is what properties cost.
func sizeOf(props []PropertyEntry) (size int64) {
	for i := range props {
		size += int64(props[i].bytes) + cachedPropertySize
	}
	return size
}

// tooMany reports whether n properties that cost size are more than a row keeps.
func tooMany(n int, size int64) bool { return n > cachedPropertiesMax || size > cachedPropertyBytesMax }

// outcome is what a commit does to a row that has then n properties that cost size.
func outcome(n int, size int64) rowcache.Outcome {
	if tooMany(n, size) {
		return rowcache.Ended
	}
	return rowcache.Succeeded
}

// wholly is the size of a row that shares nothing with its successor.
func wholly(size int64) rowcache.Size { return rowcache.Size{All: size, Own: size} }

// fill reads the row, which is empty, from its cells and returns its size.
func (r *vertexRow) fill(g *Graph, it storage.Iterator) (rowcache.Size, error) {
	size := int64(0)
	for !r.partial && it.Next() {
		c := storage.Change{Key: it.Key(), Value: it.Value()}
		if _, f, _ := table.VertexCell(c.Key); f != table.Property {
			if err := r.apply(g, &c); err != nil {
				return rowcache.Size{}, err
			}
			continue
		}
		p, err := g.decodeProperty(c.Key, c.Value)
		if err != nil {
			return rowcache.Size{}, err
		}
		r.props = append(r.props, p)
		if size += int64(p.bytes) + cachedPropertySize; tooMany(len(r.props), size) {
			r.partial, r.props, size = true, nil, 0
		}
	}
	sortByNumber(r.props)
	return wholly(cachedVertexSize + size), it.Err()
}

// set and remove change a row that nobody else reads.
func (r *vertexRow) set(p PropertyEntry) {
	for i := range r.props {
		if r.props[i].Key == p.Key && r.props[i].Ordinal == p.Ordinal {
			r.props[i] = p
			sortByNumber(r.props)
			return
		}
	}
	if r.props == nil {
		r.props = make([]PropertyEntry, 0, 4)
	}
	r.props = append(r.props, p)
	sortByNumber(r.props)
}

func (r *vertexRow) remove(key Symbol, ordinal uint64) {
	r.props = slices.DeleteFunc(r.props, func(q PropertyEntry) bool { return q.Key == key && q.Ordinal == ordinal })
}

// copy returns a row that may be changed, with room for more properties.
func (r *vertexRow) copy(more int) vertexRow {
	next := *r
	next.props = append(make([]PropertyEntry, 0, len(r.props)+more), r.props...)
	return next
}

// after is the row once a commit has written cells of it, and its size.
func (r *vertexRow) after(g *Graph, cells []storage.Change) (next vertexRow, size rowcache.Size, o rowcache.Outcome) {
	if r.partial {
		return vertexRow{}, rowcache.Size{}, rowcache.Ended
	}
	next = r.copy(len(cells))
	for i := range cells {
		if err := next.apply(g, &cells[i]); err != nil {
			return vertexRow{}, rowcache.Size{}, rowcache.Ended // who fills the row will say why
		}
	}
	n := sizeOf(next.props)
	return next, wholly(cachedVertexSize + n), outcome(len(next.props), n)
}

func (r *vertexRow) apply(g *Graph, c *storage.Change) (err error) {
	_, f, _ := table.VertexCell(c.Key)
	switch {
	case f == table.Exists && c.Deleted:
		r.exists, r.cell = false, VertexCell{}
	case f == table.Exists:
		r.exists = true
		r.cell, err = DecodeVertexCell(c.Value)
	case f == table.Property && c.Deleted:
		var k table.VertexProperty
		if k, err = table.DecodeVertexProperty(c.Key); err == nil {
			r.remove(Symbol(k.Key), k.Ordinal)
		}
	case f == table.Property:
		var p PropertyEntry
		if p, err = g.decodeProperty(c.Key, c.Value); err == nil {
			r.set(p)
		}
	default:
		err = fmt.Errorf("family %d: %w", f, storage.ErrCorrupt)
	}
	return err
}

// fill reads the row, which is empty, from its cells and returns its size.
func (r *edgeRow) fill(it storage.Iterator) (rowcache.Size, error) {
	size := int64(0)
	for !r.partial && it.Next() {
		c := storage.Change{Key: it.Key(), Value: it.Value()}
		if _, f, _ := table.EdgeCell(c.Key); f != table.Property {
			if err := r.apply(&c); err != nil {
				return rowcache.Size{}, err
			}
			continue
		}
		p, err := decodeEdgeProperty(c.Key, c.Value)
		if err != nil {
			return rowcache.Size{}, err
		}
		r.props = append(r.props, p)
		if size += int64(p.bytes) + cachedPropertySize; tooMany(len(r.props), size) {
			r.partial, r.props, size = true, nil, 0
		}
	}
	return wholly(cachedEdgeSize + size), it.Err()
}

// set and remove change a row that nobody else reads.
func (r *edgeRow) set(p PropertyEntry) {
	i, found := r.find(p.Key)
	if found {
		r.props[i] = p
		return
	}
	r.props = slices.Insert(r.props, i, p)
}

func (r *edgeRow) remove(key Symbol) {
	if i, found := r.find(key); found {
		r.props = slices.Delete(r.props, i, i+1)
	}
}

func (r *edgeRow) find(key Symbol) (int, bool) {
	return slices.BinarySearchFunc(r.props, key, func(p PropertyEntry, k Symbol) int { return cmp.Compare(p.Key, k) })
}

// copy returns a row that may be changed, with room for more properties.
func (r *edgeRow) copy(more int) edgeRow {
	next := *r
	next.props = append(make([]PropertyEntry, 0, len(r.props)+more), r.props...)
	return next
}

// after is the row once a commit has written cells of it, as of a vertex.
func (r *edgeRow) after(cells []storage.Change) (next edgeRow, size rowcache.Size, o rowcache.Outcome) {
	if r.partial {
		return edgeRow{}, rowcache.Size{}, rowcache.Ended
	}
	next = r.copy(len(cells))
	for i := range cells {
		if err := next.apply(&cells[i]); err != nil {
			return edgeRow{}, rowcache.Size{}, rowcache.Ended // who fills the row will say why
		}
	}
	n := sizeOf(next.props)
	return next, wholly(cachedEdgeSize + n), outcome(len(next.props), n)
}

func (r *edgeRow) apply(c *storage.Change) (err error) {
	_, f, _ := table.EdgeCell(c.Key)
	switch {
	case f == table.Exists && c.Deleted:
		r.exists, r.cell = false, EdgeCell{}
	case f == table.Exists:
		r.exists = true
		r.cell, err = DecodeEdgeCell(c.Value)
	case f == table.Property && c.Deleted:
		var k table.EdgeProperty
		if k, err = table.DecodeEdgeProperty(c.Key); err == nil {
			r.remove(Symbol(k.Key))
		}
	case f == table.Property:
		var p PropertyEntry
		if p, err = decodeEdgeProperty(c.Key, c.Value); err == nil {
			r.set(p)
		}
	default:
		err = fmt.Errorf("family %d: %w", f, storage.ErrCorrupt)
	}
	return err
}

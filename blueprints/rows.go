package blueprints

import (
	"slices"
	"unsafe"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// row is an element without edges, or the knowledge that there is none.
type row[C any] struct {
	props   []PropertyEntry // sorted; first, for scans go straight to them
	exists  bool
	partial bool // the properties are too many to keep
	own     bool // added by the transaction that holds the row
	cell    C
}

type (
	vertexRow = row[VertexCell]
	edgeRow   = row[EdgeCell]
)

// rowKind is in what the rows of vertices and of edges differ.
type rowKind[C any] struct {
	size     int64 // without properties
	family   func(key []byte) (id uint64, f table.Family, ok bool)
	header   func(val []byte) (C, error)
	property func(g *Graph, key, val []byte) (PropertyEntry, error)
	removed  func(key []byte) (sym Symbol, ordinal uint64, err error)
}

var (
	vertexKind = rowKind[VertexCell]{
		size: 96, family: table.VertexCell, header: DecodeVertexCell, property: (*Graph).decodeProperty,
		removed: func(key []byte) (Symbol, uint64, error) {
			k, err := table.DecodeVertexProperty(key)
			return Symbol(k.Key), k.Ordinal, err
		},
	}
	edgeKind = rowKind[EdgeCell]{
		size: 112, family: table.EdgeCell, header: DecodeEdgeCell,
		property: (*Graph).decodeEdgeProperty,
		removed: func(key []byte) (Symbol, uint64, error) {
			k, err := table.DecodeEdgeProperty(key)
			return Symbol(k.Key), 0, err
		},
	}
)

// Limits of what is kept of one element.
const (
	cachedPropertiesMax    = 256
	cachedPropertyBytesMax = 64 << 10
	cachedPropertySize     = 64 // of an entry, beyond its value
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

// fill reads a row, which is empty, from its cells and returns its size.
func (k *rowKind[C]) fill(r *row[C], g *Graph, it storage.Iterator) (rowcache.Size, error) {
	size := int64(0)
	for !r.partial && it.Next() {
		if err := k.take(r, g, it.Key(), it.Value(), &size); err != nil {
			return rowcache.Size{}, err
		}
	}
	return k.filled(r, size), it.Err()
}

// take reads one cell of a row that is being filled; size is what its properties cost.
func (k *rowKind[C]) take(r *row[C], g *Graph, key, val []byte, size *int64) error {
	if _, f, _ := k.family(key); f != table.Property {
		return k.apply(r, g, &storage.Change{Key: key, Value: val})
	}
	if r.partial {
		return nil
	}
	p, err := k.property(g, key, val)
	if err != nil {
		return err
	}
	r.props = append(r.props, p)
	if *size += int64(p.bytes) + cachedPropertySize; tooMany(len(r.props), *size) {
		r.partial, r.props, *size = true, nil, 0
	}
	return nil
}

// filled ends the filling of a row whose properties cost size, and returns its size.
func (k *rowKind[C]) filled(r *row[C], size int64) rowcache.Size {
	sortProperties(r.props)
	return wholly(k.size + size)
}

// after is a row once a commit has written cells of it, and its size.
func (k *rowKind[C]) after(r *row[C], g *Graph, cells []storage.Change) (next row[C], size rowcache.Size, o rowcache.Outcome) {
	if r.partial {
		return row[C]{}, rowcache.Size{}, rowcache.Ended
	}
	next = r.copy(min(len(cells), cachedPropertiesMax))
	for i := range cells {
		if err := k.apply(&next, g, &cells[i]); err != nil || len(next.props) > cachedPropertiesMax {
			return row[C]{}, rowcache.Size{}, rowcache.Ended // who fills the row will say why
		}
	}
	n := sizeOf(next.props)
	return next, wholly(k.size + n), outcome(len(next.props), n)
}

func (k *rowKind[C]) apply(r *row[C], g *Graph, c *storage.Change) (err error) {
	_, f, _ := k.family(c.Key)
	switch {
	case f == table.Exists && c.Deleted:
		var none C
		r.exists, r.cell = false, none
	case f == table.Exists:
		r.exists = true
		r.cell, err = k.header(c.Value)
	case f == table.Property && c.Deleted:
		var sym Symbol
		var ordinal uint64
		if sym, ordinal, err = k.removed(c.Key); err == nil {
			r.remove(sym, ordinal)
		}
	case f == table.Property:
		var p PropertyEntry
		if p, err = k.property(g, c.Key, c.Value); err == nil {
			r.set(p)
		}
	case g.mayHold(f): // they are read beside the row
	default:
		err = g.options.Skips(f)
	}
	return err
}

// copy returns a row that may be changed, with room for more properties.
func (r *row[C]) copy(more int) row[C] {
	next := *r
	next.props = append(make([]PropertyEntry, 0, len(r.props)+more), r.props...)
	return next
}

// whole is the row, nil for one without its properties.
func (r *row[C]) whole() *row[C] {
	if r.partial {
		return nil
	}
	return r
}

// set and remove change a row that nobody else reads.
func (r *row[C]) set(p PropertyEntry) {
	if i := r.find(p.Key, p.Ordinal); i >= 0 {
		r.props[i] = p
	} else {
		if r.props == nil {
			r.props = make([]PropertyEntry, 0, 4)
		}
		r.props = append(r.props, p)
	}
	sortProperties(r.props)
}

// write is set, of a row that a transaction keeps: one with too many properties keeps none
// of them, for looking through them takes longer each time than asking the store. It returns
// how many bytes more the row takes.
func (r *row[C]) write(p PropertyEntry) int64 {
	before := keptOf(r.props)
	if r.set(p); len(r.props) > cachedPropertiesMax {
		r.partial, r.props = true, nil
	}
	return keptOf(r.props) - before
}

// keptOf is what properties take that a transaction keeps, with the room for more.
func keptOf(props []PropertyEntry) (size int64) {
	for i := range props {
		size += int64(props[i].bytes)
	}
	return size + int64(cap(props))*int64(unsafe.Sizeof(PropertyEntry{}))
}

// kept is what a row takes that a transaction keeps, in its map.
func (k *rowKind[C]) kept(r *row[C]) int64 { return k.size + mapBytes + keptOf(r.props) }

func (r *row[C]) remove(key Symbol, ordinal uint64) (freed int64) {
	if i := r.find(key, ordinal); i >= 0 {
		freed = int64(r.props[i].bytes)
		r.props = slices.Delete(r.props, i, i+1)
	}
	return freed
}

func (r *row[C]) find(key Symbol, ordinal uint64) int {
	return slices.IndexFunc(r.props, func(p PropertyEntry) bool { return p.Key == key && p.Ordinal == ordinal })
}

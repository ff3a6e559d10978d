package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// changesAtOnce is after how many cells a commit asks whether its request is over.
const changesAtOnce = 256

// Changes calls fn for what the commit changed, until it has no more of it: vertices in the order
// in which they were ever added, then edges, an element before its properties. The Change is valid
// during the call, what its fields point to for good. It may be called once more.
func (c *Commit) Changes(fn func(*Change) (more bool, err error)) error {
	r := changeReader{c: c}
	for _, key := range c.keys {
		if more, err := r.tell(key, fn); !more || err != nil {
			return err
		}
	}
	if more, err := r.release(fn); !more || err != nil {
		return err
	}
	cells := c.changed
	key := table.AppendGraph(nil, c.t.g.number)
	head := len(key)
	for n := 1; cells.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := c.t.polled(); err != nil {
				return err
			}
		}
		key = append(key[:head], cells.Key()...)
		if more, err := r.tell(key, fn); !more || err != nil {
			return err
		}
	}
	if cells.Err() != nil {
		return cells.Err()
	}
	_, err := r.release(fn)
	return err
}

// tell calls fn for the change in a cell, if there is one. A single value that is set where there
// was none in its place may have taken that of one that was one of many: it is held until what
// comes next is known.
func (r *changeReader) tell(key []byte, fn func(*Change) (bool, error)) (more bool, err error) {
	ch, err := r.read(key)
	if ch == nil || err != nil {
		return err == nil, err
	}
	if r.held != nil && ch.Op == OpRemove && ch.Class == r.held.Class && ch.Element == r.held.Element && ch.Key == r.held.Key {
		r.held.Before = ch.Before
		return r.release(fn)
	}
	if more, err := r.release(fn); !more || err != nil {
		return false, err
	}
	if ch.Op == OpSet && ch.Ordinal == SlotSingle && ch.Before == nil {
		held := *ch
		r.held = &held
		return true, nil
	}
	return fn(ch)
}

// release calls fn for the change that is held, if there is one.
func (r *changeReader) release(fn func(*Change) (bool, error)) (more bool, err error) {
	ch := r.held
	if r.held = nil; ch == nil {
		return true, nil
	}
	return fn(ch)
}

// changeReader makes changes of cells, those of an element one behind the other.
type changeReader struct {
	c      *Commit
	is     Change // what all changes of the element say
	hidden bool   // the element is, or its cells say nothing beside what was said of it
	change Change
	held   *Change
}

// read returns the change in a cell, nil for none.
func (r *changeReader) read(key []byte) (*Change, error) {
	class := VertexClass
	id, family, ok := table.VertexCell(key)
	if !ok {
		class = EdgeClass
		if id, family, ok = table.EdgeCell(key); !ok {
			return nil, nil
		}
	}
	if family != table.Exists && family != table.Property {
		return nil, nil
	}
	if r.is.Class != class || r.is.Element != id {
		if err := r.element(class, id, family == table.Exists); err != nil {
			return nil, err
		}
	}
	if r.hidden {
		return nil, nil
	}
	if r.change = r.is; family == table.Property {
		if r.is.Op != 0 && r.is.Op != OpAdd {
			return nil, nil
		}
		return r.property(key)
	}
	if r.is.Op == 0 {
		return nil, nil
	}
	return &r.change, nil
}

// element reads what happened to an element, as all its changes say it. listed: the cell that
// says that it exists is among those that changed, of which it is the first.
func (r *changeReader) element(class ElementClass, id uint64, listed bool) error {
	r.is, r.hidden = Change{Class: class, Element: id}, false
	key := table.AppendVertexExists(nil, r.c.t.g.number, id)
	if class == EdgeClass {
		key = table.AppendEdgeExists(nil, r.c.t.g.number, id)
	}
	before, after, err := r.exists(key, listed)
	if err != nil {
		return err
	}
	switch {
	case before == nil && after == nil:
		r.is.Op, r.hidden = OpPurge, r.c.shown != nil // nobody knows what it was
		return nil
	case before == nil:
		r.is.Op, before = OpAdd, after
	case after == nil:
		r.is.Op = OpDrop
	}
	if class == EdgeClass {
		return r.edge(before)
	}
	cell, err := DecodeVertexCell(before)
	r.is.ID, r.is.Label = cell.ID, cell.Label
	r.hidden = r.c.shown != nil && r.c.shown.vertices.has(cell.Label)
	return err
}

// exists reads the cell that says that an element exists, which says the same as long as it is there:
// so where it has not changed it is what it is now, if the element is there now.
func (r *changeReader) exists(key []byte, listed bool) (before, after []byte, err error) {
	if listed {
		return r.c.cells.around(key)
	}
	for _, from := range [...]storage.Reader{r.c.t.tx.Snapshot(), r.c.cells.after} {
		if after, err = cellOf(from, key); err != nil || after != nil {
			break
		}
	}
	return after, after, err
}

func (r *changeReader) edge(val []byte) error {
	cell, err := DecodeEdgeCell(val)
	if err != nil {
		return err
	}
	r.is.ID, r.is.Label, r.is.Out, r.is.In = cell.ID, cell.Label, cell.Out, cell.In
	shown := r.c.shown
	if shown != nil && shown.edges.has(cell.Label) {
		r.hidden = true
		return nil
	}
	if r.is.Op == 0 && (shown == nil || shown.vertices.list == nil) {
		return nil
	}
	for _, end := range []struct {
		v  VertexID
		id *value.Value
	}{{cell.Out, &r.is.OutID}, {cell.In, &r.is.InID}} {
		c, ok, err := r.end(end.v)
		if err != nil {
			return err
		}
		if *end.id = c.ID; shown != nil && (!ok || shown.vertices.has(c.Label)) {
			r.hidden = true
		}
	}
	return nil
}

// end reads the end of an edge: behind the commit, or before it if that dropped it.
func (r *changeReader) end(v VertexID) (c VertexCell, ok bool, err error) {
	key := table.AppendVertexExists(nil, r.c.t.g.number, uint64(v))
	for _, reader := range []storage.Reader{r.c.cells.after, r.c.cells.before} {
		b, err := cellOf(reader, key)
		if err != nil {
			return c, false, err
		}
		if b != nil {
			c, err = DecodeVertexCell(b)
			return c, err == nil, err
		}
	}
	return c, false, nil // it was purged
}

// property reads what happened to a property.
func (r *changeReader) property(key []byte) (_ *Change, err error) {
	ch := &r.change
	before, after, err := r.c.cells.around(key)
	if err != nil {
		return nil, err
	}
	if ch.Before, err = r.entry(key, before); err != nil {
		return nil, err
	}
	if ch.After, err = r.entry(key, after); err != nil {
		return nil, err
	}
	switch {
	case ch.After != nil:
		ch.Op, ch.Key, ch.Ordinal = OpSet, ch.After.Key, ch.After.Ordinal
	case ch.Before != nil:
		ch.Op, ch.Key, ch.Ordinal = OpRemove, ch.Before.Key, ch.Before.Ordinal
	default:
		return nil, nil
	}
	if shown := r.c.shown; shown != nil && shown.keys.list != nil {
		if shown.keys.has(ch.Key) {
			return nil, nil
		}
		shown.hideMeta(ch.Before)
		shown.hideMeta(ch.After)
	}
	if ch.Before != nil && ch.After != nil && sameProperty(ch.Before, ch.After) {
		return nil, nil
	}
	return ch, nil
}

func (r *changeReader) entry(key, cell []byte) (_ *PropertyEntry, err error) {
	if cell == nil {
		return nil, nil
	}
	var p PropertyEntry
	if r.is.Class == EdgeClass {
		p, err = r.c.t.g.decodeEdgeProperty(key, cell)
	} else {
		p, err = r.c.t.g.decodeProperty(key, cell)
	}
	return &p, err
}

// hideMeta takes away the properties of a property that are denied; p is the caller's own.
func (r *Restricted) hideMeta(p *PropertyEntry) {
	if p != nil && p.rest != nil {
		p.rest.meta = r.keepMeta(p.rest.meta)
	}
}

// sameProperty reports whether two say the same.
func sameProperty(p, q *PropertyEntry) bool {
	return p.Number == q.Number && value.Identical(p.Value, q.Value) && value.Identical(p.ID(), q.ID()) && slices.EqualFunc(p.Meta(), q.Meta(), func(a, b value.Property) bool {
		return a.Key == b.Key && value.Identical(a.Value, b.Value)
	})
}

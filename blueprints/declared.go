package blueprints

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// How changes of elements reach declared indexes. A change of a property comes between
// before, which adds the entries that will be new and so finds out whether they may be, and
// settle, which removes those that are no more. Graphs without such indexes, and properties
// that are in none, cost a look at a list that is empty.

// upkeep is the change of one property of one element, on its way to declared indexes. A nil
// one has nothing to do.
type upkeep struct {
	t       *Tx
	element keyindex.Element
	added   withValue
	indexes []indexUpkeep
}

type indexUpkeep struct {
	x             keyindex.Index
	old, new, now keyindex.Entries // those before, those that were added, and those behind the change
}

// kept is what of an upkeep is kept for the next transaction: memory for a few entries, and
// indexes as they were opened, for as long as their definitions are the same.
func (u *upkeep) kept() upkeep {
	if len(u.indexes) == 0 || cap(u.indexes) > upkeepKept {
		return upkeep{}
	}
	all := u.indexes[:cap(u.indexes)]
	for i := range all {
		n := &all[i]
		n.old.Shrink(scratchKept / 4)
		n.new.Shrink(scratchKept / 4)
		n.now.Shrink(scratchKept / 4)
	}
	return upkeep{indexes: all[:0]}
}

// upkeepKept bounds the indexes of an upkeep that is kept.
const upkeepKept = 4

// next returns the upkeep of one more index. What it found of elements before is forgotten,
// and its memory used again.
func (u *upkeep) next(d *keyindex.Definition) *indexUpkeep {
	n := len(u.indexes)
	if n == cap(u.indexes) {
		u.indexes = append(u.indexes, indexUpkeep{})
	}
	u.indexes = u.indexes[:n+1]
	i := &u.indexes[n]
	if i.x == nil || i.x.Definition() != d {
		i.x = d.Open(u.t.g.number)
	}
	i.old.Reset()
	i.new.Reset()
	return i
}

// before prepares declared indexes for a property of an element that is about to change,
// with added, which may be nil, as one of its values. settle must follow, unless there is
// an error.
func (t *Tx) before(c table.Class, id uint64, key Symbol, added *value.Value) (*upkeep, error) {
	defs, err := t.definitions()
	if err != nil || len(defs.Upkeep(c)) == 0 {
		return nil, err
	}
	if !slices.ContainsFunc(defs.Upkeep(c), func(d *keyindex.Definition) bool { return slices.Contains(d.Symbols, uint32(key)) }) {
		return nil, nil
	}
	e, ok, err := elements{t}.Element(c, id)
	if err != nil || !ok {
		return nil, err
	}
	u := &t.upkeep
	u.t, u.element, u.indexes = t, e, u.indexes[:0]
	for _, d := range defs.Upkeep(c) {
		if !d.Covers(e.Label, uint32(key)) {
			continue
		}
		if err := u.begin(d, uint32(key), added); err != nil {
			if serr := u.settle(); serr != nil {
				return nil, serr
			}
			return nil, err
		}
	}
	return u, nil
}

// begin adds the entries that the new value will make.
func (u *upkeep) begin(d *keyindex.Definition, key uint32, added *value.Value) error {
	t := u.t
	n := u.next(d)
	if err := n.old.Find(d, &u.element, elements{t}); err != nil {
		return err
	}
	if err := t.fence(d, u.element.ID); err != nil {
		return err
	}
	if added == nil || d.Kind == keyindex.Text { // which refuses nothing
		return nil
	}
	u.added = withValue{elements{t}, u.element.ID, key, *added}
	els := &u.added
	if err := n.new.Find(d, &u.element, els); err != nil {
		n.new.Reset()
		return u.refusal(d, err, els)
	}
	if d.Kind == keyindex.Geo {
		n.new.Reset() // entries that have a value behind their keys are put when all is known
		return nil
	}
	if n.old.Len()+n.new.Len() > keyindex.EntriesMax {
		n.new.Reset()
		return u.refusal(d, &keyindex.TooManyError{Index: d.Name}, els)
	}
	for i := range n.new.Len() {
		if n.old.Has(n.new.At(i)) {
			continue
		}
		if err := n.x.Put(t.tx, els, &u.element, n.new.At(i), n.new.Exact(i)); err != nil {
			n.new.Cut(i)
			return u.refusal(d, err, els)
		}
	}
	return nil
}

// refusal is IndexRefusal for who asks, to whom the index may not be there.
func (u *upkeep) refusal(d *keyindex.Definition, err error, els keyindex.Elements) error {
	if by := u.t.restriction(); by != nil && by.deniesIndex(d) {
		return untoldIndex(d, err)
	}
	return IndexRefusal(err, els)
}

// settle brings the entries in line with the element as it is now.
func (u *upkeep) settle() error {
	if u == nil {
		return nil
	}
	for i := range u.indexes {
		if err := u.settleIndex(&u.indexes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (u *upkeep) settleIndex(n *indexUpkeep) error {
	if n.old.Len() == 0 && n.new.Len() == 0 && !n.x.Definition().Late() {
		return nil
	}
	now := &n.now
	if err := now.Find(n.x.Definition(), &u.element, elements{u.t}); err != nil {
		return err
	}
	for _, had := range [...]*keyindex.Entries{&n.old, &n.new} {
		for i := range had.Len() {
			if now.Has(had.At(i)) {
				continue
			}
			if err := n.x.Take(u.t.tx, &u.element, had.At(i)); err != nil {
				return err
			}
		}
	}
	for i := range now.Len() {
		if n.old.Has(now.At(i)) || n.new.Has(now.At(i)) {
			continue
		}
		if err := n.x.Put(u.t.tx, elements{u.t}, &u.element, now.At(i), now.Exact(i)); err != nil {
			return u.refusal(n.x.Definition(), err, elements{u.t})
		}
	}
	return nil
}

// fence makes transactions that change what an element has in an index conflict where reads
// are not validated.
func (t *Tx) fence(d *keyindex.Definition, id uint64) error {
	if !t.unvalidated() {
		return nil
	}
	t.key = keyindex.AppendFence(t.key[:0], t.g.number, d, id)
	return t.tx.Delete(t.key)
}

// unindexDeclared removes the entries of an element that is about to be dropped.
func (t *Tx) unindexDeclared(c table.Class, id uint64) error {
	defs, err := t.definitions()
	if err != nil || len(defs.Upkeep(c)) == 0 {
		return err
	}
	e, ok, err := elements{t}.Element(c, id)
	if err != nil || !ok {
		return err
	}
	var n keyindex.Entries
	for _, d := range defs.Upkeep(c) {
		if err := n.Find(d, &e, elements{t}); err != nil {
			return err
		}
		if n.Len() == 0 {
			continue
		}
		if err := t.fence(d, id); err != nil {
			return err
		}
		x := d.Open(t.g.number)
		for i := range n.Len() {
			if err := x.Take(t.tx, &e, n.At(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// IndexRefusal gives what an index refuses the text and the class that clients see; other
// errors stay as they are.
func IndexRefusal(err error, els keyindex.Elements) error {
	var dup *keyindex.DuplicateError
	var many *keyindex.TooManyError
	var point *keyindex.PointError
	var build *keyindex.BuildError
	switch {
	case errors.As(err, &dup):
		return illegalArgument("%s", dup.Text(els))
	case errors.As(err, &many):
		return illegalArgument("%s", many.Error())
	case errors.As(err, &point):
		return illegalArgument("%s", point.Error())
	case errors.As(err, &build):
		return illegalArgument("%s", build.Error())
	}
	return err
}

// elements reads elements for indexes as a transaction sees them.
type elements struct{ t *Tx }

// Element implements keyindex.Elements.
func (s elements) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	e := keyindex.Element{Class: c, ID: id}
	if c == table.EdgeClass {
		cell, ok, err := s.t.edgeCell(EdgeID(id))
		e.Label, e.Out, e.In = uint32(cell.Label), uint64(cell.Out), uint64(cell.In)
		return e, ok, err
	}
	cell, ok, err := s.t.vertexCell(VertexID(id))
	e.Label = uint32(cell.Label)
	return e, ok, err
}

// Values implements keyindex.Elements.
func (s elements) Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	if c == table.EdgeClass {
		v, ok, err := s.t.EdgeValue(EdgeID(id), Symbol(symbol))
		if ok {
			dst = append(dst, v)
		}
		return dst, err
	}
	props, err := s.t.VertexProperties(nil, VertexID(id), []Symbol{Symbol(symbol)})
	for i := range props {
		dst = append(dst, props[i].Value)
	}
	return dst, err
}

// withValue reads one element as if a key had one value alone.
type withValue struct {
	keyindex.Elements
	id     uint64
	symbol uint32
	value  value.Value
}

// Values implements keyindex.Elements.
func (w withValue) Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	if id == w.id && symbol == w.symbol {
		return append(dst, w.value), nil
	}
	return w.Elements.Values(dst, c, id, symbol)
}

// stored reads elements for indexes from a store.
type stored struct {
	source
	r storage.Reader
}

// ReadElements reads the elements of the graph of a number for indexes.
func ReadElements(r storage.Reader, graph uint32) keyindex.Elements {
	return stored{source{graph}, r}
}

// Reading implements keyindex.Source.
func (s source) Reading(r storage.Reader) keyindex.Elements { return stored{s, r} }

// Element implements keyindex.Elements.
func (s stored) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	b, err := s.r.Get(s.appendExists(nil, c, id))
	if errors.Is(err, storage.ErrNotFound) {
		return keyindex.Element{Class: c, ID: id}, false, nil
	}
	if err != nil {
		return keyindex.Element{}, false, err
	}
	e, err := decodeElement(c, id, b)
	return e, err == nil, err
}

// Values implements keyindex.Elements.
func (s stored) Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	err := s.source.Values(s.r, c, []uint64{id}, symbol, func(_ uint64, v value.Value) error {
		dst = append(dst, v)
		return nil
	})
	return dst, err
}

// UserID implements keyindex.Source.
func (s source) UserID(r storage.Reader, c table.Class, id uint64) string {
	b, err := r.Get(s.appendExists(nil, c, id))
	if err != nil {
		return "that is gone"
	}
	var user value.Value
	if c == table.EdgeClass {
		var cell EdgeCell
		cell, err = DecodeEdgeCell(b)
		user = cell.ID
	} else {
		var cell VertexCell
		cell, err = DecodeVertexCell(b)
		user = cell.ID
	}
	if err != nil {
		return "that is damaged"
	}
	return user.Brief()
}

package blueprints

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// An element is purged: nothing of it stays, in the graph nor in its history. Vertices take along
// all edges that they ever had. What is told from then on of a commit that touched it is that it
// did something to some element, which is gone in every version: the cell that said that it
// exists is listed by the commit, and was absent before and is absent behind it.

// Purged is how much a purge has forgotten.
type Purged struct {
	// Vertices and Edges are elements, those among them that were gone before, too; Rows are
	// rows of history.
	Vertices, Edges, Rows int64
}

// purge is what is forgotten by a transaction.
type purge struct {
	Purged
	t        *Tx
	elements [2]map[uint64]struct{} // by class
	touched  map[storage.Stamp]struct{}
}

// Purge removes the elements that have or ever had an id, as far as history knows, and makes
// history forget them. It cannot be undone.
func (t *Tx) Purge(class ElementClass, id value.Value) (Purged, error) {
	n, err := t.purge(class, id)
	hint := fmt.Sprintf("%s %s cannot be purged in one transaction: raise transactionBytes for it", class, id.Brief())
	if class == VertexClass {
		hint += ", or purge its edges first"
	}
	return n, tooLarge(err, hint)
}

func (t *Tx) purge(class ElementClass, id value.Value) (n Purged, err error) {
	if err := t.writable(); err != nil {
		return n, err
	}
	if _, err := t.HistoryFloor(); err != nil {
		return n, err
	}
	if t.purged == nil {
		t.purged = &purge{t: t, elements: [2]map[uint64]struct{}{{}, {}}}
	}
	p := t.purged
	p.Purged, p.touched = Purged{}, map[storage.Stamp]struct{}{}
	if err := p.find(class, id); err != nil {
		return n, err
	}
	if p.Vertices+p.Edges == 0 {
		return n, t.neverKnown(class, id)
	}
	if err := p.remove(); err != nil {
		return n, err
	}
	return p.Purged, p.forget()
}

func (p *purge) of(class ElementClass) map[uint64]struct{} { return p.elements[class-1] }

const purgedBytes = 64 // of an element or a commit that is to be looked at, about

// add takes an element, and reports whether it is a new one.
func (p *purge) add(class ElementClass, id uint64) (bool, error) {
	if _, has := p.of(class)[id]; has {
		return false, nil
	}
	p.of(class)[id] = struct{}{}
	if class == EdgeClass {
		p.Edges++
	} else {
		p.Vertices++
	}
	if err := p.t.polled(); err != nil {
		return true, err
	}
	return true, p.pay(purgedBytes)
}

// pay charges for what the transaction keeps until it ends.
func (p *purge) pay(bytes int64) error {
	p.t.ownBytes += bytes
	return p.t.payOwn()
}

// find takes the elements of an id, and the edges of vertices among them.
func (p *purge) find(class ElementClass, id value.Value) error {
	t := p.t
	f := t.g.idScheme(class)
	id, err := f.Manager.Convert(id)
	if err != nil || id.IsNull() {
		return err
	}
	var found []uint64
	if n, ok, err := t.findID(class, id); err != nil {
		return err
	} else if ok {
		found = append(found, n)
	}
	for _, form := range append([]value.Value{id}, f.Others(id)...) {
		row, err := f.AppendRow(nil, form)
		if err != nil {
			return err
		}
		if found, err = t.holders(found, table.AppendUserID(nil, t.g.number, class, row)); err != nil {
			return err
		}
	}
	for _, n := range found {
		if isNew, err := p.add(class, n); err != nil {
			return err
		} else if isNew && class == VertexClass {
			if err := p.addEdges(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// holders appends the elements that had a user id, by the history of its row.
func (t *Tx) holders(dst []uint64, cell []byte) ([]uint64, error) {
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: table.AppendPast(nil, cell), To: table.AppendPastEnd(nil, cell), Unobserved: true})
	defer it.Close()
	for it.Next() {
		was, there, err := table.DecodePastValue(it.Value())
		if err != nil {
			return dst, err
		}
		if there {
			n, err := decodeElementID(was)
			if err != nil {
				return dst, err
			}
			dst = append(dst, n)
		}
	}
	return dst, it.Err()
}

// addEdges takes the edges that a vertex has, and those that it had.
func (p *purge) addEdges(vertex uint64) error {
	row := table.AppendVertexRow(nil, p.t.g.number, vertex)
	end := table.PrefixEnd(nil, row)
	take := func(key []byte) error {
		o, ok := table.OwnerOf(key)
		if !ok || o.Class != table.EdgeClass {
			return nil
		}
		_, err := p.add(EdgeClass, o.Element)
		return err
	}
	it := p.t.tx.Scan(storage.ScanOptions{From: row, To: end})
	defer it.Close()
	for it.Next() {
		if err := take(it.Key()); err != nil {
			return err
		}
	}
	if it.Err() != nil {
		return it.Err()
	}
	return p.eachPast(row, end, func(cell []byte, _ storage.Stamp) error { return take(cell) })
}

// eachPast calls fn for the rows of history of cells within bounds.
func (p *purge) eachPast(from, to []byte, fn func(cell []byte, until storage.Stamp) error) error {
	g := p.t.g.number
	it := p.t.tx.Snapshot().Scan(storage.ScanOptions{From: table.AppendPastFrom(nil, g, from), To: table.AppendPastTo(nil, g, to), Unobserved: true})
	defer it.Close()
	var cell []byte
	for n := 1; it.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := p.t.polled(); err != nil {
				return err
			}
		}
		var until storage.Stamp
		var err error
		if cell, until, err = table.DecodePastRow(cell[:0], it.Key()); err != nil {
			return err
		}
		if err := fn(cell, until); err != nil {
			return err
		}
	}
	return it.Err()
}

// remove removes what is there of the elements.
func (p *purge) remove() error {
	for e := range p.of(EdgeClass) {
		if err := p.t.RemoveEdge(EdgeID(e)); err != nil {
			return err
		}
	}
	for v := range p.of(VertexClass) {
		if err := p.t.RemoveVertex(VertexID(v)); err != nil {
			return err
		}
	}
	return nil
}

// forget makes commits forget the elements, all that touched them.
func (p *purge) forget() error {
	touch := func(_ []byte, until storage.Stamp) error {
		if _, has := p.touched[until]; has {
			return nil
		}
		p.touched[until] = struct{}{}
		return p.pay(purgedBytes)
	}
	for _, class := range [...]ElementClass{VertexClass, EdgeClass} {
		for id := range p.of(class) {
			row := p.t.elementRow(class, id)
			if err := p.eachPast(row, table.PrefixEnd(nil, row), touch); err != nil {
				return err
			}
			// Whoever writes the element meanwhile, as one that is taken back, loses.
			p.t.tx.Observe(row, table.PrefixEnd(nil, row))
		}
	}
	// What is put into indexes by hand is no change of the element.
	named := table.AppendTable(nil, p.t.g.number, table.NamedIndex)
	err := p.eachPast(named, table.PrefixEnd(nil, named), func(cell []byte, until storage.Stamp) error {
		if p.owns(cell, nil) {
			return touch(cell, until)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for version := range p.touched {
		if err := p.forgetIn(version); err != nil {
			return err
		}
	}
	return nil
}

// owns reports whether a cell is one of a purged element: by its key, or, where that does not
// tell, by its value, nil for none.
func (p *purge) owns(cell, val []byte) bool {
	o, ok := table.OwnerOf(cell)
	if !ok {
		return p.holds(cell, val)
	}
	if o.Index == 0 {
		_, has := p.of(o.Class)[o.Element]
		return has
	}
	return p.ownsEntry(o.Index, o.Element)
}

// ownsEntry reports whether an entry of an index that has a number is of a purged element. Of an
// index that is gone nobody knows the class, nor will anybody ask for its entries.
func (p *purge) ownsEntry(index uint32, element uint64) bool {
	_, vertex := p.of(VertexClass)[element]
	_, edge := p.of(EdgeClass)[element]
	if vertex == edge {
		return vertex
	}
	class, known := p.t.indexClass(index)
	return !known || class == VertexClass && vertex || class == EdgeClass && edge
}

// indexClass returns of which class the elements of an index are.
func (t *Tx) indexClass(number uint32) (ElementClass, bool) {
	defs, err := t.definitions()
	if err != nil {
		return 0, false
	}
	if d, ok := defs.OfNumber(number); ok {
		return d.Class, true
	}
	for _, d := range defs.AllNamed() {
		if d.Number == number {
			return d.Class, true
		}
	}
	return 0, false
}

// holds reports whether the value of a user id, or of an entry of a composite index, is that of
// a purged element.
func (p *purge) holds(cell, val []byte) bool {
	_, code, _ := table.Head(cell)
	switch code {
	case table.VertexIDs, table.EdgeIDs:
		n, err := decodeElementID(val)
		class := VertexClass
		if code == table.EdgeIDs {
			class = EdgeClass
		}
		_, has := p.of(class)[n]
		return err == nil && has
	case table.CompositeIndex:
		if len(val) == 0 {
			e, err := table.DecodeCompositeEntry(cell)
			return val != nil && err == nil && p.ownsEntry(e.Index, e.Element)
		}
		e, err := table.DecodeUniqueEntry(cell)
		if err != nil {
			return false
		}
		owners, err := keyindex.Owners(nil, val)
		return err == nil && slices.ContainsFunc(owners, func(n uint64) bool { return p.ownsEntry(e.Index, n) })
	}
	return false
}

// forgetIn makes a commit forget.
func (p *purge) forgetIn(version storage.Stamp) error {
	t := p.t
	key := table.AppendCommit(nil, t.g.number, version)
	b, err := t.tx.Get(key) // as purges before in the transaction have left it
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	cells := table.DecodeChanged(slices.Clone(b))
	list := table.AppendNote(nil, cells.Note)
	var last []byte
	cell := table.AppendGraph(nil, t.g.number)
	head := len(cell)
	after := past.At(t.tx.Snapshot(), t.g.number, version)
	for n := 1; cells.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := t.polled(); err != nil {
				return err
			}
		}
		cell = append(cell[:head], cells.Key()...)
		stays, err := p.forgetCell(after, cell, version)
		if err != nil {
			return err
		}
		if stays {
			list = table.AppendChanged(list, last, cells.Key())
			last = append(last[:0], cells.Key()...)
		}
	}
	if cells.Err() != nil {
		return cells.Err()
	}
	return t.tx.Set(key, list)
}

// forgetCell forgets what a cell was before a commit, and reports whether the commit still lists
// it.
func (p *purge) forgetCell(after storage.Reader, cell []byte, version storage.Stamp) (stays bool, err error) {
	row := table.AppendPastRow(nil, cell, version)
	b, err := p.t.tx.Get(row)
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil // it is forgotten, and the commit will be
	}
	if err != nil {
		return false, err
	}
	was, there, err := table.DecodePastValue(b)
	if err != nil {
		return false, err
	}
	if !there {
		was = nil
	}
	ownsBefore := p.owns(cell, was)
	will, err := cellOf(after, cell)
	if err != nil {
		return false, err
	}
	ownsAfter := p.owns(cell, will)
	if !ownsBefore && !ownsAfter {
		return true, nil
	}
	p.Rows++
	if err := p.pay(int64(len(row)) + purgedBytes); err != nil {
		return false, err
	}
	o, _ := table.OwnerOf(cell)
	before, behind := there && !ownsBefore, will != nil && !ownsAfter
	switch {
	case before: // another had it before
		return true, nil
	case behind || o.Exists:
		return true, p.t.tx.Set(row, table.AppendPastValue(nil, nil))
	}
	return false, p.t.tx.Delete(row)
}

// without says what the commit of the transaction itself forgets.
func (p *purge) without() past.Without {
	if p == nil {
		return nil
	}
	return func(cell, was []byte) (forget, say bool) {
		o, _ := table.OwnerOf(cell)
		return p.owns(cell, was), o.Exists
	}
}

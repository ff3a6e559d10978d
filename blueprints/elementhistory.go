package blueprints

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// FindPast finds an element by its user-visible id, as FindVertex and FindEdge do, and where
// there is none the last one that had the id, as far as history knows.
func (t *Tx) FindPast(class ElementClass, id value.Value) (element uint64, ok bool, err error) {
	if n, ok, err := t.findID(class, id); ok || err != nil {
		return n, ok, err
	}
	n, _, ok, err := t.findGone(class, id)
	return n, ok, err
}

// FindPast finds an element that is there, or was.
func (r *Restricted) FindPast(class ElementClass, id value.Value) (element uint64, ok bool, err error) {
	if element, ok, err = r.tx.findID(class, id); err != nil {
		return 0, false, err
	}
	if ok {
		ok, err = r.Shows(class, element)
		return element, ok, err
	}
	element, until, ok, err := r.tx.findGone(class, id)
	if !ok || err != nil {
		return 0, false, err
	}
	c := changeReader{c: &Commit{t: r.tx, shown: r, cells: r.tx.cellsAround(until)}}
	err = c.element(class, element, true)
	return element, !c.hidden, err
}

// findGone finds the last element that had an id, and the commit that dropped it.
func (t *Tx) findGone(class ElementClass, id value.Value) (element uint64, until storage.Stamp, ok bool, err error) {
	f := t.g.idScheme(class)
	if id, err = f.Manager.Convert(id); err != nil || id.IsNull() {
		return 0, 0, false, err
	}
	for _, form := range append([]value.Value{id}, f.Others(id)...) {
		row, err := f.AppendRow(nil, form)
		if err != nil {
			return 0, 0, false, err
		}
		n, at, had, err := t.lastHolder(table.AppendUserID(nil, t.g.number, class, row))
		if err != nil {
			return 0, 0, false, err
		}
		if had && at > until {
			element, until, ok = n, at, true
		}
	}
	return element, until, ok, nil
}

// lastHolder reads the history of the row of a user id from its end.
func (t *Tx) lastHolder(cell []byte) (element uint64, until storage.Stamp, ok bool, err error) {
	prefix := table.AppendPast(nil, cell)
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: prefix, To: table.AppendPastEnd(nil, cell), Reverse: true, Unobserved: true})
	defer it.Close()
	for it.Next() {
		_, at, err := table.DecodePastRow(nil, it.Key())
		if err != nil {
			return 0, 0, false, err
		}
		was, there, err := table.DecodePastValue(it.Value())
		if err != nil {
			return 0, 0, false, err
		}
		if !there || t.asOf != 0 && at > t.asOf {
			continue
		}
		n, err := decodeElementID(was)
		return n, at, err == nil, err
	}
	return 0, 0, false, it.Err()
}

// EachCommitOf calls fn for what is known of one element: what it was when history begins, as
// if a commit without an author had added it then, if after is 0; and the commits that changed it
// behind the stamp after, up to the stamp to. See EachCommit.
func (t *Tx) EachCommitOf(class ElementClass, element uint64, after, to storage.Stamp, fn func(*Commit) (more bool, err error)) error {
	return t.eachCommitOf(class, element, after, to, nil, fn)
}

// EachCommitOf calls fn for commits that changed an element: what is denied did not change.
func (r *Restricted) EachCommitOf(class ElementClass, element uint64, after, to storage.Stamp, fn func(*Commit) (more bool, err error)) error {
	return r.tx.eachCommitOf(class, element, after, to, r, fn)
}

func (t *Tx) eachCommitOf(class ElementClass, element uint64, after, to storage.Stamp, shown *Restricted, fn func(*Commit) (bool, error)) error {
	begins := after == 0
	after, to, err := t.commitBounds(after, to)
	if err != nil || after > to {
		return err
	}
	if begins {
		more, err := t.firstOf(class, element, after, shown, fn)
		if err != nil || !more {
			return err
		}
	}
	paid := account.Ledger{Account: t.options.Account}
	defer paid.Clear()
	cells, err := t.pastCells(class, element, after, to, &paid)
	if err != nil {
		return err
	}
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].until == cells[0].until {
			n++
		}
		c := &Commit{Version: cells[0].until, t: t, shown: shown, cells: t.cellsAround(cells[0].until)}
		for _, cell := range cells[:n] {
			c.keys = append(c.keys, cell.key)
		}
		if err := t.signed(c); err != nil {
			return err
		}
		if more, err := fn(c); !more || err != nil {
			return err
		}
		cells = cells[n:]
	}
	return nil
}

// firstOf calls fn for what an element was when history begins, if it was there.
func (t *Tx) firstOf(class ElementClass, element uint64, floor storage.Stamp, shown *Restricted, fn func(*Commit) (bool, error)) (more bool, err error) {
	c := &Commit{Version: floor, t: t, shown: shown}
	c.cells.after = past.At(t.tx.Snapshot(), t.g.number, floor)
	if c.keys, err = t.cellsOf(nil, c.cells.after, class, element); err != nil || len(c.keys) == 0 {
		return err == nil, err
	}
	return fn(c)
}

// cellsOf appends the keys of the cells that say that an element is there and what properties it
// has.
func (t *Tx) cellsOf(dst [][]byte, r storage.Reader, class ElementClass, element uint64) ([][]byte, error) {
	row := t.elementRow(class, element)
	it := r.Scan(storage.ScanOptions{From: row, To: append(slices.Clone(row), byte(table.Property)+1), Unobserved: true})
	defer it.Close()
	for it.Next() {
		dst = append(dst, bytes.Clone(it.Key()))
	}
	return dst, it.Err()
}

// pastCell is a cell of an element that a commit changed.
type pastCell struct {
	until storage.Stamp
	key   []byte
}

const pastCellBytes = 2 * (8 + 24 + 32) // with its key; while the list grows there are two

// pastCells lists what commits within bounds changed of an element, commit by commit.
func (t *Tx) pastCells(class ElementClass, element uint64, after, to storage.Stamp, paid *account.Ledger) (cells []pastCell, err error) {
	row := t.elementRow(class, element)
	it := t.tx.Snapshot().Scan(storage.ScanOptions{
		From:       table.AppendPastFrom(nil, t.g.number, row),
		To:         table.AppendPastFrom(nil, t.g.number, append(slices.Clone(row), byte(table.Property)+1)),
		Unobserved: true,
	})
	defer it.Close()
	for n := 1; it.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := t.polled(); err != nil {
				return nil, err
			}
		}
		key, until, err := table.DecodePastRow(nil, it.Key())
		if err != nil {
			return nil, err
		}
		if until <= after || until > to {
			continue
		}
		if err := paid.Add(pastCellBytes); err != nil {
			return nil, err
		}
		cells = append(cells, pastCell{until, key})
	}
	slices.SortStableFunc(cells, func(a, b pastCell) int { return cmp.Compare(a.until, b.until) })
	return cells, it.Err()
}

// signed reads who made a commit.
func (t *Tx) signed(c *Commit) error {
	if err := t.polled(); err != nil {
		return err
	}
	b, err := t.tx.Snapshot().Get(table.AppendCommit(nil, t.g.number, c.Version))
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	changed := table.DecodeChanged(b)
	if changed.Err() != nil {
		return changed.Err()
	}
	c.Author, err = table.DecodeAuthor(changed.Note)
	return err
}

// Diff calls fn for what is different between two versions of what the transaction reads, vertices
// in the order in which they were ever added, then edges, until it has no more of it. What came
// and went in between is no difference. to 0 is now.
func (t *Tx) Diff(from, to storage.Stamp, fn func(*Change) (more bool, err error)) error {
	return t.diff(from, to, nil, fn)
}

// Diff calls fn for what is different between two versions of what is not denied.
func (r *Restricted) Diff(from, to storage.Stamp, fn func(*Change) (more bool, err error)) error {
	return r.tx.diff(from, to, r, fn)
}

func (t *Tx) diff(from, to storage.Stamp, shown *Restricted, fn func(*Change) (bool, error)) error {
	if to == 0 {
		to = math.MaxInt64
	}
	if from > to {
		return illegalArgument("from, version %d, is behind to, version %d", from, to)
	}
	if from == 0 {
		from = 1 // which is before any history
	}
	paid := account.Ledger{Account: t.options.Account}
	defer paid.Clear()
	var changed [2]idList
	err := t.eachCommit(from, to, false, nil, func(c *Commit) (bool, error) { return true, c.elements(&changed, &paid) })
	if err != nil {
		return err
	}
	c := &Commit{t: t, shown: shown, cells: t.cellsBetween(from, to)}
	for i, class := range [...]ElementClass{VertexClass, EdgeClass} {
		changed[i].compact()
		for _, id := range changed[i].ids {
			if more, err := c.changesOf(class, id, fn); !more || err != nil {
				return err
			}
		}
	}
	return nil
}

// changesOf calls fn for what happened to an element.
func (c *Commit) changesOf(class ElementClass, id uint64, fn func(*Change) (bool, error)) (more bool, err error) {
	if err := c.t.polled(); err != nil {
		return false, err
	}
	keys, err := c.t.cellsOf(nil, c.cells.before, class, id)
	if err != nil {
		return false, err
	}
	if keys, err = c.t.cellsOf(keys, c.cells.after, class, id); err != nil {
		return false, err
	}
	slices.SortFunc(keys, bytes.Compare)
	r := changeReader{c: c}
	for _, key := range slices.CompactFunc(keys, bytes.Equal) {
		if more, err := r.tell(key, fn); !more || err != nil {
			return false, err
		}
	}
	return r.release(fn)
}

// elements adds the elements that a commit changed to lists.
func (c *Commit) elements(into *[2]idList, paid *account.Ledger) error {
	key := table.AppendGraph(nil, c.t.g.number)
	head := len(key)
	cells := c.changed
	for n := 1; cells.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := c.t.polled(); err != nil {
				return err
			}
		}
		key = append(key[:head], cells.Key()...)
		list := &into[0]
		id, family, ok := table.VertexCell(key)
		if !ok {
			list = &into[1]
			if id, family, ok = table.EdgeCell(key); !ok {
				break // elements come first
			}
		}
		if family == table.Exists || family == table.Property {
			if err := list.add(id, paid); err != nil {
				return err
			}
		}
	}
	return cells.Err()
}

// idList is a set of ids, in order once it is compact.
type idList struct {
	ids  []uint64
	last int // how many there were when it was compact
}

const idListMin = 1024

func (l *idList) add(id uint64, paid *account.Ledger) error {
	if n := len(l.ids); n > 0 && l.ids[n-1] == id {
		return nil
	}
	if len(l.ids) >= max(2*l.last, idListMin) {
		l.compact()
	}
	if len(l.ids) == cap(l.ids) {
		if err := paid.Add(8 * int64(max(len(l.ids), 8))); err != nil {
			return err
		}
		l.ids = slices.Grow(l.ids, max(len(l.ids), 8))
	}
	l.ids = append(l.ids, id)
	return nil
}

func (l *idList) compact() {
	slices.Sort(l.ids)
	l.ids = slices.Compact(l.ids)
	l.last = len(l.ids)
}

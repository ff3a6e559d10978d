package blueprints

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Undone is how much an undo or a restore changed.
type Undone struct {
	Vertices, Edges, Properties int64
	// Skipped is what could not come back, because what it belongs to is gone or another
	// has its id.
	Skipped int64
}

// Undo takes back what a commit changed: what it added is dropped, what it dropped is there
// again, under the same ids, and properties are what they were. The transaction has then written
// that, and is one like any other. What was changed again since is an error, unless force says
// to take it back all the same.
func (t *Tx) Undo(version storage.Stamp, force bool) (Undone, error) {
	u := &undo{t: t, version: version, force: force}
	if err := t.writable(); err != nil {
		return u.Undone, err
	}
	floor, err := t.HistoryFloor()
	if err != nil {
		return u.Undone, err
	}
	if version <= floor {
		return u.Undone, beforeHistory(floor, "version %s is no longer kept, or was none (%s: %s)", stampText(version), OptionHistory, t.g.Options().History)
	}
	found := false
	err = t.EachCommit(version-1, version, false, func(c *Commit) (bool, error) {
		found = true
		u.cells = c.cells
		return false, c.Changes(func(ch *Change) (bool, error) { return true, u.change(ch) })
	})
	if err == nil && !found {
		err = illegalArgument("version %d is no commit of graph %s", version, t.g.name)
	}
	return u.Undone, tooLarge(err, fmt.Sprintf("version %d cannot be undone in one transaction: raise transactionBytes for it", version))
}

// tooLarge says what to do about what is too much for one transaction.
func tooLarge(err error, hint string) error {
	if !errors.Is(err, storage.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%s: %w", hint, err)
}

// undo is a commit that is taken back.
type undo struct {
	Undone
	t       *Tx
	version storage.Stamp
	force   bool
	cells   cellReaders
}

func (u *undo) change(ch *Change) error {
	switch ch.Op {
	case OpPurge:
		u.Skipped++
		return nil
	case OpAdd:
		return u.added(ch)
	case OpDrop:
		return u.dropped(ch)
	}
	return u.property(ch)
}

// added drops an element, unless somebody has changed it or joined it to another since.
func (u *undo) added(ch *Change) error {
	if err := u.unchanged(ch, u.t.elementRow(ch.Class, ch.Element), ""); err != nil {
		return err
	}
	if ch.Class == EdgeClass {
		u.Edges++
		return u.t.RemoveEdge(EdgeID(ch.Element))
	}
	u.Vertices++
	return u.t.RemoveVertex(VertexID(ch.Element))
}

// dropped has an element there again.
func (u *undo) dropped(ch *Change) error {
	if err := u.unchanged(ch, u.t.existsKey(ch.Class, ch.Element), ""); err != nil {
		return err
	}
	if there, err := u.t.elementExists(ch.Class, ch.Element); there || err != nil {
		return err
	}
	n, err := u.t.revive(u.cells.before, ch.Class, ch.Element)
	switch {
	case errors.Is(err, errEndGone) && u.force:
		u.Skipped++
		return nil
	case errors.Is(err, errEndGone):
		return illegalArgument("version %d cannot be undone: an end of %s is gone (force: true leaves it out)", u.version, brief(ch.Class, ch.ID))
	case err != nil:
		return err
	}
	if u.Properties += n; ch.Class == EdgeClass {
		u.Edges++
	} else {
		u.Vertices++
	}
	return nil
}

// property makes a property what it was.
func (u *undo) property(ch *Change) error {
	for _, key := range u.t.propertyKeys(ch) {
		if err := u.unchanged(ch, key, " "+u.t.Name(ch.Key)); err != nil {
			return err
		}
	}
	there, err := u.t.elementExists(ch.Class, ch.Element)
	if err != nil {
		return err
	}
	if !there { // added by the commit and dropped here, or dropped since
		if ch.Before == nil {
			u.Properties++
		} else {
			u.Skipped++
		}
		return nil
	}
	for _, key := range u.t.propertyKeys(ch) {
		cell, err := cellOf(u.cells.before, key)
		if err != nil {
			return err
		}
		if err := u.t.rewrite(ch.Class, key, slices.Clone(cell)); err != nil {
			return err
		}
	}
	u.Properties++
	return nil
}

// unchanged returns the error of cells whose keys begin with prefix that a commit behind the one
// that is taken back has changed.
func (u *undo) unchanged(ch *Change, prefix []byte, what string) error {
	if u.force {
		return nil
	}
	since, err := u.t.changedSince(prefix, u.version)
	if err == nil && since != 0 {
		err = illegalArgument("version %d cannot be undone: %s%s was changed since, at version %d (force: true overrides)", u.version, brief(ch.Class, ch.ID), what, since)
	}
	return err
}

// changedSince returns the first commit behind a version that changed a cell whose key begins
// with prefix, 0 for none.
func (t *Tx) changedSince(prefix []byte, version storage.Stamp) (first storage.Stamp, err error) {
	it := t.tx.Snapshot().Scan(storage.ScanOptions{
		From: table.AppendPastFrom(nil, t.g.number, prefix), To: table.AppendPastTo(nil, t.g.number, table.PrefixEnd(nil, prefix)), Unobserved: true,
	})
	defer it.Close()
	var cell []byte
	for n := 1; it.Next(); n++ {
		if n%changesAtOnce == 0 {
			if err := t.polled(); err != nil {
				return 0, err
			}
		}
		var until storage.Stamp
		if cell, until, err = table.DecodePastRow(cell[:0], it.Key()); err != nil {
			return 0, err
		}
		if bytes.HasPrefix(cell, prefix) && until > version && (first == 0 || until < first) {
			first = until
		}
	}
	return first, it.Err()
}

func (t *Tx) elementRow(class ElementClass, id uint64) []byte {
	if class == EdgeClass {
		return table.AppendEdgeRow(nil, t.g.number, id)
	}
	return table.AppendVertexRow(nil, t.g.number, id)
}

func (t *Tx) existsKey(class ElementClass, id uint64) []byte {
	return append(t.elementRow(class, id), byte(table.Exists))
}

// propertyKeys are those of the cells that a change of a property is of.
func (t *Tx) propertyKeys(ch *Change) [][]byte {
	if ch.Class == EdgeClass {
		return [][]byte{table.AppendEdgeProperty(nil, table.EdgeProperty{Graph: t.g.number, Edge: ch.Element, Key: uint32(ch.Key)})}
	}
	key := func(ordinal uint64) []byte {
		return table.AppendVertexProperty(nil, table.VertexProperty{Graph: t.g.number, Vertex: ch.Element, Key: uint32(ch.Key), Ordinal: ordinal})
	}
	if ch.Before != nil && ch.Before.Ordinal != ch.Ordinal {
		return [][]byte{key(ch.Ordinal), key(ch.Before.Ordinal)}
	}
	return [][]byte{key(ch.Ordinal)}
}

// errEndGone is that an edge cannot be there again.
var errEndGone = errors.New("an end of the edge is gone")

// revive has an element there again that is gone, with the properties that it had as was says,
// and returns how many.
func (t *Tx) revive(was storage.Reader, class ElementClass, id uint64) (properties int64, err error) {
	cell, err := cellOf(was, t.existsKey(class, id))
	if err != nil || cell == nil {
		return 0, firstError(err, corrupt("history of an element", nil))
	}
	if class == EdgeClass {
		err = t.reviveEdgeCell(EdgeID(id), cell)
	} else {
		var c VertexCell
		if c, err = DecodeVertexCell(cell); err == nil {
			err = t.reviveVertex(VertexID(id), c)
		}
	}
	if err != nil {
		return 0, err
	}
	prefix := append(t.elementRow(class, id), byte(table.Property))
	it := was.Scan(storage.ScanOptions{From: prefix, To: table.PrefixEnd(nil, prefix), Unobserved: true})
	defer it.Close()
	for it.Next() {
		if err := t.rewrite(class, slices.Clone(it.Key()), slices.Clone(it.Value())); err != nil {
			return properties, err
		}
		properties++
	}
	return properties, it.Err()
}

func (t *Tx) reviveEdgeCell(e EdgeID, cell []byte) error {
	c, err := DecodeEdgeCell(cell)
	if err != nil {
		return err
	}
	for _, v := range [...]VertexID{c.Out, c.In} {
		if there, err := t.VertexExists(v); err != nil || !there {
			return firstError(err, errEndGone)
		}
	}
	return t.reviveEdge(e, c)
}

// rewrite makes a cell of a property of an element that is there what it was, nil for none.
func (t *Tx) rewrite(class ElementClass, key, cell []byte) error {
	if class == EdgeClass {
		p, err := table.DecodeEdgeProperty(key)
		if err != nil {
			return err
		}
		return t.rewriteEdgeProperty(EdgeID(p.Edge), Symbol(p.Key), cell)
	}
	p, err := table.DecodeVertexProperty(key)
	if err != nil {
		return err
	}
	return t.rewriteProperty(VertexID(p.Vertex), Symbol(p.Key), p.Ordinal, cell)
}

// brief names an element for an error.
func brief(class ElementClass, id value.Value) string { return class.String() + "[" + id.Brief() + "]" }

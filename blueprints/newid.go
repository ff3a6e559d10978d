package blueprints

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// newID returns the id of a new element, the user's or a generated one, and its row
// in the table of ids, valid until the next call.
func (t *Tx) newID(class table.Class, id value.Value) (value.Value, []byte, error) {
	f := t.g.idScheme(class)
	id, err := f.Manager.Convert(id)
	if err != nil {
		return id, nil, err
	}
	if id.IsNull() {
		return t.generateID(class, f)
	}
	t.g.takenIDs.note(id)
	taken, err := t.otherTaken(class, f, id)
	if err != nil {
		return id, nil, err
	}
	row, err := f.AppendRow(t.idRow[:0], id)
	if err != nil {
		return id, nil, err
	}
	t.idRow = row
	if !taken {
		if _, taken, err = t.findRow(class, row); err != nil {
			return id, nil, err
		}
	}
	if taken && class == table.EdgeClass {
		return id, nil, EdgeExists(id)
	} else if taken {
		return id, nil, VertexExists(id)
	}
	if !t.g.taken.Load() && couldBeGenerated(id) {
		if err := t.markTaken(); err != nil {
			return id, nil, err
		}
	}
	return id, row, nil
}

// otherTaken reports whether an element has an id that is equal to id and has another
// row, and makes the transaction lose against one that adds such an element.
func (t *Tx) otherTaken(class table.Class, f ids.Scheme, id value.Value) (bool, error) {
	for _, other := range f.Others(id) {
		row, err := f.AppendRow(t.idRow[:0], other)
		if err != nil {
			return false, err
		}
		t.idRow = row
		if _, taken, err := t.findRow(class, row); taken || err != nil {
			return taken, err
		}
		t.tx.Guard(t.key)
	}
	return false, nil
}

// guardOthers makes the transaction lose against one that adds an element whose id is
// equal to id and has another row.
func (t *Tx) guardOthers(id value.Value) error {
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		f := t.g.idScheme(class)
		for _, other := range f.Others(id) {
			row, err := f.AppendRow(t.cell[:0], other)
			if err != nil {
				return err
			}
			t.cell = row
			t.key = table.AppendUserID(t.key[:0], t.g.number, class, row)
			t.tx.Guard(t.key)
		}
	}
	return nil
}

func couldBeGenerated(id value.Value) bool {
	_, whole := ids.WholeNumber(id)
	return whole || id.Kind() == value.KindString
}

// markTaken makes generated ids look before they take a number, from now on.
func (t *Tx) markTaken() error {
	set := func(tx storage.Tx) error { return tx.Set(t.g.takenKey(), []byte{1}) }
	if t.options.Alone {
		t.g.taken.Store(true)
		return set(t.tx)
	}
	if err := t.g.small(t.ctx, set); err != nil {
		return err
	}
	t.g.taken.Store(true)
	return nil
}

// generateID takes the next number that no vertex and no edge has, for an element of class.
func (t *Tx) generateID(class table.Class, f ids.Scheme) (value.Value, []byte, error) {
	m := f.Manager
	for {
		n, err := t.take(t.g.numbers)
		if err != nil {
			return value.Null, nil, err
		}
		id := m.Generated(n)
		row, err := f.AppendRow(t.idRow[:0], id)
		if err != nil {
			return value.Null, nil, err
		}
		t.idRow = row
		if m == ids.UUID || !t.g.taken.Load() {
			return id, row, nil
		}
		if free, err := t.surelyFree(m, n); err != nil {
			return value.Null, nil, err
		} else if free {
			// Among the ids of its own class the element writes its own, which conflicts.
			t.key = table.AppendUserID(t.key[:0], t.g.number, otherClass(class), row)
			t.tx.Observe(t.key, nil)
			return id, row, t.guardOthers(id)
		}
		if taken, err := t.skipped(row, id, n); err != nil {
			return value.Null, nil, err
		} else if !taken {
			return id, row, nil
		}
	}
}

// skipped reports whether an element of either class has the id made of n, and moves the
// counter on when it has.
func (t *Tx) skipped(row []byte, id value.Value, n uint64) (bool, error) {
	row = slices.Clone(row) // t.idRow is used for the other forms
	defer func() { t.idRow = append(t.idRow[:0], row...) }()
	taken := false
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		_, here, err := t.findRow(class, row)
		if err == nil && !here {
			here, err = t.otherTaken(class, t.g.idScheme(class), id)
			taken = taken || here
		} else if err == nil {
			taken, err = true, t.skipTaken(class, row, n)
		}
		if err != nil {
			return false, err
		}
	}
	return taken, nil
}

func otherClass(c table.Class) table.Class {
	if c == table.VertexClass {
		return table.EdgeClass
	}
	return table.VertexClass
}

// skipTaken moves the counter behind the run of ids that starts at n, so that a
// graph loaded with ids of its own does not cost a look-up for each of them.
func (t *Tx) skipTaken(class table.Class, row []byte, n uint64) error {
	if row[0] != ids.TagLong && row[0] != ids.TagInt {
		return nil
	}
	from := table.AppendUserID(nil, t.g.number, class, row)
	to := table.PrefixEnd(nil, table.AppendUserID(nil, t.g.number, class, row[:1]))
	it := t.tx.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	for it.Next() {
		_, _, id, err := table.DecodeUserID(it.Key())
		if err != nil || len(id) != 9 {
			return errors.Join(corrupt("user id", nil), err)
		}
		if binary.BigEndian.Uint64(id[1:])^1<<63 != n {
			break
		}
		n++
	}
	t.g.numbers.skip(n)
	return it.Err()
}

package blueprints

import (
	"encoding/binary"
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// newID returns the id of a new element, the user's or a generated one, and its row
// in the table of ids, valid until the next call.
func (t *Tx) newID(class table.Class, m IDManager, id value.Value) (value.Value, []byte, error) {
	id, err := m.Convert(id)
	if err != nil {
		return id, nil, err
	}
	if id.IsNull() {
		return t.generateID(class, m)
	}
	t.g.takenIDs.note(id)
	row, err := appendID(t.idRow[:0], id)
	if err != nil {
		return id, nil, err
	}
	t.idRow = row
	if _, taken, err := t.findRow(class, row); err != nil {
		return id, nil, err
	} else if taken && class == table.EdgeClass {
		return id, nil, edgeExists(id)
	} else if taken {
		return id, nil, vertexExists(id)
	}
	if !t.g.taken.Load() && couldBeGenerated(id) {
		if err := t.markTaken(); err != nil {
			return id, nil, err
		}
	}
	return id, row, nil
}

func couldBeGenerated(id value.Value) bool {
	k := id.Kind()
	return k == value.KindLong || k == value.KindInt || k == value.KindString
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
func (t *Tx) generateID(class table.Class, m IDManager) (value.Value, []byte, error) {
	for {
		n, err := t.take(t.g.numbers)
		if err != nil {
			return value.Null, nil, err
		}
		id := m.generated(n)
		row, err := appendID(t.idRow[:0], id)
		if err != nil {
			return value.Null, nil, err
		}
		t.idRow = row
		if m == UUIDIDs || !t.g.taken.Load() {
			return id, row, nil
		}
		if free, err := t.surelyFree(m, n); err != nil {
			return value.Null, nil, err
		} else if free {
			// Among the ids of its own class the element writes its own, which conflicts.
			t.key = table.AppendUserID(t.key[:0], t.g.number, otherClass(class), row)
			t.tx.Observe(t.key, nil)
			return id, row, nil
		}
		taken := false
		for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
			_, here, err := t.findRow(class, row)
			if err != nil {
				return value.Null, nil, err
			}
			if here {
				taken = true
				if err := t.skipTaken(class, row, n); err != nil {
					return value.Null, nil, err
				}
			}
		}
		if !taken {
			return id, row, nil
		}
	}
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
	if row[0] != idLong && row[0] != idInt {
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

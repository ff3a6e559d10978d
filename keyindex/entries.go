package keyindex

import (
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Scratch holds buffers for building keys. It belongs to one transaction.
type Scratch struct{ form, other, key, to []byte }

// Shrink gives up buffers of more than max bytes.
func (s *Scratch) Shrink(max int) {
	if cap(s.form)+cap(s.other)+cap(s.key)+cap(s.to) > max {
		*s = Scratch{}
	}
}

// Form returns the ordered form of a value, valid until the next call.
func (s *Scratch) Form(v value.Value) ([]byte, error) {
	form, _, err := value.AppendOrdered(s.form[:0], v)
	if err != nil {
		return nil, fmt.Errorf("index value %s: %w", v.Brief(), err)
	}
	s.form = form
	return form, nil
}

// SameForm reports whether two values share one entry.
func (s *Scratch) SameForm(a, b value.Value) (bool, error) {
	form, err := s.Form(a)
	if err != nil {
		return false, err
	}
	if s.other, _, err = value.AppendOrdered(s.other[:0], b); err != nil {
		return false, err
	}
	return string(form) == string(s.other), nil
}

// Add writes the entry of an element's value, forward and reverse.
func (s *Scratch) Add(tx storage.Tx, e table.KeyIndex, v value.Value) error {
	var err error
	if e.Value, err = s.Form(v); err != nil {
		return err
	}
	s.key = table.AppendKeyIndex(s.key[:0], e)
	if err := tx.Set(s.key, nil); err != nil {
		return err
	}
	s.key = table.AppendKeyOwned(s.key[:0], e)
	return tx.Set(s.key, nil)
}

// Remove deletes the entry of an element's value, forward and reverse.
func (s *Scratch) Remove(tx storage.Tx, e table.KeyIndex, v value.Value) error {
	var err error
	if e.Value, err = s.Form(v); err != nil {
		return err
	}
	return s.remove(tx, e)
}

func (s *Scratch) remove(tx storage.Tx, e table.KeyIndex) error {
	s.key = table.AppendKeyIndex(s.key[:0], e)
	if err := tx.Delete(s.key); err != nil {
		return err
	}
	s.key = table.AppendKeyOwned(s.key[:0], e)
	return tx.Delete(s.key)
}

// RemoveElement deletes all entries of an element in every index of its class. It
// costs what the element owns. Where reads are not validated, fence makes it conflict
// with entries that others add meanwhile.
func (s *Scratch) RemoveElement(tx storage.Tx, graph uint32, c table.Class, element uint64, d *Definitions, fence bool) error {
	if len(d.Keys(c)) > 0 || d.Every(c) {
		if err := s.removeOwned(tx, graph, c, element); err != nil {
			return err
		}
		if err := fenceRow(tx, table.AppendKeyOwnedRow(nil, graph, c, element), fence); err != nil {
			return err
		}
	}
	for _, def := range d.AllNamed() {
		if def.Class != c {
			continue
		}
		if err := removeNamedElement(tx, graph, def.Number, element); err != nil {
			return fmt.Errorf("index %q: %w", def.Name, err)
		}
		if err := fenceRow(tx, table.AppendNamedOwnedRow(nil, graph, def.Number, element), fence); err != nil {
			return err
		}
	}
	return nil
}

// fenceRow deletes a row as a range, which conflicts with every write into it.
func fenceRow(tx storage.Tx, prefix []byte, fence bool) error {
	if !fence {
		return nil
	}
	return tx.DeleteRange(prefix, table.PrefixEnd(nil, prefix))
}

func (s *Scratch) removeOwned(tx storage.Tx, graph uint32, c table.Class, element uint64) error {
	from := table.AppendKeyOwnedRow(nil, graph, c, element)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		e, err := table.DecodeKeyOwned(it.Key())
		if err != nil {
			return fmt.Errorf("reverse row: %w: %w", storage.ErrCorrupt, err)
		}
		if err := s.remove(tx, e); err != nil {
			return err
		}
	}
	return it.Err()
}

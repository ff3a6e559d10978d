package machine

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What a script costs is counted before it is done. Every built-in method gets what it
// works on through Methods.Try, which counts its size as work, and every operator through
// Binary; whoever makes something calls Charge, Text or NewText before. Where a function
// has no error to return, the machine keeps it (stop) and the next step returns it: what
// was cut short is never an answer.

const (
	workEvery = 256 << 10 // bytes of work between two looks at the context
	ItemWork  = 100       // bytes of work that looking at an element counts for
	// TextMax is the length in bytes of the longest text: what goes through a text once
	// ends before anybody waits for it.
	TextMax = 16 << 20

	ValueBytes = 24             // what a list is charged for one element
	EntryBytes = 6 * ValueBytes // what a map or set is charged for one entry
)

// Work counts n bytes that are looked at; with it a machine is a traversal.Worker.
func (m *Machine) Work(n int) error {
	if m.Failed != nil {
		return m.Surface()
	}
	if m.worked += n; m.worked < workEvery {
		return nil
	}
	m.worked = 0
	return m.Poll()
}

// Poll looks at the context.
func (m *Machine) Poll() error {
	if m.Context.Err() != nil {
		return m.Stop(traversal.ErrTimeout)
	}
	return nil
}

// Charge counts bytes that the script makes, before it does.
func (m *Machine) Charge(n int) error {
	if m.Failed != nil {
		return m.Surface()
	}
	m.Bytes += int64(n)
	if m.Bytes > m.State.Options.Limits.Bytes {
		return m.Stop(fmt.Errorf("%w: more than %d bytes", ErrLimit, m.State.Options.Limits.Bytes))
	}
	if err := m.State.Options.Account.Charge(int64(n)); err != nil {
		return m.Stop(err)
	}
	return m.Work(n)
}

// Stop keeps an error that ends the evaluation, or is thrown by its next step, for those
// who cannot return it, and returns it.
func (m *Machine) Stop(err error) error {
	if m.Failed == nil {
		m.Failed = err
	}
	return m.Failed
}

// Surface returns the error that was kept. What a script may catch is thrown once; what
// it may not stays.
func (m *Machine) Surface() error {
	err := m.Failed
	if err != nil && Catchable(err) {
		m.Failed = nil
	}
	return err
}

// LooksAt counts the size of values that a built-in is about to go through. A bulk set is
// taken apart by most, which is charged.
func (m *Machine) LooksAt(vs ...value.Value) error {
	n := 0
	for _, v := range vs {
		n += Extent(v)
		if s := v.BulkSet(); s != nil {
			if err := m.Charge(ValueBytes * int(min(s.Size(), bulkMax))); err != nil {
				return err
			}
		}
	}
	return m.Work(n)
}

// Extent is the work of going through a value once, without what its elements hold.
func Extent(v value.Value) int {
	switch v.Kind() {
	case value.KindString:
		return len(v.Str())
	case value.KindList:
		return ItemWork * len(v.Elems())
	case value.KindMap:
		return ItemWork * v.Map().Len()
	case value.KindSet:
		return ItemWork * v.Set().Len()
	case value.KindPath:
		return ItemWork * len(v.Path().Objects)
	case value.KindTree:
		return ItemWork * len(v.Tree().Keys)
	case value.KindBigInteger:
		return value.AsBigInt(v).BitLen() / 8
	case value.KindForeign:
		if l, ok := v.Object().(*List); ok {
			return ItemWork * len(l.Elems)
		}
		if k, ok := v.Object().(keeping); ok {
			held, n := k.Keeps()
			return ItemWork*len(held) + n
		}
	}
	return ItemWork
}

// NewSet makes a set of values.
func (m *Machine) NewSet(items []value.Value) (value.Value, error) { return m.setBy(items, m.Key) }

// setOfKeys is newSet of values that were copied already.
func (m *Machine) setOfKeys(items []value.Value) (value.Value, error) {
	return m.setBy(items, func(v value.Value) value.Value { return v })
}

func (m *Machine) setBy(items []value.Value, key func(value.Value) value.Value) (value.Value, error) {
	if err := m.Charge(EntryBytes * len(items)); err != nil {
		return value.Null, err
	}
	set := value.NewSet()
	for _, v := range items {
		if err := m.Work(ItemWork + Extent(v)); err != nil {
			return value.Null, err
		}
		set.Add(key(v))
	}
	return set.Value(), m.Surface()
}

// Copied makes a list of the same elements.
func (m *Machine) Copied(elems []value.Value) (value.Value, error) {
	if err := m.Charge(ValueBytes * (len(elems) + 2)); err != nil {
		return value.Null, err
	}
	return NewList(append([]value.Value(nil), elems...)), nil
}

// PutAll copies the entries of one map to another.
func (m *Machine) PutAll(to, from *value.Map) error {
	if err := m.Charge(EntryBytes * from.Len()); err != nil {
		return err
	}
	for i := range from.Len() {
		if err := m.Work(ItemWork); err != nil {
			return err
		}
		to.Put(from.Entry(i))
	}
	return nil
}

// Sorted sorts stably in place; the first error of compare ends it.
func (m *Machine) Sorted(elems []value.Value, compare func(a, b value.Value) (int, error)) error {
	if err := m.Charge(ValueBytes * len(elems)); err != nil {
		return err
	}
	return mergeSort(elems, make([]value.Value, len(elems)), func(a, b value.Value) (int, error) {
		if err := m.Step(); err != nil {
			return 0, err
		}
		return compare(a, b)
	})
}

func mergeSort(elems, room []value.Value, compare func(a, b value.Value) (int, error)) error {
	if len(elems) < 2 {
		return nil
	}
	half := len(elems) / 2
	if err := mergeSort(elems[:half], room, compare); err != nil {
		return err
	}
	if err := mergeSort(elems[half:], room, compare); err != nil {
		return err
	}
	left := append(room[:0], elems[:half]...)
	right := elems[half:]
	for at := 0; len(left) > 0; at++ {
		if len(right) > 0 {
			c, err := compare(right[0], left[0])
			if err != nil {
				copy(elems[at:], left) // nothing is lost
				return err
			}
			if c < 0 {
				elems[at], right = right[0], right[1:]
				continue
			}
		}
		elems[at], left = left[0], left[1:]
	}
	return nil
}

// SetOf and listOf make collections of what each hands out.
func (m *Machine) SetOf(v value.Value) (value.Value, error) {
	items, err := m.Items(v)
	if err != nil {
		return value.Null, err
	}
	return m.NewSet(items)
}

// ListOf makes a list of what Each hands out.
func (m *Machine) ListOf(v value.Value) (value.Value, error) {
	items, err := m.Items(v)
	if err != nil {
		return value.Null, err
	}
	return m.Copied(items)
}

// NewText charges for a text of n bytes that is to be made.
func (m *Machine) NewText(n int) error {
	if n > TextMax {
		return m.Stop(fmt.Errorf("%w: a text of %d bytes, more than %d", ErrLimit, n, TextMax))
	}
	return m.Charge(textBytes + n)
}

// Text wraps a string that the script made.
func (m *Machine) Text(s string) (value.Value, error) {
	return value.String(s), m.NewText(len(s))
}

// JoinedTexts is s + t.
func (m *Machine) JoinedTexts(s, t string) (value.Value, error) {
	if err := m.NewText(len(s) + len(t)); err != nil {
		return value.Null, err
	}
	return value.String(s + t), nil
}

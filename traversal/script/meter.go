package script

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What a script costs is counted before it is done. Every built-in method gets what it
// works on through methods.try, which counts its size as work, and every operator through
// binary; whoever makes something calls charge, text or newText before. Where a function
// has no error to return, the machine keeps it (stop) and the next step returns it: what
// was cut short is never an answer.

const (
	workEvery = 256 << 10 // bytes of work between two looks at the context
	itemWork  = 100       // bytes of work that looking at an element counts for
	// textMax is the length in bytes of the longest text: what goes through a text once
	// ends before anybody waits for it.
	textMax = 16 << 20

	valueBytes = 24             // what a list is charged for one element
	entryBytes = 6 * valueBytes // what a map or set is charged for one entry
)

// Work counts n bytes that are looked at; with it a machine is a traversal.Worker.
func (m *machine) Work(n int) error {
	if m.failed != nil {
		return m.surface()
	}
	if m.worked += n; m.worked < workEvery {
		return nil
	}
	m.worked = 0
	return m.poll()
}

// poll looks at the context.
func (m *machine) poll() error {
	if m.ctx.Err() != nil {
		return m.stop(traversal.ErrTimeout)
	}
	return nil
}

// charge counts bytes that the script makes, before it does.
func (m *machine) charge(n int) error {
	if m.failed != nil {
		return m.surface()
	}
	m.bytes += int64(n)
	if m.bytes > m.s.o.Limits.Bytes {
		return m.stop(fmt.Errorf("%w: more than %d bytes", ErrLimit, m.s.o.Limits.Bytes))
	}
	if err := m.s.o.Account.Charge(int64(n)); err != nil {
		return m.stop(err)
	}
	return m.Work(n)
}

// stop keeps an error that ends the evaluation, or is thrown by its next step, for those
// who cannot return it, and returns it.
func (m *machine) stop(err error) error {
	if m.failed == nil {
		m.failed = err
	}
	return m.failed
}

// surface returns the error that was kept. What a script may catch is thrown once; what
// it may not stays.
func (m *machine) surface() error {
	err := m.failed
	if err != nil && catchable(err) {
		m.failed = nil
	}
	return err
}

// looksAt counts the size of values that a built-in is about to go through. A bulk set is
// taken apart by most, which is charged.
func (m *machine) looksAt(vs ...value.Value) error {
	n := 0
	for _, v := range vs {
		n += extent(v)
		if s := v.BulkSet(); s != nil {
			if err := m.charge(valueBytes * int(min(s.Size(), bulkMax))); err != nil {
				return err
			}
		}
	}
	return m.Work(n)
}

// extent is the work of going through a value once, without what its elements hold.
func extent(v value.Value) int {
	switch v.Kind() {
	case value.KindString:
		return len(v.Str())
	case value.KindList:
		return itemWork * len(v.Elems())
	case value.KindMap:
		return itemWork * v.Map().Len()
	case value.KindSet:
		return itemWork * v.Set().Len()
	case value.KindPath:
		return itemWork * len(v.Path().Objects)
	case value.KindTree:
		return itemWork * len(v.Tree().Keys)
	case value.KindBigInteger:
		return value.AsBigInt(v).BitLen() / 8
	case value.KindForeign:
		if l, ok := v.Object().(*list); ok {
			return itemWork * len(l.elems)
		}
		if k, ok := v.Object().(keeping); ok {
			held, n := k.keeps()
			return itemWork*len(held) + n
		}
	}
	return itemWork
}

// newSet makes a set of values.
func (m *machine) newSet(items []value.Value) (value.Value, error) { return m.setBy(items, m.key) }

// setOfKeys is newSet of values that were copied already.
func (m *machine) setOfKeys(items []value.Value) (value.Value, error) {
	return m.setBy(items, func(v value.Value) value.Value { return v })
}

func (m *machine) setBy(items []value.Value, key func(value.Value) value.Value) (value.Value, error) {
	if err := m.charge(entryBytes * len(items)); err != nil {
		return value.Null, err
	}
	set := value.NewSet()
	for _, v := range items {
		if err := m.Work(itemWork + extent(v)); err != nil {
			return value.Null, err
		}
		set.Add(key(v))
	}
	return set.Value(), m.surface()
}

// copied makes a list of the same elements.
func (m *machine) copied(elems []value.Value) (value.Value, error) {
	if err := m.charge(valueBytes * (len(elems) + 2)); err != nil {
		return value.Null, err
	}
	return newList(append([]value.Value(nil), elems...)), nil
}

// putAll copies the entries of one map to another.
func (m *machine) putAll(to, from *value.Map) error {
	if err := m.charge(entryBytes * from.Len()); err != nil {
		return err
	}
	for i := range from.Len() {
		if err := m.Work(itemWork); err != nil {
			return err
		}
		to.Put(from.Entry(i))
	}
	return nil
}

// sorted sorts stably in place; the first error of compare ends it.
func (m *machine) sorted(elems []value.Value, compare func(a, b value.Value) (int, error)) error {
	if err := m.charge(valueBytes * len(elems)); err != nil {
		return err
	}
	return mergeSort(elems, make([]value.Value, len(elems)), func(a, b value.Value) (int, error) {
		if err := m.step(); err != nil {
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

// setOf and listOf make collections of what each hands out.
func (m *machine) setOf(v value.Value) (value.Value, error) {
	items, err := m.items(v)
	if err != nil {
		return value.Null, err
	}
	return m.newSet(items)
}

func (m *machine) listOf(v value.Value) (value.Value, error) {
	items, err := m.items(v)
	if err != nil {
		return value.Null, err
	}
	return m.copied(items)
}

// newText charges for a text of n bytes that is to be made.
func (m *machine) newText(n int) error {
	if n > textMax {
		return m.stop(fmt.Errorf("%w: a text of %d bytes, more than %d", ErrLimit, n, textMax))
	}
	return m.charge(n)
}

// text wraps a string that the script made.
func (m *machine) text(s string) (value.Value, error) {
	return value.String(s), m.newText(len(s))
}

// joinedTexts is s + t.
func (m *machine) joinedTexts(s, t string) (value.Value, error) {
	if err := m.newText(len(s) + len(t)); err != nil {
		return value.Null, err
	}
	return value.String(s + t), nil
}

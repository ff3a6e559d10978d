package machine

import (
	"fmt"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// Iterable reports whether v has elements one after the other.
func Iterable(v value.Value) bool {
	switch v.Kind() {
	case value.KindList, value.KindSet, value.KindBulkSet, value.KindMap:
		return true
	}
	switch Foreign(v).(type) {
	case *List, cursor, listed:
		return true
	}
	return false
}

// Each calls fn for the elements of v until it returns false: the elements of a
// collection, the entries of a map, the characters of a text, the results of a
// traversal, nothing for null, else v itself.
func (m *Machine) Each(v value.Value, fn func(value.Value) (bool, error)) error {
	next, err := m.cursor(v)
	for err == nil {
		var item value.Value
		var ok bool
		if item, ok, err = next(); err != nil || !ok {
			return err
		}
		if err = m.Step(); err == nil {
			ok, err = fn(item)
		}
		if !ok {
			return err
		}
	}
	return err
}

// cursor returns a function that hands out the elements of v one by one.
func (m *Machine) cursor(v value.Value) (func() (value.Value, bool, error), error) {
	switch o := Foreign(v).(type) {
	case *List:
		i := 0
		return func() (value.Value, bool, error) {
			if i >= len(o.Elems) { // it may grow or shrink on the way
				return value.Null, false, nil
			}
			i++
			return o.Elems[i-1], true, nil
		}, nil
	case cursor:
		return func() (value.Value, bool, error) { return o.Take(m) }, nil
	}
	items, err := m.Items(v)
	i := 0
	return func() (value.Value, bool, error) {
		if i >= len(items) {
			return value.Null, false, nil
		}
		i++
		return items[i-1], true, nil
	}, err
}

// Items returns what each hands out, all at once.
func (m *Machine) Items(v value.Value) ([]value.Value, error) {
	if s := v.BulkSet(); s != nil && s.Size() > bulkMax {
		return nil, fmt.Errorf("%w: a bulk set of %d elements is taken apart", ErrLimit, s.Size())
	}
	if elems, ok := Collection(v); ok {
		return elems, nil
	}
	switch v.Kind() {
	case value.KindNull:
		return nil, nil
	case value.KindMap:
		return m.Entries(v.Map())
	case value.KindString:
		n := utf8.RuneCountInString(v.Str())
		if err := m.Charge((ValueBytes + 8) * n); err != nil {
			return nil, err
		}
		chars := make([]value.Value, 0, n)
		for _, r := range v.Str() {
			chars = append(chars, value.String(string(r)))
		}
		return chars, nil
	case value.KindPath:
		return v.Path().Objects, nil
	}
	switch o := Foreign(v).(type) {
	case listed:
		return o.items(m)
	case streamed:
		return o.Elements(), nil
	case cursor:
		var all []value.Value
		err := m.Each(v, func(item value.Value) (bool, error) {
			if err := m.Keep(item); err != nil {
				return false, err
			}
			all = append(all, item)
			return true, nil
		})
		return all, err
	}
	return []value.Value{v}, nil
}

// Keep charges for a result that a list takes in.
func (m *Machine) Keep(v value.Value) error {
	n := int64(ValueBytes)
	if v.Kind() == value.KindString {
		n += int64(len(v.Str()))
	}
	return m.Charge(int(n + ValueBytes*min(v.Parts(), exportMax)))
}

// Entries are those of a map as values.
func (m *Machine) Entries(of *value.Map) ([]value.Value, error) {
	if err := m.Charge(EntryBytes * of.Len()); err != nil {
		return nil, err
	}
	out := make([]value.Value, of.Len())
	for i := range out {
		k, v := of.Entry(i)
		out[i] = value.OfMapEntry(&value.MapEntry{Key: k, Value: v})
	}
	return out, nil
}

// Iterator is a java.util.Iterator over values at hand.
type Iterator struct {
	Rest []value.Value
}

// Take returns the next value, false at the end.
func (it *Iterator) Take(*Machine) (value.Value, bool, error) {
	if len(it.Rest) == 0 {
		return value.Null, false, nil
	}
	v := it.Rest[0]
	it.Rest = it.Rest[1:]
	return v, true, nil
}

// Truth reports whether anything is left or there.
func (it *Iterator) Truth(*Machine) (bool, error) { return len(it.Rest) > 0, nil }

// Keeps returns what the object holds.
func (it *Iterator) Keeps() ([]value.Value, int) { return it.Rest, 0 }

// ClassName returns the name of the Java class.
func (it *Iterator) ClassName() string { return "java.util.Iterator" }

// Text returns the text of the object.
func (it *Iterator) Text(*Machine) string { return "java.util.Iterator" }

// Property reads a property, false when there is none of that name.
func (it *Iterator) Property(*Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (it *Iterator) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "hasNext" && len(args) == 0:
		return value.Bool(len(it.Rest) > 0), true, nil
	case name == "next" && len(args) == 0:
		v, ok, _ := it.Take(m)
		if !ok {
			return v, true, Fail(NoSuchElement, "")
		}
		return v, true, nil
	}
	return value.Null, false, nil
}

// ToList is at the same time what each, collect and the like see of an iterator.
func (m *Machine) ToList(v value.Value) (value.Value, error) {
	items, err := m.Items(v)
	return NewList(items), err
}

package script

import (
	"fmt"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// iterable reports whether v has elements one after the other.
func iterable(v value.Value) bool {
	switch v.Kind() {
	case value.KindList, value.KindSet, value.KindBulkSet, value.KindMap:
		return true
	}
	switch foreign(v).(type) {
	case *list, cursor, listed:
		return true
	}
	return false
}

// each calls fn for the elements of v until it returns false: the elements of a
// collection, the entries of a map, the characters of a text, the results of a
// traversal, nothing for null, else v itself.
func (m *machine) each(v value.Value, fn func(value.Value) (bool, error)) error {
	next, err := m.cursor(v)
	for err == nil {
		var item value.Value
		var ok bool
		if item, ok, err = next(); err != nil || !ok {
			return err
		}
		if err = m.step(); err == nil {
			ok, err = fn(item)
		}
		if !ok {
			return err
		}
	}
	return err
}

// cursor returns a function that hands out the elements of v one by one.
func (m *machine) cursor(v value.Value) (func() (value.Value, bool, error), error) {
	switch o := foreign(v).(type) {
	case *list:
		i := 0
		return func() (value.Value, bool, error) {
			if i >= len(o.elems) { // it may grow or shrink on the way
				return value.Null, false, nil
			}
			i++
			return o.elems[i-1], true, nil
		}, nil
	case cursor:
		return func() (value.Value, bool, error) { return o.next(m) }, nil
	}
	items, err := m.items(v)
	i := 0
	return func() (value.Value, bool, error) {
		if i >= len(items) {
			return value.Null, false, nil
		}
		i++
		return items[i-1], true, nil
	}, err
}

// items returns what each hands out, all at once.
func (m *machine) items(v value.Value) ([]value.Value, error) {
	if s := v.BulkSet(); s != nil && s.Size() > bulkMax {
		return nil, fmt.Errorf("%w: a bulk set of %d elements is taken apart", ErrLimit, s.Size())
	}
	if elems, ok := collection(v); ok {
		return elems, nil
	}
	switch v.Kind() {
	case value.KindNull:
		return nil, nil
	case value.KindMap:
		return m.entries(v.Map())
	case value.KindString:
		n := utf8.RuneCountInString(v.Str())
		if err := m.charge((valueBytes + 8) * n); err != nil {
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
	switch o := foreign(v).(type) {
	case listed:
		return o.items(m)
	case streamed:
		return o.elements(), nil
	case cursor:
		var all []value.Value
		err := m.each(v, func(item value.Value) (bool, error) {
			if err := m.keep(item); err != nil {
				return false, err
			}
			all = append(all, item)
			return true, nil
		})
		return all, err
	}
	return []value.Value{v}, nil
}

// keep charges for a result that a list takes in.
func (m *machine) keep(v value.Value) error {
	n := int64(valueBytes)
	if v.Kind() == value.KindString {
		n += int64(len(v.Str()))
	}
	return m.charge(int(n + valueBytes*min(v.Parts(), exportMax)))
}

// entries are those of a map as values.
func (m *machine) entries(of *value.Map) ([]value.Value, error) {
	if err := m.charge(entryBytes * of.Len()); err != nil {
		return nil, err
	}
	out := make([]value.Value, of.Len())
	for i := range out {
		k, v := of.Entry(i)
		out[i] = value.OfMapEntry(&value.MapEntry{Key: k, Value: v})
	}
	return out, nil
}

// iterator is a java.util.Iterator over values at hand.
type iterator struct {
	rest []value.Value
}

func (it *iterator) next(*machine) (value.Value, bool, error) {
	if len(it.rest) == 0 {
		return value.Null, false, nil
	}
	v := it.rest[0]
	it.rest = it.rest[1:]
	return v, true, nil
}

func (it *iterator) truth(*machine) (bool, error) { return len(it.rest) > 0, nil }

func (it *iterator) export(e *exporter, depth int) (value.Value, bool) {
	return value.List(e.all(it.rest, depth)), true
}

func (it *iterator) keeps() ([]value.Value, int) { return it.rest, 0 }

func (it *iterator) className() string { return "java.util.Iterator" }

func (it *iterator) text(*machine) string { return "java.util.Iterator" }

func (it *iterator) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (it *iterator) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "hasNext" && len(args) == 0:
		return value.Bool(len(it.rest) > 0), true, nil
	case name == "next" && len(args) == 0:
		v, ok, _ := it.next(m)
		if !ok {
			return v, true, fail(noSuchElement, "")
		}
		return v, true, nil
	}
	return value.Null, false, nil
}

// toList is at the same time what each, collect and the like see of an iterator.
func (m *machine) toList(v value.Value) (value.Value, error) {
	items, err := m.items(v)
	return newList(items), err
}

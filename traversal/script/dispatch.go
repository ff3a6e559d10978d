package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// method is one built-in method; args has between least and most elements.
type method = struct {
	least, most int
	call        func(m *machine, self value.Value, args []value.Value) (value.Value, error)
}

type methods map[string]method

// try calls a built-in method, false when there is none for that many arguments.
func (ms methods) try(m *machine, self value.Value, name string, args []value.Value) (value.Value, bool, error) {
	b, ok := ms[name]
	if !ok || len(args) < b.least || len(args) > b.most {
		return value.Null, false, nil
	}
	if err := m.looksAt(self); err != nil {
		return value.Null, true, err
	}
	if err := m.looksAt(args...); err != nil {
		return value.Null, true, err
	}
	v, err := b.call(m, self, args)
	if err == nil {
		err = m.surface()
	}
	return v, true, err
}

// refusedMethods reach the host or the class system on any object.
var refusedMethods = map[string]bool{
	"execute": true, "getClassLoader": true, "forName": true, "newInstance": true, "metaClass": true, "getMetaClass": true,
	"invokeMethod": true, "eachLine": true, "toURL": true, "toURI": true, "eachFile": true,
}

// method calls v.name(args) at a place of the text.
func (m *machine) method(src *source, at int, v value.Value, name string, args []value.Value) (value.Value, error) {
	if refusedMethods[name] && m.refuses(v) {
		return value.Null, src.refused(at, name+"()")
	}
	if err := m.step(); err != nil {
		return value.Null, err
	}
	r, err := m.invoke(v, name, args)
	if u, ok := err.(*unknownClass); ok {
		return value.Null, src.refused(at, u.name)
	}
	return r, err
}

// refuses reports whether refusedMethods hold for v: not for a map's own keys.
func (m *machine) refuses(v value.Value) bool { return v.Kind() != value.KindMap }

// unknownClass is the error of a class that scripts do not have.
type unknownClass struct{ name string }

func (u *unknownClass) Error() string { return u.name + " is not supported in scripts" }

// invoke calls a method.
func (m *machine) invoke(v value.Value, name string, args []value.Value) (value.Value, error) {
	if v.IsNull() {
		switch name {
		case "toString":
			return value.String("null"), nil
		case "equals", "is":
			return value.Bool(len(args) == 1 && args[0].IsNull()), nil
		}
		return value.Null, fail(nullPointer, "Cannot invoke method %s() on null object", name)
	}
	if r, ok, err := m.tryMethod(v, name, args); ok || err != nil {
		return r, err
	}
	return value.Null, m.noMethod(v, name, args)
}

func (m *machine) noMethod(v value.Value, name string, args []value.Value) error {
	return fail(missingMethod, "No signature of method: %s.%s() is applicable for argument types: (%s) values: %s",
		m.classOf(v), name, m.types(args), m.shown(newList(args)))
}

// tryMethod calls a method of v's class, or one that every object has.
func (m *machine) tryMethod(v value.Value, name string, args []value.Value) (value.Value, bool, error) {
	if o := foreign(v); o != nil {
		if r, ok, err := o.method(m, name, args); ok || err != nil {
			return r, ok, err
		}
	}
	if r, ok, err := m.tables().of(v.Kind()).try(m, v, name, args); ok || err != nil {
		return r, ok, err
	}
	if v.Kind() == value.KindMap {
		if c, ok := m.mapEntry(v, name); ok {
			r, err := m.invoke(c, "call", args)
			return r, true, err
		}
	}
	if iterable(v) {
		if r, ok, err := m.tables().iterables.try(m, v, name, args); ok || err != nil {
			return r, ok, err
		}
		if oneByOne[name] {
			return m.listed(v, name, args)
		}
	}
	return m.tables().any.try(m, v, name, args)
}

// oneByOne are methods of lists that Groovy has for what hands out its elements, too.
var oneByOne = map[string]bool{"withIndex": true, "indexed": true, "sort": true, "toSorted": true, "unique": true, "toUnique": true, "take": true, "drop": true}

// listed calls a list's method with the elements of a traversal or an iterator.
func (m *machine) listed(v value.Value, name string, args []value.Value) (value.Value, bool, error) {
	switch foreign(v).(type) {
	case cursor, listed:
	default:
		return value.Null, false, nil
	}
	items, err := m.items(v)
	if err != nil {
		return value.Null, true, err
	}
	if r, ok, err := m.tables().cursors.try(m, newList(items), name, args); ok || err != nil {
		return r, ok, err
	}
	return m.tables().lists.try(m, newList(items), name, args)
}

func (m *machine) mapEntry(v value.Value, name string) (value.Value, bool) {
	c, ok := v.Map().GetString(name)
	if !ok || foreign(c) == nil {
		return c, false
	}
	_, ok = foreign(c).(*closure)
	return c, ok
}

// of are the methods of the values of one kind.
func (t *tables) of(k value.Kind) methods {
	switch {
	case k == value.KindString || k == value.KindChar:
		return t.strings
	case k == value.KindMap:
		return t.maps
	case k == value.KindSet:
		return t.sets
	case k == value.KindList || k == value.KindBulkSet:
		return t.fixedLists
	case k.IsNumber():
		return t.numbers
	case k.IsElement() || k == value.KindProperty:
		return t.elements
	case k == value.KindPath:
		return t.paths
	case k == value.KindMapEntry:
		return t.entries
	case k.IsEnum():
		return t.enums
	case k == value.KindClass:
		return t.classes
	case k == value.KindP:
		return t.predicates
	case k == value.KindTree:
		return t.trees
	case isTime(k):
		return t.times
	case k == value.KindDuration:
		return t.durations
	case k == value.KindMetrics || k == value.KindTraversalMetrics:
		return t.metrics
	case k == value.KindExplanation:
		return t.explained
	}
	return nil
}

// property reads v.name.
func (m *machine) property(src *source, at int, v value.Value, name string) (value.Value, error) {
	if v.IsNull() {
		return v, fail(nullPointer, "Cannot get property '%s' on null object", name)
	}
	if v.Kind() == value.KindMap {
		return m.lookUp(v.Map(), value.String(name))
	}
	if v.Kind() == value.KindTree { // a map of trees
		return treeGet(m, v, []value.Value{value.String(name)})
	}
	if o := foreign(v); o != nil {
		if r, ok := o.property(m, name); ok {
			return r, nil
		}
	}
	if refusedMethods[name] || refusedMethods["get"+capital(name)] {
		return v, src.refused(at, name)
	}
	if v.Kind() == value.KindPath {
		if r, ok := pathAt(v.Path(), name); ok {
			return r, nil
		}
	}
	for _, getter := range [2]string{"get" + capital(name), "is" + capital(name)} {
		r, ok, err := m.tryMethod(v, getter, nil)
		if _, unknown := err.(*unknownClass); unknown {
			break
		}
		if ok || err != nil {
			return r, err
		}
	}
	if elems, ok := collection(v); ok {
		return m.spread(newList(elems), func(item value.Value) (value.Value, error) { return m.property(src, at, item, name) })
	}
	if c, ok := foreign(v).(class); ok {
		return v, src.refused(at, c.refusal(name))
	}
	return v, fail(missingProperty, "No such property: %s for class: %s", name, m.classOf(v))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// setProperty is v.name = x.
func (m *machine) setProperty(v value.Value, name string, x value.Value) error {
	switch {
	case v.IsNull():
		return fail(nullPointer, "Cannot set property '%s' on null object", name)
	case v.Kind() == value.KindMap:
		if err := m.charge(entryBytes); err != nil {
			return err
		}
		return m.put(v.Map(), value.String(name), x)
	}
	return fail(readOnlyProperty, "Cannot set property: %s for class: %s", name, m.classOf(v))
}

// spread is list*.x.
func (m *machine) spread(v value.Value, fn func(value.Value) (value.Value, error)) (value.Value, error) {
	if v.IsNull() {
		return v, nil
	}
	var out []value.Value
	err := m.each(v, func(item value.Value) (bool, error) {
		r, err := fn(item)
		if err == nil {
			err = m.charge(valueBytes)
		}
		out = append(out, r)
		return true, err
	})
	return newList(out), err
}

// at is v[k].
func (m *machine) at(v, k value.Value) (value.Value, error) {
	switch {
	case v.IsNull():
		return v, fail(nullPointer, "Cannot invoke method getAt() on null object")
	case v.Kind() == value.KindMap:
		return m.lookUp(v.Map(), k)
	case v.Kind() == value.KindTree:
		return treeGet(m, v, []value.Value{k})
	case v.Kind() == value.KindString:
		return m.stringAt(v.Str(), k)
	}
	if k.Kind() == value.KindString {
		if _, isList := foreign(v).(*list); !isList {
			return m.property(&source{}, 0, v, k.Str())
		}
	}
	if v.Kind() == value.KindPath {
		return m.listAt(v.Path().Objects, k)
	}
	if x, ok := foreign(v).(indexed); ok {
		return x.at(m, k)
	}
	if elems, ok := collection(v); ok {
		return m.listAt(elems, k)
	}
	return v, m.noMethod(v, "getAt", []value.Value{k})
}

// putAt is v[k] = x.
func (m *machine) putAt(v, k, x value.Value) error {
	if v.Kind() == value.KindMap {
		if err := m.charge(entryBytes); err != nil {
			return err
		}
		return m.put(v.Map(), m.key(k), x)
	}
	l, ok := foreign(v).(*list)
	if !ok || !k.Kind().IsNumber() {
		return m.noMethod(v, "putAt", []value.Value{k, x})
	}
	l.span = nil // what is changed is a range no longer
	i := value.AsInt64(k)
	if i < 0 {
		i += int64(len(l.elems))
	}
	if i < 0 || i >= int64(m.s.o.Limits.Items) {
		return fail(indexException, "Index %d out of bounds for length %d", value.AsInt64(k), len(l.elems))
	}
	if grow := int(i) - len(l.elems) + 1; grow > 0 {
		if err := m.charge(valueBytes * grow); err != nil {
			return err
		}
		l.elems = append(l.elems, make([]value.Value, grow)...)
	}
	l.elems[i] = x
	return nil
}

// listAt reads an element, or those of a list of indexes.
func (m *machine) listAt(elems []value.Value, k value.Value) (value.Value, error) {
	if s := spanOf(k); s != nil {
		return m.slice(elems, s)
	}
	if ks, ok := listElems(k); ok {
		if err := m.charge(valueBytes * len(ks)); err != nil {
			return value.Null, err
		}
		out := make([]value.Value, len(ks))
		for i, k := range ks {
			err := m.Work(itemWork)
			if err == nil {
				out[i], err = m.listAt(elems, k)
			}
			if err != nil {
				return value.Null, err
			}
		}
		return newList(out), nil
	}
	if !k.Kind().IsNumber() {
		return value.Null, m.noMethod(newList(elems), "getAt", []value.Value{k})
	}
	i := value.AsInt64(k)
	if i < 0 {
		if i += int64(len(elems)); i < 0 {
			return value.Null, fail("java.lang.ArrayIndexOutOfBoundsException", "Negative array index [%d] too large for array size %d", value.AsInt64(k), len(elems))
		}
	}
	if i >= int64(len(elems)) {
		return value.Null, nil
	}
	return elems[i], nil
}

func (m *machine) stringAt(s string, k value.Value) (value.Value, error) {
	if part := spanOf(k); part != nil {
		return m.textSlice(s, part)
	}
	if ks, ok := listElems(k); ok {
		if err := m.newText(utf8.UTFMax * len(ks)); err != nil {
			return value.Null, err
		}
		var b strings.Builder
		for _, k := range ks {
			c, err := m.stringAt(s, k)
			if err != nil {
				return c, err
			}
			b.WriteString(c.Str())
		}
		return value.String(b.String()), nil
	}
	if err := m.Work(len(s)); err != nil {
		return value.Null, err
	}
	i := value.AsInt64(k)
	if i < 0 {
		i += int64(utf8.RuneCountInString(s))
	}
	if r, ok := runeAt(s, i); ok && k.Kind().IsNumber() {
		return value.String(string(r)), nil
	}
	return value.Null, fail(stringIndexException, "String index out of range: %s", m.string(k))
}

// runeAt is the i-th character of a text, false outside of it.
func runeAt(s string, i int64) (rune, bool) {
	for _, r := range s {
		if i == 0 {
			return r, true
		}
		i--
	}
	return 0, false
}

// with adds the methods of others, which must be of other names.
func (ms methods) with(others ...methods) methods {
	for _, other := range others {
		for name, b := range other {
			ms[name] = b
		}
	}
	return ms
}

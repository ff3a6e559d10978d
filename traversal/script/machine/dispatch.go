package machine

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Method is one built-in method; args has between least and most elements.
type Method = struct {
	Least, Most int
	Call        func(m *Machine, self value.Value, args []value.Value) (value.Value, error)
}

// Methods are built-in methods by name.
type Methods map[string]Method

// Try calls a built-in method, false when there is none for that many arguments.
func (ms Methods) Try(m *Machine, self value.Value, name string, args []value.Value) (value.Value, bool, error) {
	b, ok := ms[name]
	if !ok || len(args) < b.Least || len(args) > b.Most {
		return value.Null, false, nil
	}
	if err := m.LooksAt(self); err != nil {
		return value.Null, true, err
	}
	if err := m.LooksAt(args...); err != nil {
		return value.Null, true, err
	}
	v, err := b.Call(m, self, args)
	if err == nil {
		err = m.Surface()
	}
	if err == nil {
		err = m.Made(v, self)
	}
	return v, true, err
}

// refusedMethods reach the host or the class system on any object.
var refusedMethods = map[string]bool{
	"execute": true, "getClassLoader": true, "forName": true, "newInstance": true, "metaClass": true, "getMetaClass": true,
	"invokeMethod": true, "eachLine": true, "toURL": true, "toURI": true, "eachFile": true,
}

// Method calls v.name(args) at a place of the text.
func (m *Machine) Method(src *Source, at int, v value.Value, name string, args []value.Value) (value.Value, error) {
	if refusedMethods[name] && m.refuses(v) {
		return value.Null, m.Refused(src, at, name+"()")
	}
	if err := m.Step(); err != nil {
		return value.Null, err
	}
	r, err := m.Invoke(v, name, args)
	if u, ok := err.(*UnknownClass); ok {
		refused := m.Refused(src, at, u.Name)
		if c, ok := Foreign(v).(Class); ok {
			return value.Null, Meant(refused, name, "()", func() []string { return membersOf(m, c) })
		}
		return value.Null, refused
	}
	return r, err
}

// refuses reports whether refusedMethods hold for v: not for a map's own keys.
func (m *Machine) refuses(v value.Value) bool { return v.Kind() != value.KindMap }

// UnknownClass is the error of a class that scripts do not have.
type UnknownClass struct{ Name string }

func (u *UnknownClass) Error() string { return u.Name + " is not supported in scripts" }

// Invoke calls a method.
func (m *Machine) Invoke(v value.Value, name string, args []value.Value) (value.Value, error) {
	if v.IsNull() {
		switch name {
		case "toString":
			return value.String("null"), nil
		case "equals", "is":
			return value.Bool(len(args) == 1 && args[0].IsNull()), nil
		}
		return value.Null, Fail(nullPointer, "Cannot invoke method %s() on null object", name)
	}
	if r, ok, err := m.TryMethod(v, name, args); ok || err != nil {
		return r, err
	}
	return value.Null, m.NoMethod(v, name, args)
}

// NoMethod is the error of a method that is not there for these arguments.
func (m *Machine) NoMethod(v value.Value, name string, args []value.Value) error {
	err := Fail(MissingMethod, "No signature of method: %s.%s() is applicable for argument types: (%s) values: %s",
		m.ClassOf(v), name, m.Types(args), m.Shown(NewList(args)))
	return Meant(err, name, "()", func() []string { return m.methodsOf(v) })
}

// TryMethod calls a method of v's class, or one that every object has.
func (m *Machine) TryMethod(v value.Value, name string, args []value.Value) (value.Value, bool, error) {
	if o := Foreign(v); o != nil {
		if r, ok, err := o.Method(m, name, args); ok || err != nil {
			return r, ok, err
		}
	}
	if r, ok, err := m.Tables().Of(v.Kind()).Try(m, v, name, args); ok || err != nil {
		return r, ok, err
	}
	if v.Kind() == value.KindMap {
		if c, ok := m.mapEntry(v, name); ok {
			r, err := m.Invoke(c, "call", args)
			return r, true, err
		}
	}
	if Iterable(v) {
		if r, ok, err := m.Tables().Iterables.Try(m, v, name, args); ok || err != nil {
			return r, ok, err
		}
		if oneByOne[name] {
			return m.listed(v, name, args)
		}
	}
	return m.Tables().Any.Try(m, v, name, args)
}

// oneByOne are methods of lists that Groovy has for what hands out its elements, too.
var oneByOne = map[string]bool{"withIndex": true, "indexed": true, "sort": true, "toSorted": true, "unique": true, "toUnique": true, "take": true, "drop": true}

// listed calls a list's method with the elements of a traversal or an iterator.
func (m *Machine) listed(v value.Value, name string, args []value.Value) (value.Value, bool, error) {
	switch Foreign(v).(type) {
	case cursor, listed:
	default:
		return value.Null, false, nil
	}
	items, err := m.Items(v)
	if err != nil {
		return value.Null, true, err
	}
	if r, ok, err := m.Tables().Cursors.Try(m, NewList(items), name, args); ok || err != nil {
		return r, ok, err
	}
	return m.Tables().Lists.Try(m, NewList(items), name, args)
}

func (m *Machine) mapEntry(v value.Value, name string) (value.Value, bool) {
	c, ok := v.Map().GetString(name)
	if !ok || Foreign(c) == nil {
		return c, false
	}
	_, ok = Foreign(c).(*Closure)
	return c, ok
}

// Of are the methods of the values of one kind.
func (t *Tables) Of(k value.Kind) Methods {
	switch {
	case k == value.KindString || k == value.KindChar:
		return t.Strings
	case k == value.KindMap:
		return t.Maps
	case k == value.KindSet:
		return t.Sets
	case k == value.KindList || k == value.KindBulkSet:
		return t.FixedLists
	case k.IsNumber():
		return t.Numbers
	case k.IsElement() || k == value.KindProperty:
		return t.Elements
	case k == value.KindPath:
		return t.Paths
	case k == value.KindMapEntry:
		return t.Entries
	case k.IsEnum():
		return t.Enums
	case k == value.KindClass:
		return t.Classes
	case k == value.KindP:
		return t.Predicates
	case k == value.KindTree:
		return t.Trees
	case IsTime(k):
		return t.Times
	case k == value.KindDuration:
		return t.Durations
	case k == value.KindMetrics || k == value.KindTraversalMetrics:
		return t.Metrics
	case k == value.KindExplanation:
		return t.Explained
	}
	return nil
}

// Property reads v.name.
func (m *Machine) Property(src *Source, at int, v value.Value, name string) (value.Value, error) {
	if v.IsNull() {
		return v, Fail(nullPointer, "Cannot get property '%s' on null object", name)
	}
	if v.Kind() == value.KindMap {
		return m.LookUp(v.Map(), value.String(name))
	}
	if v.Kind() == value.KindTree { // a map of trees
		return TreeGet(m, v, []value.Value{value.String(name)})
	}
	if o := Foreign(v); o != nil {
		if r, ok := o.Property(m, name); ok {
			return r, nil
		}
	}
	if refusedMethods[name] || refusedMethods["get"+Capital(name)] {
		return v, m.Refused(src, at, name)
	}
	if v.Kind() == value.KindPath {
		if r, ok := PathAt(v.Path(), name); ok {
			return r, nil
		}
	}
	for _, getter := range [2]string{"get" + Capital(name), "is" + Capital(name)} {
		r, ok, err := m.TryMethod(v, getter, nil)
		if _, unknown := err.(*UnknownClass); unknown {
			break
		}
		if ok || err != nil {
			return r, err
		}
	}
	if elems, ok := Collection(v); ok {
		return m.Spread(NewList(elems), func(item value.Value) (value.Value, error) { return m.Property(src, at, item, name) })
	}
	if c, ok := Foreign(v).(Class); ok {
		return v, Meant(noMember(m, src, at, c, name), name, "", func() []string { return membersOf(m, c) })
	}
	return v, Fail(MissingProperty, "No such property: %s for class: %s", name, m.ClassOf(v))
}

// noMember is the reference's error for an enumeration, all of whose constants are known
// here; other classes may have there what they have not here.
func noMember(m *Machine, src *Source, at int, c Class, name string) error {
	if _, ok := lang.EnumKind(c.Simple()); ok {
		return Fail(MissingProperty, "No such property: %s for class: %s", name, c.Full())
	}
	return m.Refused(src, at, c.Refusal(name))
}

// Capital is a text with a capital first letter.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// SetProperty is v.name = x.
func (m *Machine) SetProperty(v value.Value, name string, x value.Value) error {
	switch {
	case v.IsNull():
		return Fail(nullPointer, "Cannot set property '%s' on null object", name)
	case v.Kind() == value.KindMap:
		if err := m.Charge(EntryBytes); err != nil {
			return err
		}
		return m.Put(v.Map(), value.String(name), x)
	}
	return Fail(ReadOnlyProperty, "Cannot set property: %s for class: %s", name, m.ClassOf(v))
}

// Spread is list*.x.
func (m *Machine) Spread(v value.Value, fn func(value.Value) (value.Value, error)) (value.Value, error) {
	if v.IsNull() {
		return v, nil
	}
	var out []value.Value
	err := m.Each(v, func(item value.Value) (bool, error) {
		r, err := fn(item)
		if err == nil {
			err = m.Charge(ValueBytes)
		}
		out = append(out, r)
		return true, err
	})
	return NewList(out), err
}

// At is v[k].
func (m *Machine) At(v, k value.Value) (value.Value, error) {
	switch {
	case v.IsNull():
		return v, Fail(nullPointer, "Cannot invoke method getAt() on null object")
	case v.Kind() == value.KindMap:
		return m.LookUp(v.Map(), k)
	case v.Kind() == value.KindTree:
		return TreeGet(m, v, []value.Value{k})
	case v.Kind() == value.KindString:
		return m.StringAt(v.Str(), k)
	}
	if k.Kind() == value.KindString {
		if _, isList := Foreign(v).(*List); !isList {
			return m.Property(&Source{}, 0, v, k.Str())
		}
	}
	if v.Kind() == value.KindPath {
		return m.ListAt(v.Path().Objects, k)
	}
	if x, ok := Foreign(v).(indexed); ok {
		return x.At(m, k)
	}
	if elems, ok := Collection(v); ok {
		return m.ListAt(elems, k)
	}
	return v, m.NoMethod(v, "getAt", []value.Value{k})
}

// PutAt is v[k] = x.
func (m *Machine) PutAt(v, k, x value.Value) error {
	if v.Kind() == value.KindMap {
		if err := m.Charge(EntryBytes); err != nil {
			return err
		}
		return m.Put(v.Map(), m.Key(k), x)
	}
	l, ok := Foreign(v).(*List)
	if !ok || !k.Kind().IsNumber() {
		return m.NoMethod(v, "putAt", []value.Value{k, x})
	}
	l.Span = nil // what is changed is a range no longer
	i := value.AsInt64(k)
	if i < 0 {
		i += int64(len(l.Elems))
	}
	if i < 0 || i >= int64(m.State.Options.Limits.Items) {
		return Fail(IndexException, "Index %d out of bounds for length %d", value.AsInt64(k), len(l.Elems))
	}
	if grow := int(i) - len(l.Elems) + 1; grow > 0 {
		if err := m.Charge(ValueBytes * grow); err != nil {
			return err
		}
		l.Elems = append(l.Elems, make([]value.Value, grow)...)
	}
	l.Elems[i] = x
	return nil
}

// ListAt reads an element, or those of a list of indexes.
func (m *Machine) ListAt(elems []value.Value, k value.Value) (value.Value, error) {
	if s := spanOf(k); s != nil {
		return m.slice(elems, s)
	}
	if ks, ok := ListElems(k); ok {
		if err := m.Charge(ValueBytes * len(ks)); err != nil {
			return value.Null, err
		}
		out := make([]value.Value, len(ks))
		for i, k := range ks {
			err := m.Work(ItemWork)
			if err == nil {
				out[i], err = m.ListAt(elems, k)
			}
			if err != nil {
				return value.Null, err
			}
		}
		return NewList(out), nil
	}
	if !k.Kind().IsNumber() {
		return value.Null, m.NoMethod(NewList(elems), "getAt", []value.Value{k})
	}
	i := value.AsInt64(k)
	if i < 0 {
		if i += int64(len(elems)); i < 0 {
			return value.Null, Fail("java.lang.ArrayIndexOutOfBoundsException", "Negative array index [%d] too large for array size %d", value.AsInt64(k), len(elems))
		}
	}
	if i >= int64(len(elems)) {
		return value.Null, nil
	}
	return elems[i], nil
}

// StringAt is text[k]: a character, or those of a range or a list of indexes.
func (m *Machine) StringAt(s string, k value.Value) (value.Value, error) {
	if part := spanOf(k); part != nil {
		return m.textSlice(s, part)
	}
	if ks, ok := ListElems(k); ok {
		if err := m.NewText(utf8.UTFMax * len(ks)); err != nil {
			return value.Null, err
		}
		var b strings.Builder
		for _, k := range ks {
			c, err := m.StringAt(s, k)
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
	return value.Null, Fail(StringIndexException, "String index out of range: %s", m.String(k))
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

// Add adds the methods of others, which must be of other names.
func (ms *Methods) Add(others ...Methods) {
	if *ms == nil {
		*ms = Methods{}
	}
	for _, other := range others {
		maps.Copy(*ms, other)
	}
}

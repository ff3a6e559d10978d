package machine

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Object is what a KindForeign value of a script holds.
type Object interface {
	ClassName() string
	Text(m *Machine) string
	// Method returns false when there is no such method for these arguments.
	Method(m *Machine, name string, args []value.Value) (value.Value, bool, error)
	Property(m *Machine, name string) (value.Value, bool)
}

// Foreign returns the object that a value is, nil for any other value.
func Foreign(v value.Value) Object {
	if v.Kind() != value.KindForeign {
		return nil
	}
	o, _ := v.Object().(Object)
	return o
}

var identitySeed = maphash.MakeSeed()

// Identity is the text of an object that has none of its own: its class, and a number
// that it has for as long as it lives.
func Identity[T interface {
	comparable
	Object
}](o T) string {
	return fmt.Sprintf("%s@%08x", o.ClassName(), uint32(maphash.Comparable(identitySeed, o)))
}

// Wrap makes a value of an object.
func Wrap(o Object) value.Value { return value.Object(value.KindForeign, o) }

// List is a list that a script may change. Lists from elsewhere are immutable.
type List struct {
	Elems []value.Value
	gone  int   // elements in front and behind whose room is kept, at least
	Span  *span // of a range
	Array bool  // made by as Type[]: a step takes it for several arguments
}

// RemoveAt takes out the first element or the last one, which is quick: its room goes later.
func (l *List) RemoveAt(i int) value.Value {
	v := l.Elems[i]
	l.Elems[i] = value.Null // or the room would keep it
	if i == 0 {
		l.Elems = l.Elems[1:]
	} else {
		l.Elems = l.Elems[:i]
	}
	if l.gone++; l.gone > len(l.Elems)+ValueBytes {
		l.Elems, l.gone = slices.Clone(l.Elems), 0
	}
	return v
}

// NewList makes a list of elements, which it keeps.
func NewList(elems []value.Value) value.Value { return Wrap(&List{Elems: elems}) }

// ClassName returns the name of the Java class.
func (l *List) ClassName() string {
	if l.Span != nil {
		return l.Span.className()
	}
	return "java.util.ArrayList"
}

// Text returns the text of the object.
func (l *List) Text(m *Machine) string { return m.listText(l.Elems, 0) }

// Property is size alone, the field of an ArrayList that Groovy reads past private; any
// other name is asked of the elements.
func (l *List) Property(_ *Machine, name string) (value.Value, bool) {
	return value.Int(int32(len(l.Elems))), name == "size" && l.Span == nil
}

// ListElems returns the elements of a list.
func ListElems(v value.Value) ([]value.Value, bool) {
	if v.Kind() == value.KindList {
		return v.Elems(), true
	}
	if l, ok := Foreign(v).(*List); ok {
		return l.Elems, true
	}
	return nil, false
}

// Collection returns the elements of a list, set or bulk set.
func Collection(v value.Value) ([]value.Value, bool) {
	switch v.Kind() {
	case value.KindSet:
		return v.Set().Elems(), true
	case value.KindBulkSet:
		return unbulked(v.BulkSet()), true
	}
	return ListElems(v)
}

const bulkMax = 1 << 20 // elements that a bulk set is spread to

func unbulked(s *value.BulkSet) []value.Value {
	var all []value.Value
	for i := range s.Len() {
		for v, n := s.Entry(i); n > 0 && len(all) < bulkMax; n-- {
			all = append(all, v)
		}
	}
	return all
}

// Imported makes a list of a binding changeable.
func Imported(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindList:
		return NewList(append([]value.Value(nil), v.Elems()...))
	case value.KindMap:
		return v.Map().Clone().Value()
	}
	return v
}

const (
	ExportDepthMax = 200     // of values that leave a script
	exportMax      = 4 << 20 // values; lists that hold others many times grow
)

// Export turns a script's lists, at any depth, into values that others take. What is
// beyond the limits stops the machine.
func (m *Machine) Export(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindForeign, value.KindMap, value.KindSet, value.KindMapEntry:
		v, _ = m.CheckedExport(v) // the machine keeps the error
	}
	return v
}

// Key is export for what becomes a key of a map or an element of a set: a copy, which
// nothing can change any more, and which cannot hold what it is put into.
func (m *Machine) Key(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindForeign, value.KindMap, value.KindSet, value.KindMapEntry:
		e := exporter{m: m, left: exportMax, copies: true}
		v, _ = e.whole(v) // the machine keeps the error
	}
	return v
}

// CheckedExport is export for who can return the error.
func (m *Machine) CheckedExport(v value.Value) (value.Value, error) {
	e := exporter{m: m, left: exportMax}
	return e.whole(v)
}

// exporter makes values that others take of those of a script, within limits.
type exporter struct {
	m      *Machine
	left   int
	copies bool // sets and maps too
	shows  bool // what has only a text
	cut    bool
}

func (e *exporter) whole(v value.Value) (value.Value, error) {
	v = e.value(v, 0)
	if e.cut && e.m.Failed == nil {
		return value.Null, e.m.Stop(fmt.Errorf("%w: a result of more than %d values, or that holds itself", ErrLimit, exportMax))
	}
	return v, e.m.Surface()
}

func (e *exporter) value(v value.Value, depth int) value.Value {
	if e.left--; e.left < 0 || depth > ExportDepthMax || e.m.Work(ItemWork) != nil {
		e.cut = true
		return value.Null
	}
	switch v.Kind() {
	case value.KindForeign:
		return e.foreign(v, depth)
	case value.KindMap:
		return e.mapOf(v, depth)
	case value.KindSet:
		if e.copies || needsExport(v.Set().Elems()) {
			set, err := e.m.setOfKeys(e.all(v.Set().Elems(), depth))
			e.cut = e.cut || err != nil
			return set
		}
	case value.KindMapEntry:
		x := v.MapEntry()
		return value.OfMapEntry(&value.MapEntry{Key: e.value(x.Key, depth+1), Value: e.value(x.Value, depth+1)})
	case value.KindP:
		if e.shows && holdsTraversal(v) {
			s := &Shown{Class: e.m.ClassOf(v), Text: e.m.String(v), whole: func() (value.Value, error) { return v, nil }}
			return value.Object(value.KindForeign, s)
		}
	}
	return v
}

func (e *exporter) foreign(v value.Value, depth int) value.Value {
	switch o := v.Object().(type) {
	case *List:
		return value.List(e.all(o.Elems, depth))
	case *Iterator:
		return value.List(e.all(o.Rest, depth))
	case Object:
		if x, ok := o.(exported); ok {
			if v, ok := x.Export(); ok {
				return v
			}
			if _, ok := o.(drained); ok {
				return v // what is sent of it are its results
			}
		}
		if e.shows {
			s := &Shown{Class: o.ClassName(), Text: e.m.String(v)}
			if o, ok := o.(whole); ok {
				m := e.m
				s.whole = func() (value.Value, error) { return o.Whole(m) }
			}
			return value.Object(value.KindForeign, s)
		}
	}
	return v
}

func (e *exporter) all(vs []value.Value, depth int) []value.Value {
	if e.left < len(vs) || e.m.Charge(ValueBytes*len(vs)) != nil {
		e.cut = true
		return nil
	}
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		if out[i] = e.value(v, depth+1); e.cut {
			return nil
		}
	}
	return out
}

func (e *exporter) mapOf(v value.Value, depth int) value.Value {
	m := v.Map()
	if !e.copies && !needsExport(m.Values()) && !needsExport(m.Keys()) {
		return v
	}
	if e.m.Charge(EntryBytes*m.Len()) != nil {
		e.cut = true
		return value.Null
	}
	out := value.NewMapSize(m.Len())
	for i := 0; i < m.Len() && !e.cut; i++ {
		k, x := m.Entry(i)
		out.Put(e.value(k, depth+1), e.value(x, depth+1))
	}
	return out.Value()
}

func needsExport(vs []value.Value) bool {
	for _, v := range vs {
		switch v.Kind() {
		case value.KindForeign, value.KindMap, value.KindSet, value.KindMapEntry:
			return true
		}
	}
	return false
}

// Exception is what throw throws and catch catches.
type Exception struct {
	Class, Message string
	Err            error // what is thrown
}

// ClassName returns the name of the Java class.
func (x *Exception) ClassName() string { return x.Class }

// Text returns the text of the object.
func (x *Exception) Text(*Machine) string { return x.Class + ": " + x.Message }

// Property reads a property, false when there is none of that name.
func (x *Exception) Property(_ *Machine, name string) (value.Value, bool) {
	switch name {
	case "message", "localizedMessage":
		return value.String(x.Message), true
	case "cause":
		return value.Null, true
	}
	return value.Null, false
}

// Method calls a method, false when there is none for these arguments.
func (x *Exception) Method(m *Machine, name string, _ []value.Value) (value.Value, bool, error) {
	if rest, ok := strings.CutPrefix(name, "get"); ok && rest != "" {
		v, ok := x.Property(m, strings.ToLower(rest[:1])+rest[1:])
		return v, ok, nil
	}
	return value.Null, false, nil
}

// IsAny reports whether a catch of these classes catches x; none means all.
func (x *Exception) IsAny(classes []string) bool {
	if len(classes) == 0 {
		return true
	}
	for _, c := range classes {
		simple := c[strings.LastIndexByte(c, '.')+1:]
		if simple == "Throwable" || simple == "Exception" && !strings.HasSuffix(x.Class, "Error") ||
			simple == x.Class[strings.LastIndexByte(x.Class, '.')+1:] || simple == "RuntimeException" && strings.HasPrefix(x.Class, "java.lang.") {
			return true
		}
	}
	return false
}

var _ traversal.Closure = (*Closure)(nil)

// Method calls a method, false when there is none for these arguments.
func (l *List) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Lists.Try(m, Wrap(l), name, args)
}

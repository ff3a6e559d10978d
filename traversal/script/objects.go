package script

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// object is what a KindForeign value of a script holds.
type object interface {
	className() string
	text(m *machine) string
	// method returns false when there is no such method for these arguments.
	method(m *machine, name string, args []value.Value) (value.Value, bool, error)
	property(m *machine, name string) (value.Value, bool)
}

func foreign(v value.Value) object {
	if v.Kind() != value.KindForeign {
		return nil
	}
	o, _ := v.Object().(object)
	return o
}

var identitySeed = maphash.MakeSeed()

// identity is the text of an object that has none of its own: its class, and a number
// that it has for as long as it lives.
func identity[T interface {
	comparable
	object
}](o T) string {
	return fmt.Sprintf("%s@%08x", o.className(), uint32(maphash.Comparable(identitySeed, o)))
}

func wrap(o object) value.Value { return value.Object(value.KindForeign, o) }

// list is a list that a script may change. Lists from elsewhere are immutable.
type list struct {
	elems []value.Value
	span  *span // of a range
	array bool  // made by as Type[]: a step takes it for several arguments
}

func newList(elems []value.Value) value.Value { return wrap(&list{elems: elems}) }

func (l *list) className() string {
	if l.span != nil {
		return "groovy.lang.IntRange"
	}
	return "java.util.ArrayList"
}

func (l *list) text(m *machine) string { return m.listText(l.elems, 0) }

// property is size alone, the field of an ArrayList that Groovy reads past private; any
// other name is asked of the elements.
func (l *list) property(_ *machine, name string) (value.Value, bool) {
	return value.Int(int32(len(l.elems))), name == "size" && l.span == nil
}

// listElems returns the elements of a list.
func listElems(v value.Value) ([]value.Value, bool) {
	if v.Kind() == value.KindList {
		return v.Elems(), true
	}
	if l, ok := foreign(v).(*list); ok {
		return l.elems, true
	}
	return nil, false
}

// collection returns the elements of a list, set or bulk set.
func collection(v value.Value) ([]value.Value, bool) {
	switch v.Kind() {
	case value.KindSet:
		return v.Set().Elems(), true
	case value.KindBulkSet:
		return unbulked(v.BulkSet()), true
	}
	return listElems(v)
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

// imported makes a list of a binding changeable.
func imported(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindList:
		return newList(append([]value.Value(nil), v.Elems()...))
	case value.KindMap:
		return v.Map().Clone().Value()
	}
	return v
}

const (
	exportDepthMax = 200
	exportMax      = 4 << 20 // values; lists that hold others many times grow
)

// export turns a script's lists, at any depth, into values that others take. What is
// beyond the limits stops the machine.
func (m *machine) export(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindForeign, value.KindMap, value.KindSet, value.KindMapEntry:
		v, _ = m.checkedExport(v) // the machine keeps the error
	}
	return v
}

// key is export for what becomes a key of a map or an element of a set: a copy, which
// nothing can change any more, and which cannot hold what it is put into.
func (m *machine) key(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindForeign, value.KindMap, value.KindSet, value.KindMapEntry:
		e := exporter{m: m, left: exportMax, copies: true}
		v, _ = e.whole(v) // the machine keeps the error
	}
	return v
}

// checkedExport is export for who can return the error.
func (m *machine) checkedExport(v value.Value) (value.Value, error) {
	e := exporter{m: m, left: exportMax}
	return e.whole(v)
}

type exporter struct {
	m      *machine
	left   int
	copies bool // sets and maps too
	shows  bool // what has only a text
	cut    bool
}

func (e *exporter) whole(v value.Value) (value.Value, error) {
	v = e.value(v, 0)
	if e.cut && e.m.failed == nil {
		return value.Null, e.m.stop(fmt.Errorf("%w: a result of more than %d values, or that holds itself", ErrLimit, exportMax))
	}
	return v, e.m.surface()
}

func (e *exporter) value(v value.Value, depth int) value.Value {
	if e.left--; e.left < 0 || depth > exportDepthMax || e.m.Work(itemWork) != nil {
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
			s := &Shown{Class: e.m.classOf(v), Text: e.m.string(v), whole: func() (value.Value, error) { return v, nil }}
			return value.Object(value.KindForeign, s)
		}
	}
	return v
}

func (e *exporter) foreign(v value.Value, depth int) value.Value {
	switch o := v.Object().(type) {
	case *list:
		return value.List(e.all(o.elems, depth))
	case object:
		if x, ok := o.(exported); ok {
			if v, ok := x.export(e, depth); ok {
				return v
			}
			if _, ok := o.(drained); ok {
				return v // what is sent of it are its results
			}
		}
		if e.shows {
			s := &Shown{Class: o.className(), Text: e.m.string(v)}
			if o, ok := o.(whole); ok {
				m := e.m
				s.whole = func() (value.Value, error) { return o.whole(m) }
			}
			return value.Object(value.KindForeign, s)
		}
	}
	return v
}

func (e *exporter) all(vs []value.Value, depth int) []value.Value {
	if e.left < len(vs) || e.m.charge(valueBytes*len(vs)) != nil {
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
	if e.m.charge(entryBytes*m.Len()) != nil {
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

// exception is what throw throws and catch catches.
type exception struct {
	class, message string
	err            error // what is thrown
}

func (x *exception) className() string { return x.class }

func (x *exception) text(*machine) string { return x.class + ": " + x.message }

func (x *exception) property(_ *machine, name string) (value.Value, bool) {
	switch name {
	case "message", "localizedMessage":
		return value.String(x.message), true
	case "cause":
		return value.Null, true
	}
	return value.Null, false
}

func (x *exception) method(m *machine, name string, _ []value.Value) (value.Value, bool, error) {
	if rest, ok := strings.CutPrefix(name, "get"); ok && rest != "" {
		v, ok := x.property(m, strings.ToLower(rest[:1])+rest[1:])
		return v, ok, nil
	}
	return value.Null, false, nil
}

// isAny reports whether a catch of these classes catches x; none means all.
func (x *exception) isAny(classes []string) bool {
	if len(classes) == 0 {
		return true
	}
	for _, c := range classes {
		simple := c[strings.LastIndexByte(c, '.')+1:]
		if simple == "Throwable" || simple == "Exception" && !strings.HasSuffix(x.class, "Error") ||
			simple == x.class[strings.LastIndexByte(x.class, '.')+1:] || simple == "RuntimeException" && strings.HasPrefix(x.class, "java.lang.") {
			return true
		}
	}
	return false
}

var _ traversal.Closure = (*closure)(nil)

func (l *list) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().lists.try(m, wrap(l), name, args)
}

package graphs

import (
	"context"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// Traverser is `it` in map{it.get()}.
type Traverser struct {
	Run *traversal.Run
	Of  *traversal.Traverser
}

// Export is the traverser as it is now.
func (o *Traverser) Export() (value.Value, bool) {
	return value.OfTraverser(&value.Bulked{Value: o.Of.Value, Bulk: o.Of.Bulk}), true
}

// ClassName returns the name of the Java class.
func (o *Traverser) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.Traverser"
}

// Text returns the text of the object.
func (o *Traverser) Text(m *machine.Machine) string {
	v, err := m.Outward(o.Of.Value)
	if err != nil {
		_ = m.Stop(err) // the next step returns it
		return ""
	}
	return m.String(v)
}

// Property reads a property, false when there is none of that name.
func (o *Traverser) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (o *Traverser) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	v, ok, err := o.stored(m, name, args)
	if ok && err == nil {
		v, err = m.Outward(v)
	}
	return v, ok, err
}

// stored is method with the elements of the traversal themselves.
func (o *Traverser) stored(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) > 1 {
		return value.Null, false, nil
	}
	switch name {
	case "get":
		return o.Of.Value, len(args) == 0, nil
	case "path":
		return o.path(m, args)
	case "sack":
		if len(args) == 1 {
			*o.Of = o.Of.WithSack(m.Export(args[0]))
			return value.Null, true, nil
		}
		return o.Of.Sack(), true, nil
	case "loops":
		n := 0
		if f := o.Of.Loops(); f != nil {
			n = f.Count
		}
		return value.Int(int32(n)), true, nil
	case "bulk":
		return value.Long(o.Of.Bulk), len(args) == 0, nil
	case "sideEffects":
		if len(args) != 1 {
			return value.Null, false, nil
		}
		v, err := o.sideEffect(m, m.String(args[0]))
		return v, true, err
	}
	return value.Null, false, nil
}

func (o *Traverser) path(m *machine.Machine, args []value.Value) (value.Value, bool, error) {
	p := o.Of.History().PathValue()
	if len(args) == 0 {
		return p.Value(), true, nil
	}
	v, err := methods.PathGet(m, p.Value(), args)
	return v, true, err
}

// sideEffect returns a side effect; a list that withSideEffect() began can be added to.
func (o *Traverser) sideEffect(m *machine.Machine, key string) (value.Value, error) {
	e, ok := o.Run.SideEffects.Lookup(key)
	if !ok || !e.Supplied {
		return o.Run.SideEffects.Get(key)
	}
	if e.State == nil && e.Reducer == nil && e.Value.Kind() == value.KindList {
		l, err := m.Copied(e.Value.Elems())
		if err != nil {
			return value.Null, err
		}
		e.State = &liveList{m.State, l.Object().(*machine.List)}
	}
	if s, ok := e.State.(*liveList); ok {
		return machine.Wrap(s.l), nil
	}
	return e.Get()
}

// liveList is a list of withSideEffect() that closures change.
type liveList struct {
	s *machine.State
	l *machine.List
}

// Value is the side effect as it is now.
func (s *liveList) Value() (value.Value, error) {
	return s.s.Machine(context.Background()).CheckedExport(machine.Wrap(s.l))
}

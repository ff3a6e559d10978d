package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// traverser is `it` in map{it.get()}.
type traverser struct {
	r *traversal.Run
	t *traversal.Traverser
}

// export is the traverser as it is now.
func (o *traverser) export(*exporter, int) (value.Value, bool) {
	return value.OfTraverser(&value.Bulked{Value: o.t.Value, Bulk: o.t.Bulk}), true
}

func (o *traverser) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.Traverser"
}

func (o *traverser) text(m *machine) string {
	v, err := m.outward(o.t.Value)
	if err != nil {
		_ = m.stop(err) // the next step returns it
		return ""
	}
	return m.string(v)
}

func (o *traverser) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *traverser) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	v, ok, err := o.stored(m, name, args)
	if ok && err == nil {
		v, err = m.outward(v)
	}
	return v, ok, err
}

// stored is method with the elements of the traversal themselves.
func (o *traverser) stored(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) > 1 {
		return value.Null, false, nil
	}
	switch name {
	case "get":
		return o.t.Value, len(args) == 0, nil
	case "path":
		return o.path(m, args)
	case "sack":
		if len(args) == 1 {
			*o.t = o.t.WithSack(m.export(args[0]))
			return value.Null, true, nil
		}
		return o.t.Sack(), true, nil
	case "loops":
		n := 0
		if f := o.t.Loops(); f != nil {
			n = f.Count
		}
		return value.Int(int32(n)), true, nil
	case "bulk":
		return value.Long(o.t.Bulk), len(args) == 0, nil
	case "sideEffects":
		if len(args) != 1 {
			return value.Null, false, nil
		}
		v, err := o.sideEffect(m, m.string(args[0]))
		return v, true, err
	}
	return value.Null, false, nil
}

func (o *traverser) path(m *machine, args []value.Value) (value.Value, bool, error) {
	p := o.t.History().PathValue()
	if len(args) == 0 {
		return p.Value(), true, nil
	}
	v, err := pathGet(m, p.Value(), args)
	return v, true, err
}

// sideEffect returns a side effect; a list that withSideEffect() began can be added to.
func (o *traverser) sideEffect(m *machine, key string) (value.Value, error) {
	e, ok := o.r.SideEffects.Lookup(key)
	if !ok || !e.Supplied {
		return o.r.SideEffects.Get(key)
	}
	if e.State == nil && e.Reducer == nil && e.Value.Kind() == value.KindList {
		l, err := m.copied(e.Value.Elems())
		if err != nil {
			return value.Null, err
		}
		e.State = &liveList{m.s, l.Object().(*list)}
	}
	if s, ok := e.State.(*liveList); ok {
		return wrap(s.l), nil
	}
	return e.Get()
}

// liveList is a list of withSideEffect() that closures change.
type liveList struct {
	s *state
	l *list
}

// Value is the side effect as it is now.
func (s *liveList) Value() (value.Value, error) {
	return s.s.machine(context.Background()).checkedExport(wrap(s.l))
}

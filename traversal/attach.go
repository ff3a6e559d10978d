package traversal

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Attach puts the stored elements of a graph in place of the copies in bytecode that
// mean them: what a driver was given and sends back, a binding of a script, a result of
// another graph. Stored elements are compared by their internal ids, so whatever a
// traversal compares, looks up or groups by, such an argument is the element that it
// names, by class and id. A copy whose element is not in the graph stays one, and equals
// no stored element. b does not change; without copies in it, it is what is returned.
//
// plan is what b was compiled to, for its guards: an element that they hide stays a copy,
// or becomes one. Whoever runs bytecode calls Attach once, with the environment of the
// run that comes, and compiles anew what is another.
func Attach(b *Bytecode, plan *Plan, env Env) (*Bytecode, error) {
	a := attacher{in: env.View}
	if len(plan.Guards) > 0 {
		r := &Run{Env: env, Plan: plan}
		r.SideEffects = &r.effects
		if err := r.guard(); err != nil {
			return nil, err
		}
		a = attacher{in: r.View, guards: r}
	}
	return a.bytecode(b), nil
}

// AttachStrategies is Attach for the configurations of strategies alone, from which
// guards are made: these see the whole graph.
func AttachStrategies(b *Bytecode, in blueprints.View) *Bytecode {
	a := attacher{in: in}
	source, changed := copyOnWrite(b.Source, func(i Instruction) (Instruction, bool) {
		args, changed := copyOnWrite(i.Args, func(v value.Value) (value.Value, bool) {
			if v.Kind() != value.KindStrategy {
				return v, false
			}
			return a.value(v)
		})
		return Instruction{Name: i.Name, Args: args}, changed
	})
	if !changed {
		return b
	}
	return &Bytecode{Source: source, Steps: b.Steps}
}

// AttachValue puts the stored elements of a graph in place of the copies in a value.
func AttachValue(v value.Value, in blueprints.View) value.Value {
	v, _ = attacher{in: in}.value(v)
	return v
}

// HasCopies reports whether Attach could change v.
func HasCopies(v value.Value) bool {
	_, changed := attacher{}.value(v)
	return changed
}

// attacher without a view takes every copy for one that it would change.
type attacher struct {
	in     blueprints.View
	guards *Run                // nil for none
	from   value.Resolver      // not nil: stored elements become copies, without in
	stored func(v value.Value) // sees the stored elements; may be nil
}

// Detach puts copies in place of the stored elements in bytecode for another graph than
// theirs, which would take them for elements of its own.
func Detach(b *Bytecode, from value.Resolver) *Bytecode { return attacher{from: from}.bytecode(b) }

func (a attacher) bytecode(b *Bytecode) *Bytecode {
	source, changed := a.instructions(b.Source)
	steps, too := a.instructions(b.Steps)
	if !changed && !too {
		return b
	}
	return &Bytecode{Source: source, Steps: steps}
}

func (a attacher) instructions(list []Instruction) ([]Instruction, bool) {
	return copyOnWrite(list, func(in Instruction) (Instruction, bool) {
		args, changed := a.values(in.Args)
		return Instruction{Name: in.Name, Args: args}, changed
	})
}

func (a attacher) values(list []value.Value) ([]value.Value, bool) {
	return copyOnWrite(list, a.value)
}

// copyOnWrite maps a list; where nothing changes the list stays.
func copyOnWrite[T any](list []T, fn func(T) (T, bool)) (out []T, changed bool) {
	for i, x := range list {
		y, other := fn(x)
		if other && !changed {
			out, changed = append(make([]T, 0, len(list)), list...), true
		}
		if other {
			out[i] = y
		}
	}
	if !changed {
		return list, false
	}
	return out, true
}

// value returns what stands in place of v, and whether that is something else.
func (a attacher) value(v value.Value) (value.Value, bool) {
	switch v.Kind() {
	case value.KindVertex, value.KindEdge:
		return a.element(v)
	case value.KindList:
		list, changed := a.values(v.Elems())
		return either(v, changed, func() value.Value { return value.List(list) })
	case value.KindSet:
		list, changed := a.values(v.Set().Elems())
		return either(v, changed, func() value.Value { return setOf(list) })
	case value.KindBulkSet:
		return a.bulkSet(v)
	case value.KindMap:
		m, changed := a.entries(v.Map())
		return either(v, changed, func() value.Value { return m.Value() })
	case value.KindMapEntry:
		e := v.MapEntry()
		pair, changed := a.values([]value.Value{e.Key, e.Value})
		return either(v, changed, func() value.Value { return value.OfMapEntry(&value.MapEntry{Key: pair[0], Value: pair[1]}) })
	case value.KindPath:
		p := v.Path()
		objects, changed := a.values(p.Objects)
		return either(v, changed, func() value.Value { return (&value.Path{Labels: p.Labels, Objects: objects}).Value() })
	case value.KindTree:
		t, changed := a.tree(v.Tree())
		return either(v, changed, func() value.Value { return t.Value() })
	}
	if v.Kind() > value.KindNull {
		return a.object(v)
	}
	return v, false
}

func either(v value.Value, changed bool, other func() value.Value) (value.Value, bool) {
	if changed {
		return other(), true
	}
	return v, false
}

func (a attacher) element(v value.Value) (value.Value, bool) {
	e := v.Detached()
	switch {
	case e == nil && a.stored != nil:
		a.stored(v)
		return v, false
	case a.from != nil:
		return a.copied(v)
	case e == nil:
		return a.hidden(v)
	case a.in == nil:
		return v, true
	}
	// An id that the graph's manager refuses is nobody's.
	if v.Kind() == value.KindEdge {
		id, ok, err := a.in.FindEdge(e.ID)
		return either(v, ok && err == nil, func() value.Value { return value.EdgeRef(uint64(id)) })
	}
	id, ok, err := a.in.FindVertex(e.ID)
	return either(v, ok && err == nil, func() value.Value { return value.VertexRef(uint64(id)) })
}

// copied makes a copy without properties of a stored element.
func (a attacher) copied(v value.Value) (value.Value, bool) {
	if v.Detached() != nil {
		return v, false
	}
	e, err := v.Resolve(a.from, false)
	if err != nil {
		e = &value.Element{} // nobody's
	}
	if v.Kind() == value.KindEdge {
		return value.DetachedEdge(e), true
	}
	return value.DetachedVertex(e), true
}

// hidden makes a copy without properties of a stored element that the guards hide.
func (a attacher) hidden(v value.Value) (value.Value, bool) {
	if a.guards == nil {
		return v, false
	}
	if shows, err := a.guards.Shows(v); shows && err == nil {
		return v, false
	}
	e := &value.Element{}
	if whole, err := v.Resolve(a.guards.Resolver(), false); err == nil {
		*e = value.Element{ID: whole.ID, Label: whole.Label, Out: whole.Out, In: whole.In}
	}
	if v.Kind() == value.KindEdge {
		return value.DetachedEdge(e), true
	}
	return value.DetachedVertex(e), true
}

// object looks into what only traversals are made of.
func (a attacher) object(v value.Value) (value.Value, bool) {
	switch x := v.Object().(type) {
	case *Bytecode:
		b := a.bytecode(x)
		return either(v, b != x, b.Value)
	case *P:
		args, changed := a.values(x.Args)
		return either(v, changed, func() value.Value {
			p := *x
			p.Args = args
			return p.Value()
		})
	case *StrategySpec:
		if x.Config == nil {
			return v, false
		}
		m, changed := a.entries(x.Config)
		return either(v, changed, func() value.Value {
			s := *x
			s.Config = m
			return value.Object(v.Kind(), &s)
		})
	case *Binding:
		bound, changed := a.value(x.Value)
		return either(v, changed, func() value.Value { return value.Object(v.Kind(), &Binding{Key: x.Key, Value: bound}) })
	}
	return v, false
}

func setOf(list []value.Value) value.Value {
	s := value.NewSet()
	for _, v := range list {
		s.Add(v)
	}
	return s.Value()
}

func (a attacher) bulkSet(v value.Value) (value.Value, bool) {
	out, changed := value.NewBulkSet(), false
	for i := range v.BulkSet().Len() {
		x, bulk := v.BulkSet().Entry(i)
		x, other := a.value(x)
		changed = changed || other
		out.Add(x, bulk)
	}
	return either(v, changed, out.Value)
}

func (a attacher) entries(m *value.Map) (*value.Map, bool) {
	out, changed := value.NewMap(), false
	for i := range m.Len() {
		k, v := m.Entry(i)
		k, other := a.value(k)
		v, too := a.value(v)
		changed = changed || other || too
		out.Put(k, v)
	}
	return out, changed
}

func (a attacher) tree(t *value.Tree) (*value.Tree, bool) {
	keys, changed := a.values(t.Keys)
	children, too := copyOnWrite(t.Children, a.tree)
	if !changed && !too {
		return t, false
	}
	return &value.Tree{Keys: keys, Children: children}, true
}

package graphs

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// traversalMethods end a traversal or take results from it.
func traversalMethods() machine.Methods {
	return machine.Methods{
		"next":    {0, 1, traversalNext},
		"hasNext": {0, 0, traversalHasNext},
		"tryNext": {0, 0, traversalTryNext},
		"toList": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.ToList(self)
		}},
		"toSet":     {0, 0, traversalToSet},
		"toBulkSet": {0, 0, traversalToBulkSet},
		"iterate":   {0, 0, traversalIterate},
		"explain":   {0, 0, traversalExplain},
		"fill":      {1, 1, traversalFill},
		"iterator":  {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) { return self, nil }},
		"close":     {0, 0, traversalClose},
		"toStream":  {0, 0, methods.StreamOf},
		"clone":     {0, 0, traversalClone},
		"asAdmin":   {0, 0, methods.Itself},
		"getSideEffects": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			all, err := traversalOf(self).sideEffects(m)
			return machine.Wrap(&traversalEffects{all}), err
		}},
		"forEachRemaining": {1, 1, func(m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
			return m.Invoke(self, "each", args)
		}},
	}
}

// traversalOf is the traversal that a method was called on.
func traversalOf(v value.Value) *Traversal {
	t, _ := v.Object().(*Traversal)
	return t
}

func traversalNext(m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
	t := traversalOf(self)
	if len(args) == 0 {
		v, ok, err := t.Take(m)
		if err == nil && !ok {
			err = machine.Fail(machine.NoSuchElement, machine.NoSuchElement)
		}
		return machine.Imported(v), err
	}
	if !args[0].Kind().IsNumber() {
		return value.Null, m.NoMethod(self, "next", args)
	}
	var all []value.Value
	for n := min(value.AsInt64(args[0]), math.MaxInt32); n > 0; n-- {
		v, ok, err := t.Take(m)
		if err != nil || !ok {
			return machine.NewList(all), err
		}
		if err := m.Keep(v); err != nil {
			return value.Null, err
		}
		all = append(all, v)
	}
	return machine.NewList(all), nil
}

func traversalHasNext(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	ok, err := traversalOf(self).hasNext(m)
	return value.Bool(ok), err
}

func traversalTryNext(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	v, ok, err := traversalOf(self).Take(m)
	return machine.Wrap(&methods.Optional{Value: v, Present: ok}), err
}

func traversalToSet(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	v, err := m.SetOf(self)
	if err != nil {
		return v, err
	}
	ids, _ := m.Elements() // none without a graph, and then nothing is stored
	return v.Set().JavaOrdered(ids).Value(), m.Charge(machine.EntryBytes * v.Set().Len())
}

func traversalToBulkSet(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	set := value.NewBulkSet()
	err := m.Each(self, func(v value.Value) (bool, error) {
		if err := m.Work(machine.Extent(v)); err != nil {
			return false, err
		}
		if set.Add(v, 1) {
			if err := m.Charge(machine.EntryBytes); err != nil {
				return false, err
			}
			return true, m.Keep(v)
		}
		return true, nil
	})
	return set.Value(), err
}

// traversalIterate runs the traversal and returns it, drained.
func traversalIterate(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	t := traversalOf(self)
	t.drained = t.drained || !t.Started()
	return self, t.drain(m)
}

func traversalExplain(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	t := traversalOf(self)
	if m.State.Host == nil {
		return value.Null, machine.Fail(machine.StateException, "no graph is open")
	}
	v, err := m.State.Host.Explain(m.Context, t.Global, t.Bytecode)
	if x, ok := v.Object().(*traversal.Explanation); ok && err == nil {
		err = m.Charge(x.Bytes())
	}
	return v, err
}

func prettyPrint(m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
	x, ok := self.Object().(*traversal.Explanation)
	width := int64(traversal.ExplainedLine)
	if len(args) == 1 && args[0].Kind().IsNumber() {
		width = value.AsInt64(args[0])
	} else if len(args) == 1 || !ok {
		return value.Null, m.NoMethod(self, "prettyPrint", args)
	}
	s, ok := x.PrettyPrint(int(min(max(width, 0), math.MaxInt32)))
	if !ok {
		return value.Null, machine.Fail(machine.ArgumentException, "The maximum line length is too small to present the TraversalExplanation: %d", width)
	}
	return m.Text(s)
}

func traversalFill(m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
	err := m.Each(self, func(v value.Value) (bool, error) {
		_, err := m.Invoke(args[0], "add", []value.Value{v})
		return true, err
	})
	return args[0], err
}

func traversalClose(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	traversalOf(self).Close()
	return value.Null, nil
}

// traversalClone is the traversal as it was built, not started.
func traversalClone(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	t := traversalOf(self)
	b := *t.Bytecode
	b.Steps = append([]traversal.Instruction(nil), b.Steps...)
	return machine.Wrap(&Traversal{Global: t.Global, Bytecode: &b}), m.Charge(machine.ValueBytes * 2 * len(b.Steps))
}

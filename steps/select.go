package steps

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// select() gives what labels, map keys or side effects stand for.
//
//	select("a")                  one: the object itself
//	select("a", "b").by("name")  several: a map; by() modulators go round
//	select(Pop.all, "a")         all objects with the label, oldest first
//	select(Column.keys)          the keys of a map
//	select(traversal)            what the traversal's result stands for
//
// A traverser that lacks a key, or for which a by() gives nothing, is dropped.
var selectSpec = traversal.Spec{
	Name: "select", Class: "SelectStep", Kind: traversal.MapStep, MaxBy: -1,
	NeedsOf: func(n *traversal.Node) traversal.Needs {
		if n.Data.(*selection).column != "" {
			return 0
		}
		return traversal.NeedLabelledPath
	},
	Scope: func(n *traversal.Node) ([]string, bool) {
		s := n.Data.(*selection)
		return s.keys, s.column == ""
	},
	Doc:     "Gives what labels, map keys or side effects stand for.",
	Prepare: prepareSelect, Open: openSelect, Print: printSelect,
}

// selection is the Data of select().
type selection struct {
	pop    string
	keys   []string
	column string
}

func prepareSelect(n *traversal.Node) error {
	s := &selection{pop: "last"}
	n.Data = s
	args := n.Args
	if len(args) > 0 && args[0].Value.Kind() == value.KindPop {
		s.pop, args = args[0].Value.Str(), args[1:]
	}
	if len(args) == 0 {
		return errors.New("select() takes labels, a Column or a traversal")
	}
	if len(args) == 1 && args[0].Child != nil {
		return step.OneBy(n, "TraversalSelect")
	}
	if len(args) == 1 && args[0].Value.Kind() == value.KindColumn {
		s.column = args[0].Value.Str()
		return nil
	}
	for _, a := range args {
		if a.Value.Kind() != value.KindString {
			return fmt.Errorf("select() takes labels of type String, not %s", a.Value.Brief())
		}
		s.keys = append(s.keys, a.Value.Str())
	}
	return nil
}

func printSelect(n *traversal.Node) string {
	s := n.Data.(*selection)
	switch {
	case s.column != "":
		return "TraversalMapStep(" + s.column + ")"
	case len(s.keys) == 0:
		return "TraversalSelectStep(" + s.pop + "," + n.Args[len(n.Args)-1].Child.String() + ")"
	case len(s.keys) == 1:
		return "SelectOneStep(" + s.pop + "," + s.keys[0] + step.PrintBy(n) + ")"
	}
	return "SelectStep(" + s.pop + "," + step.JoinComma(s.keys) + step.PrintBy(n) + ")"
}

func openSelect(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s := n.Data.(*selection)
	if s.column != "" {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
			v, err := r.Column(t.Value, s.column)
			return v, err == nil, err
		}), nil
	}
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	switch len(s.keys) {
	case 0:
		key, err := r.ChildFunc(n.Args[len(n.Args)-1].Child)
		if err != nil {
			return nil, err
		}
		return r.Map(up, s.byTraversal(r, key, by)), nil
	case 1:
		return r.Map(up, s.one(r, by)), nil
	}
	return r.Map(up, s.several(r, by)), nil
}

// one gives what the only key stands for; null stays null whatever by() says.
func (s *selection) one(r *traversal.Run, by step.Ring) traversal.Func {
	key := value.String(s.keys[0])
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, ok, err := step.ScopeValue(r, t, key, s.pop)
		if err != nil || !ok || v.IsNull() || len(by) == 0 {
			return v, ok, err
		}
		return step.Projected(r, by[len(by)-1], v) // a later by() replaces the one before it
	}
}

// several gives a map.
func (s *selection) several(r *traversal.Run, by step.Ring) traversal.Func {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		m := value.NewMapSize(len(s.keys))
		for i, k := range s.keys {
			key := value.String(k)
			v, ok, err := step.ScopeValue(r, t, key, s.pop)
			if ok && len(by) > 0 {
				v, ok, err = step.Projected(r, by.At(i), v)
			}
			if err != nil || !ok {
				return value.Null, false, err
			}
			m.Put(key, v)
		}
		return m.Value(), true, nil
	}
}

// byTraversal gives what the result of a traversal stands for.
func (s *selection) byTraversal(r *traversal.Run, key traversal.Func, by step.Ring) traversal.Func {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		k, ok, err := key(t)
		if err != nil || !ok {
			return k, ok, err
		}
		v, ok, err := step.ScopeValue(r, t, k, s.pop)
		if err != nil || !ok || v.IsNull() || len(by) == 0 {
			return v, ok, err
		}
		u := r.Generate(v)
		w, ok, err := by.At(0)(&u)
		if !ok {
			w = value.Null
		}
		return w, true, err
	}
}

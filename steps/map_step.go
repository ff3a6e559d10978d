package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mapped completes the Spec of a step that replaces each object by a function of
// the traverser, alone or as the only step of a child traversal.
func mapped(s traversal.Spec, open func(n *traversal.Node, r *traversal.Run) (traversal.Func, error)) traversal.Spec {
	s.Kind = traversal.MapStep
	s.Open = func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		f, err := open(n, r)
		if err != nil {
			return nil, err
		}
		return r.Map(up, f), nil
	}
	s.Direct = open
	return s
}

// cutScope takes a leading Scope off the arguments.
func cutScope(n *traversal.Node) (local bool, args []traversal.Arg) {
	if v := n.Value(0); v.Kind() == value.KindScope {
		return v.Str() == "local", n.Args[1:]
	}
	return false, n.Args
}

// iterable returns what Java would iterate over: the elements of a list, set, bulk
// set or path. ok is false for anything else.
func iterable(r *traversal.Run, v value.Value) (list []value.Value, ok bool, err error) {
	switch v.Kind() {
	case value.KindList:
		return v.Elems(), true, nil
	case value.KindSet:
		return v.Set().Elems(), true, nil
	case value.KindBulkSet:
		list, err := memberList(r, v)
		return list, true, err
	case value.KindPath:
		return v.Path().Objects, true, nil
	}
	return nil, false, nil
}

// className is Java's text of getClass().
func className(v value.Value) string { return "class " + value.JavaClass(v) }

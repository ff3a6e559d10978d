package step

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TextArg returns the i-th argument as a String.
func TextArg(n *traversal.Node, i int) (string, error) {
	if v := n.Value(i); v.Kind() == value.KindString {
		return v.Str(), nil
	}
	return "", fmt.Errorf("%s() takes a String as argument %d, not %s", n.Name(), i+1, n.Value(i).Brief())
}

// KeyArgs returns all arguments as property keys; nulls match nothing and are left
// out, none tells that only nulls were given.
func KeyArgs(n *traversal.Node) (keys []string, none bool, err error) {
	for i, a := range n.Args {
		if a.Child == nil && a.Value.IsNull() {
			continue
		}
		k, err := TextArg(n, i)
		if err != nil {
			return nil, false, err
		}
		keys = append(keys, k)
	}
	return keys, len(n.Args) > 0 && len(keys) == 0, nil
}

// Predicate returns an argument as a predicate: itself, or P.eq of a value.
func Predicate(v value.Value) *traversal.P {
	if p, ok := v.Object().(*traversal.P); ok && v.Kind() == value.KindP {
		return p
	}
	return &traversal.P{Name: "eq", Args: []value.Value{v}}
}

// OneArg refuses calls with none or several arguments.
func OneArg(n *traversal.Node) error {
	if len(n.Args) != 1 {
		return IllegalArgument("%s() takes one argument, not %d", n.Name(), len(n.Args))
	}
	return nil
}

// CutScope takes a leading Scope off the arguments.
func CutScope(n *traversal.Node) (local bool, args []traversal.Arg) {
	if v := n.Value(0); v.Kind() == value.KindScope {
		return v.Str() == "local", n.Args[1:]
	}
	return false, n.Args
}

// Scoped is the Data of steps whose only argument may be a Scope.
type Scoped struct{ Local bool }

// PrepareScoped reads a call whose only argument may be a Scope.
func PrepareScoped(n *traversal.Node) error {
	s := Scoped{}
	for _, a := range n.Args {
		if a.Value.Kind() != value.KindScope {
			return fmt.Errorf("%s() takes a Scope, not %s", n.Name(), a.Value.Brief())
		}
		s.Local = a.Value.Str() == "local"
	}
	n.Data = s
	return nil
}

// BriefArg is ArgText for messages, cut where it is long.
func BriefArg(a traversal.Arg) string {
	if a.Child != nil {
		return traversal.Brief(a.Child)
	}
	return a.Value.Brief()
}

// ArgText prints an argument as explain() shows it.
func ArgText(a traversal.Arg) string {
	if a.Child != nil {
		return a.Child.String()
	}
	return a.Value.JavaString()
}

// PrepareChildren checks that all arguments are traversals, at least min of them.
func PrepareChildren(min, max int) func(n *traversal.Node) error {
	return func(n *traversal.Node) error {
		if len(n.Args) < min || max >= 0 && len(n.Args) > max {
			return fmt.Errorf("%s() does not take %d arguments", n.Name(), len(n.Args))
		}
		for _, a := range n.Args {
			if a.Child == nil {
				return fmt.Errorf("%s() takes traversals, not %s", n.Name(), a.Value.Brief())
			}
		}
		return nil
	}
}

// IsLambda reports whether an argument is a closure.
func IsLambda(v value.Value) bool {
	return v.Kind() == value.KindLambda || v.Kind() == value.KindForeign
}

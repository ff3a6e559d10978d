package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// structurePackage is where TinkerPop keeps the interfaces that messages name.
const structurePackage = "org.apache.tinkerpop.gremlin.structure."

// Errors carry the class of the Java exception that clients find beside the text.

func illegalArgument(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.IllegalArgumentException", Message: fmt.Sprintf(format, args...)}
}

func numberFormat(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.NumberFormatException", Message: fmt.Sprintf(format, args...)}
}

// castError is Java's complaint when a step meets an object it cannot work on.
func castError(v value.Value, class string) error {
	if v.IsNull() {
		return &blueprints.Exception{
			Class:   "java.lang.NullPointerException",
			Message: fmt.Sprintf("the object of the traverser is null where a %s is needed", class),
		}
	}
	return &blueprints.Exception{
		Class:   "java.lang.ClassCastException",
		Message: fmt.Sprintf("class %s cannot be cast to class %s", value.JavaClass(v), class),
	}
}

func notVertex(v value.Value) error   { return castError(v, structurePackage+"Vertex") }
func notEdge(v value.Value) error     { return castError(v, structurePackage+"Edge") }
func notProperty(v value.Value) error { return castError(v, structurePackage+"Property") }
func notElement(v value.Value) error  { return castError(v, structurePackage+"Element") }

// simpleClass is Java's getClass().getSimpleName() as messages use it.
func simpleClass(v value.Value) string { return v.Kind().SimpleClass() }

// argString returns the i-th argument as a String.
func argString(n *traversal.Node, i int) (string, error) {
	if v := n.Value(i); v.Kind() == value.KindString {
		return v.Str(), nil
	}
	return "", fmt.Errorf("%s() takes a String as argument %d, not %s", n.Name(), i+1, n.Value(i).Brief())
}

// keyArgs returns all arguments as property keys; nulls match nothing and are left
// out, none tells that only nulls were given.
func keyArgs(n *traversal.Node) (keys []string, none bool, err error) {
	for i, a := range n.Args {
		if a.Child == nil && a.Value.IsNull() {
			continue
		}
		k, err := argString(n, i)
		if err != nil {
			return nil, false, err
		}
		keys = append(keys, k)
	}
	return keys, len(n.Args) > 0 && len(keys) == 0, nil
}

// predicate returns an argument as a predicate: itself, or P.eq of a value.
func predicate(v value.Value) *traversal.P {
	if p, ok := v.Object().(*traversal.P); ok && v.Kind() == value.KindP {
		return p
	}
	return &traversal.P{Name: "eq", Args: []value.Value{v}}
}

package step

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// structurePackage is where TinkerPop keeps the interfaces that messages name.
const structurePackage = "org.apache.tinkerpop.gremlin.structure."

// Errors carry the class of the Java exception that clients find beside the text.

// IllegalArgument is an error about an argument, with Java's class of it.
func IllegalArgument(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.IllegalArgumentException", Message: fmt.Sprintf(format, args...)}
}

// NumberFormat is an error about a text that is no number.
func NumberFormat(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.NumberFormatException", Message: fmt.Sprintf(format, args...)}
}

// CastError is Java's complaint when a step meets an object it cannot work on.
func CastError(v value.Value, class string) error {
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

// NotVertex is CastError where a vertex is needed.
func NotVertex(v value.Value) error { return CastError(v, structurePackage+"Vertex") }

// NotEdge is CastError where an edge is needed.
func NotEdge(v value.Value) error { return CastError(v, structurePackage+"Edge") }

// NotProperty is CastError where a property is needed.
func NotProperty(v value.Value) error { return CastError(v, structurePackage+"Property") }

// NotElement is CastError where a vertex, an edge or a vertex property is needed.
func NotElement(v value.Value) error { return CastError(v, structurePackage+"Element") }

// SimpleClass is Java's getClass().getSimpleName() as messages use it.
func SimpleClass(v value.Value) string { return v.Kind().SimpleClass() }

// ClassName is Java's text of getClass().
func ClassName(v value.Value) string { return "class " + value.JavaClass(v) }

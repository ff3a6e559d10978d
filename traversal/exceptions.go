package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

func illegalState(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.IllegalStateException", Message: fmt.Sprintf(format, args...)}
}

func illegalArgument(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.IllegalArgumentException", Message: fmt.Sprintf(format, args...)}
}

func nullPointer(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.NullPointerException", Message: fmt.Sprintf(format, args...)}
}

func classCast(v value.Value, to value.Kind) error {
	return &blueprints.Exception{
		Class:   "java.lang.ClassCastException",
		Message: fmt.Sprintf("class %s cannot be cast to class %s", value.JavaClass(v), to.JavaClass()),
	}
}

// NullClass is Java's error where the class of a null is asked for; name is that of the
// variable, which clients see in the text.
func NullClass(name string) error {
	return nullPointer(`Cannot invoke "Object.getClass()" because "%s" is null`, name)
}

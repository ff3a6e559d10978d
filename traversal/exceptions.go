package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
)

func illegalState(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.IllegalStateException", Message: fmt.Sprintf(format, args...)}
}

// NullClass is Java's error where the class of a null is asked for; name is that of the
// variable, which clients see in the text.
func NullClass(name string) error {
	return &blueprints.Exception{
		Class:   "java.lang.NullPointerException",
		Message: fmt.Sprintf(`Cannot invoke "Object.getClass()" because "%s" is null`, name),
	}
}

package blueprints

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// Errors of a Database and its graphs. Wrapped errors carry the detail.
var (
	// ErrNoGraph is returned when no graph has the name.
	ErrNoGraph = errors.New("no such graph")
	// ErrGraphExists is returned by CreateGraph when the name is taken.
	ErrGraphExists = errors.New("graph already exists")
	// ErrGraphDropped is returned by use of a graph after DropGraph.
	ErrGraphDropped = errors.New("graph was dropped")
	// ErrNoElement is returned when an element of that internal id never existed or
	// is gone.
	ErrNoElement = value.ErrNoElement
)

// Exception is an error that TinkerPop has a Java class and a text for. Clients and
// the official suites match the text.
type Exception struct {
	Class   string // fully qualified Java class
	Message string
}

// Error returns the text alone.
func (e *Exception) Error() string { return e.Message }

// JavaClass returns Class, which clients are told.
func (e *Exception) JavaClass() string { return e.Class }

func illegalArgument(format string, args ...any) error {
	return &Exception{Class: "java.lang.IllegalArgumentException", Message: fmt.Sprintf(format, args...)}
}

// IllegalArgument is the error of what a client asks for and cannot have.
func IllegalArgument(format string, args ...any) error { return illegalArgument(format, args...) }

func illegalState(format string, args ...any) error {
	return &Exception{Class: "java.lang.IllegalStateException", Message: fmt.Sprintf(format, args...)}
}

// VertexExists refuses a vertex whose id another has.
func VertexExists(id value.Value) error {
	return illegalArgument("Vertex with id already exists: %s", id.Brief())
}

// EdgeExists refuses an edge whose id another has.
func EdgeExists(id value.Value) error {
	return illegalArgument("Edge with id already exists: %s", id.Brief())
}

func vertexRemoved(id value.Value) error {
	return illegalState("Vertex with id %s was removed.", id.Brief())
}

func edgeRemoved(id value.Value) error {
	return illegalState("Edge with id %s was removed.", id.Brief())
}

// NameMax is the longest label or property key in bytes.
const NameMax = 64 << 10

// ValidateLabel reports why a label is not legal.
func ValidateLabel(label string) error {
	switch {
	case label == "":
		return illegalArgument("Label can not be empty")
	case label[0] == '~':
		return illegalArgument("Label can not be a hidden key: %s", label)
	case len(label) > NameMax:
		return illegalArgument("Label can not be longer than %d bytes: it has %d", NameMax, len(label))
	}
	return nil
}

// ValidateKey reports why a property key is not legal.
func ValidateKey(key string) error {
	switch {
	case key == "":
		return illegalArgument("Property key can not be the empty string")
	case key[0] == '~':
		return illegalArgument("Property key can not be a hidden key: %s", key)
	case len(key) > NameMax:
		return illegalArgument("Property key can not be longer than %d bytes: it has %d", NameMax, len(key))
	}
	return nil
}

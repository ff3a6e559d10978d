package machine

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// What an object may be besides, for those who know objects by what they do.

// cursor hands out its elements one by one: a traversal, an iterator.
type cursor interface {
	Take(m *Machine) (value.Value, bool, error)
}

// listed has its elements at hand: the matches of a pattern.
type listed interface {
	items(m *Machine) ([]value.Value, error)
}

// drained is a cursor that may be run to its end where no script goes on: a traversal that
// starts from a graph.
type drained interface {
	Drains() bool
}

// streamed has elements that only methods of its own go through.
type streamed interface {
	Elements() []value.Value
}

// indexed is read by object[k].
type indexed interface {
	At(m *Machine, k value.Value) (value.Value, error)
}

// truthful is true or false by what it has.
type truthful interface {
	Truth(m *Machine) (bool, error)
}

// caser is a label of a switch.
type caser interface {
	IsCase(m *Machine, v value.Value) (bool, error)
}

// equatable equals other objects than itself.
type equatable interface {
	Equals(other Object) bool
}

// appendable takes texts by <<.
type appendable interface {
	Grow(m *Machine, text string) error
}

// Class stands for a Java class.
type Class interface {
	Object
	Full() string // with its package
	Simple() string
	// Refusal is how an error calls a member that scripts have not.
	Refusal(member string) string
}

// membered lists what may be called on it beside what the tables have.
type membered interface {
	Members(m *Machine) []string
}

// typed is of more types than its class says.
type typed interface {
	Is(simpleName string) bool
}

// exported is another value for who takes what scripts return; false leaves it as it is.
type exported interface {
	Export() (value.Value, bool)
}

// whole is sent with all that it holds where more than its text can be sent.
type whole interface {
	Whole(m *Machine) (value.Value, error)
}

// keeping is an object that keeps values, and bytes besides.
type keeping interface {
	Keeps() ([]value.Value, int)
}

// retaining keeps them too, and is not gone through when it is passed on.
type retaining interface {
	Retains() ([]value.Value, int)
}

// located belongs to a graph or source of the host.
type located interface {
	Belongs() host.Global
}

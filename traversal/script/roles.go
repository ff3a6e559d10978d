package script

import "github.com/gremlind/gremlind/storage/value"

// What an object may be besides, for those who know objects by what they do.

// cursor hands out its elements one by one: a traversal, an iterator.
type cursor interface {
	next(m *machine) (value.Value, bool, error)
}

// listed has its elements at hand: the matches of a pattern.
type listed interface {
	items(m *machine) ([]value.Value, error)
}

// drained is a cursor that may be run to its end where no script goes on: a traversal that
// starts from a graph.
type drained interface {
	drains() bool
}

// streamed has elements that only methods of its own go through.
type streamed interface {
	elements() []value.Value
}

// indexed is read by object[k].
type indexed interface {
	at(m *machine, k value.Value) (value.Value, error)
}

// truthful is true or false by what it has.
type truthful interface {
	truth(m *machine) (bool, error)
}

// caser is a label of a switch.
type caser interface {
	isCase(m *machine, v value.Value) (bool, error)
}

// equatable equals other objects than itself.
type equatable interface {
	equals(other object) bool
}

// appendable takes texts by <<.
type appendable interface {
	grow(m *machine, text string) error
}

// class stands for a Java class.
type class interface {
	object
	full() string // with its package
	simple() string
	// refusal is how an error calls a member that scripts have not.
	refusal(member string) string
}

// typed is of more types than its class says.
type typed interface {
	is(simpleName string) bool
}

// exported is another value for who takes what scripts return; false leaves it as it is.
type exported interface {
	export(e *exporter, depth int) (value.Value, bool)
}

// whole is sent with all that it holds where more than its text can be sent.
type whole interface {
	whole(m *machine) (value.Value, error)
}

// keeping is an object that keeps values, and bytes besides.
type keeping interface {
	keeps() ([]value.Value, int)
}

// retaining keeps them too, and is not gone through when it is passed on.
type retaining interface {
	retains() ([]value.Value, int)
}

// located belongs to a graph or source of the host.
type located interface {
	global() Global
}

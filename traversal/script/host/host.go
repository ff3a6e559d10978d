package host

import (
	"context"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// GlobalKind says what a global name means.
type GlobalKind uint8

// The kinds.
const (
	SourceGlobal GlobalKind = iota
	GraphGlobal
)

// Global is a traversal source or a graph of the server.
type Global struct {
	Kind GlobalKind
	Name string // after aliases
	// Opened is the number, from 1, of a graph that a script of the request or session
	// opened; it is 0 for what the server has.
	Opened int
}

// Hidden is the graph of a copy that came through a filter: what reads the copy asks the
// copy, for the graph would show what is hidden.
type Hidden struct{ Global }

// Graphs is what a Host may have besides: graphs that scripts open themselves, in memory
// and for their own request or session alone, and what belongs to a graph beside its
// elements.
type Graphs interface {
	// Open makes an empty graph.
	Open(ctx context.Context, o blueprints.Options) (Global, error)
	// HasOpened reports whether such a graph is open.
	HasOpened() bool
	// Forget closes the opened graphs that keep does not want.
	Forget(keep func(g Global) bool)
	// Fill adds one of TinkerFactory's samples to a graph.
	Fill(ctx context.Context, g Global, sample string) error
	// Copy adds copies of elements to a graph.
	Copy(ctx context.Context, g Global, s *value.Subgraph) error
	// Detach returns a copy of a stored element, with its properties.
	Detach(v value.Value) (value.Value, error)
	// Options are those of a graph.
	Options(g Global) (blueprints.Options, error)
	// Variables are those of a graph, by key.
	Variables(ctx context.Context, g Global) (*value.Map, error)
	// SetVariable sets one, at once and for everybody, or removes it when v is null.
	SetVariable(ctx context.Context, g Global, key string, v value.Value) error
	// Outward returns what a closure sees of a value of the traversal under way, Inward
	// what that takes of what the closure returns: copies and the elements themselves,
	// when it is on another graph than the first that is used.
	Outward(v value.Value) (value.Value, error)
	Inward(v value.Value) value.Value
	// Attach finds what an element of a graph, or one that belongs to a property, is a
	// copy of, and what reads it. An element that is gone stays the copy.
	Attach(ctx context.Context, g Global, v value.Value) (value.Value, Elements, error)
}

// Host is what scripts reach. One goroutine uses it.
type Host interface {
	// Lookup resolves a name that is no variable, aliases included.
	Lookup(name string) (Global, bool)
	// Here is the graph of the elements that come as they are, which is the first that is
	// used, by the source through which it was; g before.
	Here() (Global, bool)
	// Execute starts a traversal in the transaction of the request. A graph stands for
	// a source without configuration, the zero Global for none: an anonymous traversal.
	// Elements of another graph than the first that is used come as copies, whose Home is
	// the Global; those of a traversal that hides something too, whose Home is a Hidden.
	Execute(ctx context.Context, g Global, b *traversal.Bytecode) (Iterator, error)
	// Explain returns what explain() shows.
	Explain(ctx context.Context, g Global, b *traversal.Bytecode) (value.Value, error)
	// Steps returns the steps of a traversal as text: as it was built, or what strategies
	// made of it.
	Steps(ctx context.Context, g Global, b *traversal.Bytecode, applied bool) ([]string, error)
	// Describe returns the text of a graph, tinkergraph[vertices:6 edges:6].
	Describe(ctx context.Context, g Global) (string, error)
	// Tx does begin, commit, rollback, open, close or isOpen; the last returns a Bool.
	Tx(ctx context.Context, g Global, op string) (value.Value, error)
	// Elements reads elements as the request's transaction sees them.
	Elements() Elements
}

// Names is what a Host may have besides, for errors.
type Names interface {
	// GlobalNames are the names that Lookup knows.
	GlobalNames() []string
}

// Iterator is a running traversal. Errors of a traversal reach the script's caller
// unchanged unless the script catches them.
type Iterator interface {
	// Next appends up to max results to dst; none means the end.
	Next(dst []value.Bulked, max int) ([]value.Bulked, error)
	Close()
}

// SideEffects is what an Iterator may have besides.
type SideEffects interface {
	// SideEffects returns those of the traversal as they are now, by key.
	SideEffects() (*value.Map, error)
}

// Elements reads vertices, edges and properties; *traversal.Run is one.
type Elements interface {
	ID(v value.Value) (value.Value, error)
	Label(v value.Value) (string, error)
	Property(v value.Value, key string) (value.Value, bool, error)
	Properties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error)
	Endpoints(edge value.Value) (out, in value.Value, err error)
}

// StartupHost is what a server's own scripts reach beside what the Host gives.
type StartupHost interface {
	// Sample fills an empty graph with one of TinkerFactory's.
	Sample(ctx context.Context, graph, sample string) error
	// Log writes a line of the server's log; level is debug, info, warn or error.
	Log(level, text string)
}

package script

import (
	"context"

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
}

// Host is what scripts reach. One goroutine uses it.
type Host interface {
	// Lookup resolves a name that is no variable, aliases included.
	Lookup(name string) (Global, bool)
	// Execute starts a traversal in the transaction of the request. A graph stands for
	// a source without configuration.
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

// Iterator is a running traversal. Errors of a traversal reach the script's caller
// unchanged unless the script catches them.
type Iterator interface {
	// Next appends up to max results to dst; none means the end.
	Next(dst []value.Bulked, max int) ([]value.Bulked, error)
	Close()
}

// Elements reads vertices, edges and properties; *traversal.Run is one.
type Elements interface {
	ID(v value.Value) (value.Value, error)
	Label(v value.Value) (string, error)
	Property(v value.Value, key string) (value.Value, bool, error)
	Properties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error)
	Endpoints(edge value.Value) (out, in value.Value, err error)
}

package contract

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// NameKind says what a global name of the server means.
type NameKind uint8

// The kinds of global names.
const (
	NoName NameKind = iota
	GraphName
	SourceName
)

// Errors that an Engine returns for the endpoint to name.
var (
	// ErrNoTransactions is returned by GraphOp on a graph without transactions.
	ErrNoTransactions = errors.New("Graph does not support transactions")
	// ErrUnauthorized is wrapped by errors about missing rights.
	ErrUnauthorized = traversal.ErrUnauthorized
)

// Engine evaluates requests. It is safe for concurrent use.
type Engine interface {
	// Lookup says whether name is a graph or a traversal source. What a user does not reach
	// is neither.
	Lookup(who *traversal.Identity, name string) NameKind
	// Quick reports whether a query is likely to be quick and touches graphs alone: it is
	// then evaluated where it was read. A guess.
	Quick(q *Query) bool
	// Open makes the state of one request or of one session.
	Open(o WorkOptions) Work
}

// WorkOptions say for whom a Work is.
type WorkOptions struct {
	// Session keeps variables and transactions between queries.
	Session bool
	// Account is charged for what the variables and the open transactions of a session
	// keep; a request's are charged to its Query.
	Account *account.Account
	// Alone lets no other write commit beside this one: the rerun of a request that
	// lost two conflicts.
	Alone bool
	// Identity is who asks. What it may not do is refused with ErrUnauthorized; nil may
	// do nothing.
	Identity *traversal.Identity
}

// Work is the state of one request or of one session: its variables and its open
// transactions. One goroutine uses it at a time.
type Work interface {
	// Run starts a query. The results are read before the next call of any method.
	Run(ctx context.Context, q *Query) (Results, error)
	// GraphOp commits or rolls back the transaction of the source of q, as the bytecode
	// ["tx", "commit"] asks; ErrNoTransactions when its graph has none for clients.
	GraphOp(ctx context.Context, q *Query, op string) error
	// Commit commits the open transactions: all of them, or only those of graphs that
	// give their clients no transactions, whose every request stands alone.
	Commit(ctx context.Context, all bool) error
	// CommitAsync commits all open transactions as Commit does, but does not wait: the
	// outcome goes to done, on any goroutine, which done must not block. Only then may
	// the Work be used again.
	CommitAsync(ctx context.Context, done func(error))
	// Rollback rolls back in the same manner.
	Rollback(all bool)
	// Pending reports whether any open transaction has written.
	Pending() bool
	// Open reports whether any transaction is open.
	Open() bool
	// Rest forgets what nothing but the query that has ended needed, for a Work that waits
	// for another: that is charged to nobody any more. Transactions and variables stay.
	Rest()
	// Close rolls back what is open and forgets all variables.
	Close()
}

// Query is one evaluation, checked as far as the protocol can.
type Query struct {
	// Bytecode is nil for a script, and where Form and Constants stand in for it.
	Bytecode  *traversal.Bytecode
	Form      *plancache.Form
	Constants []value.Value
	// Source is the global name of what bytecode calls g.
	Source   string
	Script   string
	Language string
	Bindings *value.Map // nil when none
	// Aliases maps names of a script to global names.
	Aliases map[string]string
	// Account is charged for what the evaluation keeps.
	Account *account.Account
	// Request is the id of the request, zero for none. History says which one committed.
	Request uuid.UUID
	// Counted are the limited graphs whose requests this one counts among: when it is
	// evaluated once more, it is no other request.
	Counted []*blueprints.Bounds
	// Measure has the steps of its traversals measured, which takes a few percent.
	Measure bool
	// Ran, which the Work sets, is the traversal that it began last; nil: none. It may be asked
	// until the Work is closed.
	Ran Ran
}

// Ran is a traversal that was evaluated.
type Ran interface {
	// Plan are its steps as explain() shows them in the end.
	Plan() []string
	// Took is what its steps took, nil when they were not measured. When they were not, those
	// of the next traversal of its like are.
	Took() []Took
}

// Took is what one step of a traversal took.
type Took struct {
	Step string
	Time time.Duration // of its own, without the steps before it
	Rows int64         // that came out of it
}

// Shortener is a context of an evaluation whose time can be made shorter than it was.
type Shortener interface {
	// Shorten lets the evaluation take no longer than d, all in all, for the sake of a setting.
	Shorten(d time.Duration, setting string)
}

// IsBytecode reports whether the query is no script.
func (q *Query) IsBytecode() bool { return q.Bytecode != nil || q.Form != nil }

// Code returns the bytecode, nil for a script.
func (q *Query) Code() *traversal.Bytecode {
	if q.Form != nil {
		return q.Form.Bytecode(q.Constants)
	}
	return q.Bytecode
}

// Resolve returns the global name that name stands for: itself when it is no alias.
func (q *Query) Resolve(name string) string {
	if q.IsBytecode() && name == "g" {
		return q.Source
	}
	if target, ok := q.Aliases[name]; ok {
		return target
	}
	return name
}

// Results are what a query yields.
type Results interface {
	// Next appends up to max results to dst; none means the end.
	Next(dst []value.Bulked, max int) ([]value.Bulked, error)
	// Resolver finds the stored elements that results refer to. It may change with Next.
	Resolver() value.Resolver
	// Writes reports whether the query may write: its answer then waits for the commit.
	Writes() bool
	Close()
}

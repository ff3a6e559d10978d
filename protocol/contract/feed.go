package contract

import (
	"context"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Feed tells what commits changed in graphs. It is safe for concurrent use.
type Feed interface {
	// Changes hands the commits of a graph to fn, in their order, until fn wants no more, there
	// are no more, or it has gone on for long enough. An error of fn ends it.
	Changes(ctx context.Context, q *FeedQuery, fn func(Told) (more bool, err error)) (Place, error)
	// News returns a channel that closes when there is a commit that is not told yet to who
	// calls Changes behind News and finds none.
	News(who *traversal.Identity, source string) (<-chan struct{}, error)
}

// FeedQuery says whose changes are to be told, and from where on.
type FeedQuery struct {
	Identity *traversal.Identity
	// Source is a traversal source, or a graph.
	Source string
	// After is a cursor, a version, "now", or empty for all that is kept.
	After string
	// Pass has the Place say how far there is nothing, though nobody writes.
	Pass    bool
	Request uuid.UUID
	// Account is charged for what is read.
	Account *account.Account
}

// Told is one commit.
type Told struct {
	// Cursor is what After is to be for the commits behind this one.
	Cursor string
	Commit *value.Map
}

// Place is how far a call of Changes came.
type Place struct {
	// From is where it began, and Cursor what After is to be to go on.
	From, Cursor string
	// End says that there were no more commits.
	End bool
}

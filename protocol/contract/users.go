package contract

import (
	"context"

	"github.com/gremlind/gremlind/traversal"
)

// Authenticator knows the users. It is safe for concurrent use.
type Authenticator interface {
	// Authenticate checks a name and a password, or a token in the password's place, which
	// may come without a name. An error says for the log why they are refused. address is
	// the client's, without the port, for throttling; a client that is gone ends ctx.
	Authenticate(ctx context.Context, address, user, password string) (*traversal.Identity, error)
	// Known returns who a user is, without a login; nil where there is none of that name.
	Known(user string) (*traversal.Identity, error)
	// Tokens reports whether tokens are taken.
	Tokens() bool
	// Changes counts what became of users: as long as it stays the same, and no token has
	// ended, Renew has nothing new to say.
	Changes() uint64
	// Renew returns what an authenticated user is now: id itself when nothing changed,
	// nil when the user is gone or has another password, or the token has ended.
	Renew(id *traversal.Identity) (*traversal.Identity, error)
}

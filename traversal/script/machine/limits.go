package machine

import (
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Limits bounds one evaluation.
type Limits struct {
	TextBytes int   // of the script; default 10 MiB
	Depth     int   // of nesting in the text; default 200
	Calls     int   // of calls within calls; default 800
	Steps     int64 // turns of loops and calls; default 200,000,000
	Bytes     int64 // made by the script, not only kept; default 128 MiB
	Items     int   // of a range; default 1,000,000
}

// WithDefaults returns l with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	if l.TextBytes == 0 {
		l.TextBytes = 10 << 20
	}
	if l.Depth == 0 {
		l.Depth = 200
	}
	if l.Calls == 0 {
		l.Calls = 800
	}
	if l.Steps == 0 {
		l.Steps = 200_000_000
	}
	if l.Bytes == 0 {
		l.Bytes = 128 << 20
	}
	if l.Items == 0 {
		l.Items = 1_000_000
	}
	return l
}

// Options say what scripts may use, and where that is counted.
type Options struct {
	Limits Limits
	// Functions are those that scripts of the same owner defined, and where this one's
	// are kept; without any they are kept in the session.
	Functions Scope
	// Steps reports whether a name that the grammar does not have is a step. Nil knows
	// the grammar's only.
	Steps func(name string) bool
	// Account is charged for what a script makes, besides Limits.Bytes. It may be nil.
	Account *account.Account
	// Kept is charged for what the variables keep from one script to the next; nil
	// where they do not outlive a request.
	Kept *account.Account
	// Print takes what println and its like print; nil throws it away.
	Print func(text string)
	// Startup is set for the scripts of the server itself; nil for those of clients.
	Startup host.StartupHost
}

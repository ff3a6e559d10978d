package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/contract/fake"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// newDesk is a desk whose engine answers with what it was asked.
func newDesk(t *testing.T, change func(*request.Options)) *request.Desk {
	o := request.Options{Engine: &echo{}, Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Codecs: message.Codecs{message.MimeGraphBinary: graphbinary.Codec{}, message.MimeJSON: graphson.Codec{Version: 3},
			message.MimeGraphSON1 + message.Untyped: graphson.Codec{Version: 1, Untyped: true}}}
	if change != nil {
		change(&o)
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	return request.NewDesk(o, stop)
}

// echo is an engine whose results are the script, the language, the bindings and the
// aliases of a query.
type echo struct {
	started chan struct{} // gets one for each script "block" or "full"
}

func (*echo) Lookup(_ *traversal.Identity, name string) contract.NameKind {
	if strings.HasPrefix(name, "g") {
		return contract.SourceName
	}
	return contract.NoName
}

func (*echo) Quick(*contract.Query) bool                { return true }
func (e *echo) Open(contract.WorkOptions) contract.Work { return &work{e} }

type work struct{ e *echo }

func (w *work) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	switch {
	case q.Script == "block":
		w.e.started <- struct{}{}
		<-ctx.Done()
		return nil, traversal.ErrTimeout
	case q.Script == "full":
		w.e.started <- struct{}{}
		return nil, message.TooMuch(fake.Full())
	case q.Script == "panic":
		panic("as asked")
	case strings.HasPrefix(q.Script, "long"):
		return fake.Results(value.String(strings.Repeat("x", 300<<10))), nil
	}
	aliases := value.NewMap()
	for _, name := range slices.Sorted(maps.Keys(q.Aliases)) {
		aliases.PutString(name, value.String(q.Aliases[name]))
	}
	bindings := value.NewMap()
	if q.Bindings != nil {
		bindings = q.Bindings
	}
	return fake.Results(value.String(q.Script), value.String(q.Language), bindings.Value(), aliases.Value()), nil
}

func (*work) GraphOp(context.Context, *contract.Query, string) error { return nil }
func (*work) Commit(context.Context, bool) error                     { return nil }
func (*work) CommitAsync(_ context.Context, done func(error))        { done(nil) }
func (*work) Rollback(bool)                                          {}
func (*work) Rest()                                                  {}
func (*work) Pending() bool                                          { return false }
func (*work) Open() bool                                             { return false }
func (*work) Close()                                                 {}

// users lets one user in.
type users struct{ stephen *traversal.Identity }

func (u users) Authenticate(_ context.Context, _, user, password string) (*traversal.Identity, error) {
	if user == "stephen" && password == "password" || user == "" && password == "token" {
		return u.stephen, nil
	}
	return nil, errors.New("wrong")
}

func (users) Known(string) (*traversal.Identity, error) { return nil, nil }

func (users) Tokens() bool { return true }

func (users) Changes() uint64                                           { return 0 }
func (users) Renew(id *traversal.Identity) (*traversal.Identity, error) { return id, nil }

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

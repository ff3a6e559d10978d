package request

import (
	"fmt"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// SeeAsArg is the argument of a request that names the user with whose eyes it looks.
const SeeAsArg = "seeAs"

// seeAs gives the request the rights of the user whom its argument names, to read alone. That
// is for who administers everything, and Record writes it down.
func (t *Task) seeAs() error {
	v := t.Arg(SeeAsArg)
	switch {
	case v.IsNull():
		return nil
	case v.Kind() != value.KindString || v.Str() == "":
		return message.InvalidArgs("%s must be the name of a user", SeeAsArg)
	case t.desk.Auth == nil:
		return message.InvalidArgs("%s: this server asks nobody who he is, and so knows no users (setting: auth)", SeeAsArg)
	case t.Req.Processor == message.ProcessorSession:
		return message.InvalidArgs("%s is for requests outside sessions: a session is its user's", SeeAsArg)
	case !t.Identity.MaySeeAs():
		return t.noSight("only who administers every graph, and from whom nothing is kept, may see as others do")
	}
	other, err := t.desk.Auth.Known(v.Str())
	if err != nil {
		return err
	}
	if other == nil {
		return t.noSight("there is no user of that name; who shows a token alone is not known by name")
	}
	t.Identity = t.Identity.SeeAs(other)
	return nil
}

func (t *Task) noSight(why string) error {
	return fmt.Errorf("%w: user %s may not see as %.64s: %s", contract.ErrUnauthorized, t.Identity.User(), t.Arg(SeeAsArg).Str(), why)
}

// SeesAs is the user with whose eyes the request looks, "" for those of who asks.
func (t *Task) SeesAs() string {
	if t.Identity.Asker() == t.Identity {
		return ""
	}
	return t.Identity.Name
}

// Fields are those of a line about the request: whose it is, and more.
func (t *Task) Fields(more ...any) []any {
	fields := []any{"user", t.Identity.Asker().User(), "remote", t.Remote}
	if as := t.SeesAs(); as != "" {
		fields = append(fields, SeeAsArg, as)
	}
	return append(fields, more...)
}

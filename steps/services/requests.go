package services

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The requests under way in the server, for administrators. One who is bound to some graphs
// sees and stops his own alone.
//
//	gremlind.running      {id, user, remote, session, source, query, ms, bytes, state}, the oldest first,
//	                      and seeAs of who sees as another user
//	gremlind.kill    id   stops a request, and answers with how many were stopped: 0 when it is over
var (
	runningRequests = &service{name: "gremlind.running", kinds: atStart, right: traversal.AdminRight, call: callRunning}
	killRequest     = &service{name: "gremlind.kill", kinds: atStart, right: traversal.AdminRight, call: callKill, params: []traversal.ServiceParam{
		{Name: "id", Type: "String or UUID", Doc: "The whole id of the request"},
	}}
)

// watched is a Host whose server knows the requests under way; nil when it has none.
type watched interface{ Requests() traversal.Requests }

// requestsOf are the requests that a call may be about.
func requestsOf(c traversal.ServiceCall) (traversal.Requests, error) {
	if id := c.Run.Identity; !id.Administers() {
		return nil, fmt.Errorf("%w: user %s may not watch the server", traversal.ErrUnauthorized, id.User())
	}
	if h, ok := c.Run.Host.(watched); ok {
		if all := h.Requests(); all != nil {
			return all, nil
		}
	}
	return nil, errors.New("no server evaluates this: it has no list of requests")
}

// requestBytes is about what the list takes for a request, beside its texts.
const requestBytes = 1 << 10

func callRunning(c traversal.ServiceCall) (traversal.Cursor, error) {
	all, err := requestsOf(c)
	if err != nil {
		return nil, err
	}
	var out []value.Value
	for _, r := range all.List(c.Run.Identity) {
		if err := c.Run.Charge(requestBytes + len(r.Query) + len(r.Session)); err != nil {
			return nil, err
		}
		out = append(out, requestMap(&r))
	}
	return traversal.Values(out), nil
}

func requestMap(r *traversal.Request) value.Value {
	m := value.NewMapSize(9)
	for _, e := range [...]struct{ key, text string }{
		{"id", r.ID}, {"user", r.User}, {"remote", r.Remote}, {"session", r.Session}, {"source", r.Source}, {"query", r.Query}, {"state", r.State},
	} {
		m.PutString(e.key, value.String(e.text))
	}
	if r.SeeAs != "" {
		m.PutString("seeAs", value.String(r.SeeAs))
	}
	m.PutString("ms", value.Long(int64(r.Seconds*1000)))
	m.PutString("bytes", value.Long(r.Bytes))
	return m.Value()
}

func callKill(c traversal.ServiceCall) (traversal.Cursor, error) {
	all, err := requestsOf(c)
	if err != nil {
		return nil, err
	}
	id, ok := c.Params.GetString("id")
	if !ok || id.IsNull() {
		return nil, errors.New("gremlind.kill wants id: that of a request, as gremlind.running has it")
	}
	return one(value.Int(int32(all.Kill(c.Run.Identity, id.JavaString())))), nil
}

package connection

import (
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// authFailuresMax closes a connection that guesses.
const authFailuresMax = 3

// gate holds a connection's requests back until its user is known: SASL PLAIN as
// Gremlin drivers speak it. The first request is challenged with 407, those behind it
// wait; all are answered under their own ids. What waits is charged to the connection's
// account, which is small until then.
type gate struct {
	c      *Conn
	opened time.Time
	open   atomic.Bool

	// mu is held while it is decided who waits and who passes. Nothing is sent
	// meanwhile: a client that does not read must not stop who else asks for mu.
	mu       sync.Mutex
	parked   []*request.Task
	busy     bool // a password is being checked
	failures int
}

func newGate(c *Conn) *gate { return &gate{c: c, opened: time.Now()} }

func (g *gate) overdue(now time.Time) bool {
	return !g.open.Load() && now.Sub(g.opened) > g.c.desk.Limits().AuthenticationTimeout
}

// verdict is what becomes of a message that came to the gate.
type verdict uint8

const (
	verdictPass verdict = iota
	verdictPark
	verdictChallenge // parked as the first, or forgotten
	verdictAuthenticate
	verdictTooMany
	verdictTooMuch
)

// pass reports whether t may go on; otherwise the gate takes care of it.
func (g *gate) pass(t *request.Task) bool {
	if g.open.Load() {
		return true
	}
	switch g.judge(t) {
	case verdictPass:
		return true
	case verdictChallenge:
		g.challenge(t)
	case verdictAuthenticate:
		g.authenticate(t)
	case verdictTooMany:
		g.overrun(t, "parkedRequests")
	case verdictTooMuch:
		g.overrun(t, "loginBytes")
	}
	return false
}

// overrun ends a connection that sends more before it has authenticated than may wait.
func (g *gate) overrun(t *request.Task, setting string) {
	g.c.desk.Reject(setting)
	t.Refuse(&message.StatusError{Code: message.StatusTooManyRequests, Message: message.RateLimiting + ": too many requests before authentication (" + setting + ")"})
	g.c.shutDown(websocket.ClosePolicyViolation, "too many requests before authentication ("+setting+")", answer.ErrConnectionGone)
}

func (g *gate) judge(t *request.Task) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open.Load() {
		return verdictPass
	}
	first := len(g.parked) == 0 && !g.busy
	switch {
	case t.Req.Op == message.OpAuthentication && !first:
		return verdictAuthenticate
	case len(g.parked) >= g.c.desk.Limits().ParkedRequests:
		return verdictTooMany
	case t.Req.Op != message.OpAuthentication:
		if err := t.Park(); err != nil {
			return verdictTooMuch
		}
		g.parked = append(g.parked, t)
	}
	if first {
		return verdictChallenge
	}
	return verdictPark
}

// challenge is not the request's terminal answer.
func (g *gate) challenge(t *request.Task) {
	frame, err := t.Reply.Codec.AppendResponse(nil, &message.Response{ID: t.Req.ID, HasID: t.Req.HasID, Code: message.StatusAuthenticate, NoData: true}, nil, 0)
	if err == nil {
		g.c.Send(t, frame)
	}
	if t.Req.Op == message.OpAuthentication {
		t.Answered() // nothing else comes
	}
}

// authenticate checks the credentials in a goroutine of its own: hashing takes long on
// purpose, and pings must be answered meanwhile.
func (g *gate) authenticate(t *request.Task) {
	t.Answered() // the message itself gets no answer
	sasl := t.Arg("sasl")
	switch {
	case !g.begin():
	case sasl.IsNull():
		g.reject(&message.StatusError{Code: message.StatusUnauthorized, Message: "Failed to authenticate"})
	case sasl.Kind() != value.KindString:
		g.reject(message.Malformed("Incorrect type for : sasl - base64 encoded String is expected"))
	default:
		g.c.running.Add(1)
		go g.verify(sasl.Str())
	}
}

// begin is false while other credentials are being checked.
func (g *gate) begin() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy {
		return false
	}
	g.busy = true
	return true
}

func (g *gate) verify(sasl string) {
	defer g.c.running.Done()
	c := g.c
	user, password, ok := parseSASL(sasl)
	id, err := (*traversal.Identity)(nil), errNotPlain
	if ok {
		id, err = c.desk.Auth.Authenticate(c.ctx, quota.HostOf(c.remote), user, password)
	}
	if err != nil {
		c.desk.LoginRefused(user, c.remote, err)
		g.reject(&message.StatusError{Code: message.StatusUnauthorized, Message: message.BadCredentials})
		return
	}
	c.identity.Store(id)
	c.renew() // the user may have changed meanwhile
	c.belong(quota.UserHolder, id.User())
	for t := g.leave(); t != nil; t = g.leave() {
		t.Recharge(c.account.Load())
		c.start(t)
	}
}

// leave returns the next request that waits. The gate is open when there is none: not
// before, so that those behind do not overtake.
func (g *gate) leave() *request.Task {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.parked) == 0 {
		g.parked, g.busy = nil, false
		g.open.Store(true)
		return nil
	}
	t := g.parked[0]
	g.parked = g.parked[1:]
	return t
}

// reject answers all that waits. Guessing ends with the connection.
func (g *gate) reject(err error) {
	g.mu.Lock()
	waiting := g.parked
	g.parked, g.busy = nil, false
	g.failures++
	guesses := g.failures >= authFailuresMax
	g.mu.Unlock()
	for _, t := range waiting {
		t.Refuse(err)
	}
	if guesses {
		g.c.shutDown(websocket.ClosePolicyViolation, "too many failed authentications", answer.ErrConnectionGone)
	}
}

// saslMax is the longest SASL message in bytes: a token may stand where the password does.
const saslMax = 12 << 10

var errNotPlain = errors.New("no user and password, as SASL PLAIN has them")

// parseSASL reads base64 of [authzid] NUL user NUL password, from the end, so that an
// authorisation id may hold anything.
func parseSASL(s string) (user, password string, ok bool) {
	if len(s) > saslMax {
		return "", "", false
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", "", false
	}
	parts := strings.Split(string(b), "\x00")
	if len(parts) != 3 || parts[1] == "" {
		return "", "", false
	}
	return parts[1], parts[2], true
}

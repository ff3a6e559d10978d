package protocol

import (
	"encoding/base64"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const (
	messageBadCredentials = "Username and/or password are incorrect"
	// authFailuresMax closes a connection that guesses.
	authFailuresMax = 3
)

// gate holds a connection's requests back until its user is known: SASL PLAIN as
// Gremlin drivers speak it. The first request is challenged with 407, those behind it
// wait; all are answered under their own ids.
type gate struct {
	c        *conn
	opened   time.Time
	mu       sync.Mutex
	parked   []*task
	bytes    int64
	busy     bool // a password is being checked
	failures int
	open     bool
}

func newGate(c *conn) *gate { return &gate{c: c, opened: time.Now()} }

func (g *gate) overdue(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.open && now.Sub(g.opened) > g.c.srv.limits.AuthenticationTimeout
}

// pass reports whether t may go on; otherwise the gate takes care of it.
func (g *gate) pass(t *task) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		return true
	}
	if t.req.Op == opAuthentication && (len(g.parked) > 0 || g.busy) {
		g.authenticate(t)
		return false
	}
	first := len(g.parked) == 0 && !g.busy
	if len(g.parked) >= g.c.srv.limits.ParkedRequests {
		g.c.refuse(t, &StatusError{Code: statusTooManyRequests, Message: messageRateLimiting + ": too many requests before authentication (parkedRequests)"})
		g.c.shutDown(websocket.ClosePolicyViolation, "too many requests before authentication", errConnectionGone)
		return false
	}
	if t.req.Op != opAuthentication {
		g.parked = append(g.parked, t)
	}
	if first {
		g.challenge(t)
	}
	return false
}

// challenge is not the request's terminal answer.
func (g *gate) challenge(t *task) {
	frame, err := t.codec.AppendResponse(nil, &message.Response{ID: t.req.ID, HasID: t.req.HasID, Code: statusAuthenticate, NoData: true}, nil, 0)
	if err == nil {
		g.c.send(t, frame)
	}
}

// authenticate checks the credentials in a goroutine of its own: hashing takes long on
// purpose, and pings must be answered meanwhile.
func (g *gate) authenticate(t *task) {
	g.c.active.Add(-1) // the message itself gets no answer
	sasl := t.arg("sasl")
	switch {
	case g.busy:
	case sasl.IsNull():
		g.reject(&StatusError{Code: statusUnauthorized, Message: "Failed to authenticate"})
	case sasl.Kind() != value.KindString:
		g.reject(malformed("Incorrect type for : sasl - base64 encoded String is expected"))
	default:
		g.busy = true
		g.c.running.Add(1)
		go g.verify(sasl.Str())
	}
}

func (g *gate) verify(sasl string) {
	defer g.c.running.Done()
	c := g.c
	user, password, ok := parsePlain(sasl)
	var id *traversal.Identity
	if ok {
		id = c.srv.auth.Authenticate(c.ctx, hostOf(c.remote), user, password)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = false
	if id == nil {
		c.srv.loginRefused(user, c.remote)
		g.reject(&StatusError{Code: statusUnauthorized, Message: messageBadCredentials})
		return
	}
	g.open = true
	c.identity.Store(id)
	c.renew() // the user may have changed meanwhile
	for _, t := range g.parked {
		c.start(t)
	}
	g.parked = nil
}

// reject answers all that waits. Guessing ends with the connection.
func (g *gate) reject(err error) {
	for _, t := range g.parked {
		g.c.refuse(t, err)
	}
	g.parked = nil
	if g.failures++; g.failures >= authFailuresMax {
		g.c.shutDown(websocket.ClosePolicyViolation, "too many failed authentications", errConnectionGone)
	}
}

// parsePlain reads base64 of [authzid] NUL user NUL password, from the end, so that an
// authorisation id may hold anything.
func parsePlain(s string) (user, password string, ok bool) {
	if len(s) > 4<<10 {
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

func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}

package protocol

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// fakeUsers know stephen, reader and admin, who have the same password.
type fakeUsers struct {
	mu      sync.Mutex
	roles   map[string]traversal.Right
	changes uint64
	asked   int
}

func newFakeUsers() *fakeUsers {
	return &fakeUsers{roles: map[string]traversal.Right{
		"stephen": traversal.WriteRight, "reader": traversal.ReadRight, "admin": traversal.AdminRight}}
}

func (u *fakeUsers) Tokens() bool { return false }

func (u *fakeUsers) Known(user string) (*traversal.Identity, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if role, ok := u.roles[user]; ok {
		return &traversal.Identity{Name: user, Roles: []traversal.Role{{Allow: role}}}, nil
	}
	return nil, nil
}

func (u *fakeUsers) Authenticate(_ context.Context, _, user, password string) (*traversal.Identity, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked++
	role, ok := u.roles[user]
	if !ok || password != "pass:word" {
		return nil, errors.New("wrong")
	}
	return &traversal.Identity{Name: user, Roles: []traversal.Role{{Allow: role}}}, nil
}

func (u *fakeUsers) Changes() uint64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.changes
}

func (u *fakeUsers) Renew(id *traversal.Identity) (*traversal.Identity, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	role, ok := u.roles[id.Name]
	switch {
	case !ok:
		return nil, nil
	case role == id.Roles[0].Allow:
		return id, nil
	}
	return &traversal.Identity{Name: id.Name, Roles: []traversal.Role{{Allow: role}}}, nil
}

// set changes the role of a user; an empty one removes the user.
func (u *fakeUsers) set(name string, role traversal.Right) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes++
	if u.roles[name] = role; role == "" {
		delete(u.roles, name)
	}
}

func withAuth(o *Options) { o.Auth = newFakeUsers() }

func plain(parts ...string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Join(parts, "\x00")))
}

func login(sasl any) *message.Request {
	return requestOf(message.OpAuthentication, "traversal", args("sasl", sasl))
}

func (c *client) challenge(id uuid.UUID) {
	c.t.Helper()
	if a := c.next(); a.Code != message.StatusAuthenticate || a.ID != id || !a.NoData {
		c.t.Fatalf("got %d for %v, want a challenge for %v", a.Code, a.ID, id)
	}
}

func TestAuthentication(t *testing.T) {
	c := start(t, withAuth).dial()
	first := c.send(eval("count 1"))
	c.challenge(first)
	waiting := map[uuid.UUID]bool{first: true}
	for range 9 {
		waiting[c.send(eval("count 1"))] = true
	}
	c.send(login(plain("", "stephen", "pass:word")))
	for range 10 {
		a := c.next()
		if a.Code != message.StatusSuccess || !waiting[a.ID] {
			t.Errorf("got %d for %v", a.Code, a.ID)
		}
		delete(waiting, a.ID)
	}
	c.healthy()
	c.want(login(plain("", "stephen", "pass:word")), message.StatusMalformedRequest, "Message with op code [authentication] is not recognized.")
}

func TestBadCredentials(t *testing.T) {
	for name, tc := range map[string]struct {
		sasl any
		code int32
		text string
	}{
		"wrong":          {plain("", "stephen", "x"), 401, message.BadCredentials},
		"unknown user":   {plain("", "nobody", "x"), 401, message.BadCredentials},
		"empty user":     {plain("", "", "x"), 401, message.BadCredentials},
		"no base64":      {"%%%", 401, message.BadCredentials},
		"no NUL":         {plain("stephen"), 401, message.BadCredentials},
		"NUL in it":      {plain("", "stephen", "pass", "word"), 401, message.BadCredentials},
		"16 KiB":         {strings.Repeat("A", 16<<10), 401, message.BadCredentials},
		"missing":        {value.Null, 401, "Failed to authenticate"},
		"not text":       {5, 498, "Incorrect type for : sasl - base64 encoded String is expected"},
		"trailing space": {plain("", "stephen ", "pass:word"), 401, message.BadCredentials},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, withAuth).dial()
			r := eval("write 1")
			c.challenge(c.send(r))
			second := c.send(eval("count 1"))
			c.send(login(tc.sasl))
			for _, id := range []uuid.UUID{r.ID, second} {
				if a := c.next(); a.ID != id || a.Code != tc.code || a.Message != tc.text {
					t.Errorf("got %d %q for %v", a.Code, a.Message, a.ID)
				}
			}
			// Another try is welcome.
			again := c.send(eval("count 1"))
			c.challenge(again)
			c.send(login(plain("authzid", "stephen", "pass:word")))
			if a := c.next(); a.ID != again || a.Code != message.StatusSuccess {
				t.Errorf("after a second try: %d", a.Code)
			}
		})
	}
}

func TestGuessingEndsTheConnection(t *testing.T) {
	c := start(t, withAuth).dial()
	for range 3 {
		c.challenge(c.send(eval("count 1")))
		c.send(login(plain("", "stephen", "x")))
		if a := c.next(); a.Code != message.StatusUnauthorized {
			t.Fatalf("got %d", a.Code)
		}
	}
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
}

func TestParkedRequestsAreBounded(t *testing.T) {
	h := start(t, func(o *Options) { withAuth(o); o.Limits.ParkedRequests = 5 })
	c := h.dial()
	for range 6 {
		c.send(eval("count 1"))
	}
	for range 2 {
		if a := c.next(); a.Code != message.StatusAuthenticate && a.Code != message.StatusTooManyRequests {
			t.Errorf("got %d", a.Code)
		}
	}
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
}

func TestAuthenticationTimeout(t *testing.T) {
	h := start(t, func(o *Options) { withAuth(o); o.Limits.AuthenticationTimeout = 20 * time.Millisecond })
	if code := h.dial().closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
}

func TestHTTPBasic(t *testing.T) {
	h := start(t, withAuth)
	if resp, text := h.http(post{body: `{"gremlin":"count 1"}`, header: basic("stephen", "pass:word")}); resp.StatusCode != 200 {
		t.Errorf("got %d %s", resp.StatusCode, text)
	}
	for _, header := range []map[string]string{nil, basic("stephen", "x"), {"Authorization": "Basic %%%"}, {"Authorization": "Bearer x"}} {
		resp, text := h.http(post{body: `{"gremlin":"write 1"}`, header: header})
		if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%v: %d %s", header, resp.StatusCode, text)
		}
		checkErrorBody(t, resp, text)
	}
}

package protocol

import (
	"bytes"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/traversal"
)

// logs is a log that a test reads while the server writes.
type logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// counted is the value of a counter without labels.
func (h *harness) counted(name string) float64 {
	h.t.Helper()
	families, err := h.srv.Registry().Gather()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	h.t.Fatalf("no series %s", name)
	return 0
}

// login authenticates a connection.
func (c *client) login(user string) {
	c.t.Helper()
	c.challenge(c.send(eval("count 1")))
	c.send(login(plain("", user, "pass:word")))
	if a := c.next(); a.Code != message.StatusSuccess {
		c.t.Fatalf("login of %s: %d", user, a.Code)
	}
}

func TestRightsChangeOnOpenConnections(t *testing.T) {
	users := newFakeUsers()
	h := start(t, func(o *Options) { o.Auth = users })
	c, other := h.dial(), h.dial()
	c.login("stephen")
	other.login("admin")
	inSession := requestOf(message.OpEval, message.ProcessorSession, args("gremlin", "write 1", "session", "s", "aliases", args("g", "g")))
	c.want(inSession, message.StatusSuccess, "")
	c.want(eval("write 1"), message.StatusSuccess, "")

	users.set("stephen", traversal.ReadRight)
	eventually(t, "the writer becomes a reader", func() bool {
		a, _ := c.do(eval("write 1"))
		return a.Code == message.StatusUnauthorized
	})
	again := requestOf(message.OpEval, message.ProcessorSession, args("gremlin", "write 1", "session", "s", "aliases", args("g", "g")))
	c.want(again, message.StatusUnauthorized, "Failed to authorize")
	c.want(eval("count 1"), message.StatusSuccess, "")

	users.set("stephen", traversal.WriteRight)
	eventually(t, "the reader becomes a writer", func() bool {
		a, _ := c.do(eval("write 1"))
		return a.Code == message.StatusSuccess
	})

	running := c.send(eval("block"))
	eventually(t, "a request runs", func() bool { return h.engine.blocked.Load() == 1 })
	users.set("stephen", "")
	if a := c.next(); a.ID != running || a.Code != message.StatusUnauthorized {
		t.Errorf("what ran for a removed user ended with %d %q", a.Code, a.Message)
	}
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
	other.want(eval("write 1"), message.StatusSuccess, "")
}

// TestRemovedWhileItAuthenticates removes a user between the look at the password and
// the first request.
func TestRemovedWhileItAuthenticates(t *testing.T) {
	users := &leavingUsers{fakeUsers: newFakeUsers()}
	h := start(t, func(o *Options) { o.Auth = users })
	c := h.dial()
	c.challenge(c.send(eval("write 1")))
	c.send(login(plain("", "stephen", "pass:word")))
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
	resp, text := h.http(post{body: `{"gremlin":"write 1"}`, header: basic("reader", "pass:word")})
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("HTTP: %d %s", resp.StatusCode, text)
	}
	if n := h.engine.commits.Load(); n != 0 {
		t.Errorf("%d commits for users who are gone", n)
	}
}

// leavingUsers are gone as soon as they are authenticated, and nobody counts it.
type leavingUsers struct{ *fakeUsers }

func (leavingUsers) Renew(*traversal.Identity) (*traversal.Identity, error) { return nil, nil }

func basic(user, password string) map[string]string {
	return map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))}
}

func TestRefusalsAreLoggedAndCounted(t *testing.T) {
	var log logs
	h := start(t, func(o *Options) {
		withAuth(o)
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	h.http(post{body: `{"gremlin":"count 1"}`, header: basic("mallory", "x")})
	h.http(post{body: `{"gremlin":"write 1"}`, header: basic("reader", "pass:word")})
	h.http(post{body: `{"gremlin":"count 1"}`, header: map[string]string{"Origin": "https://evil.example"}})
	c := h.dial()
	c.challenge(c.send(eval("count 1")))
	c.send(login(plain("", "eve", "x")))
	c.next()
	for _, want := range []string{
		`msg="authentication refused" user=mallory remote=127.0.0.1:`,
		`msg="authentication refused" user=eve remote=127.0.0.1:`,
		`msg="request refused: the user may not do that" user=reader remote=127.0.0.1:`,
		`msg="request refused: origin not allowed (allowedOrigins)" origin=https://evil.example`,
	} {
		if !strings.Contains(log.text(), want) {
			t.Errorf("not logged: %s", want)
		}
	}
	if a, b := h.counted("gremlind_authentication_failures_total"), h.counted("gremlind_authorization_failures_total"); a != 2 || b != 1 {
		t.Errorf("counted %v and %v", a, b)
	}
	for range 200 {
		h.srv.desk.LoginRefused("many", "127.0.0.1:1", errors.New("wrong"))
	}
	if n := strings.Count(log.text(), "user=many"); n > 2*20 {
		t.Errorf("%d lines about 200 refusals", n)
	}
}

// TestRenewed_WithoutUsers: where nobody is asked who he is, everybody stays who he was.
func TestRenewed_WithoutUsers(t *testing.T) {
	h := start(t, nil)
	if now, err := h.srv.desk.Renewed(traversal.Anyone); now != traversal.Anyone || err != nil {
		t.Errorf("renewed: %v, %v", now, err)
	}
	if !h.srv.posts.Renew() || !h.srv.conns.Renew() {
		t.Error("users could not be read where there are none")
	}
}

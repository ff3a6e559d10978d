package connection

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func TestParseSASL(t *testing.T) {
	for _, c := range []struct {
		in             string
		user, password string
		ok             bool
	}{
		{sasl("", "u", "p"), "u", "p", true},
		{sasl("id", "u", ""), "u", "", true},
		{sasl("", "u", "p:w"), "u", "p:w", true},
		{sasl("", "", "p"), "", "", false},
		{sasl("u", "p"), "", "", false},
		{sasl("", "u", "p", "q"), "", "", false},
		{"%", "", "", false},
		{"", "", "", false},
		{sasl("", "u", strings.Repeat("p", 9213)), "u", strings.Repeat("p", 9213), true}, // 12 KiB of letters
		{sasl("", "u", strings.Repeat("p", 9214)), "", "", false},
	} {
		if user, password, ok := parseSASL(c.in); user != c.user || password != c.password || ok != c.ok {
			t.Errorf("%.20q: %q, %d bytes, %v", c.in, user, len(password), ok)
		}
	}
}

// The first request is challenged; all that waited is answered after the
// login, and nobody is asked again.
func TestGate_Login(t *testing.T) {
	u := newUsers()
	u.checked = make(chan struct{})
	h := serve(t, func(o *request.Options) { o.Auth = u })
	p := h.dial("/")
	first := p.eval("a")
	p.wants(first, message.StatusAuthenticate)
	holds := func(kind, name string) {
		t.Helper()
		if held := h.desk.Holders.List(); len(held) != 1 || held[0].Kind != kind || held[0].Name != name {
			t.Errorf("charged to %v, want %s %s", held, kind, name)
		}
	}
	holds("stranger", "127.0.0.1")
	second := p.eval("b")
	p.login("stephen", "password")
	p.login("stephen", "wrong") // while the first is checked: not looked at
	p.heard()
	u.checked <- struct{}{}
	a, b := p.next(), p.next()
	if (a.ID != first || b.ID != second) && (a.ID != second || b.ID != first) {
		t.Errorf("answered %v and %v", a.ID, b.ID)
	}
	holds("user", "stephen")
	p.wants(p.eval("c"), message.StatusSuccess)
	again := p.send(message.OpAuthentication, "", "sasl", sasl("", "stephen", "password"))
	if r := p.wants(again, message.StatusMalformedRequest); r.Message != "Message with op code [authentication] is not recognized." {
		t.Error(r.Message)
	}
	// A client of the directory's own socket is not asked.
	trusted := h.dial("/trusted")
	trusted.wants(trusted.eval("d"), message.StatusSuccess)
}

// Credentials that come first are not credentials yet: there was no challenge.
func TestGate_LoginFirst(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Auth = newUsers() })
	p := h.dial("/")
	p.wants(p.send(message.OpAuthentication, "", "sasl", sasl("", "stephen", "password")), message.StatusAuthenticate)
	id := p.eval("a")
	p.wants(id, message.StatusAuthenticate)
	p.login("stephen", "password")
	p.wants(id, message.StatusSuccess)
}

// What waits is told why it is refused; the third time the connection ends.
func TestGate_Guesses(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Auth = newUsers() })
	p := h.dial("/")
	for _, c := range []struct {
		sasl value.Value
		code int32
		text string
	}{
		{value.Null, 401, "Failed to authenticate"},
		{value.Int(5), 498, "Incorrect type for : sasl - base64 encoded String is expected"},
		{value.String(sasl("", "stephen", "wrong")), 401, message.BadCredentials},
	} {
		id := p.eval("a")
		p.wants(id, message.StatusAuthenticate)
		p.send(message.OpAuthentication, "", "sasl", c.sasl)
		if r := p.wants(id, c.code); r.Message != c.text {
			t.Errorf("%q, want %q", r.Message, c.text)
		}
	}
	p.closed(websocket.ClosePolicyViolation, "too many failed authentications")
}

// Before the login few requests wait, with few bytes and not for long.
func TestGate_Limits(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Auth, o.Limits.ParkedRequests = newUsers(), 2 })
	p := h.dial("/")
	p.wants(p.eval("a"), message.StatusAuthenticate)
	p.eval("b")
	p.wants(p.eval("c"), message.StatusTooManyRequests)
	p.closed(websocket.ClosePolicyViolation, "too many requests before authentication (parkedRequests)")

	h = serve(t, func(o *request.Options) { o.Auth, o.Limits.LoginBytes = newUsers(), 8<<10 })
	p = h.dial("/")
	p.wants(p.eval(strings.Repeat("a", 3<<10)), message.StatusAuthenticate)
	p.wants(p.eval(strings.Repeat("b", 3<<10)), message.StatusTooManyRequests)
	p.closed(websocket.ClosePolicyViolation, "too many requests before authentication (loginBytes)")

	p = h.dial("/")
	p.eval(strings.Repeat("a", 8<<10))
	p.closed(websocket.CloseMessageTooBig, "request exceeds loginBytes (8192)")

	p = h.dial("/")
	p.wants(p.eval("a"), message.StatusAuthenticate)
	h.set.Inspect(time.Now().Add(h.desk.Limits().AuthenticationTimeout - time.Second))
	if n := h.set.Count(); n == 0 {
		t.Error("closed too early")
	}
	h.set.Inspect(time.Now().Add(h.desk.Limits().AuthenticationTimeout + time.Second))
	p.closed(websocket.ClosePolicyViolation, "not authenticated in time")
}

// A token in the head of the handshake lets in at once; one that is wrong gets no
// connection, and another scheme is looked at by nobody.
func TestGate_Handshake(t *testing.T) {
	u := newUsers()
	h := serve(t, func(o *request.Options) { o.Auth = u })
	dial := func(authorization string) (*websocket.Conn, *http.Response, error) {
		return websocket.DefaultDialer.Dial(h.url+"/", http.Header{"Authorization": {authorization}})
	}
	for _, head := range []string{"Bearer token", "bearer  token"} {
		ws, _, err := dial(head)
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		p := &peer{t, ws}
		p.wants(p.eval("a"), message.StatusSuccess)
	}
	for _, head := range []string{"Bearer wrong", "Bearer", "Bearer "} {
		ws, resp, err := dial(head)
		if err == nil {
			ws.Close()
			t.Fatalf("%q was let in", head)
		}
		if asked := resp.Header.Values("WWW-Authenticate"); resp.StatusCode != http.StatusUnauthorized || len(asked) != 2 || !strings.HasPrefix(asked[1], "Bearer") {
			t.Errorf("%q: %s %q", head, resp.Status, asked)
		}
	}
	ws, _, err := dial("Basic c3RlcGhlbjpwYXNzd29yZA==")
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	p := &peer{t, ws}
	p.wants(p.eval("a"), message.StatusAuthenticate)
}

// The end of a token ends what runs for it, and the connection.
func TestConn_TokenEnds(t *testing.T) {
	u := newUsers()
	u.stephen.Store(&traversal.Identity{Name: "stephen", Token: &traversal.Token{Until: time.Now().Add(time.Hour)}})
	h := serve(t, func(o *request.Options) { o.Auth = u })
	ws, _, err := websocket.DefaultDialer.Dial(h.url+"/", http.Header{"Authorization": {"Bearer token"}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	p := &peer{t, ws}
	running := p.eval("block")
	<-h.e.started
	h.set.Inspect(time.Now())
	u.stephen.Load().Token.Until = time.Now()
	ended := u.stephen.Swap(nil)
	h.set.Inspect(time.Now())
	if r := p.wants(running, message.StatusUnauthorized); !strings.Contains(r.Message, "the token has ended") {
		t.Error(r.Message)
	}
	p.closed(websocket.ClosePolicyViolation, "the token has ended, or counts no more")
	if ended.MayRead("graph") {
		t.Error("the rights stay")
	}
}

// A connection follows what its user may do, and ends with the user.
func TestConn_Renew(t *testing.T) {
	u := newUsers()
	h := serve(t, func(o *request.Options) { o.Auth = u })
	p := h.dial("/")
	id := p.eval("a")
	p.wants(id, message.StatusAuthenticate)
	p.login("stephen", "password")
	p.wants(id, message.StatusSuccess)
	waits := h.dial("/") // has no user yet
	waits.wants(waits.eval("a"), message.StatusAuthenticate)
	if !h.set.Renew() {
		t.Error("the users could not be read")
	}
	now := &traversal.Identity{Name: "stephen"}
	u.stephen.Store(now)
	h.set.Renew()
	found := false
	for _, c := range h.set.list() {
		found = found || c.identity.Load() == now
	}
	if !found {
		t.Error("no connection has the rights of now")
	}
	u.broken.Store(true)
	if h.set.Renew() {
		t.Error("the users could be read")
	}
	p.wants(p.eval("b"), message.StatusSuccess)
	u.broken.Store(false)
	u.stephen.Store(nil)
	running := p.eval("block")
	<-h.e.started
	h.set.Renew()
	p.wants(running, message.StatusUnauthorized)
	p.closed(websocket.ClosePolicyViolation, "the user is gone or has another password")
}

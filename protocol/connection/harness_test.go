package connection

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/contract/fake"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/session"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// echo is an engine whose result is the script; "block" waits for its end, "spin" too and
// is taken for quick, "long N" is a text of N bytes, "write" writes, "full" is refused by a
// quota.
type echo struct {
	started   chan struct{}
	conflicts atomic.Int64 // how many commits are still lost
	commits   atomic.Int64
	full      error
}

func (*echo) Lookup(*traversal.Identity, string) contract.NameKind { return contract.SourceName }
func (*echo) Quick(q *contract.Query) bool                         { return q.Script != "block" }
func (e *echo) Open(contract.WorkOptions) contract.Work            { return &work{e: e} }

type work struct {
	e      *echo
	writes bool
}

func (w *work) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	word, arg, _ := strings.Cut(q.Script, " ")
	switch word {
	case "block", "spin":
		w.e.started <- struct{}{}
		<-ctx.Done()
		return nil, traversal.ErrTimeout
	case "long":
		n, err := strconv.Atoi(arg)
		return fake.Results(value.String(strings.Repeat("x", n))), err
	case "write":
		w.writes = true
	case "full":
		return nil, w.e.full
	}
	return fake.Results(value.String(q.Script)), nil
}

func (*work) GraphOp(context.Context, *contract.Query, string) error { return nil }

func (w *work) Commit(context.Context, bool) error {
	w.e.commits.Add(1)
	if w.e.conflicts.Add(-1) >= 0 {
		return storage.ErrConflict
	}
	return nil
}

func (w *work) CommitAsync(ctx context.Context, done func(error)) {
	go func() { done(w.Commit(ctx, true)) }()
}
func (*work) Rollback(bool)   {}
func (w *work) Rest()         {}
func (w *work) Pending() bool { return w.writes }
func (w *work) Open() bool    { return w.writes }
func (*work) Close()          {}

// users lets stephen in, who is gone when he is nil.
type users struct {
	stephen atomic.Pointer[traversal.Identity]
	checked chan struct{} // gets one before a password is checked, when not nil
	broken  atomic.Bool
}

func newUsers() *users {
	u := &users{}
	u.stephen.Store(&traversal.Identity{Name: "stephen"})
	return u
}

func (u *users) Authenticate(_ context.Context, _, user, password string) (*traversal.Identity, error) {
	if u.checked != nil {
		<-u.checked
	}
	if user == "stephen" && password == "password" || user == "" && password == "token" {
		return u.stephen.Load(), nil
	}
	return nil, errors.New("wrong")
}

func (*users) Known(string) (*traversal.Identity, error) { return nil, nil }

func (*users) Tokens() bool { return true }

func (*users) Changes() uint64 { return 0 }

func (u *users) Renew(*traversal.Identity) (*traversal.Identity, error) {
	if u.broken.Load() {
		return nil, errors.New("unreadable")
	}
	return u.stephen.Load(), nil
}

// served are the connections of a server.
type served struct {
	t    *testing.T
	e    *echo
	desk *request.Desk
	set  *Set
	url  string
}

func serve(t *testing.T, change func(*request.Options)) *served {
	t.Helper()
	h := &served{t: t, e: &echo{started: make(chan struct{}, 100), full: fake.Full()}}
	o := request.Options{Engine: h.e, Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Codecs: message.Codecs{message.MimeGraphBinary: graphbinary.Codec{}}}
	if change != nil {
		change(&o)
	}
	stop := make(chan struct{})
	h.desk = request.NewDesk(o, stop)
	h.set = NewSet(h.desk, session.NewSet(h.desk))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.set.Serve(w, r, r.URL.Path == "/trusted")
	}))
	h.url = "ws" + strings.TrimPrefix(srv.URL, "http")
	t.Cleanup(func() {
		h.set.ShutDown()
		cut := make(chan struct{})
		time.AfterFunc(2*closeGrace, func() { close(cut) })
		h.set.Wait(cut)
		srv.Close()
		close(stop)
		eventually(t, "no connection is left", h.desk.Holders.None)
		if used := h.desk.Memory.Used(); used != 0 || h.desk.AdmittedNow() != 0 {
			t.Errorf("when all is over %d bytes are charged, %d requests run", used, h.desk.AdmittedNow())
		}
	})
	return h
}

// peer is the other end of a connection.
type peer struct {
	t  *testing.T
	ws *websocket.Conn
}

func (h *served) dial(path string) *peer {
	h.t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(h.url+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { ws.Close() })
	return &peer{h.t, ws}
}

// send sends a request and returns its id.
func (p *peer) send(op, processor string, kv ...any) uuid.UUID {
	p.t.Helper()
	return p.sendAs(uuid.New(), op, processor, kv...)
}

func (p *peer) sendAs(id uuid.UUID, op, processor string, kv ...any) uuid.UUID {
	p.t.Helper()
	if err := p.ws.WriteMessage(websocket.BinaryMessage, p.frame(id, op, processor, kv...)); err != nil {
		p.t.Fatal(err)
	}
	return id
}

// frame is the message of a request.
func (p *peer) frame(id uuid.UUID, op, processor string, kv ...any) []byte {
	p.t.Helper()
	q := &message.Request{ID: id, HasID: true, Op: op, Processor: processor, Args: value.NewMap()}
	for i := 0; i < len(kv); i += 2 {
		v, ok := kv[i+1].(value.Value)
		if !ok {
			v = value.String(kv[i+1].(string))
		}
		q.Args.PutString(kv[i].(string), v)
	}
	body, err := graphbinary.AppendRequest(append([]byte{byte(len(message.MimeGraphBinary))}, message.MimeGraphBinary...), q)
	if err != nil {
		p.t.Fatal(err)
	}
	return body
}

// evalInPieces sends a script in a message of n bytes, each a fragment.
func (p *peer) evalInPieces(n int) uuid.UUID {
	p.t.Helper()
	id := uuid.New()
	around := len(p.frame(id, message.OpEval, "", "gremlin", ""))
	var pieces []byte
	for i, b := range p.frame(id, message.OpEval, "", "gremlin", strings.Repeat("a", n-around)) {
		head := byte(0)
		if i == 0 {
			head = websocket.BinaryMessage
		}
		if i == n-1 {
			head |= 0x80
		}
		pieces = append(pieces, head, 0x80|1, 0, 0, 0, 0, b) // masked with zeros
	}
	if _, err := p.ws.NetConn().Write(pieces); err != nil {
		p.t.Fatal(err)
	}
	return id
}

func (p *peer) eval(script string) uuid.UUID {
	p.t.Helper()
	return p.send(message.OpEval, "", "gremlin", script)
}

func (p *peer) login(user, password string) {
	p.t.Helper()
	p.send(message.OpAuthentication, "", "sasl", sasl("", user, password))
}

func sasl(parts ...string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Join(parts, "\x00")))
}

// next reads the next answer.
func (p *peer) next() *message.Response {
	p.t.Helper()
	p.ws.SetReadDeadline(time.Now().Add(patience))
	_, b, err := p.ws.ReadMessage()
	if err != nil {
		p.t.Fatal(err)
	}
	r, _, err := graphbinary.DecodeResponse(b)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// wants reads the next answer, which must be of a request and have a code.
func (p *peer) wants(id uuid.UUID, code int32) *message.Response {
	p.t.Helper()
	r := p.next()
	if r.ID != id || r.Code != code {
		p.t.Fatalf("answered %d %q for %v, want %d for %v", r.Code, r.Message, r.ID, code, id)
	}
	return r
}

// heard returns when the server has read all that was sent; nothing else may come.
func (p *peer) heard() {
	p.t.Helper()
	if err := p.ws.WriteMessage(websocket.BinaryMessage, []byte("\x03a/b")); err != nil { // refused at once
		p.t.Fatal(err)
	}
	p.wants(uuid.Nil, message.StatusMalformedRequest)
}

// closed reads until the connection ends, which must be with a code and a reason.
func (p *peer) closed(code int, reason string) {
	p.t.Helper()
	p.ws.SetReadDeadline(time.Now().Add(patience))
	for {
		_, _, err := p.ws.ReadMessage()
		if err == nil {
			continue
		}
		var end *websocket.CloseError
		if !errors.As(err, &end) || end.Code != code || end.Text != reason {
			p.t.Fatalf("ended with %v, want %d %s", err, code, reason)
		}
		return
	}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("never: %s", what)
		}
	}
}

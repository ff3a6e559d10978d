package protocol

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// patience is how long a busy machine may take for what comes at once on a quiet one.
const patience = 20 * time.Second

// harness is a running server with the fake engine.
type harness struct {
	t      testing.TB
	engine *fakeEngine
	srv    *Server
	addr   string
	taken  []heldCommit
}

func start(t testing.TB, change func(*Options)) *harness {
	t.Helper()
	return startOn(t, listen(t), change)
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	return l
}

// veiled hides that its connections are sockets, as TLS does: they can only be written
// to by who waits.
type veiled struct{ net.Listener }

func (l veiled) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{c}, nil
}

// transports runs a test with sockets, and with connections that are none.
func transports(t *testing.T, test func(*testing.T, net.Listener)) {
	t.Run("sockets", func(t *testing.T) { test(t, listen(t)) })
	t.Run("veiled", func(t *testing.T) { test(t, veiled{listen(t)}) })
}

func startOn(t testing.TB, l net.Listener, change func(*Options)) *harness {
	t.Helper()
	h := &harness{t: t, engine: &fakeEngine{}}
	o := Options{Loopback: true}
	o.Engine, o.Limits, o.Log = h.engine, quota.DefaultLimits(), slog.New(slog.NewTextHandler(io.Discard, nil))
	o.Codecs = message.Codecs{message.MimeGraphBinary: graphbinary.Codec{}, message.MimeGraphBinaryStringd: graphbinary.Codec{Stringd: true}, message.MimeJSON: graphson.Codec{Version: 3}, message.MimeGraphSON2: graphson.Codec{Version: 2}, message.MimeGraphSON1 + message.Untyped: graphson.Codec{Version: 1, Untyped: true}}
	if change != nil {
		change(&o)
	}
	h.srv = New(o)
	h.addr = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- h.srv.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if err := h.srv.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		h.settled()
	})
	return h
}

// settled checks that nothing is charged to anybody when all clients have gone.
func (h *harness) settled() {
	h.t.Helper()
	eventually(h.t, "no client is left", h.srv.desk.Holders.None)
	if used := h.srv.desk.Memory.Used(); used != 0 {
		h.t.Errorf("%d bytes are charged to the server when all is over", used)
	}
}

// client is one WebSocket connection.
type client struct {
	t  testing.TB
	ws *websocket.Conn
}

func (h *harness) dial(header ...string) *client {
	h.t.Helper()
	head := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		head.Set(header[i], header[i+1])
	}
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+h.addr+"/gremlin", head)
	if err != nil {
		h.t.Fatalf("dial: %v", err)
	}
	h.t.Cleanup(func() { ws.Close() })
	return &client{h.t, ws}
}

func args(kv ...any) *value.Map {
	m := value.NewMap()
	for i := 0; i+1 < len(kv); i += 2 {
		v, ok := kv[i+1].(value.Value)
		if !ok {
			v = toValue(kv[i+1])
		}
		m.Put(value.String(kv[i].(string)), v)
	}
	return m
}

func toValue(x any) value.Value {
	switch x := x.(type) {
	case string:
		return value.String(x)
	case int:
		return value.Int(int32(x))
	case bool:
		return value.Bool(x)
	case *value.Map:
		return x.Value()
	case *traversal.Bytecode:
		return x.Value()
	}
	return value.Null
}

func requestOf(op, processor string, a *value.Map) *message.Request {
	return &message.Request{ID: uuid.New(), HasID: true, Op: op, Processor: processor, Args: a}
}

func eval(script string, kv ...any) *message.Request {
	return requestOf(message.OpEval, "", args(append([]any{"gremlin", script, "aliases", args("g", "g")}, kv...)...))
}

func bytecode(name string, a ...value.Value) *traversal.Bytecode {
	return &traversal.Bytecode{Steps: []traversal.Instruction{{Name: name, Args: a}}}
}

func frameOf(t testing.TB, r *message.Request) []byte {
	t.Helper()
	b := append([]byte{byte(len(message.MimeGraphBinary))}, message.MimeGraphBinary...)
	b, err := graphbinary.AppendRequest(b, r)
	if err != nil {
		t.Fatalf("encode request: %v", err)
	}
	return b
}

func (c *client) send(r *message.Request) uuid.UUID {
	c.t.Helper()
	c.raw(websocket.BinaryMessage, frameOf(c.t, r))
	return r.ID
}

func (c *client) raw(kind int, b []byte) {
	c.t.Helper()
	if err := c.ws.WriteMessage(kind, b); err != nil {
		c.t.Fatalf("write: %v", err)
	}
}

// answer is one response message.
type response struct {
	*message.Response
	data value.Value
}

func (c *client) next() response {
	c.t.Helper()
	c.ws.SetReadDeadline(time.Now().Add(patience))
	_, b, err := c.ws.ReadMessage()
	if err != nil {
		c.t.Fatalf("read: %v", err)
	}
	r, data, err := graphbinary.DecodeResponse(b)
	if err != nil {
		c.t.Fatalf("decode response: %v", err)
	}
	return response{r, data}
}

// do sends a request and returns its last response and all results.
func (c *client) do(r *message.Request) (response, []value.Value) {
	c.t.Helper()
	id := c.send(r)
	var all []value.Value
	for {
		a := c.next()
		if a.ID != id {
			c.t.Fatalf("response for %v, want %v", a.ID, id)
		}
		all = append(all, a.data.Elems()...)
		if a.Code != message.StatusPartialContent {
			return a, all
		}
	}
}

// want checks code and text of the answer to r.
func (c *client) want(r *message.Request, code int32, text string) response {
	c.t.Helper()
	a, _ := c.do(r)
	if a.Code != code || !strings.Contains(a.Message, text) {
		c.t.Errorf("%s %s: got %d %q, want %d %q", r.Op, r.Args.Value(), a.Code, a.Message, code, text)
	}
	return a
}

// healthy checks that the connection still serves.
func (c *client) healthy() {
	c.t.Helper()
	c.want(eval("count 1"), message.StatusSuccess, "")
}

// closed reads until the server closes and returns the code of its close frame.
func (c *client) closed() int {
	c.t.Helper()
	for {
		c.ws.SetReadDeadline(time.Now().Add(patience))
		_, _, err := c.ws.ReadMessage()
		if err == nil {
			continue
		}
		if e, ok := err.(*websocket.CloseError); ok {
			return e.Code
		}
		c.t.Logf("closed by: %v", err)
		return 0
	}
}

func attribute(r *message.Response, key string) value.Value {
	for _, a := range r.Attributes {
		if a.Key == key {
			return a.Value
		}
	}
	return value.Null
}

// eventually waits for a condition that another goroutine brings about.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not within %s", what, patience)
		}
	}
}

// contextDone is a context that has ended.
func contextDone() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}

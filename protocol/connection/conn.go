package connection

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/session"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const (
	// closeGrace is how long a closing connection may take to deliver its last frames.
	closeGrace = time.Second
)

// Conn is one WebSocket connection. The goroutine of serve reads it.
type Conn struct {
	all    *Set
	desk   *request.Desk
	ws     *websocket.Conn
	out    *outbox
	wmu    sync.Mutex // one frame at a time
	remote string
	// holder is who the connection belongs to, and account, beneath the holder's, is for
	// its requests that wait and its answers that nobody took. Both change at login,
	// before any request passes the gate.
	holder  *quota.Holder
	account atomic.Pointer[account.Account]
	success []message.Attribute // attributes of every terminal success
	agent   agent
	ctx     context.Context
	cancel  context.CancelCauseFunc

	slots   quota.Slots // running requests outside sessions
	running sync.WaitGroup
	closeBy atomic.Pointer[time.Time] // when it is closed, after shutDown was called
	active  atomic.Int32              // requests without their terminal frame

	inFlight inFlight
	sessions *session.Owned

	gate     *gate // nil when no authentication is asked for
	trusted  bool  // nobody is asked for a name here, whatever the server does elsewhere
	identity atomic.Pointer[traversal.Identity]
	heard    atomic.Int64 // when the last message or pong came, in nanoseconds of the server's clock
	pinged   atomic.Int64
	pings    int
	pingFrom time.Time
	received time.Time // of the message that is being read
	incoming incoming
	form     message.Form // scratch of receive

	spare   *request.Task // for the next request
	evals   atomic.Uint64 // beginnings and ends of evaluations by the goroutine that reads; see inline.go
	inlined atomic.Pointer[request.Task]
	watched atomic.Bool
	seen    uint64     // evals at the last look of the watch, which owns it
	pace    pace       // of the goroutine that reads
	ended   chan error // gets the error with which reading ended
}

// hijacker hands the outbox to the upgrader in place of the bare connection.
type hijacker struct {
	http.ResponseWriter
	out *outbox
}

func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.out = newOutbox(c)
	return h.out, rw, nil
}

// Serve upgrades a request and serves the connection until it ends. The client of a
// trusted one is not asked for a name, and may do everything.
func (s *Set) Serve(w http.ResponseWriter, r *http.Request, trusted bool) {
	var who *traversal.Identity
	if token, ok := s.desk.Bearer(r); ok && !trusted {
		if who = s.desk.LogIn(r, "", token); who == nil {
			s.desk.Challenge(w)
			answer.RefuseHTTP(w, r, http.StatusUnauthorized, message.BadCredentials)
			return
		}
	}
	h := &hijacker{ResponseWriter: w}
	up := websocket.Upgrader{
		HandshakeTimeout: s.desk.Limits().HandshakeTimeout,
		CheckOrigin:      func(*http.Request) bool { return true }, // guard has looked
		Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
			answer.RefuseHTTP(w, r, status, reason.Error())
		},
	}
	ws, err := up.Upgrade(h, r, nil)
	if err != nil {
		s.desk.Log.Debug("upgrade refused", "remote", r.RemoteAddr, "error", err)
		return
	}
	h.out.Flush()
	c := s.newConn(ws, h.out, r, trusted)
	c.enter(who)
	if !s.add(c) {
		c.closeWith(websocket.CloseTryAgainLater, "the server is shutting down")
		c.goodbye(nil)
		c.ws.Close()
		c.belongNowhere()
		return
	}
	defer s.remove(c)
	c.serve()
}

func (s *Set) newConn(ws *websocket.Conn, out *outbox, r *http.Request, trusted bool) *Conn {
	c := &Conn{
		all: s, desk: s.desk, ws: ws, trusted: trusted, out: out, remote: r.RemoteAddr, agent: parseAgent(r.UserAgent()),
		ended: make(chan error, 1),
	}
	out.sent = c.giveWay
	c.sessions = session.Own(c)
	c.slots.Init(s.desk.Limits().InFlight)
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.success = []message.Attribute{{Key: "host", Value: value.String("/" + c.remote)}}
	c.heard.Store(s.desk.Now().UnixNano())
	// readMessage has a limit of its own, with a reason; this is for absurd lengths.
	ws.SetReadLimit(4 * s.desk.Limits().MessageBytes)
	ws.SetPingHandler(c.ping)
	ws.SetPongHandler(func(string) error { c.heard.Store(s.desk.Now().UnixNano()); return nil })
	return c
}

// enter says whose a connection is that was just made: who showed a token in its handshake,
// anybody's where nobody is asked, or a stranger's until he has authenticated.
func (c *Conn) enter(who *traversal.Identity) {
	switch {
	case who != nil:
		c.identity.Store(who)
		c.belong(quota.UserHolder, who.User())
		c.renew() // the user may have changed meanwhile
	case c.desk.Auth != nil && !c.trusted:
		c.gate = newGate(c)
		c.belong(quota.StrangerHolder, quota.HostOf(c.remote))
	default:
		c.identity.Store(traversal.Anyone)
		c.belong(quota.AddressHolder, quota.HostOf(c.remote))
	}
}

// serve reads until the connection ends, then ends what it started.
func (c *Conn) serve() {
	c.read()
	err := <-c.ended
	c.all.sessions.End(c.sessions)
	c.running.Wait()
	c.goodbye(err)
	c.out.fail(net.ErrClosed)
	c.ws.Close()
	c.belongNowhere()
}

// read reads until the connection ends or another goroutine has taken reading over.
func (c *Conn) read() {
	for {
		kind, msg, err := c.message()
		if err != nil {
			c.cancel(answer.ErrConnectionGone)
			c.out.wake()
			c.ended <- err
			return
		}
		if !c.receive(kind == websocket.TextMessage, msg) {
			return
		}
	}
}

func (c *Conn) message() (kind int, msg []byte, err error) {
	kind, r, err := c.ws.NextReader()
	if err != nil {
		return 0, nil, err
	}
	if msg, err = c.readMessage(r); err != nil {
		return 0, nil, err
	}
	c.received = c.desk.Now()
	c.heard.Store(c.received.UnixNano())
	if kind == websocket.TextMessage && !utf8.Valid(msg) {
		c.closeWith(websocket.CloseInvalidFramePayloadData, "text is not UTF-8")
		return 0, nil, errors.New("text frame is not UTF-8")
	}
	return kind, msg, nil
}

// ping answers a ping and closes on a flood of them.
func (c *Conn) ping(data string) error {
	now := c.desk.Now()
	c.heard.Store(now.UnixNano())
	if now.Sub(c.pingFrom) > time.Second {
		c.pingFrom, c.pings = now, 0
	}
	if c.pings++; c.pings > c.desk.Limits().PingsPerSecond {
		c.closeWith(websocket.ClosePolicyViolation, "too many pings")
		return errors.New("too many pings")
	}
	if err := c.ws.WriteControl(websocket.PongMessage, []byte(data), now.Add(closeGrace)); err != nil && err != websocket.ErrCloseSent {
		return err
	}
	c.out.Flush()
	return nil
}

// receive turns a message into a task and starts it. It is false when another goroutine
// has taken reading over meanwhile.
func (c *Conn) receive(text bool, msg []byte) bool {
	t := c.spare
	if c.spare = nil; t == nil {
		t = request.NewTask()
	}
	t.Arrive(c.desk, c, c.remote, c.received)
	t.Text, t.Plain = text, c.agent.nullProperties
	t.Wire.Init(c.account.Load(), "", account.Unlimited)
	t.Size = len(msg)
	if c.unknown() {
		c.incoming.wire.Clear() // it is parked soon, and then charged for what it takes
	}
	var err error
	if text {
		t.Reply.Codec = c.desk.Codecs[message.MimeJSON]
	} else {
		t.Reply.Codec, _, msg, err = c.desk.Codecs.ParseFrame(msg)
	}
	var f *request.Known
	if err == nil {
		f, err = c.decode(t, msg)
	} else {
		t.Reply.Codec, t.Req = c.desk.Codecs[message.MimeGraphBinary], &message.Request{}
	}
	c.incoming.done()
	c.active.Add(1)
	if err != nil {
		t.Refuse(err)
		return true
	}
	if c.gate != nil && !c.gate.pass(t) {
		return true
	}
	if !c.prepare(t) {
		return true
	}
	if t.Form == nil {
		c.desk.Forms.Learn(t, f, &c.form)
	}
	if t.Quick() {
		return c.inline(t)
	}
	c.queue(t)
	return true
}

// decode reads a message unless its form is known; the form is for learn otherwise.
func (c *Conn) decode(t *request.Task, msg []byte) (*request.Known, error) {
	f, ok := c.desk.Forms.Recall(t, msg, &c.form)
	if ok {
		return f, nil
	}
	err := t.Decode(msg)
	for errors.Is(err, account.ErrLimit) {
		t.Wire.Clear()
		if !c.awaitMemory() {
			break
		}
		err = t.Decode(msg)
	}
	return f, err
}

// start checks a task and queues it.
func (c *Conn) start(t *request.Task) {
	if c.prepare(t) {
		c.queue(t)
	}
}

// prepare checks a task and admits it; false when it has got its answer already.
func (c *Conn) prepare(t *request.Task) bool {
	t.Identity, t.Holder = c.identity.Load(), c.holder
	if t.Req.Op == message.OpAuthentication {
		t.Refuse(message.Malformed("Message with op code [%s] is not recognized.", message.OpAuthentication))
		return false
	}
	if err := t.Check(); err != nil {
		t.Refuse(err)
		return false
	}
	if !c.inFlight.add(t) {
		t.Refuse(message.InvalidArgs("requestId already in use"))
		return false
	}
	if err := c.desk.Admit(); err != nil {
		t.Refuse(err)
		return false
	}
	c.desk.Record(t)
	return true
}

// queue has a task run soon, on another goroutine.
func (c *Conn) queue(t *request.Task) {
	if err := t.Park(); err != nil {
		c.desk.Leave()
		t.Refuse(message.TooMuch(err))
		return
	}
	if t.Req.Processor == message.ProcessorSession {
		c.all.sessions.Run(c.sessions, t)
		return
	}
	c.running.Add(1)
	c.desk.Work.Run(func() { c.run(t) })
}

// run waits for a slot and evaluates a task outside sessions.
func (c *Conn) run(t *request.Task) {
	defer c.running.Done()
	defer c.desk.Leave()
	if !c.slots.Take(c.ctx) {
		c.Abandon(t)
		return
	}
	defer c.slots.Give()
	if !c.Ready() || !c.desk.Acquire(c.ctx, t) {
		c.Abandon(t)
		return
	}
	t.RunAuto(t.Begin(c.ctx, time.Now()), 0)
	c.desk.Release(t)
	c.Flush()
}

// Ready waits until the client has taken most of the earlier answers; false when the
// connection has ended first.
func (c *Conn) Ready() bool {
	if c.crowded() {
		stop := context.AfterFunc(c.ctx, c.out.wake)
		defer stop()
		c.out.Flush()
		c.out.WaitRoom(c.desk.Limits().SendBytes/2, func() bool { return c.ctx.Err() != nil })
	}
	return c.ctx.Err() == nil
}

// Abandon answers a task that never ran because the server stops; when the client is
// gone there is nobody to answer.
func (c *Conn) Abandon(t *request.Task) {
	if context.Cause(c.ctx) == answer.ErrDraining {
		t.Refuse(answer.ErrDraining)
	}
}

// readBy bounds the reading of a message in time; zero is for ever.
func (c *Conn) readBy(t time.Time) {
	c.ws.SetReadDeadline(t)
	if by := c.closeBy.Load(); by != nil {
		c.ws.SetReadDeadline(*by)
	}
}

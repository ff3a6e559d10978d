package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const (
	// closeGrace is how long a closing connection may take to deliver its last frames.
	closeGrace = time.Second
)

// conn is one WebSocket connection. The goroutine of serve reads it.
type conn struct {
	srv    *Server
	ws     *websocket.Conn
	out    *outbox
	wmu    sync.Mutex // one frame at a time
	remote string
	// holder is who the connection belongs to, and account, beneath the holder's, is for
	// its requests that wait and its answers that nobody took. Both change at login,
	// before any request passes the gate.
	holder  *holder
	account atomic.Pointer[account.Account]
	success []message.Attribute // attributes of every terminal success
	agent   agent
	ctx     context.Context
	cancel  context.CancelCauseFunc

	slots   slots // running requests outside sessions
	running sync.WaitGroup
	closeBy atomic.Pointer[time.Time] // when it is closed, after shutDown was called
	active  atomic.Int32              // requests without their terminal frame

	inFlight inFlight
	sessions map[string]*session // guarded by those of the server
	gone     map[string]struct{} // sessions that ended unheard of; guarded alike

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

	spare   *task         // for the next request
	turn    atomic.Uint64 // of the goroutine that reads; see inline.go
	inlined atomic.Pointer[task]
	watched atomic.Bool
	seen    uint64     // the turn at the last look of the watch, which owns it
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

// Trusted serves a WebSocket client that is not asked for a name and may do everything:
// behind a listener that only they reach who may, as the socket of the data directory.
func (s *Server) Trusted(w http.ResponseWriter, r *http.Request) { s.serveWebSocket(w, r, true) }

// serveWebSocket upgrades a request and serves the connection until it ends.
func (s *Server) serveWebSocket(w http.ResponseWriter, r *http.Request, trusted bool) {
	h := &hijacker{ResponseWriter: w}
	up := websocket.Upgrader{
		HandshakeTimeout: s.limits.HandshakeTimeout,
		CheckOrigin:      func(*http.Request) bool { return true }, // guard has looked
		Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
			httpFailure(w, r, status, reason.Error())
		},
	}
	ws, err := up.Upgrade(h, r, nil)
	if err != nil {
		s.log.Debug("upgrade refused", "remote", r.RemoteAddr, "error", err)
		return
	}
	h.out.Flush()
	c := s.newConn(ws, h.out, r, trusted)
	if !s.addConn(c) {
		c.closeWith(websocket.CloseTryAgainLater, "the server is shutting down")
		c.ws.Close()
		c.belongNowhere()
		return
	}
	defer s.removeConn(c)
	c.serve()
}

func (s *Server) newConn(ws *websocket.Conn, out *outbox, r *http.Request, trusted bool) *conn {
	c := &conn{
		srv: s, ws: ws, trusted: trusted, out: out, remote: r.RemoteAddr, agent: parseAgent(r.UserAgent()),
		sessions: map[string]*session{}, ended: make(chan error, 1),
	}
	c.slots.init(s.limits.InFlight)
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.success = []message.Attribute{{Key: "host", Value: value.String("/" + c.remote)}}
	c.heard.Store(s.now().UnixNano())
	// readMessage has a limit of its own, with a reason; this is for absurd lengths.
	ws.SetReadLimit(4 * s.limits.MessageBytes)
	if s.auth != nil && !trusted {
		c.gate = newGate(c)
		c.belong(strangerHolder, hostOf(c.remote))
	} else {
		c.identity.Store(traversal.Anyone)
		c.belong(addressHolder, hostOf(c.remote))
	}
	ws.SetPingHandler(c.ping)
	ws.SetPongHandler(func(string) error { c.heard.Store(s.now().UnixNano()); return nil })
	return c
}

// serve reads until the connection ends, then ends what it started.
func (c *conn) serve() {
	c.read()
	err := <-c.ended
	c.endSessions()
	c.running.Wait()
	c.goodbye(err)
	c.out.fail(net.ErrClosed)
	c.ws.Close()
	c.belongNowhere()
}

// read reads until the connection ends or another goroutine has taken reading over.
func (c *conn) read() {
	for {
		kind, msg, err := c.message()
		if err != nil {
			c.cancel(errConnectionGone)
			c.wakeSenders()
			c.ended <- err
			return
		}
		if !c.receive(kind == websocket.TextMessage, msg) {
			return
		}
	}
}

func (c *conn) message() (kind int, msg []byte, err error) {
	kind, r, err := c.ws.NextReader()
	if err != nil {
		return 0, nil, err
	}
	if msg, err = c.readMessage(r); err != nil {
		return 0, nil, err
	}
	c.received = c.srv.now()
	c.heard.Store(c.received.UnixNano())
	if kind == websocket.TextMessage && !utf8.Valid(msg) {
		c.closeWith(websocket.CloseInvalidFramePayloadData, "text is not UTF-8")
		return 0, nil, errors.New("text frame is not UTF-8")
	}
	return kind, msg, nil
}

// ping answers a ping and closes on a flood of them.
func (c *conn) ping(data string) error {
	now := c.srv.now()
	c.heard.Store(now.UnixNano())
	if now.Sub(c.pingFrom) > time.Second {
		c.pingFrom, c.pings = now, 0
	}
	if c.pings++; c.pings > c.srv.limits.PingsPerSecond {
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
func (c *conn) receive(text bool, msg []byte) bool {
	t := c.spare
	if c.spare = nil; t == nil {
		t = newTask()
	}
	t.srv, t.conn, t.text, t.remote, t.received, t.plain = c.srv, c, text, c.remote, c.received, c.agent.nullProperties
	t.wire.Init(c.account.Load(), "", account.Unlimited)
	t.size = len(msg)
	if c.unknown() {
		c.incoming.wire.Clear() // it is parked soon, and then charged for what it takes
	}
	var err error
	if text {
		t.codec = c.srv.codecs[MimeJSON]
	} else {
		t.codec, _, msg, err = c.srv.codecs.parseFrame(msg)
	}
	var f *form
	if err == nil {
		f, err = c.decode(t, msg)
	} else {
		t.codec, t.req = c.srv.codecs[MimeGraphBinary], &message.Request{}
	}
	c.incoming.done()
	c.active.Add(1)
	if err != nil {
		c.refuse(t, err)
		return true
	}
	if c.gate != nil && !c.gate.pass(t) {
		return true
	}
	if !c.prepare(t) {
		return true
	}
	if t.form == nil {
		c.srv.forms.learn(t, f, &c.form)
	}
	if t.brief() && t.req.Processor != processorSession {
		return c.inline(t)
	}
	c.queue(t)
	return true
}

// decode reads a message unless its form is known; the form is for learn otherwise.
func (c *conn) decode(t *task, msg []byte) (*form, error) {
	f, ok := c.srv.forms.recall(t, msg, &c.form)
	if ok {
		return f, nil
	}
	err := t.decode(msg)
	for errors.Is(err, account.ErrLimit) {
		t.wire.Clear()
		if !c.awaitMemory() {
			break
		}
		err = t.decode(msg)
	}
	return f, err
}

// start checks a task and queues it.
func (c *conn) start(t *task) {
	if c.prepare(t) {
		c.queue(t)
	}
}

// prepare checks a task and admits it; false when it has got its answer already.
func (c *conn) prepare(t *task) bool {
	t.identity, t.holder = c.identity.Load(), c.holder
	if t.req.Op == opAuthentication {
		c.refuse(t, malformed("Message with op code [%s] is not recognized.", opAuthentication))
		return false
	}
	if err := t.check(); err != nil {
		c.refuse(t, err)
		return false
	}
	if !c.inFlight.add(t) {
		c.refuse(t, invalidArgs("requestId already in use"))
		return false
	}
	if err := c.srv.admit(); err != nil {
		c.refuse(t, err)
		return false
	}
	c.srv.audit(t)
	return true
}

// queue has a task run soon, on another goroutine.
func (c *conn) queue(t *task) {
	if err := t.park(); err != nil {
		c.srv.leave()
		c.refuse(t, tooMuch(err))
		return
	}
	if t.req.Processor == processorSession {
		c.runInSession(t)
		return
	}
	c.running.Add(1)
	c.srv.work.run(func() { c.run(t) })
}

// run waits for its turn and evaluates a task outside sessions.
func (c *conn) run(t *task) {
	defer c.running.Done()
	defer c.srv.leave()
	if !c.slots.take(c.ctx) {
		c.abandon(t)
		return
	}
	defer c.slots.give()
	if !c.ready() || !c.srv.acquire(c.ctx, t) {
		c.abandon(t)
		return
	}
	t.runAuto(t.begin(c.ctx, time.Now()), 0)
	c.srv.release(t)
	c.flush()
}

// ready waits until the client has taken most of the earlier answers; false when the
// connection has ended first.
func (c *conn) ready() bool {
	if c.crowded() {
		stop := context.AfterFunc(c.ctx, c.out.wake)
		defer stop()
		c.out.Flush()
		c.out.WaitRoom(c.srv.limits.SendBytes/2, func() bool { return c.ctx.Err() != nil })
	}
	return c.ctx.Err() == nil
}

// crowded reports whether too much waits for the client to begin another request.
func (c *conn) crowded() bool { return c.out.pendingBytes() > c.srv.limits.SendBytes }

// abandon answers a task that never ran because the server stops; when the client is
// gone there is nobody to answer.
func (c *conn) abandon(t *task) {
	if context.Cause(c.ctx) == errDraining {
		c.refuse(t, errDraining)
	}
}

// refuse answers a task that was never started.
func (c *conn) refuse(t *task, err error) {
	t.end(t.reply.fail(t, failureOf(nil, t, err)))
}

// send puts one frame of a task, whole, into the outbox, which has room for it. Frames of
// tasks that hold a slot leave when they give it back, or when somebody calls push: no
// slot is held while a client takes its time.
func (c *conn) send(t *task, frame []byte) {
	kind := websocket.BinaryMessage
	if t.text {
		kind = websocket.TextMessage
	}
	c.wmu.Lock()
	err := c.ws.WriteMessage(kind, frame)
	c.wmu.Unlock()
	switch {
	case err != nil:
		c.cancel(errConnectionGone)
	case t.grouped, t.slotted: // somebody sends it soon
	default:
		c.push()
	}
}

// push sends what waits for the client without waiting for it.
func (c *conn) push() {
	if !c.out.FlushNow() {
		c.srv.work.run(c.out.Flush)
	}
}

// flush sends what waits, and waits for the client. When other requests of the
// connection are about to finish, their frames leave in the same write.
func (c *conn) flush() {
	if c.active.Load() > 1 {
		runtime.Gosched()
	}
	c.out.Flush()
}

// waitRoom pauses a task whose client takes its results slower than they come, until no
// more than max bytes wait for it. The evaluation slot is free meanwhile.
func (c *conn) waitRoom(ctx context.Context, t *task, max int) error {
	c.srv.idle(t, func() {
		c.out.Flush()
		stop := context.AfterFunc(ctx, c.out.wake)
		defer stop()
		c.out.WaitRoom(max, func() bool { return ctx.Err() != nil })
	})
	if ctx.Err() != nil {
		return fmt.Errorf("wait for a slow client: %w", context.Cause(ctx))
	}
	return nil
}

// reserve makes room for a frame of n bytes, if need be by waiting for the client.
func (c *conn) reserve(ctx context.Context, t *task, n int) error {
	for {
		pending := c.out.pendingBytes()
		err := c.out.reserve(n)
		if err == nil || t.grouped || pending == 0 {
			return err
		}
		if err := c.waitRoom(ctx, t, pending/2); err != nil {
			return err
		}
	}
}

// closeWith sends a close frame; the read loop ends when the client answers or by
// whoever called.
func (c *conn) closeWith(code int, reason string) {
	msg := websocket.FormatCloseMessage(code, reason)
	// A failure means that a close frame is under way already.
	_ = c.ws.WriteControl(websocket.CloseMessage, msg, time.Now().Add(closeGrace))
}

// goodbye delivers the last frames: it ends our side and reads what the client still
// had under way, because closing on unread data would discard them.
func (c *conn) goodbye(cause error) {
	raw := c.out.Conn
	raw.SetDeadline(time.Now().Add(closeGrace))
	c.out.Flush()
	var closed *websocket.CloseError
	if errors.As(cause, &closed) {
		return
	}
	if half, ok := raw.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, raw, c.srv.limits.MessageBytes)
	}
}

func (c *conn) wakeSenders() { c.out.wake() }

// shutDown ends the connection from outside: a stalled or idle client, or the drain.
func (c *conn) shutDown(code int, reason string, cause error) {
	by := time.Now().Add(2 * closeGrace)
	if !c.closeBy.CompareAndSwap(nil, &by) {
		return
	}
	c.cancel(cause)
	c.wakeSenders()
	go func() {
		c.awaitAnswers()
		c.closeWith(code, reason)
		c.out.Flush()
	}()
	// Neither a client that sends nothing nor one that takes nothing keeps it open.
	c.out.Conn.SetDeadline(by)
}

// readBy bounds the reading of a message in time; zero is for ever.
func (c *conn) readBy(t time.Time) {
	c.ws.SetReadDeadline(t)
	if by := c.closeBy.Load(); by != nil {
		c.ws.SetReadDeadline(*by)
	}
}

// awaitAnswers gives requests that were stopped the time to say so: nothing can be sent
// behind a close frame.
func (c *conn) awaitAnswers() {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.NewTimer(closeGrace)
	defer late.Stop()
	for c.active.Load() > 0 {
		select {
		case <-tick.C:
		case <-late.C:
			return
		}
	}
}

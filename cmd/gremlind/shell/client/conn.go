package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
)

// Defaults of Options.
const (
	connectTimeout = 10 * time.Second
	readAhead      = 4 << 20
	writeTimeout   = 30 * time.Second
	closeTimeout   = time.Second
)

// Options say where a server is and who asks.
type Options struct {
	// URL is as ParseURL gives it, without a user in front.
	URL *url.URL
	// Dial makes the connection instead of the network, nil for the network.
	Dial func(ctx context.Context) (net.Conn, error)
	TLS  *tls.Config
	// User and Password are sent when the server asks for them.
	User, Password string
	// ConnectTimeout bounds the making of a connection; 0 is 10 s.
	ConnectTimeout time.Duration
	// ReadAhead bounds the results that are read before they are taken, in bytes as they
	// travel; 0 is 4 MiB.
	ReadAhead int
	// Agent is how the program calls itself.
	Agent string
}

// Conn is a connection to a server, opened when it is needed.
type Conn struct {
	o Options

	mu   sync.Mutex
	link *link
	// lost says that a connection has ended since the last request.
	lost bool
}

// New returns a Conn that is not open yet.
func New(o Options) *Conn {
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = connectTimeout
	}
	if o.ReadAhead == 0 {
		o.ReadAhead = readAhead
	}
	return &Conn{o: o}
}

// Options are those that the Conn was made with.
func (c *Conn) Options() Options { return c.o }

// link is one WebSocket.
type link struct {
	ws  *websocket.Conn
	wmu sync.Mutex // one message at a time

	mu   sync.Mutex
	rows *Rows // of the request that runs; nil between two
	err  error // why the link has ended
}

// Open connects if there is no connection. Whether the user is known shows only with the
// first request.
func (c *Conn) Open(ctx context.Context) error {
	_, err := c.open(ctx)
	return err
}

// Lost reports whether a connection has ended since Lost was asked last: what sessions
// held is gone then.
func (c *Conn) Lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.link; l != nil && l.ended() != nil {
		c.link, c.lost = nil, true
	}
	was := c.lost
	c.lost = false
	return was
}

func (c *Conn) open(ctx context.Context) (*link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.link; l != nil && l.ended() == nil {
		return l, nil
	} else if l != nil {
		c.link, c.lost = nil, true
	}
	l, err := c.dial(ctx)
	if err == nil {
		c.link = l
	}
	return l, err
}

func (c *Conn) dial(ctx context.Context) (*link, error) {
	d := websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: c.o.ConnectTimeout, TLSClientConfig: c.o.TLS,
		ReadBufferSize: 64 << 10, WriteBufferSize: 16 << 10,
	}
	dial := (&net.Dialer{}).DialContext
	if c.o.Dial != nil {
		d.Proxy = nil
		dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return c.o.Dial(ctx) }
	}
	going := func() bool { return true }
	d.NetDialContext = func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(dialing, network, address)
		if err == nil { // the handshake looks at the time alone
			going = context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
	ws, resp, err := d.DialContext(ctx, c.o.URL.String(), http.Header{"User-Agent": {c.o.Agent}})
	if !going() {
		if err == nil {
			_ = ws.Close() // nobody waits for it
		}
		return nil, c.explain(context.Cause(ctx), nil)
	}
	if err != nil {
		return nil, c.explain(err, resp)
	}
	l := &link{ws: ws}
	go l.read(&c.o)
	return l, nil
}

// explain says why no connection came about.
func (c *Conn) explain(err error, resp *http.Response) error {
	at := fmt.Errorf("%w to %s", ErrConnect, c.o.URL)
	var unknown *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w: its certificate is not trusted: %w (--ca names who signed it)", at, unknown.Err)
	case errors.Is(err, websocket.ErrBadHandshake) && resp != nil:
		return fmt.Errorf("%w: what listens there is no Gremlin server with a WebSocket at %s: it answered %s", at, c.o.URL.Path, resp.Status)
	case strings.Contains(err.Error(), "first record does not look like a TLS handshake"):
		return fmt.Errorf("%w: it does not speak TLS: want ws in place of wss", at)
	case strings.Contains(err.Error(), "malformed HTTP"):
		return fmt.Errorf("%w: what listens there does not speak HTTP; with TLS the URL begins with wss", at)
	}
	return fmt.Errorf("%w: %w", at, err)
}

// Submit sends a request. The rows of the one before must have ended or been closed. When
// ctx ends before the rows do, so does the connection.
func (c *Conn) Submit(ctx context.Context, q *Request) (*Rows, error) {
	l, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	r := newRows(ctx, l, q.ID, &c.o)
	b, err := frame(q.message(r.id))
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.rows = r
	l.mu.Unlock()
	r.stop = context.AfterFunc(ctx, func() { l.fail(context.Cause(ctx)) })
	if err := l.send(b); err != nil {
		l.fail(err)
		r.detach()
		return nil, err
	}
	return r, nil
}

// CloseSession tells the server that a session is over. It does not wait.
func (c *Conn) CloseSession(session string) {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil || l.ended() != nil {
		return
	}
	if b, err := frame(closing(session)); err == nil {
		_ = l.send(b) // a connection that is lost has no sessions
	}
}

// Close ends the connection.
func (c *Conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return
	}
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	_ = c.link.ws.WriteControl(websocket.CloseMessage, bye, time.Now().Add(closeTimeout)) // it ends in any case
	c.link.fail(net.ErrClosed)
	c.link = nil
}

func (l *link) send(b []byte) error {
	l.wmu.Lock()
	defer l.wmu.Unlock()
	_ = l.ws.SetWriteDeadline(time.Now().Add(writeTimeout)) // fails where Write does
	if err := l.ws.WriteMessage(websocket.BinaryMessage, b); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

func (l *link) ended() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// fail ends the link; the request that runs hears why.
func (l *link) fail(err error) {
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	r := l.rows
	l.mu.Unlock()
	if r != nil {
		r.end(err)
	}
	_ = l.ws.Close() // it is done with
}

// current returns the request that runs when an answer is its own.
func (l *link) current(id uuid.UUID, known bool) *Rows {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.rows; r != nil && (!known || r.id == id) {
		return r
	}
	return nil
}

// read hands answers to the requests that they belong to, until the link ends.
func (l *link) read(o *Options) {
	for {
		kind, b, err := l.ws.ReadMessage()
		if err != nil {
			l.fail(lostBy(err))
			return
		}
		if kind != websocket.BinaryMessage {
			l.fail(fmt.Errorf("%w: the server answers in text, not in %s", ErrLost, mime))
			return
		}
		if err := l.take(b, o); err != nil {
			l.fail(err)
			return
		}
	}
}

// lostBy says why a connection ended: with the server's words, if it had any.
func lostBy(err error) error {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		if closed.Text != "" && closed.Code != websocket.CloseAbnormalClosure {
			return fmt.Errorf("%w: the server says: %s", ErrLost, closed.Text)
		}
		return fmt.Errorf("%w: the server ended it", ErrLost)
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

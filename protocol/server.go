package protocol

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/storage/account"
)

// Options are what a Server is made of.
type Options struct {
	Engine Engine
	Codecs Codecs
	Limits Limits
	Log    *slog.Logger
	// Auth asks every client for a name and a password; nil lets everybody in.
	Auth Authenticator
	// Tokens writes elements without properties unless a request says otherwise.
	Tokens bool
	// StrictTransactions wants aliases with every script (strictTransactionManagement).
	StrictTransactions bool
	// CloseSessionAfterGraphOp ends a session with its commit or rollback.
	CloseSessionAfterGraphOp bool
	// Audit logs every request before it is evaluated (enableAuditLog).
	Audit bool
	// SlowQuery logs requests that take longer; 0 logs none.
	SlowQuery time.Duration
	// Hosts are names that a Host header may have besides the addresses of this
	// machine; it matters on loopback only, against DNS rebinding.
	Hosts []string
	// Origins are pages of other sites that may use the server from a browser; "*" stands
	// for all.
	Origins []string
	// Loopback says that the server listens on a loopback address only.
	Loopback bool
	// Ready reports why the server is not fit for traffic; nil means that it always is.
	Ready func() error
	// WebSocketOnly and HTTPOnly serve one of the two transports.
	WebSocketOnly, HTTPOnly bool
}

// Server serves Gremlin over WebSocket and HTTP.
type Server struct {
	opts     Options
	engine   Engine
	codecs   Codecs
	limits   Limits
	log      *slog.Logger
	auth     Authenticator
	metrics  *metrics
	guard    guard
	memory   *account.Account
	holders  holders
	sessions sessions
	forms    forms

	http     *http.Server
	slots    slots        // evaluating requests
	admitted atomic.Int64 // running or waiting
	draining atomic.Bool

	mu    sync.Mutex
	conns map[*conn]struct{}
	posts map[*task]struct{} // running HTTP requests
	done  sync.WaitGroup     // connections
	stop  chan struct{}      // ends the janitor and idle workers
	work  *workers
	watch watch

	renewal  renewal // the janitor's
	refusals refusals

	answers answers
	began   time.Time // for now
}

// New returns a Server that Serve starts.
func New(o Options) *Server {
	s := &Server{
		opts: o, engine: o.Engine, codecs: o.Codecs, limits: o.Limits, log: o.Log, auth: o.Auth,
		forms: newForms(), conns: map[*conn]struct{}{},
		guard: guard{hosts: o.Hosts, origins: o.Origins, loopback: o.Loopback},
		posts: map[*task]struct{}{}, stop: make(chan struct{}),
		memory: account.New(nil, "memory", o.Limits.MemoryBytes), began: time.Now(),
	}
	s.refusals = refusals{log: o.Log, now: s.now}
	s.slots.init(o.Limits.Running)
	s.work = newWorkers(s.stop)
	s.answers.srv = s
	s.sessions.by = map[string]*session{}
	s.holders.by = map[holderKey]*holder{}
	s.metrics = newMetrics(s)
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serveHTTP),
		ReadHeaderTimeout: o.Limits.HandshakeTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    o.Limits.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	s.http.Protocols = new(http.Protocols)
	s.http.Protocols.SetHTTP1(true)
	return s
}

// Memory is the account of what all clients make the server keep.
func (s *Server) Memory() *account.Account { return s.memory }

// Serve accepts connections until Shutdown. It returns nil after a Shutdown.
func (s *Server) Serve(l net.Listener) error {
	go s.janitor()
	err := s.http.Serve(s.limited(l))
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// admit counts a request in, or refuses it.
func (s *Server) admit() error {
	if s.draining.Load() {
		return errDraining
	}
	if s.admitted.Add(1) > int64(s.limits.Queue) {
		s.admitted.Add(-1)
		s.metrics.rejected.WithLabelValues("maxWorkQueueSize").Inc()
		return &StatusError{Code: statusTooManyRequests, Message: messageRateLimiting}
	}
	return nil
}

func (s *Server) leave() { s.admitted.Add(-1) }

// acquire waits for the right to evaluate t; false when ctx ended first.
func (s *Server) acquire(ctx context.Context, t *task) bool {
	t.slotted = s.slots.take(ctx)
	return t.slotted
}

// tryAcquire takes the right to evaluate t if it can be had at once.
func (s *Server) tryAcquire(t *task) bool {
	t.slotted = s.slots.tryTake()
	return t.slotted
}

// release gives back the right to evaluate t.
func (s *Server) release(t *task) {
	t.slotted = false
	s.slots.give()
}

// idle calls wait while t needs no slot: another request evaluates meanwhile.
func (s *Server) idle(t *task, wait func()) {
	if !t.slotted {
		wait()
		return
	}
	s.slots.give()
	// Whatever happens to wait, the slot is what the caller gives back.
	defer s.slots.take(context.Background())
	wait()
}

// forget gives the id of a finished task free.
func (s *Server) forget(t *task) {
	if t.conn == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.posts, t)
		return
	}
	t.conn.inFlight.remove(t)
}

func (s *Server) addConn(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.conns[c] = struct{}{}
	s.done.Add(1)
	return true
}

func (s *Server) removeConn(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.done.Done()
}

func (s *Server) connections() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		list = append(list, c)
	}
	return list
}

// now is the time by the clock that does not jump. Looking at that alone takes half as
// long as time.Now, and it is done for every request.
func (s *Server) now() time.Time { return s.began.Add(time.Since(s.began)) }

// Draining reports whether Shutdown has begun.
func (s *Server) Draining() bool { return s.draining.Load() }

// Shutdown refuses new requests, lets running ones finish until ctx ends, stops the
// rest, rolls sessions back and closes all connections with 1001.
func (s *Server) Shutdown(ctx context.Context) error {
	if s.draining.Swap(true) {
		return nil
	}
	s.await(ctx)
	for _, c := range s.connections() {
		c.shutDown(websocket.CloseGoingAway, "the server is shutting down", errDraining)
	}
	s.cancelPosts(errDraining)
	grace, cancel := context.WithTimeout(context.Background(), 4*closeGrace)
	defer cancel()
	err := s.http.Shutdown(grace)
	if err != nil {
		err = s.http.Close()
	}
	close(s.stop)
	gone := make(chan struct{})
	go func() { s.done.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-grace.Done():
		for _, c := range s.connections() {
			c.ws.Close()
		}
		<-gone
	}
	return err
}

// await returns when no request runs or ctx ends.
func (s *Server) await(ctx context.Context) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for s.admitted.Load() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) cancelPosts(cause error) {
	s.mu.Lock()
	list := make([]*task, 0, len(s.posts))
	for t := range s.posts {
		list = append(list, t)
	}
	s.mu.Unlock()
	for _, t := range list {
		s.cancelTask(t, cause)
	}
}

func (s *Server) cancelTask(t *task, cause error) {
	if t.started.Load() != 0 {
		t.eval.stop(cause)
	}
}

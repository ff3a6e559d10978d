package protocol

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/connection"
	"github.com/gremlind/gremlind/protocol/explorer"
	"github.com/gremlind/gremlind/protocol/listening"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/session"
	"github.com/gremlind/gremlind/protocol/web"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// Options are what a Server is made of.
type Options struct {
	request.Options
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
	// Faults are sentences about what is wrong though the server serves, which tell nothing
	// about what is kept; nil means that there are never any.
	Faults func() []string
	// WebSocketOnly and HTTPOnly serve one of the two transports.
	WebSocketOnly, HTTPOnly bool
	// Explorer is the page for people; nil serves none.
	Explorer *explorer.Page
}

// Server serves Gremlin over WebSocket and HTTP.
type Server struct {
	opts     Options
	desk     *request.Desk
	sessions *session.Set
	conns    *connection.Set
	posts    *web.Endpoint
	guard    listening.Guard
	http     *http.Server
	stop     chan struct{} // ends the janitor and idle workers
	renewed  uint64        // the changes of users that the janitor has told everybody
}

// New returns a Server that Serve starts.
func New(o Options) *Server {
	s := &Server{opts: o, stop: make(chan struct{})}
	s.desk = request.NewDesk(o.Options, s.stop)
	s.sessions = session.NewSet(s.desk)
	s.conns = connection.NewSet(s.desk, s.sessions)
	s.posts = web.New(s.desk, o.WebSocketOnly)
	s.guard = listening.Guard{Desk: s.desk, Hosts: o.Hosts, Origins: o.Origins, Loopback: o.Loopback}
	s.gauges()
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

// gauges show what there is of each thing.
func (s *Server) gauges() {
	m := s.desk.Metrics
	m.Gauge("requests_in_flight", "Requests running or waiting.", func() float64 { return float64(s.desk.AdmittedNow()) })
	m.Gauge("websocket_connections", "Open WebSocket connections.", func() float64 { return float64(s.conns.Count()) })
	m.Gauge("sessions", "Open sessions.", func() float64 { return float64(s.sessions.Count()) })
	m.Gauge("query_memory_bytes", "What running requests keep.", func() float64 { return float64(s.desk.Memory.Used()) })
}

// UserChanged counts and notes a change of users or roles that was made, or refused by err.
func (s *Server) UserChanged(what, name, by string, err error) {
	outcome, text := "made", "user changed"
	args := []any{"change", what, "user", name, "by", by}
	if err != nil {
		outcome, text, args = "refused", "user not changed", append(args, "error", err)
	}
	s.desk.Metrics.UserChanges.WithLabelValues(what, outcome).Inc()
	s.desk.Trail.Changed(text, args...)
}

// GraphAdministered notes what a service did to a graph, or why it did not.
func (s *Server) GraphAdministered(who *traversal.Identity, service, graph string, err error) {
	text, args := "graph administered", []any{"service", service, "graph", graph, "by", who.User()}
	if err != nil {
		text, args = "graph not administered", append(args, "error", err)
	}
	s.desk.Trail.Changed(text, args...)
}

// Set changes what may change while the server runs.
func (s *Server) Set(l request.Live) { s.desk.Set(l) }

// Trail is where refusals and changes are written down.
func (s *Server) Trail() *audit.Trail { return &s.desk.Trail }

// Registry holds the server's metrics; others may register theirs beside them.
func (s *Server) Registry() *prometheus.Registry { return s.desk.Metrics.Registry }

// Trusted serves a WebSocket client that is not asked for a name and may do everything:
// behind a listener that only they reach who may, as the socket of the data directory.
func (s *Server) Trusted(w http.ResponseWriter, r *http.Request) { s.conns.Serve(w, r, true) }

// Memory is the account of what all clients make the server keep.
func (s *Server) Memory() *account.Account { return s.desk.Memory }

// Serve accepts connections until Shutdown. It returns nil after a Shutdown.
func (s *Server) Serve(l net.Listener) error {
	go s.janitor()
	err := s.http.Serve(listening.Limit(l, s.desk))
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Draining reports whether Shutdown has begun.
func (s *Server) Draining() bool { return s.desk.IsDraining() }

// shutdownGrace is how long connections have to deliver their last frames.
const shutdownGrace = 4 * time.Second

// Shutdown refuses new requests, lets running ones finish until ctx ends, stops the
// rest, rolls sessions back and closes all connections with 1001.
func (s *Server) Shutdown(ctx context.Context) error {
	if !s.desk.Drain() {
		return nil
	}
	s.posts.EndWaits()
	s.desk.Await(ctx)
	s.conns.ShutDown()
	s.posts.Stop(answer.ErrDraining)
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	err := s.http.Shutdown(grace)
	if err != nil {
		err = s.http.Close()
	}
	close(s.stop)
	s.conns.Wait(grace.Done())
	return errors.Join(err, s.desk.Traces.Close(grace))
}

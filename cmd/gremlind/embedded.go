package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
)

// embedded is a server in this process. It has no port; on a data directory it has the
// socket, so that the other commands find it as they find any server.
type embedded struct {
	server *server
	pipes  *pipeListener
	end    func() error
	served chan error
}

// startEmbedded opens what the configuration names. Whoever may open the data directory
// is not asked for a name.
func startEmbedded(ctx context.Context, c *config, log *slog.Logger) (*embedded, error) {
	alone := *c
	alone.Auth, alone.Host = false, "localhost"
	alone.WebSocketOnly, alone.HTTPOnly = false, false
	e := &embedded{server: &server{c: &alone, log: log, level: new(slog.LevelVar), admin: &adminServer{}}, pipes: newPipeListener(), served: make(chan error, 1)}
	var err error
	if e.end, err = e.server.open(ctx); err != nil {
		return nil, err
	}
	e.server.startSocket()
	go func() { e.served <- e.server.gate.Serve(e.pipes) }()
	return e, nil
}

// Dial makes a connection to it.
func (e *embedded) Dial(ctx context.Context) (net.Conn, error) { return e.pipes.dial(ctx) }

// Close ends it: what is written is on disk already.
func (e *embedded) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), e.server.c.ShutdownTimeout)
	defer cancel()
	err := e.server.gate.Shutdown(ctx)
	e.server.admin.close()
	return errors.Join(err, <-e.served, e.end())
}

// pipeListener hands out connections within this process.
type pipeListener struct {
	conns chan net.Conn
	over  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), over: make(chan struct{})}
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.over:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept returns the other end of the next connection.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.over:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.over) })
	return nil
}

// Addr is no address of a network.
func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

// Network names the kind.
func (pipeAddr) Network() string { return "pipe" }

func (pipeAddr) String() string { return "pipe" }

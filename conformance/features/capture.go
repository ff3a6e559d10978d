package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/traversal"
)

// capture is a server that keeps what gremlin-go sends and answers "no content".
type capture struct {
	listener net.Listener
	requests chan *message.Request
	conn     *gremlingo.DriverRemoteConnection
	g        *gremlingo.GraphTraversalSource
}

func newCapture() (*capture, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for gremlin-go: %w", err)
	}
	c := &capture{listener: l, requests: make(chan *message.Request, 1)}
	go http.Serve(l, http.HandlerFunc(c.serve))
	c.conn, err = gremlingo.NewDriverRemoteConnection("ws://"+l.Addr().String()+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
		s.LogVerbosity = gremlingo.Off
		s.MaximumConcurrentConnections = 1
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("connect gremlin-go: %w", err), l.Close())
	}
	c.g = gremlingo.Traversal_().With(c.conn)
	return c, nil
}

func (c *capture) close() {
	c.conn.Close()
	c.listener.Close()
}

func (c *capture) serve(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	for {
		_, b, err := ws.ReadMessage()
		if err != nil || len(b) < 1 || len(b) <= int(b[0]) {
			return
		}
		q, err := graphbinary.Codec{}.DecodeRequest(b[1+int(b[0]):], nil)
		if err != nil {
			// An empty request tells the waiting side that the bytes made no sense.
			c.requests <- nil
			return
		}
		c.requests <- q
		answer, err := graphbinary.Codec{}.AppendResponse(nil, &message.Response{ID: q.ID, HasID: true, Code: 204, NoData: true}, nil, 0)
		if err != nil || ws.WriteMessage(websocket.BinaryMessage, answer) != nil {
			return
		}
	}
}

// bytecode has gremlin-go send a traversal and returns what arrived.
func (c *capture) bytecode(ctx context.Context, t *gremlingo.GraphTraversal) (*traversal.Bytecode, error) {
	sent := make(chan error, 1)
	go func() {
		_, err := t.ToList()
		sent <- err
	}()
	select {
	case err := <-sent:
		if err != nil {
			return nil, c.drop(err)
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	q := <-c.requests
	v, _ := q.Args.GetString("gremlin")
	b, ok := v.Object().(*traversal.Bytecode)
	if !ok {
		return nil, fmt.Errorf("gremlin-go sent no bytecode but %v", v)
	}
	return b, nil
}

// drop forgets a request that failed, so that the next one finds its own.
func (c *capture) drop(err error) error {
	select {
	case <-c.requests:
		return fmt.Errorf("gremlin-go sent what cannot be decoded: %w", err)
	default:
		return fmt.Errorf("gremlin-go refuses: %w", err)
	}
}

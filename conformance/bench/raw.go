package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// rawConn sends frames that were encoded beforehand and reads no more of the answers
// than their status. It allocates nothing between dial and close, so that what is
// measured is the server.
type rawConn struct {
	socket
	answers
	unsent []byte // what the socket has not taken yet
}

func dialRaw(url string) (*rawConn, error) {
	ws, err := client.Dial(context.Background(), url)
	if err != nil {
		return nil, err
	}
	if strings.Contains(url, "@") { // or the first request would be asked who sends it
		if _, err := ws.Text(context.Background(), "g", "gremlin-lang", "g.inject(1)", value.NewMap()); err != nil {
			return nil, fmt.Errorf("log in: %w", err)
		}
	}
	// A server sends nothing before it is asked: the handshake left nothing behind.
	s, err := socketOf(ws.Socket().NetConn())
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return &rawConn{socket: s, answers: answers{buf: make([]byte, arrivalBuffer), pongs: make([]byte, 0, 256)}}, nil
}

// send writes frames that stand side by side; what the socket does not take is left
// for flush.
func (c *rawConn) send(frames []byte) error {
	n := 0
	if len(c.unsent) == 0 {
		var err error
		if n, err = c.write(frames); err != nil {
			return fmt.Errorf("send: %w", err)
		}
	}
	c.unsent = append(c.unsent, frames[n:]...)
	return nil
}

// flush writes what was left.
func (c *rawConn) flush() error {
	if len(c.unsent) == 0 {
		return nil
	}
	n, err := c.write(c.unsent)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	c.unsent = c.unsent[:copy(c.unsent, c.unsent[n:])]
	return nil
}

// receive reads what has come, if anything has.
func (c *rawConn) receive() error {
	n, err := c.read(c.room())
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	c.arrived(n)
	return nil
}

// answerPings sends the pongs that are due.
func (c *rawConn) answerPings() error {
	if len(c.pongs) == 0 {
		return nil
	}
	err := c.send(c.pongs)
	c.pongs = c.pongs[:0]
	return err
}

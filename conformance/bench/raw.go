package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// requestTimeout is what every request asks for; the slowest peer needs it.
const requestTimeout = 30 * time.Minute

// encode makes a request's frame once; it is sent many times.
func encode(source string, b *traversal.Bytecode, timeout time.Duration) ([]byte, error) {
	args := value.NewMap()
	args.PutString("gremlin", b.Value())
	args.PutString("evaluationTimeout", value.Long(timeout.Milliseconds()))
	aliases := value.NewMap()
	aliases.PutString("g", value.String(source))
	args.PutString("aliases", aliases.Value())
	return client.Encode(uuid.New(), "traversal", "bytecode", args)
}

// rawConn sends frames and reads no more of the answers than their status.
type rawConn struct{ ws *websocket.Conn }

func dialRaw(url string) (*rawConn, error) {
	d := websocket.Dialer{HandshakeTimeout: 10 * time.Second, ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10,
		NetDial: func(network, addr string) (net.Conn, error) { return net.Dial(network, addr) }}
	ws, _, err := d.Dial(url, nil)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return &rawConn{ws}, nil
}

func (c *rawConn) close() { c.ws.Close() }

// statusAt is where the status code stands in a GraphBinary response that carries an
// id: version, flag, sixteen bytes.
const statusAt = 18

var errShortAnswer = errors.New("an answer is too short")

func (c *rawConn) send(frame []byte) error {
	if err := c.ws.WriteMessage(websocket.BinaryMessage, frame); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// await reads the frames of one answer.
func (c *rawConn) await() error {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		if len(b) < statusAt+4 {
			return errShortAnswer
		}
		switch code := binary.BigEndian.Uint32(b[statusAt:]); code {
		case 206:
		case 200, 204:
			return nil
		default:
			return fmt.Errorf("status %d: %.200q", code, b[statusAt+4:])
		}
	}
}

func (c *rawConn) ask(frame []byte) error {
	if err := c.send(frame); err != nil {
		return err
	}
	return c.await()
}

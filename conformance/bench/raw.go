package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/gorilla/websocket"
)

// Opcodes and bits of WebSocket frames (RFC 6455, section 5.2).
const (
	opBinary = 0x2
	opClose  = 0x8
	opPing   = 0x9
	opPong   = 0xa

	opMask     = 0x0f
	finBit     = 0x80
	maskBit    = 0x80
	controlBit = 0x8
	length16   = 126
	length64   = 127
)

// appendFrame appends a client's frame, masked with zeros: a legal mask that leaves
// the payload as it is.
func appendFrame(dst []byte, op byte, payload []byte) []byte {
	dst = append(dst, finBit|op)
	switch n := len(payload); {
	case n < length16:
		dst = append(dst, maskBit|byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, maskBit|length16), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, maskBit|length64), uint64(n))
	}
	return append(append(dst, 0, 0, 0, 0), payload...)
}

// rawConn sends frames that were encoded beforehand and reads no more of the answers
// than their status. It allocates nothing between dial and close, so that what is
// measured is the server.
type rawConn struct {
	net  net.Conn
	buf  []byte
	r, w int // buf[r:w] is read from the socket and not yet looked at
}

// rawBuffer holds many small answers of requests that are under way together.
const rawBuffer = 128 << 10

func dialRaw(url string) (*rawConn, error) {
	d := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	ws, _, err := d.Dial(url, nil)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	// A server sends nothing before it is asked: the handshake left nothing behind.
	return &rawConn{net: ws.NetConn(), buf: make([]byte, rawBuffer)}, nil
}

func (c *rawConn) close() { c.net.Close() }

// send writes frames that stand side by side.
func (c *rawConn) send(frames []byte) error {
	if _, err := c.net.Write(frames); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// A response begins with version and a flag; the id is absent when the flag is set.
const (
	flagAt       = 1
	idAt         = 2
	idBytes      = 16
	statusBytes  = 4
	responseHead = idAt + idBytes + statusBytes
)

var errShortAnswer = errors.New("an answer is too short")

// await reads one answer to its last message.
func (c *rawConn) await() error {
	for {
		code, err := c.message()
		if err != nil {
			return err
		}
		switch code {
		case 206:
		case 200, 204:
			return nil
		default:
			return fmt.Errorf("status %d: %.200q", code, c.buf[c.r:c.w])
		}
	}
}

// message reads the frames of one message and returns its status. Behind a message
// that failed, its text is left in the buffer for the report.
func (c *rawConn) message() (code uint32, err error) {
	begun := false
	for {
		head, n, err := c.header()
		if err != nil {
			return 0, err
		}
		if head&controlBit != 0 {
			if err := c.control(head&opMask, n); err != nil {
				return 0, err
			}
			continue
		}
		if !begun {
			begun = true
			if code, err = c.status(n); err != nil {
				return 0, err
			}
			if code >= 400 {
				return code, c.need(min(n, len(c.buf)))
			}
		}
		if err := c.skip(n); err != nil {
			return 0, err
		}
		if head&finBit != 0 {
			return code, nil
		}
	}
}

// header takes a frame's first byte and the length of its payload.
func (c *rawConn) header() (head byte, n int, err error) {
	if err := c.need(2); err != nil {
		return 0, 0, err
	}
	head, n = c.buf[c.r], int(c.buf[c.r+1]&^maskBit)
	c.r += 2
	switch n {
	case length16:
		if err := c.need(2); err != nil {
			return 0, 0, err
		}
		n = int(binary.BigEndian.Uint16(c.buf[c.r:]))
		c.r += 2
	case length64:
		if err := c.need(8); err != nil {
			return 0, 0, err
		}
		n = int(binary.BigEndian.Uint64(c.buf[c.r:]))
		c.r += 8
	}
	return head, n, nil
}

// status looks at the status of the response whose payload of n bytes comes next.
func (c *rawConn) status(n int) (uint32, error) {
	if n < responseHead-idBytes {
		return 0, errShortAnswer
	}
	if err := c.need(min(n, responseHead)); err != nil {
		return 0, err
	}
	at := idAt
	if c.buf[c.r+flagAt] == 0 {
		at += idBytes
	}
	if n < at+statusBytes {
		return 0, errShortAnswer
	}
	return binary.BigEndian.Uint32(c.buf[c.r+at:]), nil
}

// control answers a ping and reports a close; a control frame has at most 125 bytes.
func (c *rawConn) control(op byte, n int) error {
	if err := c.need(n); err != nil {
		return err
	}
	payload := c.buf[c.r : c.r+n]
	c.r += n
	switch op {
	case opPing:
		return c.send(appendFrame(nil, opPong, payload))
	case opClose:
		if n < 2 {
			return errors.New("the server closed the connection")
		}
		return fmt.Errorf("the server closed the connection: %d %s", binary.BigEndian.Uint16(payload), payload[2:])
	}
	return nil
}

// need reads until n bytes stand in the buffer; n is at most its size.
func (c *rawConn) need(n int) error {
	if c.w-c.r >= n {
		return nil
	}
	if c.r > 0 {
		c.w = copy(c.buf, c.buf[c.r:c.w])
		c.r = 0
	}
	for c.w < n {
		m, err := c.net.Read(c.buf[c.w:])
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		c.w += m
	}
	return nil
}

// skip passes over n bytes, however many.
func (c *rawConn) skip(n int) error {
	for {
		k := min(n, c.w-c.r)
		c.r += k
		if n -= k; n == 0 {
			return nil
		}
		if err := c.need(1); err != nil {
			return err
		}
	}
}

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// answers finds the ends of answers in what a server sends, in whatever pieces it
// arrives, and looks at no more of them than their status.
type answers struct {
	buf  []byte
	r, w int // buf[r:w] has arrived and is not yet looked at
	// code is the status of the message under way, once begun; left counts the bytes of
	// its present frame that are still to be passed over, and last marks its last frame.
	code  uint32
	begun bool
	last  bool
	left  int
	// pongs are the frames that answer the pings found; who sends them empties it.
	pongs []byte
}

// A response begins with version and a flag; the id is absent when the flag is set.
const (
	flagAt       = 1
	idAt         = 2
	idBytes      = 16
	statusBytes  = 4
	responseHead = idAt + idBytes + statusBytes
	// failureBytes is how much of a failed answer an error quotes.
	failureBytes = responseHead + 200
)

// arrivalBuffer holds many small answers of requests that are under way together; it
// must hold what frame looks at in one piece.
const arrivalBuffer = 128 << 10

// room is where to put what arrives next; arrived says how much that was.
func (a *answers) room() []byte {
	if a.r > 0 {
		a.w = copy(a.buf, a.buf[a.r:a.w])
		a.r = 0
	}
	return a.buf[a.w:]
}

func (a *answers) arrived(n int) { a.w += n }

// next passes over one answer to the end of its last message; false means that more
// has to arrive first.
func (a *answers) next() (bool, error) {
	for a.pass() {
		if a.begun && a.last {
			a.begun = false
			if a.code != 206 {
				return true, nil
			}
			continue
		}
		if ok, err := a.frame(); !ok || err != nil {
			return false, err
		}
	}
	return false, nil
}

// pass passes over the rest of a frame and reports whether that was all of it.
func (a *answers) pass() bool {
	k := min(a.left, a.w-a.r)
	a.r += k
	a.left -= k
	return a.left == 0
}

// frame takes the beginning of a frame, of a control frame all; false means that more
// has to arrive first.
func (a *answers) frame() (bool, error) {
	b := a.buf[a.r:a.w]
	size, n, ok := frameHeader(b)
	if !ok {
		return false, nil
	}
	payload := b[size:min(len(b), size+n)]
	if b[0]&controlBit != 0 {
		if len(payload) < n {
			return false, nil
		}
		a.r += size + n
		return true, a.control(b[0]&opMask, payload)
	}
	if !a.begun {
		if ok, err := a.status(payload, n); !ok || err != nil {
			return false, err
		}
	}
	a.r += size
	a.begun, a.last, a.left = true, b[0]&finBit != 0, n
	return true, nil
}

var errShortAnswer = errors.New("an answer is too short")

// status looks at the status of a response whose first frame has n bytes, of which
// payload has arrived.
func (a *answers) status(payload []byte, n int) (bool, error) {
	if n < responseHead-idBytes {
		return false, errShortAnswer
	}
	if len(payload) < min(n, responseHead) {
		return false, nil
	}
	at := idAt
	if payload[flagAt] == 0 {
		at += idBytes
	}
	if n < at+statusBytes {
		return false, errShortAnswer
	}
	a.code = binary.BigEndian.Uint32(payload[at:])
	switch a.code {
	case 200, 204, 206:
		return true, nil
	}
	if len(payload) < min(n, failureBytes) {
		return false, nil
	}
	return false, fmt.Errorf("status %d: %.200q", a.code, payload[at+statusBytes:])
}

// control answers a ping and reports a close; a control frame has at most 125 bytes.
func (a *answers) control(op byte, payload []byte) error {
	switch op {
	case opPing:
		a.pongs = appendFrame(a.pongs, opPong, payload)
	case opClose:
		if len(payload) < 2 {
			return errors.New("the server closed the connection")
		}
		return fmt.Errorf("the server closed the connection: %d %s", binary.BigEndian.Uint16(payload), payload[2:])
	}
	return nil
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// serverFrame is an unmasked frame.
func serverFrame(head byte, payload []byte) []byte {
	f := appendFrame(nil, head&opMask, payload)
	f[0] = head
	f[1] &^= maskBit
	at := len(f) - len(payload)
	return append(f[:at-4:at-4], payload...)
}

// answerOf is a response of a status that has n more bytes.
func answerOf(t *testing.T, code int32, n int) []byte {
	t.Helper()
	b, err := respond(nil, &message.Request{HasID: true}, []value.Value{value.String(strings.Repeat("x", n))})
	if err != nil {
		t.Fatal(err)
	}
	b[idAt+idBytes+2], b[idAt+idBytes+3] = byte(code>>8), byte(code)
	return b
}

// withoutID is the same response to a request that has no id.
func withoutID(b []byte) []byte {
	return append([]byte{b[0], 1}, b[idAt+idBytes:]...)
}

// feed has bytes arrive in pieces of a size and returns how many answers were found.
func feed(a *answers, says []byte, size int) (found int, err error) {
	for len(says) > 0 {
		n := copy(a.room(), says[:min(size, len(says))])
		says = says[n:]
		a.arrived(n)
		for {
			ok, err := a.next()
			if err != nil {
				return found, err
			}
			if !ok {
				break
			}
			found++
		}
	}
	return found, nil
}

func TestAnswers_InPieces(t *testing.T) {
	big := answerOf(t, 200, 70_000)
	says := bytes.Join([][]byte{
		serverFrame(finBit|opBinary, answerOf(t, 206, 10)),
		serverFrame(finBit|opPing, []byte("there?")),
		serverFrame(finBit|opBinary, answerOf(t, 206, 300)),
		// One message in three frames, with a ping between them.
		serverFrame(opBinary, big[:100]),
		serverFrame(finBit|opPing, nil),
		serverFrame(0, big[100:67_000]),
		serverFrame(finBit, big[67_000:]),
		serverFrame(finBit|opBinary, answerOf(t, 204, 0)),
		serverFrame(finBit|opBinary, withoutID(answerOf(t, 206, 400))),
		serverFrame(finBit|opBinary, withoutID(answerOf(t, 200, 1))),
	}, nil)
	pongs := append(appendFrame(nil, opPong, []byte("there?")), appendFrame(nil, opPong, nil)...)
	for _, size := range []int{1, 2, 7, 100, 1000, 4096} {
		a := &answers{buf: make([]byte, 4096)}
		for range 3 {
			if n, err := feed(a, says, size); err != nil || n != 3 {
				t.Errorf("pieces of %d: found %d answers, want 3: %v", size, n, err)
			}
			if !bytes.Equal(a.pongs, pongs) {
				t.Errorf("pieces of %d: answers %x, want two pongs", size, a.pongs)
			}
			a.pongs = nil
		}
		if a.r != a.w {
			t.Errorf("pieces of %d: %d bytes were not looked at", size, a.w-a.r)
		}
	}
}

func TestAnswers_EndWithTheirLastByte(t *testing.T) {
	says := serverFrame(finBit|opBinary, answerOf(t, 200, 300))
	a := &answers{buf: make([]byte, 4096)}
	if n, err := feed(a, says[:len(says)-1], 50); n != 0 || err != nil {
		t.Errorf("found %d answers before the last byte, %v", n, err)
	}
	if n, err := feed(a, says[len(says)-1:], 50); n != 1 || err != nil {
		t.Errorf("found %d answers with the last byte, %v", n, err)
	}
}

func TestAnswers_Failures(t *testing.T) {
	for _, c := range []struct {
		frame []byte
		want  string
	}{
		{serverFrame(finBit|opBinary, answerOf(t, 500, 5)), "status 500"},
		{serverFrame(finBit|opBinary, answerOf(t, 500, 5)), "xxxxx"},
		{serverFrame(finBit|opBinary, answerOf(t, 598, 100_000)), "status 598"},
		{serverFrame(finBit|opBinary, withoutID(answerOf(t, 407, 5))), "status 407"},
		{serverFrame(finBit|opBinary, answerOf(t, 300, 5)), "status 300"},
		{serverFrame(finBit|opClose, []byte("\x03\xf1bye")), "1009 bye"},
		{serverFrame(finBit|opClose, nil), "closed"},
		{serverFrame(finBit|opBinary, []byte{1, 2}), errShortAnswer.Error()},
		{serverFrame(finBit|opBinary, answerOf(t, 200, 0)[:responseHead-1]), errShortAnswer.Error()},
	} {
		for _, size := range []int{1, 1000} {
			n, err := feed(&answers{buf: make([]byte, 4096)}, c.frame, size)
			if err == nil || n != 0 || !strings.Contains(err.Error(), c.want) {
				t.Errorf("pieces of %d: %d answers and %v, want %s", size, n, err, c.want)
			}
		}
	}
}

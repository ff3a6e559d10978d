package listening

import (
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// TestHostReaderPassesBytes gives requests in pieces and wants them back unchanged, but
// for the Host of those that have none.
func TestHostReaderPassesBytes(t *testing.T) {
	const without, with = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab\r\n\r", "Host: localhost\r\n"
	mended := "POST / HTTP/1.1\r\nHost:\r\nContent-Length: 5\r\n\r\nab\r\n\r"
	for in, want := range map[string]string{
		"":                        "",
		"GET":                     "GET",
		without + without:         mended + mended,
		without + "garbage\n\r\n": mended + "garbage\n\r\n",
		"GET / HTTP/1.1\r\n" + with + "\r\n" + without:   "GET / HTTP/1.1\r\n" + with + "\r\n" + without,
		"GET / HTTP/1.0\r\n\r\n" + without:               "GET / HTTP/1.0\r\n\r\n" + without,
		"GET / HTTP/1.1\r\n\r\n":                         "GET / HTTP/1.1\r\nHost:\r\n\r\n",
		"\r\n\r\n" + without:                             "\r\n\r\n" + without,
		strings.Repeat("x", 20000):                       strings.Repeat("x", 20000),
		"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\nx": "POST / HTTP/1.1\r\nHost:\r\nContent-Length: 99\r\n\r\nx",
		"\x16\x03\x01 a hello of TLS":                    "\x16\x03\x01 a hello of TLS",
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in)), "late error": iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := io.ReadAll(iotest.OneByteReader(&hostReader{r: r, max: 8192}))
			if err != nil || string(got) != want {
				t.Errorf("%s: %.60q: got %q %v", name, in, got, err)
			}
		}
	}
}

// TestHostReaderOutlivesTimeouts is interrupted as net/http interrupts its own reads.
func TestHostReaderOutlivesTimeouts(t *testing.T) {
	h := &hostReader{r: &interruptedReader{strings.NewReader("GET / HTTP/1.1\r\n\r\n"), 0}, max: 8192}
	var got []byte
	timeouts := 0
	for p := make([]byte, 7); ; {
		n, err := h.Read(p)
		got = append(got, p[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			timeouts++
		}
	}
	if timeouts != 1 || string(got) != "GET / HTTP/1.1\r\nHost:\r\n\r\n" {
		t.Errorf("%d timeouts, %q", timeouts, got)
	}
}

// interruptedReader times out at its second byte.
type interruptedReader struct {
	r     io.Reader
	reads int
}

func (r *interruptedReader) Read(p []byte) (int, error) {
	if r.reads++; r.reads == 2 {
		return 0, os.ErrDeadlineExceeded
	}
	return r.r.Read(p[:1])
}

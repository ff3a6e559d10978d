package listening

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Some clients, the Java driver's HTTP channel among them, send HTTP/1.1 without a Host.
// net/http refuses that before any handler runs, so the field is put in on the way: with
// an empty value, which no browser sends and the guard takes for what it is. The first
// request of a connection decides; once it has a Host, nothing more is looked at.
//
// A request that leaves any doubt about where its body ends is passed on as it came, and
// net/http refuses it: nobody who stands in front can have counted otherwise.

// headChunk is how much of a head is read at once, in bytes.
const headChunk = 4 << 10

// hostReader reads the requests of one connection.
type hostReader struct {
	r     io.Reader
	max   int    // bytes of a head that is looked at
	buf   []byte // a head under way, or one that is given out
	ready int    // bytes of buf that may be given out
	body  int64  // bytes of the body still to pass
	done  bool   // nothing more is looked at
}

// settled reports whether reads may go past the reader for good.
func (h *hostReader) settled() bool { return h.done && len(h.buf) == 0 }

// Read implements io.Reader.
func (h *hostReader) Read(p []byte) (int, error) {
	for {
		if h.ready > 0 {
			n := copy(p, h.buf[:h.ready])
			h.buf, h.ready = h.buf[n:], h.ready-n
			return n, nil
		}
		switch {
		case h.done && len(h.buf) > 0:
			h.ready = len(h.buf)
			continue
		case h.done:
			return h.r.Read(p)
		case h.body > 0 && len(h.buf) > 0:
			h.ready = int(min(h.body, int64(len(h.buf))))
			h.body -= int64(h.ready)
			continue
		case h.body > 0:
			n, err := h.r.Read(p[:min(int64(len(p)), h.body)])
			h.body -= int64(n)
			return n, err
		}
		if err := h.head(); err != nil {
			return 0, err
		}
	}
}

// head looks at the head that begins in buf, or reads more of it.
func (h *hostReader) head() error {
	if end := bytes.Index(h.buf, []byte("\r\n\r\n")); end >= 0 {
		h.complete(end)
		return nil
	}
	line := bytes.IndexByte(h.buf, '\n')
	if len(h.buf) > h.max || line == 0 || line > 0 && h.buf[line-1] != '\r' {
		h.done = true
		return nil
	}
	chunk := make([]byte, headChunk)
	n, err := h.r.Read(chunk)
	h.buf = append(h.buf, chunk[:n]...)
	if n > 0 {
		return nil // an error comes again
	}
	if err == nil || isTimeout(err) { // net/http interrupts its own reads so
		return err
	}
	if len(h.buf) == 0 {
		return err
	}
	h.done = true // what came is given out, and then the error comes again
	return nil
}

// complete decides about a head that ends at end.
func (h *hostReader) complete(end int) {
	line, body, ok := hostless(string(h.buf[:end]))
	if !ok {
		h.done = true
		return
	}
	rest := h.buf[line:]
	h.buf = append([]byte(string(h.buf[:line])+"Host:\r\n"), rest...)
	h.ready = end + len("\r\n\r\n") + len("Host:\r\n")
	h.body = body
}

// hostless reports whether a head is that of a plain HTTP/1.1 request without a Host:
// where its first line ends, and how long its body is.
func hostless(head string) (line int, body int64, ok bool) {
	first, fields, _ := strings.Cut(head, "\r\n")
	if !strings.HasSuffix(first, " HTTP/1.1") || strings.Contains(head, "\x00") {
		return 0, 0, false
	}
	lengths := 0
	for field := range strings.SplitSeq(fields, "\r\n") {
		if fields == "" {
			break
		}
		name, text, found := strings.Cut(field, ":")
		if !found || name == "" || strings.ContainsAny(name, " \t\n\r") || strings.ContainsAny(text, "\n\r") {
			return 0, 0, false
		}
		switch strings.ToLower(name) {
		case "host", "transfer-encoding", "upgrade", "expect":
			return 0, 0, false
		case "content-length":
			n, err := strconv.ParseUint(strings.Trim(text, " \t"), 10, 62)
			if lengths++; err != nil || lengths > 1 {
				return 0, 0, false
			}
			body = int64(n)
		}
	}
	return len(first) + len("\r\n"), body, true
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

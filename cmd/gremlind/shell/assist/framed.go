package assist

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lineMax bounds a message of the assistant.
const lineMax = 8 << 20

// Codes of JSON-RPC.
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// framed answers lines that are no messages, which would else end everything, and hands on
// the others.
func framed(in io.ReadCloser, out io.WriteCloser) (*reader, *writer) {
	w := &writer{WriteCloser: out}
	return &reader{ReadCloser: in, lines: bufio.NewReaderSize(in, 64<<10), out: w}, w
}

// writer keeps what is written at the same time apart.
type writer struct {
	io.WriteCloser
	mu  sync.Mutex
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.WriteCloser.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// failed is why the assistant could not be answered.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// reader reads messages, one a line.
type reader struct {
	io.ReadCloser
	lines *bufio.Reader
	out   *writer
	rest  []byte // of the line that is read
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		if err != nil {
			return 0, err
		}
		r.rest = r.message(line)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// line reads to the end of a line, or of what may be read of it: nil then, and the rest is
// skipped.
func (r *reader) line() ([]byte, error) {
	var line []byte
	whole := true
	for {
		part, err := r.lines.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= lineMax; whole {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (err != io.EOF || len(line) == 0):
			return nil, err
		case !whole:
			return nil, r.refuse(codeInvalid, fmt.Sprintf("the message is longer than %d bytes", lineMax))
		default:
			return line, nil
		}
	}
}

// message is a line that is one, ended; nothing when there is none.
func (r *reader) message(line []byte) []byte {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		_ = r.refuse(codeParse, "the line is no JSON") // who does not read answers is found out by the next one
		return nil
	case line[0] == '[':
		_ = r.refuse(codeInvalid, "messages come one a line, not in batches")
		return nil
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		_ = r.refuse(codeInvalid, "the line is no message of JSON-RPC 2.0")
		return nil
	}
	return append(line, '\n')
}

// refuse answers what has no id to be answered by.
func (r *reader) refuse(code int, message string) error {
	b, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(b, '\n'))
	return err
}

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// form is how values travel.
type form struct {
	mime   string
	append func(dst []byte, v value.Value) ([]byte, error)
}

var formGraphBinary = form{message.MimeGraphBinary, func(dst []byte, v value.Value) ([]byte, error) {
	return graphbinary.AppendValue(dst, v, nil)
}}

// graphSONForms are those in which types are told.
var graphSONForms = []form{graphSONForm(1, message.MimeGraphSON1), graphSONForm(2, message.MimeGraphSON2), graphSONForm(3, message.MimeGraphSON3)}

func graphSONForm(version int, mime string) form {
	return form{mime, func(dst []byte, v value.Value) ([]byte, error) {
		return graphson.Codec{Version: version}.AppendValue(dst, v, nil)
	}}
}

func encode(f form, v value.Value) ([]byte, error) { return f.append(nil, v) }

// accepted are the forms that answers over HTTP can have.
var accepted = []string{
	message.MimeJSON, message.MimeGraphSON1, message.MimeGraphSON2, message.MimeGraphSON3, message.MimeGraphSON3 + message.Untyped,
	message.MimeGraphSON1 + message.Untyped, message.MimeGraphBinary, message.MimeGraphBinaryStringd, "text/plain",
}

const hungAfter = 20 * time.Second

// attacker sends requests, one at a time, on one connection or over HTTP.
type attacker struct {
	url  string // of the WebSocket endpoint
	http string
	ws   *websocket.Conn
}

// sendable is a request that is ready to be sent.
type sendable struct {
	how   string
	frame []byte // over WebSocket, else
	post  []byte // over HTTP
	want  string // the form of the answer over HTTP
}

// prepare makes the message of an attack, in one of the ways that it can be sent.
func prepare(a attack, source string, rng *rand.Rand) (*sendable, error) {
	switch {
	case a.code != nil && weight(a.code) >= 2*messageBytes:
		return nil, errors.New("no message holds that")
	case a.raw != nil:
		return &sendable{how: "message", frame: a.raw(rng)}, nil
	case a.code != nil && rng.IntN(3) > 0:
		if m, err := prepareCode(a, source, rng); err == nil {
			return m, nil
		}
	}
	language := []string{"gremlin-groovy", "gremlin-lang"}[rng.IntN(2)]
	text := a.text
	if a.code != nil {
		var ok bool
		if text, ok = textOf(a.code); !ok {
			return prepareCode(a, source, rng)
		}
	} else if rng.IntN(8) > 0 {
		language = "gremlin-groovy"
	}
	if rng.IntN(3) == 0 && a.bindings == nil {
		post, err := json.Marshal(map[string]any{"gremlin": text, "language": language, "aliases": map[string]string{"g": source}})
		return &sendable{how: "HTTP", post: post, want: accepted[rng.IntN(len(accepted))]}, err
	}
	args := value.NewMap()
	args.PutString("gremlin", value.String(text))
	args.PutString("language", value.String(language))
	if a.bindings != nil {
		args.PutString("bindings", a.bindings.Value())
	}
	return framed(anyForm(rng), "", "eval", args, source, rng)
}

func prepareCode(a attack, source string, rng *rand.Rand) (*sendable, error) {
	args := value.NewMap()
	args.PutString("gremlin", a.code.Value())
	return framed(anyForm(rng), "traversal", "bytecode", args, source, rng)
}

func anyForm(rng *rand.Rand) form {
	if rng.IntN(2) == 0 {
		return formGraphBinary
	}
	return graphSONForms[rng.IntN(len(graphSONForms))]
}

// framed is a request over WebSocket, now and then of a session.
func framed(f form, processor, op string, args *value.Map, source string, rng *rand.Rand) (*sendable, error) {
	aliases := value.NewMap()
	aliases.PutString("g", value.String(source))
	args.PutString("aliases", aliases.Value())
	if rng.IntN(6) == 0 {
		processor = "session"
		args.PutString("session", value.String(uuid.NewString()))
	}
	if f.mime == message.MimeGraphBinary {
		frame, err := client.Encode(uuid.New(), processor, op, args)
		return &sendable{how: processor + " " + f.mime, frame: frame}, err
	}
	b := append([]byte{byte(len(f.mime))}, f.mime...)
	b = fmt.Appendf(b, `{"requestId":"%s","op":"%s","processor":"%s","args":`, uuid.NewString(), op, processor)
	b, err := f.append(b, args.Value())
	return &sendable{how: processor + " " + f.mime, frame: append(b, '}')}, err
}

// outcome is what became of a request.
type outcome struct {
	code  int
	bytes int // of the answer
	err   error
}

// send sends a message and reads its answer to the end.
func (a *attacker) send(m *sendable) outcome {
	if m.frame == nil {
		return a.post(m)
	}
	if a.ws == nil {
		ws, _, err := websocket.DefaultDialer.Dial(a.url, nil)
		if err != nil {
			return outcome{err: fmt.Errorf("connect: %w", err)}
		}
		a.ws = ws
	}
	deadline := time.Now().Add(hungAfter)
	_ = a.ws.SetWriteDeadline(deadline)
	_ = a.ws.SetReadDeadline(deadline)
	sent := a.ws.WriteMessage(websocket.BinaryMessage, m.frame) // may be refused before its end, with a reason
	var o outcome
	for {
		_, r, err := a.ws.NextReader()
		if err == nil {
			o.code, err = o.read(r)
		}
		if err != nil {
			a.close()
			return outcome{err: refusal(errors.Join(sent, err)), bytes: o.bytes}
		}
		if o.code != 206 && o.code != 0 {
			return o
		}
	}
}

// close forgets the connection.
func (a *attacker) close() {
	if a.ws != nil {
		_ = a.ws.Close()
		a.ws = nil
	}
}

// refusal is nil when the server closed the connection and said why.
func refusal(err error) error {
	var closed *websocket.CloseError
	if errors.As(err, &closed) && closed.Text != "" {
		return nil
	}
	return fmt.Errorf("no answer: %w", err)
}

// codeInJSON finds the status of an answer in GraphSON.
var codeInJSON = regexp.MustCompile(`"code":(\d+),"attributes"`)

// head is how many bytes of an answer are looked at for its status.
const head = 2 << 20

// read reads one frame of an answer and returns its status.
func (o *outcome) read(r io.Reader) (int, error) {
	b, err := io.ReadAll(io.LimitReader(r, head))
	if err != nil {
		return 0, err
	}
	rest, err := io.Copy(io.Discard, r)
	o.bytes += len(b) + int(rest)
	if err != nil {
		return 0, err
	}
	if len(b) > 0 && b[0] == 0x81 {
		at := 2
		if len(b) > 1 && b[1] == 0 {
			at += 16
		}
		if len(b) >= at+4 {
			return int(int32(binary.BigEndian.Uint32(b[at:]))), nil
		}
	}
	if m := codeInJSON.FindSubmatch(b); m != nil {
		return strconv.Atoi(string(m[1]))
	}
	return 0, fmt.Errorf("an answer without a status: %.100q", b)
}

var poster = &http.Client{Timeout: hungAfter}

// post sends a message over HTTP.
func (a *attacker) post(m *sendable) outcome {
	req, err := http.NewRequest(http.MethodPost, a.http, bytes.NewReader(m.post))
	if err != nil {
		return outcome{err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", m.want)
	resp, err := poster.Do(req)
	if err != nil {
		return outcome{err: fmt.Errorf("no answer: %w", err)}
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		err = fmt.Errorf("an answer that breaks off: %w", err)
	}
	return outcome{code: resp.StatusCode, bytes: int(n), err: err}
}

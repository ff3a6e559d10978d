//go:build drivers

package drivers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/golden"
)

// TestWire sends what was captured from clients old and new, byte for byte, and
// compares the answers: testdata/wire with those of a Gremlin Server 3.8.1 (-record
// writes them), testdata/own with what gremlind does better or leniently.
//
//	ws [mime=...]      a WebSocket message: binary with the mime type before it, text without one
//	raw [text]         the bytes of one message, as Go would quote them
//	http               a request line, header fields, an empty line, a body
//	graphbinary [bare] a script as GraphBinary over HTTP, behind its mime type unless bare
//
// Of an answer the values that change from run to run are masked, of JSON the order of
// fields and all spaces too. Messages of errors are shown when the command has message,
// ids of requests in errors over HTTP when it has id.
func TestWire(t *testing.T) {
	s := start(t)
	folders := []string{"wire", "own"}
	switch {
	case *target != "":
		folders = folders[:1]
	case *record:
		folders = folders[1:]
	}
	if *record {
		golden.Rewrite(t)
	}
	for _, folder := range folders {
		datadriven.Walk(t, filepath.Join("testdata", folder), func(t *testing.T, path string) {
			w, found := &wire{s: s}, differences{}
			defer w.close()
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				answer, err := w.answer(d)
				if err != nil {
					answer = "error: " + err.Error() + "\n"
				}
				return found.compare(d, answer)
			})
			found.report(t)
		})
	}
}

// wire keeps the connection of a file.
type wire struct {
	s  *subject
	ws *websocket.Conn
}

func (w *wire) close() {
	if w.ws != nil {
		w.ws.Close()
	}
}

func (w *wire) answer(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "http":
		return w.http(d)
	case "graphbinary":
		return w.graphBinary(d)
	case "ws":
		message, kind := []byte(d.Input), websocket.TextMessage
		if a, ok := d.Arg("mime"); ok {
			mime := a.Vals[0]
			message, kind = append(append([]byte{byte(len(mime))}, mime...), message...), websocket.BinaryMessage
		}
		return w.exchange(d, kind, message)
	case "raw":
		var message []byte
		if _, err := fmt.Sscanf(`"`+d.Input+`"`, "%q", &message); err != nil {
			return "", err
		}
		kind := websocket.BinaryMessage
		if d.HasArg("text") {
			kind = websocket.TextMessage
		}
		return w.exchange(d, kind, message)
	}
	return "", fmt.Errorf("unknown command %s", d.Cmd)
}

func (w *wire) dial() error {
	if w.ws != nil {
		return nil
	}
	var err error
	w.ws, _, err = websocket.DefaultDialer.Dial(w.s.url(), nil)
	return err
}

// exchange sends one message and reads frames to the last of the answer.
func (w *wire) exchange(d *datadriven.TestData, kind int, message []byte) (string, error) {
	if err := w.dial(); err != nil {
		return "", err
	}
	if err := w.ws.WriteMessage(kind, message); err != nil {
		return "", err
	}
	var out strings.Builder
	for {
		if err := w.ws.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
			return "", err
		}
		kind, b, err := w.ws.ReadMessage()
		if err != nil {
			w.close()
			w.ws = nil
			return out.String() + "no answer\n", nil
		}
		text, code := canonical(b, d)
		fmt.Fprintf(&out, "%s %s\n", map[int]string{websocket.TextMessage: "text", websocket.BinaryMessage: "binary"}[kind], text)
		if code != 206 {
			return out.String(), nil
		}
	}
}

func (w *wire) http(d *datadriven.TestData) (string, error) {
	head, body, _ := strings.Cut(d.Input, "\n\n")
	lines := strings.Split(head, "\n")
	method, path, _ := strings.Cut(lines[0], " ")
	req, err := http.NewRequest(method, "http://127.0.0.1:"+w.s.port()+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	for _, l := range lines[1:] {
		name, text, _ := strings.Cut(l, ": ")
		req.Header.Set(name, text)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	text, _ := canonical(b, d)
	mime, _, _ := strings.Cut(resp.Header.Get("Content-Type"), "; charset")
	return fmt.Sprintf("%d %s\n%s\n", resp.StatusCode, mime, text), nil
}

var changing = regexp.MustCompile(`/?127\.0\.0\.1:[0-9]+|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// canonical prints JSON with sorted fields and masks, other bodies quoted. It returns
// the status code of a response message.
func canonical(b []byte, d *datadriven.TestData) (string, int64) {
	var x any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if dec.Decode(&x) != nil {
		if len(b) > 18 && b[0] == 0x81 && b[1] == 0 { // GraphBinary: flag and request id
			b = append([]byte{0x81}, b[18:]...)
		}
		return changing.ReplaceAllString(fmt.Sprintf("%.600q", b), "..."), 0
	}
	var code int64
	message := d.HasArg("message")
	top, _ := x.(map[string]any)
	status, _ := top["status"].(map[string]any)
	if n, ok := status["code"].(json.Number); ok {
		code, _ = n.Int64()
	}
	if code >= 400 && !message {
		status["message"] = "..."
	}
	if m, ok := top["message"].(string); ok && m != "" && !message {
		top["message"] = "..."
	}
	if top["message"] != nil && !d.HasArg("id") {
		// gremlind gives errors over HTTP an id and a code always.
		delete(top, "requestId")
		delete(top, "code")
	}
	// The maps of GraphSON 1 name their Java classes, which say nothing when empty.
	out, err := json.Marshal(mask(x))
	out = bytes.ReplaceAll(out, []byte("java.util.Collections$EmptyMap"), []byte("java.util.LinkedHashMap"))
	if err != nil {
		return err.Error(), code
	}
	return changing.ReplaceAllString(string(out), "..."), code
}

// mask takes out stack traces and the causes of exceptions.
func mask(x any) any {
	switch x := x.(type) {
	case map[string]any:
		delete(x, "stackTrace")
		for k, v := range x {
			x[k] = mask(v)
			if k == "exceptions" {
				x[k] = "..."
			}
		}
	case []any:
		return maskList(x)
	}
	return x
}

// maskList does the same in a map of GraphSON 3, which is a list.
func maskList(x []any) []any {
	kept := make([]any, 0, len(x))
	for i := 0; i < len(x); i++ {
		switch {
		case x[i] == "stackTrace":
			i++
		case x[i] == "exceptions":
			kept = append(kept, x[i], "...")
			i++
		default:
			kept = append(kept, mask(x[i]))
		}
	}
	return kept
}

package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
)

// jsonAnswer is what a JSON client reads of a response.
type jsonAnswer struct {
	RequestID *string `json:"requestId"`
	Status    struct {
		Code    int
		Message string
	}
	Result struct{ Data json.RawMessage }
}

func (c *client) nextJSON(kind int) jsonAnswer {
	c.t.Helper()
	c.ws.SetReadDeadline(time.Now().Add(patience))
	got, b, err := c.ws.ReadMessage()
	if err != nil {
		c.t.Fatalf("read: %v", err)
	}
	if got != kind {
		c.t.Errorf("frame of kind %d, want %d", got, kind)
	}
	var a jsonAnswer
	if err := json.Unmarshal(b, &a); err != nil {
		c.t.Fatalf("response %q: %v", b, err)
	}
	return a
}

// sendJSON sends a text frame, or a binary one with a mime prefix.
func (c *client) sendJSON(mime, body string) jsonAnswer {
	c.t.Helper()
	if mime == "" {
		c.raw(websocket.TextMessage, []byte(body))
		return c.nextJSON(websocket.TextMessage)
	}
	c.raw(websocket.BinaryMessage, []byte(string([]byte{byte(len(mime))})+mime+body))
	return c.nextJSON(websocket.BinaryMessage)
}

// frames are the ways in which JSON may arrive.
var frames = []string{"", message.MimeJSON, message.MimeGraphSON2, message.MimeGraphSON1 + message.Untyped}

func TestGraphSON(t *testing.T) {
	c := start(t, nil).dial()
	for _, mime := range frames {
		id := uuid.NewString()
		a := c.sendJSON(mime, fmt.Sprintf(`{"requestId":%q,"op":"eval","processor":"","args":{"gremlin":"count 2","aliases":{"g":"g"},"bindings":null}}`, id))
		if a.Status.Code != message.StatusSuccess || a.RequestID == nil || *a.RequestID != id || len(a.Result.Data) < 5 {
			t.Errorf("%q: %+v %s", mime, a, a.Result.Data)
		}
	}
	// Processor may be missing, the id may be typed, and a frame answers in kind.
	id := uuid.NewString()
	a := c.sendJSON("", fmt.Sprintf(`{"requestId":{"@type":"g:UUID","@value":%q},"op":"eval","args":{"gremlin":"count 0"}}`, id))
	if a.Status.Code != message.StatusNoContent || a.RequestID == nil || *a.RequestID != id || string(a.Result.Data) != "null" {
		t.Errorf("%+v %s", a, a.Result.Data)
	}
}

func TestBadGraphSON(t *testing.T) {
	c := start(t, nil).dial()
	id := uuid.NewString()
	in := func(binding string) string {
		return fmt.Sprintf(`{"requestId":%q,"op":"eval","processor":"","args":{"gremlin":"count 1","bindings":{"x":%s}}}`, id, binding)
	}
	for name, tc := range map[string]struct {
		body  string
		hasID bool
	}{
		"nothing":      {"", false},
		"brace":        {"{", false},
		"list":         {"[]", false},
		"null":         {"null", false},
		"two values":   {"{}{}", false},
		"id":           {`{"requestId":"x","op":"eval","args":{}}`, false},
		"op number":    {fmt.Sprintf(`{"requestId":%q,"op":1,"args":{}}`, id), true},
		"args list":    {fmt.Sprintf(`{"requestId":%q,"op":"eval","args":[1]}`, id), true},
		"deep":         {in(strings.Repeat("[", 10001) + strings.Repeat("]", 10001)), false},
		"int range":    {in(`{"@type":"g:Int32","@value":2147483648}`), true},
		"int text":     {in(`{"@type":"g:Int32","@value":"abc"}`), true},
		"no value":     {in(`{"@type":"g:Int32"}`), true},
		"unknown type": {in(`{"@type":"g:Nothing","@value":1}`), true},
		"uuid":         {in(`{"@type":"g:UUID","@value":"x"}`), true},
		"date":         {in(`{"@type":"g:Date","@value":"NaN"}`), true},
		"host name":    {in(`{"@type":"gx:InetAddress","@value":"evil.example"}`), true},
		"digits":       {in(`{"@type":"gx:BigInteger","@value":` + strings.Repeat("9", 100_001) + `}`), true},
	} {
		t.Run(name, func(t *testing.T) {
			c := &client{t, c.ws}
			for _, mime := range []string{"", message.MimeJSON} {
				a := c.sendJSON(mime, tc.body)
				if a.Status.Code != message.StatusMalformedRequest || !strings.HasPrefix(a.Status.Message, message.NotParsed) {
					t.Errorf("%q: %d %.200s", mime, a.Status.Code, a.Status.Message)
				}
				if tc.hasID && (a.RequestID == nil || *a.RequestID != id) {
					t.Errorf("%q: the id is not echoed", mime)
				}
			}
			c.healthy()
		})
	}
}

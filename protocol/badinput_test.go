package protocol

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// badRequests are well-formed messages that ask for something wrong.
func badRequests() map[string]struct {
	r    *message.Request
	code int32
	text string
} {
	noG := func(m *value.Map) *message.Request {
		return requestOf(message.OpBytecode, "traversal", m)
	}
	manyBindings := value.NewMap()
	for i := range 17 {
		manyBindings.Put(value.String("b"+value.Int(int32(i)).JavaString()), value.Int(1))
	}
	nullKey := value.NewMap()
	nullKey.Put(value.Null, value.Int(1))
	intKey := value.NewMap()
	intKey.Put(value.Int(1), value.Int(1))
	huge := value.BigInt(new(big.Int).Lsh(big.NewInt(1), 80))
	type row = struct {
		r    *message.Request
		code int32
		text string
	}
	b := bytecode("count", value.Int(1))
	return map[string]row{
		"op":                  {requestOf("zzz", "", args()), 498, "Message with op code [zzz] is not recognized."},
		"op in session":       {requestOf("zzz", "session", args("session", "s")), 498, "Message with op code [zzz] is not recognized."},
		"eval on traversal":   {requestOf("eval", "traversal", args("gremlin", "count 1")), 498, "Message with op code [eval] is not recognized."},
		"long op":             {requestOf(strings.Repeat("z", 10000), "", args()), 498, "..."},
		"processor":           {requestOf("eval", "zzz", args()), 499, "Invalid OpProcessor requested [zzz]"},
		"no gremlin":          {requestOf("eval", "", args()), 499, "A message with an [eval] op code requires a [gremlin] argument."},
		"gremlin number":      {requestOf("eval", "", args("gremlin", 1)), 499, "requires a [gremlin] argument."},
		"no session":          {requestOf("eval", "session", args("gremlin", "x")), 499, "A message with an [eval] op code requires a [session] argument"},
		"close no session":    {requestOf("close", "session", args()), 499, "A message with an [close] op code requires a [session] argument"},
		"long session":        {inSession(strings.Repeat("s", 1<<20), "count 1"), 499, "[session]"},
		"bytecode none":       {noG(args("aliases", args("g", "g"))), 499, "A message with an [bytecode] op code requires a [gremlin] argument."},
		"bytecode text":       {noG(args("gremlin", "g.V()", "aliases", args("g", "g"))), 499, "Bytecode"},
		"no aliases":          {noG(args("gremlin", b)), 499, "requires a [aliases] argument."},
		"two aliases":         {noG(args("gremlin", b, "aliases", args("g", "g", "h", "g"))), 499, "one alias assignment"},
		"alias h":             {noG(args("gremlin", b, "aliases", args("h", "g"))), 499, "named 'g'"},
		"alias target":        {noG(args("gremlin", b, "aliases", args("g", "gnone"))), 499, "The traversal source [gnone] for alias [g] is not configured on the server."},
		"alias graph":         {noG(args("gremlin", b, "aliases", args("g", "graph"))), 499, "is not configured on the server."},
		"alias number":        {noG(args("gremlin", b, "aliases", args("g", 1))), 499, "is not configured on the server."},
		"eval alias":          {eval("count 1", "aliases", args("g", "gnone")), 499, "Could not alias [g] to [gnone] as [gnone] not in the Graph or TraversalSource global bindings"},
		"eval alias text":     {eval("count 1", "aliases", "g"), 499, "[aliases] argument to be a Map"},
		"bindings list":       {eval("count 1", "bindings", value.List(nil)), 499, "[bindings] argument to be a Map"},
		"bindings 17":         {eval("count 1", "bindings", manyBindings), 499, "17 bindings which is more than is allowed by the server 16 configuration"},
		"binding id":          {eval("count 1", "bindings", args("id", 1)), 499, "invalid parameters key of [[id]] - these are reserved names"},
		"binding null":        {eval("count 1", "bindings", nullKey), 499, "invalid binding keys"},
		"binding int":         {eval("count 1", "bindings", intKey), 499, "invalid binding keys"},
		"batch 0":             {eval("count 1", "batchSize", 0), 499, "batchSize must be 1..65536"},
		"batch -1":            {eval("count 1", "batchSize", -1), 499, "batchSize must be 1..65536"},
		"batch 2^31":          {eval("count 1", "batchSize", value.Long(1<<31)), 499, "batchSize must be 1..65536"},
		"batch 2^80":          {eval("count 1", "batchSize", huge), 499, "batchSize must be 1..65536"},
		"batch text":          {eval("count 1", "batchSize", "x"), 499, "batchSize must be 1..65536"},
		"timeout text":        {eval("count 1", "evaluationTimeout", "x"), 499, "evaluationTimeout must be a whole number"},
		"authentication":      {requestOf("authentication", "", args("sasl", "x")), 498, "Message with op code [authentication] is not recognized."},
		"not serializable":    {eval("foreign"), 599, "Error during serialization"},
		"script error":        {eval("invalid"), 597, "No such property: invalid"},
		"tx on traversal":     {noG(args("gremlin", &traversal.Bytecode{Source: bytecode("tx", value.String("commit")).Steps}, "aliases", args("g", "g"))), 599, "JavaTranslator"},
		"2^60 values":         {eval("shared 60"), 599, "responseBytes"},
		"invalid in bytecode": {noG(args("gremlin", bytecode("nothing"), "aliases", args("g", "g"))), 500, "No such property: nothing"},
	}
}

func TestBadRequests(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for name, row := range badRequests() {
		t.Run(name, func(t *testing.T) {
			c := &client{t, c.ws}
			c.want(row.r, row.code, row.text)
			c.healthy()
		})
	}
	// What looks wrong and is not.
	for name, r := range map[string]*message.Request{
		"timeout 0":     eval("count 1", "evaluationTimeout", 0),
		"timeout -1":    eval("count 1", "evaluationTimeout", -1),
		"timeout huge":  eval("count 1", "evaluationTimeout", value.Long(1<<62)),
		"null bindings": eval("count 1", "bindings", value.Null),
		"empty aliases": eval("count 1", "aliases", args()),
		"extra args":    eval("count 1", "requestId", "x", "accept", "y", "userAgent", "z", "host", 1, "scriptEvaluationTimeout", 1),
		"graph alias":   eval("count 1", "aliases", args("g", "graph")),
	} {
		if a, _ := c.do(r); a.Code != message.StatusSuccess {
			t.Errorf("%s: %d %s", name, a.Code, a.Message)
		}
	}
	eventually(t, "no request left over", func() bool { return h.srv.desk.AdmittedNow() == 0 })
}

// badFrames are binary frames that cannot be read.
func badFrames(t *testing.T) map[string][]byte {
	good := frameOf(t, eval("count 1"))
	head := 1 + len(message.MimeGraphBinary)
	frames := map[string][]byte{
		"empty":             {},
		"mime length 0":     append([]byte{0}, good[1:]...),
		"mime length 255":   append([]byte{255}, good[1:]...),
		"mime past the end": {100, 'a'},
		"unknown mime":      append([]byte{3}, "xyz"...),
		"only a mime":       good[:head],
		"version":           append(append([]byte{}, good[:head]...), 0x82, 1, 2, 3),
		"trailing byte":     append(append([]byte{}, good...), 0),
	}
	for n := head + 1; n < head+64; n++ {
		frames["truncated at "+value.Int(int32(n-head)).JavaString()] = good[:n]
	}
	deep := append([]byte{}, good[:head+17]...)
	deep = appendString(appendString(deep, "eval"), "")
	deep = binary.BigEndian.AppendUint32(deep, 1)
	deep = append(deep, 3, 0)
	deep = appendString(deep, "x")
	frames["nested 1.7 million deep"] = append(deep, bytes.Repeat([]byte{9, 0, 0, 0, 0, 1}, 1_700_000)...)
	long := append([]byte{}, good[:head+17]...)
	frames["string of 2 GiB"] = append(long, 0x7f, 0xff, 0xff, 0xff)
	frames["string of -1"] = append(append([]byte{}, good[:head+17]...), 0xff, 0xff, 0xff, 0xff)
	return frames
}

func appendString(dst []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}

func TestBadFrames(t *testing.T) {
	c := start(t, func(o *Options) { o.Limits.MessageBytes = 16 << 20 }).dial()
	for name, frame := range badFrames(t) {
		t.Run(name, func(t *testing.T) {
			c := &client{t, c.ws}
			c.raw(websocket.BinaryMessage, frame)
			if a := c.next(); a.Code != message.StatusMalformedRequest || !strings.HasPrefix(a.Message, message.NotParsed) {
				t.Errorf("got %d %q", a.Code, a.Message)
			}
			c.healthy()
		})
	}
}

func TestIDOfABrokenMessageIsEchoed(t *testing.T) {
	c := start(t, nil).dial()
	r := eval("count 1")
	b := frameOf(t, r)
	c.raw(websocket.BinaryMessage, b[:len(b)-3])
	if a := c.next(); a.Code != message.StatusMalformedRequest || !a.HasID || a.ID != r.ID {
		t.Errorf("got %d %v", a.Code, a.ID)
	}
}

// TestBrokenStreams sends bytes that are no WebSocket messages.
func TestBrokenStreams(t *testing.T) {
	huge := append([]byte{0x82, 0xff}, bytes.Repeat([]byte{0x7f}, 8)...)
	for name, tc := range map[string]struct {
		bytes []byte
		code  int
	}{
		"2^63 bytes declared": {append(huge, 0, 0, 0, 0), websocket.CloseMessageTooBig},
		"unmasked":            {[]byte{0x82, 1, 0}, websocket.CloseProtocolError},
		"reserved bits":       {[]byte{0xf2, 0x81, 0, 0, 0, 0, 0}, websocket.CloseProtocolError},
		"opcode 11":           {[]byte{0x8b, 0x80, 0, 0, 0, 0}, websocket.CloseProtocolError},
		"continuation first":  {[]byte{0x80, 0x81, 0, 0, 0, 0, 0}, websocket.CloseProtocolError},
		"long ping":           {append([]byte{0x89, 0xfe, 0, 126, 0, 0, 0, 0}, make([]byte, 126)...), websocket.CloseProtocolError},
		"fragmented ping":     {[]byte{0x09, 0x80, 0, 0, 0, 0}, websocket.CloseProtocolError},
		// gorilla reads a close of one byte as one without a code, and answers alike.
		"close with one byte": {[]byte{0x88, 0x81, 0, 0, 0, 0, 0}, websocket.CloseNoStatusReceived},
		"text not UTF-8":      {[]byte{0x81, 0x81, 0, 0, 0, 0, 0xff}, websocket.CloseInvalidFramePayloadData},
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, nil)
			c := h.dial()
			if _, err := c.ws.NetConn().Write(tc.bytes); err != nil {
				t.Fatal(err)
			}
			if code := c.closed(); code != tc.code {
				t.Errorf("closed with %d, want %d", code, tc.code)
			}
			h.dial().healthy()
		})
	}
}

func TestResponseOfUnreadableIDIsNull(t *testing.T) {
	c := start(t, nil).dial()
	c.raw(websocket.BinaryMessage, []byte{0})
	if a := c.next(); a.HasID {
		t.Error("an id out of nothing")
	}
}

func FuzzFrame(f *testing.F) {
	h := start(f, nil)
	f.Add(frameOf(f, eval("count 1")))
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, b []byte) {
		codec, _, payload, err := h.srv.desk.Codecs.ParseFrame(b)
		if err != nil {
			return
		}
		task := request.NewTask()
		task.Arrive(h.srv.desk, nobody{}, "", time.Now())
		task.Reply.Codec = codec
		if task.Decode(payload) == nil {
			// Any answer is good, but for a panic.
			_ = task.Check()
		}
	})
}

// nobody is a client who is not there.
type nobody struct{ request.Client }

func (nobody) Success() []message.Attribute { return nil }

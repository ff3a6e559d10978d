package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
)

// exchange is a request that gremlin-mcp made, and what the reference answered.
type exchange struct {
	Request map[string]any
	Code    int
	Data    any
	Message string
}

// TestGremlinMCP sends what TinkerPop's own gremlin-mcp sends: testdata has the requests of
// its version 3.8.1 as they came by the wire (status, schema with counts and samples,
// queries), and the reference's answers to them.
func TestGremlinMCP(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "gremlin-mcp.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ws := gremlinMCP(t, serve(t, "--sample", "modern"))
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		var x exchange
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		code, message, data := sendMCP(t, ws, x.Request)
		if code != x.Code || !strings.HasPrefix(message, x.Message) {
			t.Errorf("%v: %d %s, not %d %s", x.Request, code, message, x.Code, x.Message)
		}
		if got, want := unordered(data), unordered(x.Data); !reflect.DeepEqual(got, want) {
			t.Errorf("%v:\n%v\nnot\n%v", x.Request, got, want)
		}
	}
	if lines.Err() != nil || n < 15 {
		t.Errorf("%d requests, %v", n, lines.Err())
	}
}

// TestGremlinMCP_Login answers the question for a password as gremlin-mcp does, whose
// user may read alone.
func TestGremlinMCP_Login(t *testing.T) {
	dir := t.TempDir()
	if out, code := pipe(t, "a password\n", "user", "add", "stephen", "--role", "read", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	ws := gremlinMCP(t, serve(t, "--data-dir", dir, "--auth"))
	script := func(text string) map[string]any {
		return map[string]any{"op": "eval", "processor": "", "args": map[string]any{
			"gremlin": text, "aliases": map[string]any{"g": "g"}, "language": "gremlin-groovy", "accept": mcpMime}}
	}
	if code, message, _ := sendMCP(t, ws, script("g.V().count()")); code != 407 {
		t.Fatalf("%d %s", code, message)
	}
	login := map[string]any{"op": "authentication", "processor": "traversal", "args": map[string]any{"sasl": "AHN0ZXBoZW4AYSBwYXNzd29yZA=="}}
	code, message, data := sendMCP(t, ws, login)
	if code != 200 || !reflect.DeepEqual(unordered(data), unordered(map[string]any{"@type": "g:List", "@value": []any{map[string]any{"@type": "g:Int64", "@value": 0.0}}})) {
		t.Fatalf("%d %s %v", code, message, data)
	}
	if code, message, _ := sendMCP(t, ws, script("g.addV('x')")); code != 401 {
		t.Errorf("a reader writes: %d %s", code, message)
	}
}

// mcpMime is how gremlin-mcp writes its requests.
const mcpMime = "application/vnd.gremlin-v3.0+json"

func gremlinMCP(t *testing.T, p *process) *websocket.Conn {
	t.Helper()
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), queryURL(p), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	t.Cleanup(func() { ws.Close() })
	if err := ws.SetReadDeadline(time.Now().Add(mcpPatience)); err != nil {
		t.Fatal(err)
	}
	return ws
}

// sendMCP sends a request and reads its one answer.
func sendMCP(t *testing.T, ws *websocket.Conn, request map[string]any) (code int, message string, data any) {
	t.Helper()
	id := uuid.NewString()
	request["requestId"] = map[string]any{"@type": "g:UUID", "@value": id}
	b, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.WriteMessage(websocket.BinaryMessage, append([]byte{byte(len(mcpMime))}, mcpMime+string(b)...)); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		RequestID string
		Status    struct {
			Code    int
			Message string
		}
		Result struct{ Data any }
	}
	if err := ws.ReadJSON(&answer); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	if answer.RequestID != id && request["op"] != "authentication" {
		t.Errorf("%s is answered as %s", b, answer.RequestID)
	}
	return answer.Status.Code, answer.Status.Message, answer.Result.Data
}

// unordered is a GraphSON value whose lists, maps and properties are in one order, since
// elements come in any.
func unordered(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = unordered(x)
		}
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(jsonOf(a), jsonOf(b)) })
		return out
	case map[string]any:
		if v["@type"] == "g:Map" {
			list := v["@value"].([]any)
			var pairs []any
			for i := 0; i < len(list); i += 2 {
				pairs = append(pairs, map[string]any{"key": list[i], "value": list[i+1]})
			}
			return unordered(pairs)
		}
		out := map[string]any{}
		for k, x := range v {
			out[k] = unordered(x)
		}
		return out
	}
	return v
}

func jsonOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

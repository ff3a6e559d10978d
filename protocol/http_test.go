package protocol

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
)

type post struct {
	method, path, body string
	header             map[string]string
}

func (h *harness) http(p post) (*http.Response, string) {
	h.t.Helper()
	if p.method == "" {
		p.method = http.MethodPost
	}
	if p.path == "" {
		p.path = "/gremlin"
	}
	r, err := http.NewRequest(p.method, "http://"+h.addr+p.path, strings.NewReader(p.body))
	if err != nil {
		h.t.Fatal(err)
	}
	for k, v := range p.header {
		if k == "Host" {
			r.Host = v
			continue
		}
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp, body(h.t, resp)
}

func TestHTTP(t *testing.T) {
	h := start(t, nil)
	id := uuid.NewString()
	for name, tc := range map[string]struct {
		post
		status int
		text   string
	}{
		"get":              {post{method: "GET", path: "/?gremlin=count+1"}, 200, ""},
		"get at gremlin":   {post{method: "GET", path: "/gremlin?gremlin=count+1&bindings.x=1&aliases.g=gmodern&language=gremlin-lang"}, 200, ""},
		"text":             {post{body: `{"gremlin":"count 2"}`, header: map[string]string{"Accept": "text/plain"}}, 200, "==>0\n==>1"},
		"accept list":      {post{body: `{"gremlin":"count 2"}`, header: map[string]string{"Accept": "text/xml, text/plain;q=0.5, foo/bar"}}, 200, "==>0"},
		"form type":        {post{body: `{"gremlin":"count 2"}`, header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/plain"}}, 200, "==>1"},
		"bulk":             {post{body: `{"gremlin":"bulk 3"}`, header: map[string]string{"Accept": "text/plain"}}, 200, "==>7\n==>7\n==>7"},
		"unknown alias":    {post{body: `{"gremlin":"count 1","aliases":{"g":"none"}}`}, 400, "Could not rebind [g] to [none] as [none] not in the Graph or TraversalSource global bindings"},
		"brace":            {post{body: `{`}, 400, "body could not be parsed"},
		"list":             {post{body: `[]`}, 400, "body could not be parsed"},
		"null":             {post{body: `null`}, 400, "body could not be parsed"},
		"nothing":          {post{}, 400, "body could not be parsed"},
		"bom":              {post{body: "\ufeff"}, 400, "body could not be parsed"},
		"two":              {post{body: `{"gremlin":"count 1"}{}`}, 400, "body could not be parsed"},
		"deep":             {post{body: `{"gremlin":"x","bindings":` + strings.Repeat("[", 20000) + `}`}, 400, "body could not be parsed"},
		"empty gremlin":    {post{body: `{"gremlin":""}`}, 400, "no gremlin script supplied"},
		"no gremlin":       {post{body: `{}`}, 400, "no gremlin script supplied"},
		"gremlin number":   {post{body: `{"gremlin":1}`}, 400, "no gremlin script supplied"},
		"get nothing":      {post{method: "GET", path: "/"}, 400, "no gremlin script supplied"},
		"bindings list":    {post{body: `{"gremlin":"x","bindings":[1]}`}, 400, "bindings must be a Map"},
		"aliases text":     {post{body: `{"gremlin":"x","aliases":"g"}`}, 400, "aliases must be a Map"},
		"id":               {post{body: `{"gremlin":"x","requestId":"y"}`}, 400, "requestId is not a UUID"},
		"id number":        {post{body: `{"gremlin":"x","requestId":1}`}, 400, "requestId is not a UUID"},
		"accept":           {post{body: `{"gremlin":"x"}`, header: map[string]string{"Accept": "text/xml"}}, 400, "no serializer for requested Accept header: text/xml"},
		"error":            {post{body: `{"gremlin":"invalid","requestId":"` + id + `"}`}, 500, id},
		"timeout":          {post{body: `{"gremlin":"block","evaluationTimeout":10}`}, 504, "threshold of 10 ms"},
		"conflict":         {post{body: `{"gremlin":"lose 100"}`}, 409, "Conflict: element modified in another transaction"},
		"panic":            {post{body: `{"gremlin":"panic"}`}, 500, "internal error"},
		"put":              {post{method: "PUT"}, 405, ""},
		"delete":           {post{method: "DELETE"}, 405, ""},
		"trace":            {post{method: "TRACE"}, 405, ""},
		"favicon":          {post{method: "GET", path: "/favicon.ico"}, 404, ""},
		"gzip":             {post{body: "x", header: map[string]string{"Content-Encoding": "gzip"}}, 415, ""},
		"foreign origin":   {post{body: `{"gremlin":"count 1"}`, header: map[string]string{"Origin": "http://evil.example"}}, 403, "origin not allowed"},
		"null origin":      {post{body: `{"gremlin":"count 1"}`, header: map[string]string{"Origin": "null"}}, 403, "origin not allowed"},
		"same origin":      {post{body: `{"gremlin":"count 1"}`, header: map[string]string{"Origin": "http://localhost:81", "Host": "localhost:81"}}, 200, ""},
		"image":            {post{method: "GET", path: "/?gremlin=write+1", header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "origin not allowed"},
		"rebinding host":   {post{body: `{"gremlin":"count 1"}`, header: map[string]string{"Host": "evil.example"}}, 403, "host not allowed"},
		"health":           {post{method: "GET", path: "/healthz"}, 200, ""},
		"ready":            {post{method: "GET", path: "/readyz"}, 200, ""},
		"sessions":         {post{body: string(frameOf(t, inSession("s", "count 1")))}, 400, "sessions need a WebSocket connection"},
		"mime mismatch":    {post{body: string(frameOf(t, eval("count 1"))), header: map[string]string{"Content-Type": message.MimeGraphBinaryStringd}}, 400, "Content-Type"},
		"unknown in frame": {post{body: "\x0fapplication/nope{}"}, 400, "no serializer for mime type"},
	} {
		t.Run(name, func(t *testing.T) {
			resp, got := h.http(tc.post)
			if resp.StatusCode != tc.status || !strings.Contains(got, tc.text) {
				t.Errorf("got %d %.200s, want %d %q", resp.StatusCode, got, tc.status, tc.text)
			}
			if tc.status >= 400 && tc.status != 404 {
				checkErrorBody(t, resp, got)
			}
			if o := resp.Header.Get("Access-Control-Allow-Origin"); o != "" {
				t.Errorf("origin %s is allowed", o)
			}
		})
	}
	if h.engine.commits.Load() == 0 {
		t.Error("nothing was committed")
	}
	eventually(t, "no request left over", func() bool { return h.srv.desk.AdmittedNow() == 0 })
}

// checkErrorBody wants what Python's client takes out of every error.
func checkErrorBody(t *testing.T, resp *http.Response, got string) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(got), &fields); err != nil {
		t.Fatalf("error body %q: %v", got, err)
	}
	if fields["message"] == nil || fields["requestId"] == nil {
		t.Errorf("error body %s", got)
	}
	if resp.StatusCode == http.StatusMethodNotAllowed && resp.Header.Get("Allow") == "" {
		t.Error("no Allow header")
	}
	if strings.Contains(got, "goroutine") || strings.Contains(got, "stackTrace") {
		t.Errorf("internals in %s", got)
	}
}

func TestHTTPGraphBinaryWithPrefix(t *testing.T) {
	h := start(t, nil)
	r := requestOf(message.OpBytecode, "traversal", args("gremlin", bytecode("bulk", toValue(2)), "aliases", args("g", "g")))
	for _, header := range []map[string]string{{"Accept": message.MimeGraphBinary}, {"Accept": message.MimeGraphBinary, "Content-Type": message.MimeGraphBinary}} {
		resp, got := h.http(post{body: string(frameOf(t, r)), header: header})
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != message.MimeGraphBinary {
			t.Fatalf("got %d %s", resp.StatusCode, got)
		}
		a, data, err := graphbinary.DecodeResponse([]byte(got))
		if err != nil || a.ID != r.ID || a.Code != message.StatusSuccess {
			t.Fatalf("response %+v: %v", a, err)
		}
		list := data.Elems()
		if len(list) != 2 || list[0].Traverser() == nil || list[0].Traverser().Bulk != 1 {
			t.Errorf("results %v", list)
		}
	}
}

// TestSmuggling sends both lengths: whatever the body is taken for, nothing behind it
// is a second request.
func TestSmuggling(t *testing.T) {
	h := start(t, nil)
	raw := "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"0\r\n\r\nGET /?gremlin=write+1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
	answers := h.raw(t, raw)
	if n := strings.Count(answers, "HTTP/1.1 "); n != 1 {
		t.Errorf("%d answers: %s", n, answers)
	}
	if h.engine.commits.Load() != 0 {
		t.Error("the smuggled request was served")
	}
	answers = h.raw(t, "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x")
	if !strings.HasPrefix(answers, "HTTP/1.1 400") {
		t.Errorf("two lengths: %s", answers)
	}
	for name, b := range map[string]string{"HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc", "noise": "\x00\x01\x02\x03\r\n\r\n"} {
		h.raw(t, b)
		h.dial().healthy()
		_ = name
	}
}

func (h *harness) raw(t *testing.T, s string) string {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, s)
	conn.(*net.TCPConn).CloseWrite()
	conn.SetReadDeadline(time.Now().Add(patience))
	b, _ := io.ReadAll(bufio.NewReader(conn))
	return string(b)
}

func TestWebSocketOriginAndHost(t *testing.T) {
	h := start(t, nil)
	h.dial("Origin", "http://"+h.addr).healthy()
	for _, header := range [][2]string{{"Origin", "http://evil.example"}, {"Origin", "null"}} {
		r, _ := http.NewRequest(http.MethodGet, "http://"+h.addr+"/gremlin", nil)
		for k, v := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", header[0]: header[1]} {
			r.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if b := body(t, resp); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%v: %d %s", header, resp.StatusCode, b)
		}
	}
}

func TestAdminHandler(t *testing.T) {
	h := start(t, nil)
	admin := h.srv.AdminHandler(Admin{Loopback: true}, nil)
	c := h.dial()
	c.healthy()
	ids := []uuid.UUID{uuid.MustParse("11110000-0000-4000-8000-000000000000"), uuid.MustParse("11112222-0000-4000-8000-000000000000")}
	for _, id := range ids {
		r := eval("block", "evaluationTimeout", 60000)
		r.ID = id
		c.send(r)
	}
	id := ids[1]
	eventually(t, "requests run", func() bool { return h.engine.blocked.Load() == 2 })
	serve := func(method, path string, header ...string) (int, string) {
		r, _ := http.NewRequest(method, "http://127.0.0.1"+path, nil)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := newRecorder()
		admin.ServeHTTP(w, r)
		return w.status, w.buf.String()
	}
	if code, text := serve("GET", "/metrics"); code != 200 || !strings.Contains(text, `gremlind_requests_total{code="200",op="eval"} 1`) {
		t.Errorf("metrics: %d %s", code, text)
	}
	if code, text := serve("GET", "/status"); code != 200 || !strings.Contains(text, id.String()) {
		t.Errorf("status: %d %s", code, text)
	}
	if code, _ := serve("POST", "/kill?id="+id.String(), "Origin", "http://evil.example"); code != 403 {
		t.Errorf("kill from a web page: %d", code)
	}
	if code, text := serve("POST", "/kill?id=1111"); code != 409 || !strings.Contains(text, "2 requests have an id that begins with 1111") {
		t.Errorf("kill of either: %d %s", code, text)
	}
	if code, text := serve("POST", "/kill?id=11112"); code != 200 {
		t.Errorf("kill: %d %s", code, text)
	}
	if a := c.next(); a.ID != id || a.Code != message.StatusTimeout {
		t.Errorf("killed request: %d", a.Code)
	}
	if code, text := serve("POST", "/kill?id="+ids[0].String()); code != 200 {
		t.Errorf("kill by the whole id: %d %s", code, text)
	}
	if a := c.next(); a.ID != ids[0] || a.Code != message.StatusTimeout {
		t.Errorf("killed request: %d", a.Code)
	}
	if code, _ := serve("POST", "/kill?id=none"); code != 404 {
		t.Errorf("kill of nothing: %d", code)
	}
}

type responseRecorder struct {
	head   http.Header
	status int
	buf    strings.Builder
}

func newRecorder() *responseRecorder { return &responseRecorder{head: http.Header{}, status: 200} }

func (r *responseRecorder) Header() http.Header         { return r.head }
func (r *responseRecorder) WriteHeader(s int)           { r.status = s }
func (r *responseRecorder) Write(b []byte) (int, error) { return r.buf.Write(b) }

package protocol

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
)

// TestUnreadID: who is refused before his request was read is answered under its id.
func TestUnreadID(t *testing.T) {
	h := start(t, func(o *Options) { withAuth(o); o.Limits.MessageBytes = 4096 })
	r := requestOf(message.OpEval, "", args("gremlin", "count 1"))
	id := r.ID.String()
	binary, framed := string(frameOf(t, r)), ""
	framed, binary = binary, binary[1+int(binary[0]):]
	typed := `{ "requestId" : {"@type":"g:UUID","@value":"` + id + `"},"op":"eval"}`
	for name, p := range map[string]post{
		"GraphBinary":            {body: binary, header: map[string]string{"Content-Type": message.MimeGraphBinary}},
		"GraphBinary and prefix": {body: framed},
		"GraphSON":               {body: typed},
		"GraphSON and prefix":    {body: string(rune(len(message.MimeJSON))) + message.MimeJSON + typed},
		"JSON":                   {body: `{"requestId":"` + id + `","gremlin":"count 1"}`},
		"too large":              {body: `{"requestId":"` + id + `","gremlin":"` + strings.Repeat(" ", 5000) + `"}`},
		"query":                  {method: http.MethodGet, path: "/gremlin?gremlin=count&requestId=" + id},
	} {
		resp, got := h.http(p)
		if resp.StatusCode != http.StatusUnauthorized || !strings.Contains(got, id) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, got)
		}
		p.header = map[string]string{"Origin": "http://evil.example"}
		if resp, got := h.http(p); resp.StatusCode != http.StatusForbidden || !strings.Contains(got, id) {
			t.Errorf("%s of another site: %d %s", name, resp.StatusCode, got)
		}
		p.header = map[string]string{"Authorization": "Basic c3RlcGhlbjpwYXNzOndvcmQ="}
		if resp, got := h.http(p); name == "too large" && (resp.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(got, id)) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, got)
		}
	}
}

// TestUnreadBody: who is not let in and sends no body, or asks before he does, is
// answered nevertheless, and soon.
func TestUnreadBody(t *testing.T) {
	h := start(t, withAuth)
	const head = "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
	for name, request := range map[string]string{"nothing": head + "\r\n", "a part": head + "\r\n{\"requestId\":", "asks": head + "Expect: 100-continue\r\n\r\n"} {
		conn, err := net.Dial("tcp", h.addr) // stays open, as that of one who waits
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		began := time.Now()
		io.WriteString(conn, request)
		conn.SetReadDeadline(began.Add(patience))
		b, _ := io.ReadAll(conn)
		got := string(b)
		if !strings.HasPrefix(got, "HTTP/1.1 401 ") || !strings.Contains(got, message.BadCredentials) {
			t.Errorf("%s: %q", name, got)
		}
		if took := time.Since(began); took >= patience { // a body may take longer
			t.Errorf("%s: took %v", name, took)
		}
	}
}

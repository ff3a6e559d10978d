package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestTracing: a collector gets the spans of what a client traces, and of nothing when no
// request is chosen; they go out before the server ends.
func TestTracing(t *testing.T) {
	var mu sync.Mutex
	var got strings.Builder
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&got, r.Body)
	}))
	defer collector.Close()
	p := serve(t, "--memory", "--sample", "modern", "--set", "tracing.endpoint="+collector.URL, "--set", "tracing.oneIn=0")
	const trace = "0af7651916cd43dd8448eb211c80319c"
	for _, c := range []struct{ head, text string }{
		{"", "g.V().has('name','untraced')"}, {"00-" + trace + "-b7ad6b7169203331-00", "g.V().has('name','unsampled')"},
		{"00-" + trace + "-b7ad6b7169203331-01", "g.addV('person').property('name','traced')"},
	} {
		r, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/gremlin", strings.NewReader(`{"gremlin":"`+c.text+`","language":"gremlin-lang"}`))
		if err != nil {
			t.Fatal(err)
		}
		if c.head != "" {
			r.Header.Set("traceparent", c.head)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
			t.Errorf("%s: %s", c.text, b)
		}
		resp.Body.Close()
	}
	if code := p.stop(syscall.SIGTERM); code != exitDone {
		t.Errorf("ended with %d", code)
	}
	mu.Lock()
	defer mu.Unlock()
	text := got.String()
	for _, want := range []string{trace, "b7ad6b7169203331", "traced", `"name":"commit"`, `"name":"evaluate"`, `"name":"wait"`, "AddVertexStartStep", "gremlind.rows"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "untraced") || strings.Contains(text, "unsampled") {
		t.Errorf("traced, though nobody asked: %s", text)
	}
}

package protocol

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/explorer"
)

// TestExplorer: browsers get the page at /, behind the same guard as Gremlin, which goes on
// working beside it and on the same connection.
func TestExplorer(t *testing.T) {
	h := start(t, func(o *Options) {
		o.Explorer, o.Loopback = explorer.New(func() explorer.Words { return explorer.Words{} }), true
	})
	html := map[string]string{"Accept": "text/html,*/*;q=0.8"}
	with := func(k, v string) map[string]string { return map[string]string{"Accept": html["Accept"], k: v} }
	for name, tc := range map[string]struct {
		post
		status int
		text   string
	}{
		"the page":        {post{method: "GET", path: "/", header: html}, 200, "<!doctype html>"},
		"a script":        {post{method: "GET", path: "/?gremlin=count+1", header: html}, 200, "result"},
		"a driver":        {post{method: "GET", path: "/", header: map[string]string{"Accept": "application/json"}}, 400, "no gremlin script supplied"},
		"another path":    {post{method: "GET", path: "/explorer/none/main.js", header: html}, 400, "no gremlin script supplied"},
		"posted":          {post{method: "POST", path: "/", body: `{"gremlin":"count 1"}`, header: html}, 200, "result"},
		"rebinding":       {post{method: "GET", path: "/", header: with("Host", "evil.example")}, 403, "host not allowed"},
		"a foreign page":  {post{method: "GET", path: "/", header: with("Origin", "https://evil.example")}, 403, "origin not allowed"},
		"a foreign frame": {post{method: "GET", path: "/", header: with("Sec-Fetch-Site", "cross-site")}, 403, "origin not allowed"},
	} {
		if resp, text := h.http(tc.post); resp.StatusCode != tc.status || !strings.Contains(text, tc.text) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, text)
		}
	}
}

func TestWithoutExplorer(t *testing.T) {
	h := start(t, nil)
	if resp, text := h.http(post{method: "GET", path: "/", header: map[string]string{"Accept": "text/html"}}); resp.StatusCode != 400 {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
}

package protocol

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gorilla/websocket"
)

func TestPagesOfAllowedSites(t *testing.T) {
	const app, evil = "https://app.example", "https://evil.example"
	h := start(t, func(o *Options) { withAuth(o); o.Origins = []string{app} })
	ask := func(method, origin string, header map[string]string, text string) (*http.Response, string) {
		all := map[string]string{"Origin": origin, "Sec-Fetch-Site": "cross-site"}
		for k, v := range header {
			all[k] = v
		}
		return h.http(post{method: method, body: text, header: all})
	}
	preflight := map[string]string{"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type", "Access-Control-Request-Private-Network": "true"}
	resp, _ := ask("OPTIONS", app, preflight, "")
	for k, want := range map[string]string{
		"Access-Control-Allow-Origin": app, "Access-Control-Allow-Methods": "GET, POST", "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type",
		"Access-Control-Allow-Private-Network": "true", "Access-Control-Allow-Credentials": "", "Vary": "Origin",
	} {
		if got := resp.Header.Get(k); resp.StatusCode != http.StatusNoContent || got != want {
			t.Errorf("preflight: %d %s: %q, want %q", resp.StatusCode, k, got, want)
		}
	}
	if resp, _ = ask("OPTIONS", evil, preflight, ""); resp.StatusCode != http.StatusForbidden || resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight of another site: %d %v", resp.StatusCode, resp.Header)
	}
	resp, text := ask("POST", app, basic("stephen", "pass:word"), `{"gremlin":"count 1"}`)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Access-Control-Allow-Origin") != app || resp.Header.Get("Vary") != "Origin" {
		t.Errorf("a page: %d %s %v", resp.StatusCode, text, resp.Header)
	}
	// What went wrong can be read too.
	if resp, _ = ask("POST", app, nil, `{"gremlin":"count 1"}`); resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("Access-Control-Allow-Origin") != app {
		t.Errorf("a page without a login: %d %v", resp.StatusCode, resp.Header)
	}
	if resp, _ = ask("POST", evil, basic("stephen", "pass:word"), `{"gremlin":"write 1"}`); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %d", resp.StatusCode)
	}
	h.dial("Origin", app).login("stephen")
	if _, resp, err := websocket.DefaultDialer.Dial("ws://"+h.addr+"/gremlin", http.Header{"Origin": {evil}}); err == nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("a WebSocket of another site: %v", err)
	}
}

func TestAdministrators(t *testing.T) {
	h := start(t, withAuth)
	more := map[string]http.HandlerFunc{"POST /more": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }}
	closed := h.srv.AdminHandler(Admin{Loopback: true, Login: true}, more)
	scraped := h.srv.AdminHandler(Admin{Loopback: true, Login: true, OpenMetrics: true}, more)
	ask := func(handler http.Handler, method, path, user string, header ...string) int {
		r := httptest.NewRequest(method, "http://127.0.0.1"+path, nil)
		if user != "" {
			r.SetBasicAuth(user, "pass:word")
		}
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	inside := map[string]string{"/metrics": "GET", "/status": "GET", "/kill?id=x": "POST", "/debug/pprof/": "GET", "/debug/pprof/heap": "GET", "/more": "POST"}
	for path, method := range inside {
		for user, want := range map[string]int{"": 401, "mallory": 401, "reader": 403, "stephen": 403} {
			if got := ask(closed, method, path, user); got != want {
				t.Errorf("%s %s as %q: %d, want %d", method, path, user, got, want)
			}
		}
		if got := ask(closed, method, path, "admin"); got == 401 || got == 403 {
			t.Errorf("%s %s as an administrator: %d", method, path, got)
		}
		for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
			if got := ask(closed, method, path, "admin", header...); got != 403 {
				t.Errorf("%s %s with %v: %d", method, path, header, got)
			}
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := ask(closed, "GET", path, ""); got != 200 {
			t.Errorf("%s: %d", path, got)
		}
	}
	if a, b := ask(scraped, "GET", "/metrics", ""), ask(scraped, "GET", "/status", ""); a != 200 || b != 401 {
		t.Errorf("openMetrics: %d %d", a, b)
	}
}

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestExplorerURL(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8182": "http://localhost:8182/", "[::1]:80": "http://localhost:80/", "0.0.0.0:1": "http://localhost:1/", "[::]:2": "http://localhost:2/",
		"10.1.2.3:8182": "http://10.1.2.3:8182/", "[2001:db8::1]:8182": "http://[2001:db8::1]:8182/",
	} {
		at, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := explorerURL(defaultConfig(), at); got != want {
			t.Errorf("%s is opened by %s, want %s", address, got, want)
		}
	}
	c := defaultConfig()
	c.TLS.Enabled = true
	if got := explorerURL(c, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}); got != "https://localhost:1/" {
		t.Errorf("with TLS it is opened by %s", got)
	}
}

// TestExplorer_Switch: the page is there unless it is switched off, or has nothing to ask over.
func TestExplorer_Switch(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "text/html")
	for name, tc := range map[string]struct {
		change func(*config)
		want   bool
	}{
		"by default":     {func(*config) {}, true},
		"off":            {func(c *config) { c.Explorer = false }, false},
		"WebSocket only": {func(c *config) { c.WebSocketOnly = true }, false},
	} {
		c := defaultConfig()
		tc.change(c)
		h := newExplorer(c).Find(r)
		if (h != nil) != tc.want {
			t.Errorf("%s: served %v", name, h != nil)
		}
		if h == nil {
			continue
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

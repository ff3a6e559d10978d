package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAskHTTP_Cut: an answer that ends too early is none.
func TestAskHTTP_Cut(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("some of it"))
	}))
	defer s.Close()
	var text string
	if err := askHTTP(t.Context(), http.MethodGet, s.URL, &text); err == nil {
		t.Errorf("got %q", text)
	}
}

package protocol

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// TestHealth: /healthz says what is wrong, and is not well only when a new start would help.
func TestHealth(t *testing.T) {
	var why error
	var faults []string
	h := start(t, func(o *Options) {
		o.Ready = func() error { return why }
		o.Faults = func() []string { return faults }
	})
	for _, c := range []struct {
		why    error
		faults []string
		status int
		text   string
	}{
		{nil, nil, 200, "ok\n"},
		{storage.ErrReadOnly, nil, 200, "store is read-only\n"},
		{fmt.Errorf("the store has failed: %w", storage.ErrUnavailable), []string{"a", "b"}, 503, "the store has failed: " + storage.ErrUnavailable.Error() + "\na\nb\n"},
	} {
		why, faults = c.why, c.faults
		w := httptest.NewRecorder()
		h.srv.serveHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
		if w.Code != c.status || w.Body.String() != c.text {
			t.Errorf("%v: %d %q", c.why, w.Code, w.Body)
		}
	}
	if err := h.srv.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	w := httptest.NewRecorder()
	if h.srv.serveHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil)); !strings.HasPrefix(w.Body.String(), "draining: ") {
		t.Errorf("draining: %q", w.Body)
	}
}

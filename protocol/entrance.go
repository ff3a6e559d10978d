package protocol

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/storage"
)

// gremlinPath is where WebSocket clients connect.
const gremlinPath = "/gremlin"

// serveHTTP is the entrance of every connection.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		// Who answers without having read the body closes: net/http would wait for it
		// before the answer leaves. the endpoint takes that back when it has read it.
		w.Header().Set("Connection", "close")
		defer func() {
			if w.Header().Get("Connection") == "close" {
				_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(answer.UnreadWait))
			}
		}()
	}
	switch r.URL.Path {
	case "/healthz":
		s.serveHealth(w)
		return
	case "/readyz":
		s.serveReady(w)
		return
	case "/favicon.ico":
		http.NotFound(w, r)
		return
	}
	if status, text := s.headLimits(r); status != 0 {
		answer.RefuseHTTP(w, r, status, text)
		return
	}
	if !s.guard.Passes(w, r) || s.guard.Share(w, r) {
		return
	}
	if websocket.IsWebSocketUpgrade(r) {
		if r.URL.Path != gremlinPath || s.opts.HTTPOnly {
			answer.RefuseHTTP(w, r, http.StatusNotFound, "the WebSocket endpoint is "+gremlinPath)
			return
		}
		s.conns.Serve(w, r, false)
		return
	}
	if page := s.opts.Explorer.Find(r); page != nil {
		s.serveFile(w, r, page)
		return
	}
	s.posts.ServeHTTP(w, r)
}

// serveFile serves a file of the explorer, which the client must take within StallTimeout.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, file http.Handler) {
	rc := http.NewResponseController(w)
	_ = rc.SetWriteDeadline(time.Now().Add(s.desk.Limits().StallTimeout))
	file.ServeHTTP(w, r)
	_ = rc.Flush()
	_ = rc.SetWriteDeadline(time.Time{})
}

// serveHealth says what is wrong, a line each, to everybody: nothing about what is kept. The
// status is that of a server that must not be started again as long as it is 200.
func (s *Server) serveHealth(w http.ResponseWriter) {
	status, lines := http.StatusOK, []string(nil)
	if s.Draining() {
		lines = append(lines, "draining: the server ends when what it evaluates has ended")
	}
	if s.opts.Ready != nil {
		if err := s.opts.Ready(); err != nil {
			lines = append(lines, err.Error())
			if errors.Is(err, storage.ErrUnavailable) {
				status = http.StatusServiceUnavailable
			}
		}
	}
	if s.opts.Faults != nil {
		lines = append(lines, s.opts.Faults()...)
	}
	if len(lines) == 0 {
		lines = []string{"ok"}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.Join(lines, "\n")+"\n") // nobody is there otherwise
}

// serveReady says whether the server is fit for traffic.
func (s *Server) serveReady(w http.ResponseWriter) {
	if s.Draining() {
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	}
	if s.opts.Ready != nil {
		if err := s.opts.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	w.WriteHeader(http.StatusOK)
}

// headLimits refuses a head that is too large, with a status; 0 for one that is not.
func (s *Server) headLimits(r *http.Request) (int, string) {
	if len(r.RequestURI) > s.desk.Limits().URIBytes {
		return http.StatusRequestURITooLong, fmt.Sprintf("request line exceeds maxInitialLineLength (%d)", s.desk.Limits().URIBytes)
	}
	n := 0
	for _, v := range r.Header {
		n += len(v)
	}
	if n > s.desk.Limits().Headers {
		return http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("more than %d header fields", s.desk.Limits().Headers)
	}
	return 0, ""
}

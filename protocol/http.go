package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const gremlinPath = "/gremlin"

// serveHTTP is the entrance of every connection.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		// Who answers without having read the body closes: net/http would wait for it
		// before the answer leaves. parsePlain takes that back when it has read it.
		w.Header().Set("Connection", "close")
		defer func() {
			if w.Header().Get("Connection") == "close" {
				_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(closeGrace))
			}
		}()
	}
	switch r.URL.Path {
	case "/healthz":
		w.WriteHeader(http.StatusOK)
		return
	case "/readyz":
		s.serveReady(w)
		return
	case "/favicon.ico":
		http.NotFound(w, r)
		return
	}
	if status, text := s.headLimits(r); status != 0 {
		httpFailure(w, r, status, text)
		return
	}
	if !s.passes(&s.guard, w, r) || s.guard.share(w, r) {
		return
	}
	if websocket.IsWebSocketUpgrade(r) {
		if r.URL.Path != gremlinPath || s.opts.HTTPOnly {
			httpFailure(w, r, http.StatusNotFound, "the WebSocket endpoint is "+gremlinPath)
			return
		}
		s.serveWebSocket(w, r, false)
		return
	}
	s.servePlain(w, r)
}

// passes asks a guard, and answers what it refuses.
func (s *Server) passes(g *guard, w http.ResponseWriter, r *http.Request) bool {
	reason := g.refuse(r)
	if reason == "" {
		return true
	}
	s.metrics.rejected.WithLabelValues(strings.Fields(reason)[0]).Inc()
	s.refusals.warn("request refused: "+reason, "origin", value.Brief(r.Header.Get("Origin")), "host", value.Brief(r.Host), "remote", r.RemoteAddr)
	httpFailure(w, r, http.StatusForbidden, reason)
	return false
}

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

func (s *Server) headLimits(r *http.Request) (int, string) {
	if len(r.RequestURI) > s.limits.URIBytes {
		return http.StatusRequestURITooLong, fmt.Sprintf("request line exceeds maxInitialLineLength (%d)", s.limits.URIBytes)
	}
	n := 0
	for _, v := range r.Header {
		n += len(v)
	}
	if n > s.limits.Headers {
		return http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("more than %d header fields", s.limits.Headers)
	}
	return 0, ""
}

// servePlain answers one HTTP request to Gremlin.
func (s *Server) servePlain(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.opts.WebSocketOnly:
		httpFailure(w, r, http.StatusNotFound, "this server speaks WebSocket only")
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		httpFailure(w, r, http.StatusMethodNotAllowed, "method not allowed: "+value.Brief(r.Method))
	case r.Header.Get("Content-Encoding") != "" && r.Header.Get("Content-Encoding") != "identity":
		httpFailure(w, r, http.StatusUnsupportedMediaType, "Content-Encoding is not accepted")
	default:
		s.answer(w, r)
	}
}

// answer parses, evaluates and replies.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	t := &task{srv: s, remote: r.RemoteAddr, received: time.Now()}
	if t.identity = s.login(w, r); t.identity == nil {
		return
	}
	t.holder = s.holderOf(r, t.identity)
	defer s.exit(t.holder)
	t.wire.Init(&t.holder.account, "queryMemory", s.limits.QueryBytes)
	defer t.wire.Clear()
	defer t.account.Clear()
	err := s.parsePlain(w, r, t)
	if err == nil {
		err = t.check()
	}
	mime := ""
	if err == nil {
		mime, err = s.accept(r, t)
	}
	if t.req == nil {
		t.req = &message.Request{ID: unreadID(w, r), HasID: true, Args: value.NewMap()}
	}
	if err == nil {
		err = s.admit()
	}
	if err != nil {
		f := failureOf(nil, t, err)
		t.end(f.code)
		s.fail(w, t, f)
		return
	}
	defer s.leave()
	if !s.acquire(r.Context(), t) {
		return
	}
	s.audit(t)
	s.run(r, t)
	s.respond(w, t, mime)
}

// run evaluates an HTTP request. Its slot is free before the client takes the answer.
func (s *Server) run(r *http.Request, t *task) {
	defer s.release(t)
	t.reply.whole = true
	s.mu.Lock()
	s.posts[t] = struct{}{}
	s.mu.Unlock()
	ctx := t.begin(r.Context(), time.Now())
	if s.auth != nil {
		t.renew() // the user may have changed while the body came
	}
	t.runAuto(ctx, 0)
}

func (s *Server) respond(w http.ResponseWriter, t *task, mime string) {
	if t.reply.failure != nil {
		s.fail(w, t, *t.reply.failure)
		return
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(t.reply.body)))
	w.WriteHeader(http.StatusOK)
	s.write(w, t.reply.body)
}

// write sends a body in pieces, each of which the client must take within StallTimeout.
func (s *Server) write(w http.ResponseWriter, body []byte) {
	rc := http.NewResponseController(w)
	for len(body) > 0 {
		n := min(len(body), writeChunk)
		_ = rc.SetWriteDeadline(time.Now().Add(s.limits.StallTimeout))
		// The client may be gone; there is nobody else to tell.
		if _, err := w.Write(body[:n]); err != nil {
			return
		}
		body = body[n:]
	}
	_ = rc.SetWriteDeadline(time.Time{})
}

// login finds out who asks, by HTTP Basic when the server wants to know. It answers for
// nobody, and returns nil.
func (s *Server) login(w http.ResponseWriter, r *http.Request) *traversal.Identity {
	if s.auth == nil {
		return traversal.Anyone
	}
	user, password, ok := r.BasicAuth()
	var id *traversal.Identity
	if ok {
		id = s.auth.Authenticate(r.Context(), hostOf(r.RemoteAddr), user, password)
	}
	if id == nil {
		s.loginRefused(user, r.RemoteAddr)
		w.Header().Set("WWW-Authenticate", `Basic realm="gremlind", charset="UTF-8"`)
		w.Header().Set("Connection", "close")
		httpFailure(w, r, http.StatusUnauthorized, messageBadCredentials)
	}
	return id
}

// accept chooses the codec of the answer.
func (s *Server) accept(r *http.Request, t *task) (string, error) {
	header := r.Header.Get("Accept")
	for _, mime := range acceptedMimes(header) {
		if mime == "*/*" || mime == "application/*" {
			mime = MimeJSON
		}
		if mime == mimeText || mime == "text/*" {
			t.codec = textCodec{}
			return mimeText, nil
		}
		if codec, ok := s.codecs[mime]; ok {
			t.codec = codec
			return mime, nil
		}
	}
	return "", invalidArgs("no serializer for requested Accept header: %s", value.Brief(header))
}

// fail answers an error as JSON, which drivers parse whatever they asked for.
func (s *Server) fail(w http.ResponseWriter, t *task, f failure) {
	if f.code == statusTooManyRequests || f.code == statusTemporary {
		w.Header().Set("Retry-After", "1")
	}
	body := map[string]any{"message": f.text, "requestId": t.id(), "code": f.code}
	for _, a := range f.attrs {
		if a.Key != "exceptions" {
			continue
		}
		names := make([]string, 0, 2)
		for _, v := range a.Value.Elems() {
			names = append(names, v.Str())
		}
		body["exceptions"], body["Exception-Class"] = names, names[0]
	}
	writeJSON(w, httpStatus(f), body)
}

// httpStatus maps a Gremlin status to HTTP's.
func httpStatus(f failure) int {
	switch f.code {
	case statusMalformedRequest, statusInvalidArguments:
		return http.StatusBadRequest
	case statusUnauthorized:
		return http.StatusUnauthorized
	case statusTooManyRequests:
		return http.StatusTooManyRequests
	case statusTimeout:
		return http.StatusGatewayTimeout
	case statusTemporary:
		if f.text == messageShuttingDown {
			return http.StatusServiceUnavailable
		}
		return http.StatusConflict
	}
	if f.code >= 400 && f.code < 498 {
		return int(f.code)
	}
	return http.StatusInternalServerError
}

// httpFailure answers an error that happened before there was a task.
// httpFailure answers a request that was refused before its body was read.
func httpFailure(w http.ResponseWriter, r *http.Request, status int, text string) {
	writeJSON(w, status, map[string]any{"message": text, "requestId": unreadID(w, r).String()})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		b = []byte(`{"message":"internal error"}`)
	}
	w.Header().Set("Content-Type", MimeJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// bodyError tells a body that is too large or too slow from one that broke off.
func (s *Server) bodyError(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &StatusError{Code: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("request exceeds maxContentLength (%d)", s.limits.MessageBytes)}
	case errors.Is(err, account.ErrLimit):
		return tooMuch(err)
	case isTimeout(err):
		return &StatusError{Code: http.StatusRequestTimeout, Message: fmt.Sprintf("request body did not arrive within %s", s.limits.MessageTimeout)}
	}
	return malformed("body could not be read")
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

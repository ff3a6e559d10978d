package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// bodyChunk bounds one write to the socket, so that progress can be seen.
const bodyChunk = 64 << 10

// Endpoint answers Gremlin requests over HTTP, each by one response.
type Endpoint struct {
	desk *request.Desk
	off  bool // HTTP is not served

	ended  chan struct{} // closed when nobody is to wait any more
	ending sync.Once

	mu      sync.Mutex
	running map[*request.Task]struct{}
}

// New returns an Endpoint; one that is off refuses every request.
func New(d *request.Desk, off bool) *Endpoint {
	return &Endpoint{desk: d, off: off, running: map[*request.Task]struct{}{}, ended: make(chan struct{})}
}

// EndWaits ends the answers that wait for changes, and those to come.
func (s *Endpoint) EndWaits() { s.ending.Do(func() { close(s.ended) }) }

// waitsEnded reports whether that was called.
func (s *Endpoint) waitsEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Each calls fn for the requests that evaluate. None of them ends meanwhile.
func (s *Endpoint) Each(fn func(*request.Task)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for t := range s.running {
		fn(t)
	}
}

// list is what each tells, for calls that take longer.
func (s *Endpoint) list() []*request.Task {
	var list []*request.Task
	s.Each(func(t *request.Task) { list = append(list, t) })
	return list
}

// Stop ends the requests that evaluate, for a cause.
func (s *Endpoint) Stop(cause error) {
	for _, t := range s.list() {
		t.Stop(cause)
	}
}

// EndTokens ends the requests whose token has ended.
func (s *Endpoint) EndTokens() {
	for _, t := range s.list() {
		if t.Identity.Ended() {
			t.Renew()
		}
	}
}

// Renew gives every request the rights that its user has now; false when the users
// could not be read.
func (s *Endpoint) Renew() bool {
	whole := true
	for _, t := range s.list() {
		whole = t.Renew() && whole
	}
	return whole
}

// ServeHTTP answers one request.
func (s *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.off:
		answer.RefuseHTTP(w, r, http.StatusNotFound, "this server speaks WebSocket only")
	case r.URL.Path == changesPath:
		s.serveChanges(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		answer.RefuseHTTP(w, r, http.StatusMethodNotAllowed, "method not allowed: "+value.Brief(r.Method))
	case r.Header.Get("Content-Encoding") != "" && r.Header.Get("Content-Encoding") != "identity":
		answer.RefuseHTTP(w, r, http.StatusUnsupportedMediaType, "Content-Encoding is not accepted")
	default:
		s.answer(w, r)
	}
}

// answer parses, evaluates and replies.
func (s *Endpoint) answer(w http.ResponseWriter, r *http.Request) {
	t := s.arrive(w, r)
	if t == nil {
		return
	}
	defer s.leave(t)
	if s.desk.Traces != nil {
		t.Parent = value.Clip(r.Header.Get("traceparent"), traceparentBytes)
	}
	err := s.parsePlain(w, r, t)
	if err == nil {
		err = t.Check()
	}
	mime := ""
	if err == nil {
		mime, err = s.accept(r, t)
	}
	if t.Req == nil {
		t.Req = &message.Request{ID: answer.UnreadID(w, r), HasID: true, Args: value.NewMap()}
	}
	if err == nil {
		err = s.desk.Admit()
	}
	if err != nil {
		f := answer.FailureOf(nil, t, err)
		t.End(f.Code, err)
		f.WriteHTTP(w, t.Req.ID)
		return
	}
	defer s.desk.Leave()
	if !s.desk.Acquire(r.Context(), t) {
		return
	}
	s.desk.Record(t)
	s.run(r, t)
	s.respond(w, t, mime)
}

// traceparentBytes is how long a traceparent may be, and then some.
const traceparentBytes = 128

// run evaluates an HTTP request. Its slot is free before the client takes the answer.
func (s *Endpoint) run(r *http.Request, t *request.Task) {
	defer s.desk.Release(t)
	s.mu.Lock()
	s.running[t] = struct{}{}
	s.mu.Unlock()
	defer s.over(t)
	ctx := t.Begin(r.Context(), time.Now())
	t.Renew() // the user may have changed while the body came
	t.RunAuto(ctx, 0)
}

// over takes note that a request evaluates no more.
func (s *Endpoint) over(t *request.Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, t)
}

// arrive begins a request's task with who asks and whom its memory counts for; nil is who
// could not log in, and has been told.
func (s *Endpoint) arrive(w http.ResponseWriter, r *http.Request) *request.Task {
	t := request.NewTask()
	t.Arrive(s.desk, nil, r.RemoteAddr, time.Now())
	if t.Identity = Login(s.desk, w, r); t.Identity == nil {
		return nil
	}
	t.Holder = holderOf(s.desk, r, t.Identity)
	t.Wire.Init(&t.Holder.Account, "queryMemory", s.desk.Limits().QueryBytes)
	return t
}

// leave gives back what arrive and the request took.
func (s *Endpoint) leave(t *request.Task) {
	t.Account.Clear()
	t.Wire.Clear()
	s.desk.Holders.Exit(t.Holder)
}

// holderOf returns the holder of an HTTP request whose user is known.
func holderOf(d *request.Desk, r *http.Request, user *traversal.Identity) *quota.Holder {
	if d.Auth != nil {
		return d.Holders.Enter(quota.UserHolder, user.User())
	}
	return d.Holders.Enter(quota.AddressHolder, quota.HostOf(r.RemoteAddr))
}

// respond writes the answer.
func (s *Endpoint) respond(w http.ResponseWriter, t *request.Task, mime string) {
	if f := t.Reply.Failed(); f != nil {
		f.WriteHTTP(w, t.Req.ID)
		return
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(t.Reply.Body)))
	w.WriteHeader(http.StatusOK)
	s.write(w, t.Reply.Body)
}

// write sends a body in pieces, each of which the client must take within StallTimeout.
func (s *Endpoint) write(w http.ResponseWriter, body []byte) {
	rc := http.NewResponseController(w)
	for len(body) > 0 {
		n := min(len(body), bodyChunk)
		_ = rc.SetWriteDeadline(time.Now().Add(s.desk.Limits().StallTimeout))
		// The client may be gone; there is nobody else to tell.
		if _, err := w.Write(body[:n]); err != nil {
			return
		}
		body = body[n:]
	}
	_ = rc.SetWriteDeadline(time.Time{})
}

// Login finds out who asks, by HTTP Basic or a bearer token when the server wants to know. It answers for
// nobody, and returns nil.
func Login(s *request.Desk, w http.ResponseWriter, r *http.Request) *traversal.Identity {
	if s.Auth == nil {
		return traversal.Anyone
	}
	var id *traversal.Identity
	if token, ok := s.Bearer(r); ok {
		id = s.LogIn(r, "", token)
	} else if user, password, ok := r.BasicAuth(); ok {
		id = s.LogIn(r, user, password)
	} else {
		s.LoginRefused("", r.RemoteAddr, errNoCredentials)
	}
	if id == nil {
		s.Challenge(w)
		answer.RefuseHTTP(w, r, http.StatusUnauthorized, message.BadCredentials)
	}
	return id
}

var errNoCredentials = errors.New("no name and password were sent")

// accept chooses the codec of the answer.
func (s *Endpoint) accept(r *http.Request, t *request.Task) (string, error) {
	header := r.Header.Get("Accept")
	for _, mime := range acceptedMimes(header) {
		if mime == "*/*" || mime == "application/*" {
			mime = message.MimeJSON
		}
		if mime == answer.MimeText || mime == "text/*" {
			t.Reply.Codec = answer.Text{}
			return answer.MimeText, nil
		}
		if codec, ok := s.desk.Codecs[mime]; ok {
			t.Reply.Codec = codec
			return mime, nil
		}
	}
	return "", message.InvalidArgs("no serializer for requested Accept header: %s", value.Brief(header))
}

// bodyError tells a body that is too large or too slow from one that broke off.
func (s *Endpoint) bodyError(err error) error {
	var large *http.MaxBytesError
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &large):
		return &message.StatusError{Code: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("request exceeds maxContentLength (%d)", s.desk.Limits().MessageBytes)}
	case errors.Is(err, account.ErrLimit):
		return message.TooMuch(err)
	case errors.As(err, &late) && late.Timeout():
		return &message.StatusError{Code: http.StatusRequestTimeout, Message: fmt.Sprintf("request body did not arrive within %s", s.desk.Limits().MessageTimeout)}
	}
	return message.Malformed("body could not be read")
}

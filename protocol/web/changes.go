package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// changesPath is where changes of graphs are told.
const changesPath = "/changes"

// Forms of the feed.
const (
	mimeLines  = "application/x-ndjson" // one commit a line; the answer ends
	mimeEvents = "text/event-stream"    // server-sent events, without end
)

// cursorHeader is the field that says where an answer begins: what comes behind it has been
// told to the end of the answer.
const cursorHeader = "Gremlind-Cursor"

const (
	changesLimit    = 1000   // commits of an answer that asks for no other number
	changesLimitMax = 100000 // of any
	changesWaitMax  = 300 * time.Second
	// followMax is when an answer ends that nothing else has ended; its client comes again.
	followMax = 24 * time.Hour
)

// serveChanges answers a request for what commits changed in a graph.
func (s *Endpoint) serveChanges(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.desk.Feed == nil:
		answer.RefuseHTTP(w, r, http.StatusNotFound, "this server tells nobody of changes")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET")
		answer.RefuseHTTP(w, r, http.StatusMethodNotAllowed, "method not allowed: "+value.Brief(r.Method))
	default:
		s.changes(w, r)
	}
}

// changes checks the request and follows the graph.
func (s *Endpoint) changes(w http.ResponseWriter, r *http.Request) {
	t := s.arrive(w, r)
	if t == nil {
		return
	}
	defer s.leave(t)
	f := &follower{s: s, t: t, out: feedWriter{w: w, rc: http.NewResponseController(w), shared: r.Header.Get("Origin") != ""}}
	err := t.Follow(message.OpChanges, "GET "+value.Brief(r.RequestURI), followMax)
	if err == nil {
		err = f.parse(r)
	}
	if err == nil {
		err = s.desk.Admit()
	}
	if err != nil {
		f.fail(nil, err)
		return
	}
	defer s.desk.Leave()
	if !s.desk.Acquire(r.Context(), t) {
		return
	}
	defer s.desk.Release(t)
	s.desk.Record(t)
	f.follow(r.Context())
}

// parse reads ?source=&after=&limit=&wait= and what the head says.
func (f *follower) parse(r *http.Request) (err error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return message.InvalidArgs("the query string cannot be read")
	}
	for name := range q {
		if name != "source" && name != "after" && name != "limit" && name != "wait" || len(q[name]) > 1 {
			return message.InvalidArgs("%s: %s takes source, after, limit and wait, each once", value.Brief(name), changesPath)
		}
	}
	if f.out.events, err = wantsEvents(r.Header.Get("Accept")); err != nil {
		return err
	}
	f.source, f.after, f.limit = q.Get("source"), q.Get("after"), changesLimit
	if f.source == "" {
		return message.InvalidArgs("source is missing: name a traversal source, such as g")
	}
	if f.out.events {
		return f.parseEvents(r, q)
	}
	if f.limit, err = numberIn(q, "limit", changesLimit, 1, changesLimitMax); err != nil {
		return err
	}
	wait, err := numberIn(q, "wait", 0, 0, int(changesWaitMax/time.Second))
	f.wait = time.Duration(wait) * time.Second
	return err
}

// parseEvents has a stream go on where its client says that it was cut off.
func (f *follower) parseEvents(r *http.Request, q url.Values) error {
	if q.Has("limit") || q.Has("wait") {
		return message.InvalidArgs("a stream of events has no end: leave out limit and wait, or ask for %s", mimeLines)
	}
	f.limit = 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		f.after = last
	}
	return nil
}

// numberIn reads a whole number between two bounds.
func numberIn(q url.Values, name string, otherwise, from, to int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < from || n > to {
		return 0, message.InvalidArgs("%s: want a whole number from %d to %d, not %s", name, from, to, value.Brief(q.Get(name)))
	}
	return n, nil
}

// wantsEvents chooses the form of the feed.
func wantsEvents(accept string) (bool, error) {
	for _, mime := range acceptedMimes(accept) {
		switch mime {
		case mimeEvents:
			return true, nil
		case mimeLines, message.MimeJSON, "*/*", "application/*":
			return false, nil
		}
	}
	return false, message.InvalidArgs("changes are told as %s or %s, not as %s", mimeLines, mimeEvents, value.Brief(accept))
}

// fail answers a request of which nothing was answered yet, and notes why it ended.
func (f *follower) fail(ctx context.Context, err error) {
	failure := answer.FailureOf(ctx, f.t, err)
	f.t.End(failure.Code, err)
	if !f.out.begun {
		failure.WriteHTTP(f.out.w, f.t.Req.ID)
	}
}

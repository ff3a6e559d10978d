package tracing

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// collector keeps the spans that it is sent, by their names.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans map[string]span
	about []keyValue
	odd   string
}

func newCollector(t *testing.T) *collector {
	c := &collector{spans: map[string]span{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		var d document
		b, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(b, &d)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" {
			c.odd = r.URL.Path + string(b)
			return
		}
		for _, s := range d.ResourceSpans[0].ScopeSpans[0].Spans {
			c.spans[s.Name] = s
		}
		c.about = d.ResourceSpans[0].Resource.Attributes
	}))
	t.Cleanup(c.Close)
	return c
}

func (s *span) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			if a.Value.Int != nil {
				return strconv.FormatInt(*a.Value.Int, 10)
			}
			return *a.Value.Text
		}
	}
	return "(none)"
}

// A text that is none of JSON's, and what is sent of it.
const (
	odd     = "g.V('<\"\\\x00\xff\u2028\n')"
	oddSent = "g.V('<\"\\\x00\ufffd\u2028\n')"
)

// TestTracer: the spans of a request hang together, with the client's trace above them.
func TestTracer(t *testing.T) {
	c := newCollector(t)
	tracer, err := New(Options{Endpoint: c.URL, Version: "1.2"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	r := tracer.Begin("00-" + trace + "-" + parent + "-01")
	if r == nil {
		t.Fatal("the client says that it samples")
	}
	at := time.Unix(1700000000, 123456789)
	r.Steps([]Step{{"V", time.Millisecond, 6}, {"out", 2 * time.Millisecond, 5}})
	r.Commits = at.Add(10 * time.Millisecond)
	r.End(&Ended{Op: "bytecode", Source: "g", ID: "id", Query: odd, User: "ann", Code: 500, Failure: "lost", Results: 7,
		Received: at, Began: at.Add(time.Millisecond), Evaluated: at.Add(9 * time.Millisecond), Answered: at.Add(12 * time.Millisecond)})
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	root := c.spans["bytecode g"]
	if c.odd != "" || len(c.spans) != 6 || root.TraceID != trace || root.ParentID != parent || root.Kind != 2 ||
		root.Start != at.UnixNano() || root.End != at.Add(12*time.Millisecond).UnixNano() || root.Status != (status{2, "lost"}) {
		t.Errorf("%s %+v", c.odd, root)
	}
	for key, want := range map[string]string{"db.query.text": oddSent, "user.name": "ann", "db.response.returned_rows": "7", "session.id": "(none)"} {
		if got := root.attribute(key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	for name, want := range map[string]struct {
		above  string
		ms, to int64
	}{"wait": {root.SpanID, 0, 1}, "evaluate": {root.SpanID, 1, 9}, "V": {c.spans["evaluate"].SpanID, 1, 2}, "out": {c.spans["evaluate"].SpanID, 2, 4}, "commit": {root.SpanID, 10, 12}} {
		s := c.spans[name]
		if s.TraceID != trace || s.ParentID != want.above || s.Start != at.UnixNano()+want.ms*1e6 || s.End != at.UnixNano()+want.to*1e6 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	out := c.spans["out"]
	if about := (&span{Attributes: c.about}); about.attribute("service.name") != "gremlind" || about.attribute("service.version") != "1.2" || out.attribute("gremlind.rows") != "5" {
		t.Errorf("%v %v", c.about, out)
	}
}

// TestTracer_Brief: what took microseconds and chance alone chose has two spans, of which one
// tells the steps.
func TestTracer_Brief(t *testing.T) {
	c := newCollector(t)
	tracer, err := New(Options{Endpoint: c.URL, OneIn: 1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	for i, took := range []time.Duration{brief - 1, brief} {
		r := tracer.Begin("")
		r.Steps([]Step{{"V(1)", 1500 * time.Nanosecond, 1}, {"out", 2 * time.Microsecond, 3}})
		r.End(&Ended{Op: "eval", Source: "g", Received: at, Began: at.Add(took), Evaluated: at.Add(2 * took), Answered: at.Add(3 * took)})
		if err := tracer.provider.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			told := c.spans["evaluate"]
			if got, want := told.attribute("gremlind.steps"), "V(1) 1.5µs 1, out 2.0µs 3"; len(c.spans) != 2 || got != want {
				t.Errorf("%d spans, with %s, want %s", len(c.spans), got, want)
			}
		} else if len(c.spans) != 5 {
			t.Errorf("%d spans of what took longer: %v", len(c.spans), c.spans)
		}
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestTracer_Samples: the client decides, and else chance; what is no trace counts as none.
func TestTracer_Samples(t *testing.T) {
	for parent, want := range map[string][3]int{ // of a thousand: with none, one in ten, all
		"": {0, 100, 1000}, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00": {0, 0, 0},
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": {1000, 1000, 1000},
		"00-00000000000000000000000000000000-b7ad6b7169203331-01": {0, 100, 1000},
		"nonsense": {0, 100, 1000}, strings.Repeat("00-", 1000): {0, 100, 1000},
	} {
		for i, oneIn := range []int{0, 10, 1} {
			tracer := &Tracer{oneIn: oneIn}
			if got := sampled(tracer, parent); got < want[i]-60 || got > want[i]+60 {
				t.Errorf("%.60q, one in %d: %d of 1000", parent, oneIn, got)
			}
		}
	}
}

func sampled(tracer *Tracer, parent string) (n int) {
	for range 1000 {
		if tracer.Begin(parent) != nil {
			n++
		}
	}
	return n
}

// TestTracer_NoCollector: a collector that is not there or refuses is told of once, and holds
// nobody up.
func TestTracer_NoCollector(t *testing.T) {
	refuses := httptest.NewServer(http.NotFoundHandler())
	defer refuses.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct{ url, want string }{{refuses.URL, "404"}, {gone.URL, "refused"}} {
		var log bytes.Buffer
		tracer, err := New(Options{Endpoint: c.url, OneIn: 1}, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			tracer.Begin("").End(&Ended{Received: time.Now(), Answered: time.Now()})
			if err := tracer.provider.ForceFlush(t.Context()); err != nil && !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		}
		_ = tracer.Close(t.Context())
		if n := strings.Count(log.String(), "took no spans"); n > 1 {
			t.Errorf("%d lines: %s", n, &log)
		}
	}
}

// TestOptions_Check: what is no URL is refused, and without one nothing is traced.
func TestOptions_Check(t *testing.T) {
	for text, ok := range map[string]bool{"": true, "http://localhost:4318": true, "https://otel.example/v1/traces": true, "localhost:4318": false, "ftp://x": false, "http://": false, "\x00": false} {
		if err := (&Options{Endpoint: text}).Check(); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if tracer, err := New(Options{OneIn: 1}, nil); tracer != nil || err != nil || tracer.Close(t.Context()) != nil {
		t.Error(tracer, err)
	}
}

package web

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// serve listens with an endpoint.
func serve(t *testing.T, off bool, change func(*request.Options)) (*Endpoint, string) {
	e := New(newDesk(t, change), off)
	s := httptest.NewServer(e)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		if used := e.desk.Memory.Used(); used != 0 {
			t.Errorf("%d bytes are charged when all requests are answered", used)
		}
		if n := e.desk.AdmittedNow(); n != 0 || len(e.list()) != 0 {
			t.Errorf("%d requests are admitted and %d run when all are answered", n, len(e.list()))
		}
	})
	return e, s.URL
}

type ask struct {
	method, path, body string
	header             map[string]string
}

func (a ask) of(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	method := a.method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range a.header {
		r.Header.Set(name, text)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// serialised is the request of TestEndpoint_Answers in the form of a WebSocket frame.
func serialised(t *testing.T, processor string) string {
	t.Helper()
	args, bindings, aliases := value.NewMap(), value.NewMap(), value.NewMap()
	bindings.PutString("x", value.Int(1))
	aliases.PutString("g", value.String("gmodern"))
	args.PutString("gremlin", value.String("g.V()"))
	args.PutString("language", value.String("gremlin-lang"))
	args.PutString("bindings", bindings.Value())
	args.PutString("aliases", aliases.Value())
	args.PutString("session", value.String("s"))
	q := &message.Request{ID: uuid.MustParse(anID), HasID: true, Op: message.OpEval, Processor: processor, Args: args}
	b, err := graphbinary.AppendRequest([]byte("\x20"+message.MimeGraphBinary), q)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestEndpoint_Answers: what a request says arrives at the engine, and its answer has the
// form that was asked for.
func TestEndpoint_Answers(t *testing.T) {
	_, url := serve(t, false, nil)
	const body = `{"gremlin":"g.V()","bindings":{"x":1},"aliases":{"g":"gmodern"},"language":"gremlin-lang"}`
	const lines = "==>g.V()\n==>gremlin-lang\n==>{x=1}\n==>{g=gmodern}"
	for _, x := range []struct {
		ask
		mime, want string
	}{
		{ask{body: body, header: map[string]string{"Accept": "text/plain"}}, "text/plain", lines},
		{ask{body: body, header: map[string]string{"Accept": "text/*;q=0.5, x/y"}}, "text/plain", lines},
		{ask{method: "GET", path: "/?gremlin=g.V()&bindings.x=1&aliases.g=gmodern&language=gremlin-lang", header: map[string]string{"Accept": "text/plain"}}, "text/plain", lines},
		{ask{body: body, header: map[string]string{"Accept": message.MimeGraphSON1 + message.Untyped}}, message.MimeGraphSON1 + message.Untyped,
			`"data":["g.V()","gremlin-lang",{"x":1},{"g":"gmodern"}]`},
		{ask{body: body}, message.MimeJSON, `"@type":"g:List"`},
		{ask{body: serialised(t, ""), header: map[string]string{"Accept": "text/plain"}}, "text/plain", lines},
	} {
		resp, got := x.of(t, url)
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != x.mime || !strings.Contains(got, x.want) {
			t.Errorf("%v: %d %s %s, want %s %s", x.ask, resp.StatusCode, resp.Header.Get("Content-Type"), got, x.mime, x.want)
		}
	}
	if _, got := (ask{body: `{"gremlin":"long"}`, header: map[string]string{"Accept": "text/plain"}}).of(t, url); got != "==>"+strings.Repeat("x", 300<<10) {
		t.Errorf("of a long answer %d bytes came", len(got))
	}
}

// TestEndpoint_Refuses: each wrong request has its status, its id and a reason.
func TestEndpoint_Refuses(t *testing.T) {
	_, url := serve(t, false, func(o *request.Options) {
		o.Limits.MessageBytes, o.Limits.QueryBytes = 64<<10, 32<<10
	})
	for name, x := range map[string]struct {
		ask
		code int
		want string
	}{
		"method":         {ask{method: "PUT", body: "{}"}, 405, "method not allowed: PUT"},
		"encoding":       {ask{header: map[string]string{"Content-Encoding": "gzip"}}, 415, "Content-Encoding"},
		"no script":      {ask{body: `{"requestId":"` + anID + `"}`}, 400, "no gremlin script supplied"},
		"id is kept":     {ask{body: `{"gremlin":"panic","requestId":"` + anID + `"}`}, 500, anID},
		"no JSON":        {ask{body: `{`}, 400, "could not be parsed"},
		"too large":      {ask{body: strings.Repeat(" ", 65<<10)}, 413, "maxContentLength (65536)"},
		"too much":       {ask{body: `{"gremlin":"g","bindings":{"x":[` + strings.Repeat("[],", 12<<10) + `1]}}`}, 429, "queryMemory"},
		"accept":         {ask{body: `{"gremlin":"g"}`, header: map[string]string{"Accept": "image/png"}}, 400, "image/png"},
		"no payload":     {ask{body: "\x20" + message.MimeGraphSON1}, 400, ""},
		"session":        {ask{body: serialised(t, message.ProcessorSession)}, 400, "sessions need a WebSocket connection"},
		"its id":         {ask{body: serialised(t, message.ProcessorSession)}, 400, anID},
		"unknown alias":  {ask{body: `{"gremlin":"g","aliases":{"g":"nobody"}}`}, 400, "nobody"},
		"other language": {ask{method: "GET", path: "/?gremlin=g&batchSize=1&requestId=x"}, 400, "requestId is not a UUID"},
	} {
		resp, got := x.of(t, url)
		if resp.StatusCode != x.code || !strings.Contains(got, x.want) {
			t.Errorf("%s: %d %s, want %d %s", name, resp.StatusCode, got, x.code, x.want)
		}
		var body struct{ Message, RequestID string }
		if err := json.Unmarshal([]byte(got), &body); err != nil || body.Message == "" || body.RequestID == "" {
			t.Errorf("%s: %v: the body %s does not say what and of which request", name, err, got)
		}
	}
	_, off := serve(t, true, nil)
	if resp, got := (ask{body: `{"gremlin":"g"}`}).of(t, off); resp.StatusCode != 404 {
		t.Errorf("an endpoint that is off: %d %s", resp.StatusCode, got)
	}
	e, draining := serve(t, false, nil)
	e.desk.Drain()
	if resp, got := (ask{body: `{"gremlin":"g"}`}).of(t, draining); resp.StatusCode != 503 {
		t.Errorf("a server that shuts down: %d %s", resp.StatusCode, got)
	}
}

func TestEndpoint_SlowBody(t *testing.T) {
	_, url := serve(t, false, func(o *request.Options) { o.Limits.MessageTimeout = 50 * time.Millisecond })
	body, feed := io.Pipe()
	defer feed.Close()
	resp, err := http.Post(url, message.MimeJSON, body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a body that does not come: %s", resp.Status)
	}
}

func TestEndpoint_Login(t *testing.T) {
	_, url := serve(t, false, func(o *request.Options) {
		o.Auth = users{&traversal.Identity{Name: "stephen", Roles: []traversal.Role{traversal.AdminRole}}}
	})
	for password, code := range map[string]int{"password": 200, "wrong": 401, "": 401} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"gremlin":"g"}`))
		if err != nil {
			t.Fatal(err)
		}
		if password != "" {
			r.SetBasicAuth("stephen", password)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if asks := resp.Header.Get("WWW-Authenticate") != ""; resp.StatusCode != code || asks != (code == 401) {
			t.Errorf("password %q: %s, asks for another: %t", password, resp.Status, asks)
		}
	}
}

func TestEndpoint_Token(t *testing.T) {
	who := &traversal.Identity{Name: "stephen", Roles: []traversal.Role{traversal.AdminRole}}
	_, url := serve(t, false, func(o *request.Options) { o.Auth = users{who} })
	for head, code := range map[string]int{"Bearer token": 200, "bearer token": 200, "Bearer wrong": 401, "Bearer": 401, "Token token": 401} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"gremlin":"g"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", head)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if asks := len(resp.Header.Values("WWW-Authenticate")); resp.StatusCode != code || asks != 0 != (code == 401) {
			t.Errorf("%s: %s, asks %d times", head, resp.Status, asks)
		}
	}
}

// TestEndpoint_EndTokens ends what runs for a token that has ended, and nothing else.
func TestEndpoint_EndTokens(t *testing.T) {
	engine := &echo{started: make(chan struct{}, 1)}
	said := &traversal.Token{Until: time.Now().Add(time.Hour)}
	auth := &ending{users: users{&traversal.Identity{Name: "stephen", Token: said}}}
	e, url := serve(t, false, func(o *request.Options) { o.Engine, o.Auth = engine, auth })
	answered := make(chan string, 1)
	go func() {
		r, _ := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"gremlin":"block"}`))
		r.Header.Set("Authorization", "Bearer token")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answered <- resp.Status + " " + string(b)
	}()
	<-engine.started
	e.EndTokens()
	select {
	case got := <-answered:
		t.Fatalf("ended too early: %s", got)
	default:
	}
	auth.over.Store(true)
	said.Until = time.Now()
	e.EndTokens()
	if got := <-answered; !strings.HasPrefix(got, "401") || !strings.Contains(got, "the token has ended") {
		t.Error(got)
	}
}

// ending are users whose tokens end.
type ending struct {
	users
	over atomic.Bool
}

func (u *ending) Renew(id *traversal.Identity) (*traversal.Identity, error) {
	if u.over.Load() {
		return nil, nil
	}
	return id, nil
}

// TestEndpoint_Stop ends a request that runs, which is in the list until then.
func TestEndpoint_Stop(t *testing.T) {
	engine := &echo{started: make(chan struct{}, 1)}
	e, url := serve(t, false, func(o *request.Options) { o.Engine = engine })
	answered := posted(url, `{"gremlin":"block","evaluationTimeout":3600000}`)
	select {
	case <-engine.started:
	case <-time.After(patience):
		t.Fatal("the request does not run")
	}
	n := 0
	e.Each(func(task *request.Task) {
		if n++; !task.Runs() {
			t.Error("a request that runs says that it waits")
		}
	})
	if n != 1 {
		t.Errorf("%d requests run", n)
	}
	e.Stop(errors.New("by the test"))
	select {
	case got := <-answered:
		if strings.HasPrefix(got, "200") {
			t.Error(got)
		}
	case <-time.After(patience):
		t.Error("the request does not end")
	}
}

// posted is the status, the time to wait and the body of what answers a request.
func posted(url, body string) <-chan string {
	answered := make(chan string, 1)
	go func() {
		resp, err := http.Post(url, message.MimeJSON, strings.NewReader(body))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answered <- resp.Status + " " + resp.Header.Get("Retry-After") + " " + string(b)
	}()
	return answered
}

// TestEndpoint_RefusedLater: the answer of a refusal waits while others are answered, and comes
// when the server begins to stop.
func TestEndpoint_RefusedLater(t *testing.T) {
	engine := &echo{started: make(chan struct{}, 1)}
	e, url := serve(t, false, func(o *request.Options) { o.Engine, o.Limits.Running = engine, 1 })
	answered := posted(url, `{"gremlin":"full"}`)
	<-engine.started
	if resp, got := (ask{body: `{"gremlin":"g"}`}).of(t, url); resp.StatusCode != http.StatusOK {
		t.Error(got)
	}
	e.desk.Drain()
	if got := <-answered; !strings.HasPrefix(got, "429 Too Many Requests 1 ") || !strings.Contains(got, "full") {
		t.Error(got)
	}
}

package request

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// A desk takes Queue requests, and none while it drains.
func TestDesk_Admit(t *testing.T) {
	d := newDesk(t, &engine{}, func(o *Options) { o.Limits.Queue = 2 })
	for range 2 {
		if err := d.Admit(); err != nil {
			t.Fatal(err)
		}
	}
	var status *message.StatusError
	if err := d.Admit(); !errors.As(err, &status) || status.Code != message.StatusTooManyRequests {
		t.Errorf("a third: %v", err)
	}
	if n := counted(t, d.Metrics.Rejected.WithLabelValues("maxWorkQueueSize")); n != 1 || d.AdmittedNow() != 2 {
		t.Errorf("%v counted, %d admitted", n, d.AdmittedNow())
	}
	d.Leave()
	if err := d.Admit(); err != nil {
		t.Error(err)
	}
	if d.IsDraining() || !d.Drain() || d.Drain() || !d.IsDraining() {
		t.Error("does not drain once")
	}
	d.Leave()
	if err := d.Admit(); err != answer.ErrDraining {
		t.Errorf("while it drains: %v", err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if d.Await(short); short.Err() == nil {
		t.Error("did not wait for the last request")
	}
	d.Leave()
	long, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if d.Await(long); long.Err() != nil {
		t.Error("waits for nobody")
	}
}

// A slot is held while a request evaluates, and not while it idles.
func TestDesk_Slots(t *testing.T) {
	d := newDesk(t, &engine{}, func(o *Options) { o.Limits.Running = 1 })
	a := ask(t, d, newClient(), "eval", "", "gremlin", "x")
	b := ask(t, d, newClient(), "eval", "", "gremlin", "x")
	if !d.TryAcquire(a) || !a.Slotted || d.TryAcquire(b) || b.Slotted {
		t.Fatal("one slot is not one")
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if d.Acquire(over, b) || b.Slotted {
		t.Error("waited for nothing and got it")
	}
	ran := false
	start(t, a)
	a.eval.Idle(func() {
		if ran = d.TryAcquire(b); ran {
			d.Release(b)
		}
	})
	if !ran || b.Slotted {
		t.Error("an idle request keeps its slot")
	}
	if d.TryAcquire(b) {
		t.Error("the slot did not come back")
	}
	func() {
		defer func() { _ = recover() }()
		d.Idle(a, func() { panic("as asked") })
	}()
	if d.TryAcquire(b) {
		t.Error("the slot did not come back from a panic")
	}
	d.Release(a)
	waited := false
	d.Idle(a, func() { waited = d.TryAcquire(b) })
	if !waited || a.Slotted {
		t.Error("a request without a slot gave one back")
	}
}

// logged is a desk's log.
func logged(o *Options) *bytes.Buffer {
	var b bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&b, nil))
	return &b
}

func TestDesk_Log(t *testing.T) {
	var log *bytes.Buffer
	d := newDesk(t, &engine{}, func(o *Options) { log = logged(o); o.Audit = true; o.SlowQuery = time.Minute })
	task := ask(t, d, newClient(), "eval", "", "gremlin", "secret()")
	start(t, task)
	d.Record(task)
	if got := log.String(); !strings.Contains(got, "audit") || !strings.Contains(got, "secret()") || !strings.Contains(got, task.ID()) {
		t.Errorf("audit: %s", got)
	}
	log.Reset()
	task.End(200, nil)
	if log.Len() != 0 {
		t.Errorf("a quick query: %s", log)
	}
	task.Received = time.Now().Add(-time.Minute)
	task.End(200, nil)
	if got := log.String(); !strings.Contains(got, "slow query") || !strings.Contains(got, "ms=6") {
		t.Errorf("a slow query: %s", got)
	}
	log.Reset()
	task.Received = time.Now()
	task.End(message.StatusUnauthorized, errors.New("not his"))
	if got := log.String(); !strings.Contains(got, "the user may not do that") || counted(t, d.Metrics.Unauthorized) != 1 {
		t.Errorf("refused: %s", got)
	}
	log.Reset()
	d.LoginRefused("mallory", "192.0.2.1:5", errors.New("wrong"))
	if got := log.String(); !strings.Contains(got, "mallory") || counted(t, d.Metrics.AuthFail) != 1 {
		t.Errorf("login: %s", got)
	}
	log.Reset()
	quiet := newDesk(t, &engine{}, func(o *Options) { log = logged(o) })
	task = ask(t, quiet, newClient(), "eval", "", "gremlin", "x")
	start(t, task)
	quiet.Record(task)
	task.Received = time.Now().Add(-time.Hour)
	task.Identity = nil
	task.End(message.StatusUnauthorized, errors.New("not his"))
	if log.Len() != 0 || counted(t, quiet.Metrics.Unauthorized) != 0 {
		t.Errorf("nobody asked for a log: %s", log)
	}
}

// What came to an error is in the file of the audit with the reason; what succeeded is not.
func TestTask_EndInTrail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit")
	file, err := audit.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := newDesk(t, &engine{}, func(o *Options) { o.AuditFile = file })
	for _, c := range []struct {
		code  int32
		why   error
		known bool
		want  string
	}{
		{message.StatusSuccess, nil, true, ""},
		{message.StatusNoContent, nil, true, ""},
		{message.StatusUnauthorized, errors.New("not his"), true, `"msg":"request refused: the user may not do that".*"why":"not his"`},
		{message.StatusUnauthorized, nil, true, `"msg":"request failed".*"code":401,"why":"its answer could not be made"`},
		{message.StatusServerError, errors.New("broken"), true, `"msg":"request failed".*"query":"x".*"code":500,"why":"broken"`},
		{message.StatusServerError, errors.New("broken"), false, ""}, // nobody had looked who asks
	} {
		task := ask(t, d, newClient(), "eval", "", "gremlin", "x")
		start(t, task)
		if !c.known {
			task.Identity = nil
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		task.End(c.code, c.why)
		got, err := os.ReadFile(path)
		if err != nil || (len(got) == 0) != (c.want == "") || !regexp.MustCompile(c.want).Match(got) {
			t.Errorf("%d %v: %s %v, want %s", c.code, c.why, got, err, c.want)
		}
	}
}

// renewer knows whom it gave what.
type renewer struct {
	to  *traversal.Identity
	err error
}

func (r renewer) Authenticate(context.Context, string, string, string) (*traversal.Identity, error) {
	return nil, errors.New("wrong")
}
func (renewer) Known(string) (*traversal.Identity, error)                { return nil, nil }
func (r renewer) Tokens() bool                                           { return false }
func (r renewer) Changes() uint64                                        { return 0 }
func (r renewer) Renew(*traversal.Identity) (*traversal.Identity, error) { return r.to, r.err }

// A running request follows its user's rights, and ends with him.
func TestTask_Renew(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name  string
		r     *renewer
		read  bool
		cause error
	}{
		{"nobody is asked who he is", nil, true, nil},
		{"other rights", &renewer{to: &traversal.Identity{}}, true, nil},
		{"gone", &renewer{}, true, answer.ErrUserGone},
		{"unreadable", &renewer{err: broken}, false, nil},
	} {
		d := newDesk(t, &engine{}, func(o *Options) {
			if c.r != nil {
				o.Auth = c.r
			}
		})
		task := ask(t, d, newClient(), "eval", "", "gremlin", "x")
		if c.r != nil && c.r.err != nil {
			c.r.to = task.Identity
		}
		start(t, task)
		if read := task.Renew(); read != c.read {
			t.Errorf("%s: read %v", c.name, read)
		}
		if cause := context.Cause(&task.eval); cause != c.cause {
			t.Errorf("%s: ended by %v", c.name, cause)
		}
	}
}

// A request that waits is charged for its message, once.
func TestTask_Park(t *testing.T) {
	for _, c := range []struct{ size, want int }{{FreeMessage - 1, waitingBytes + FreeMessage - 1}, {FreeMessage, waitingBytes}, {100 << 10, waitingBytes}} {
		d := newDesk(t, &engine{}, nil)
		task := ask(t, d, newClient(), "eval", "", "gremlin", "x")
		task.Size = c.size
		from, to := account.New(nil, "a", 1<<20), account.New(nil, "b", 1<<20)
		task.Wire.Init(from, "", account.Unlimited)
		if err := task.Park(); err != nil || task.Wire.Used() != int64(c.want) {
			t.Errorf("%d: %d charged, %v", c.size, task.Wire.Used(), err)
		}
		task.Recharge(to)
		if from.Used() != 0 || to.Used() < int64(c.size) {
			t.Errorf("%d: recharged %d, %d left", c.size, to.Used(), from.Used())
		}
		task.Answered()
		if to.Used() != 0 {
			t.Errorf("%d: %d bytes after the answer", c.size, to.Used())
		}
	}
}

// A task whose context somebody may hold is not used again; another forgets its request.
func TestTask_Reusable(t *testing.T) {
	d := newDesk(t, &engine{}, nil)
	task := ask(t, d, newClient(), "eval", "", "gremlin", "x")
	task.Inline = true
	start(t, task)
	done := task.committed
	if task.eval.waited.Load() != nil {
		t.Fatal("armed though its reader watches it")
	}
	if !task.Reusable() || task.Req != nil || task.Query.Script != "" || task.desk != nil || task.committed == nil || done == nil {
		t.Errorf("used again: %+v", task)
	}
	task = ask(t, d, newClient(), "eval", "", "gremlin", "x")
	start(t, task)
	if task.Reusable() || task.Req == nil {
		t.Error("used again while its context is armed")
	}
	// A short timeout does not wait for the watch.
	task = ask(t, d, newClient(), "eval", "", "gremlin", "x", "evaluationTimeout", 9)
	task.Inline = true
	if start(t, task); task.eval.waited.Load() == nil {
		t.Error("a short timeout is not armed")
	}
}

func TestTask_Decode(t *testing.T) {
	d := newDesk(t, &engine{}, nil)
	for body, want := range map[string]string{
		`{"requestId":"01000000-0000-0000-0000-000000000000","op":"eval","processor":"","args":{"gremlin":"x"}}`: "",
		`{"requestId":`: "Message could not be parsed: ",
	} {
		task := ask(t, d, newClient(), "eval", "")
		err := task.Decode([]byte(body))
		if task.Req == nil {
			t.Fatalf("%s: no request", body)
		}
		if want == "" && (err != nil || task.Arg("gremlin").Str() != "x" || !task.Arg("none").IsNull()) {
			t.Errorf("%s: %v", body, err)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v", body, err)
		}
	}
	task := ask(t, d, newClient(), "eval", "")
	task.Wire.Init(account.New(nil, "loginBytes", 10), "", account.Unlimited)
	err := task.Decode([]byte(`{"requestId":"01000000-0000-0000-0000-000000000000","op":"eval","args":{"gremlin":"` + strings.Repeat("x", 100<<10) + `"}}`))
	var status *message.StatusError
	if !errors.As(err, &status) || status.Code != message.StatusTooManyRequests || !errors.Is(err, account.ErrLimit) {
		t.Errorf("no memory for it: %v", err)
	}
}

// What a status list and a log show of a query is short.
func TestTask_Summary(t *testing.T) {
	d := newDesk(t, &engine{}, nil)
	script := ask(t, d, newClient(), "eval", "", "gremlin", strings.Repeat("x", 1<<20))
	start(t, script)
	if n := len(script.Summary()); n == 0 || n > 4<<10 {
		t.Errorf("%d bytes", n)
	}
	if got := script.TimeoutText(); !strings.HasPrefix(got, "Evaluation exceeded the configured 'evaluationTimeout' threshold of 30000 ms") {
		t.Error(got)
	}
	bytecode := ask(t, d, newClient(), "bytecode", "traversal", "gremlin", code("V"), "aliases", map[string]any{"g": "g"})
	start(t, bytecode)
	if got := bytecode.TimeoutText(); !strings.Contains(got, bytecode.ID()) || !strings.Contains(got, "op='bytecode', processor='traversal'") || !strings.Contains(got, bytecode.Summary()) {
		t.Error(got)
	}
	if bytecode.Summary() != (code("V")).Value().Brief() || !bytecode.IsBytecode() || script.IsBytecode() {
		t.Error(bytecode.Summary())
	}
}

// Workers run everything, at once, and end with their desk.
func TestWorkers(t *testing.T) {
	stop := make(chan struct{})
	w := newWorkers(stop)
	const n = 20
	all, ended := make(chan struct{}), make(chan struct{}, n)
	for range n {
		w.Run(func() { <-all; ended <- struct{}{} })
	}
	close(all)
	for range n {
		select {
		case <-ended:
		case <-time.After(patience):
			t.Fatal("some never ran")
		}
	}
	close(stop)
}

package request

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// engine runs scripts that a test puts in its place, and knows the source g and the graph graph.
type engine struct {
	run     func(ctx context.Context, q *contract.Query) (contract.Results, error)
	commit  func(try int) error
	works   []*work
	nearest string
}

func (e *engine) Lookup(_ *traversal.Identity, name string) contract.NameKind {
	switch name {
	case "g":
		return contract.SourceName
	case "graph":
		return contract.GraphName
	}
	return contract.NoName
}

func (e *engine) Nearest(*traversal.Identity, string) string { return e.nearest }
func (e *engine) Quick(q *contract.Query) bool               { return q.Script == "quick" }
func (e *engine) Open(o contract.WorkOptions) contract.Work {
	w := &work{e: e, o: o, try: len(e.works), pending: true}
	e.works = append(e.works, w)
	return w
}

// work writes as long as it is pending.
type work struct {
	e       *engine
	o       contract.WorkOptions
	try     int
	pending bool
	open    bool
	commits int
	closed  bool
	ctx     context.Context // of the commit
}

func (w *work) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	w.open = true
	if w.e.run == nil {
		return listed(), nil
	}
	r, err := w.e.run(ctx, q)
	if l, ok := r.(*list); ok {
		w.pending, w.open = l.writes, !l.shut
	}
	return r, err
}

func (w *work) GraphOp(context.Context, *contract.Query, string) error { return nil }

func (w *work) Commit(ctx context.Context, _ bool) error {
	w.commits++
	w.ctx = ctx
	if w.e.commit == nil {
		return nil
	}
	return w.e.commit(w.try)
}

func (w *work) CommitAsync(ctx context.Context, done func(error)) {
	go func() { done(w.Commit(ctx, true)) }()
}
func (w *work) Rollback(bool) {}
func (w *work) Rest()         {}
func (w *work) Pending() bool { return w.pending }
func (w *work) Open() bool    { return w.open }
func (w *work) Close()        { w.closed = true }

// list are results known before.
type list struct {
	values []value.Value
	writes bool
	shut   bool // no transaction is open behind it
	after  error
}

func listed(values ...value.Value) *list { return &list{values: values} }

func (l *list) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	for len(l.values) > 0 && max > 0 {
		dst = append(dst, value.Bulked{Bulk: 1, Value: l.values[0]})
		l.values, max = l.values[1:], max-1
	}
	if len(dst) == 0 && l.after != nil {
		return nil, l.after
	}
	return dst, nil
}

func (l *list) Resolver() value.Resolver { return nil }
func (l *list) Writes() bool             { return l.writes }
func (l *list) Close()                   {}

// client is a connection that writes down what becomes of its requests.
type client struct {
	mu        sync.Mutex
	frames    []string
	events    []string
	broken    error
	delivered chan *Task
	reran     chan *Task
}

func newClient() *client {
	return &client{delivered: make(chan *Task, 1), reran: make(chan *Task, 1)}
}

func (c *client) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, fmt.Sprintf(format, args...))
}

func (c *client) Success() []message.Attribute              { return nil }
func (c *client) Reserve(context.Context, *Task, int) error { return c.broken }
func (c *client) Yield(context.Context, *Task) error        { c.note("yield"); return nil }
func (c *client) Forget(*Task)                              { c.note("forget") }
func (c *client) Answered()                                 { c.note("answered") }
func (c *client) Break(err error)                           { c.note("break %v", err) }
func (c *client) Rerun(t *Task)                             { c.reran <- t }
func (c *client) Deliver(t *Task)                           { c.delivered <- t }

func (c *client) Send(_ *Task, frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames = append(c.frames, string(frame))
}

// codes are the status codes of all frames, in order.
func (c *client) codes(t *testing.T) []int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	var codes []int32
	for _, f := range c.frames {
		_, after, ok := strings.Cut(f, `"code":`)
		var code int32
		if n, err := fmt.Sscanf(after, "%d", &code); !ok || n != 1 || err != nil {
			t.Fatalf("no status in %s", f)
		}
		codes = append(codes, code)
	}
	return codes
}

// newDesk is a desk over e.
func newDesk(t *testing.T, e *engine, change func(*Options)) *Desk {
	o := Options{Engine: e, Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Codecs: message.Codecs{message.MimeGraphBinary: graphbinary.Codec{}, message.MimeJSON: graphson.Codec{Version: 3}}}
	if change != nil {
		change(&o)
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	return NewDesk(o, stop)
}

// ask is a request that arrived; from is nil for HTTP.
func ask(t *testing.T, d *Desk, from Client, op, processor string, args ...any) *Task {
	t.Helper()
	m := value.NewMap()
	for i := 0; i < len(args); i += 2 {
		m.PutString(args[i].(string), valueOf(args[i+1]))
	}
	task := NewTask()
	task.Arrive(d, from, "192.0.2.1:5", time.Now())
	task.Reply.Codec = graphson.Codec{Version: 3}
	task.Req = &message.Request{ID: uuid.New(), HasID: true, Op: op, Processor: processor, Args: m}
	holder := d.Holders.Enter(quota.AddressHolder, "192.0.2.1")
	task.Holder = holder
	task.Identity = &traversal.Identity{}
	t.Cleanup(func() { d.Holders.Exit(holder) })
	return task
}

func valueOf(x any) value.Value {
	switch x := x.(type) {
	case string:
		return value.String(x)
	case int:
		return value.Int(int32(x))
	case bool:
		return value.Bool(x)
	case map[string]any:
		m := value.NewMap()
		for _, k := range sorted(x) {
			m.PutString(k, valueOf(x[k]))
		}
		return m.Value()
	case *traversal.Bytecode:
		return x.Value()
	case value.Value:
		return x
	}
	panic(fmt.Sprintf("%T", x))
}

func sorted(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// counted is what a counter stands at.
func counted(t *testing.T, c prometheus.Metric) float64 {
	t.Helper()
	var m dto.Metric
	if err := c.Write(&m); err != nil {
		t.Fatal(err)
	}
	return m.GetCounter().GetValue()
}

package session

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/contract/fake"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const patience = 20 * time.Second // for what must come

// room is an endpoint with sessions and nothing else.
type room struct {
	t    *testing.T
	desk *request.Desk
	set  *Set

	blocked chan struct{} // gets one for each script "block"
	full    error         // of the script "full"

	mu    sync.Mutex
	works map[*work]struct{} // that are not closed
}

func newRoom(t *testing.T, change func(*request.Options)) *room {
	r := &room{t: t, works: map[*work]struct{}{}, blocked: make(chan struct{}, 1), full: fake.Full()}
	o := request.Options{Engine: r, Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Codecs: message.Codecs{message.MimeJSON: graphson.Codec{Version: 3}}}
	if change != nil {
		change(&o)
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	r.desk = request.NewDesk(o, stop)
	r.set = NewSet(r.desk)
	return r
}

// Lookup, Quick and Open make a room an Engine.
func (r *room) Lookup(*traversal.Identity, string) contract.NameKind { return contract.SourceName }
func (r *room) Quick(*contract.Query) bool                           { return false }

func (r *room) Open(contract.WorkOptions) contract.Work {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := &work{room: r, rested: true}
	r.works[w] = struct{}{}
	return w
}

// open is how many sessions hold variables and transactions.
func (r *room) open() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.works)
}

// work remembers what scripts write: all of it until it is rolled back.
type work struct {
	room    *room
	written []string
	begun   bool
	rested  bool // since the last query
}

func (w *work) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	w.begun, w.rested = true, false
	word, what, _ := strings.Cut(q.Script, " ")
	switch word {
	case "write":
		w.written = append(w.written, what)
	case "block":
		w.room.blocked <- struct{}{}
		<-ctx.Done()
		return nil, traversal.ErrTimeout
	case "lose":
		return nil, storage.ErrConflict
	case "fail":
		return nil, traversal.ErrTimeout
	case "full":
		return nil, w.room.full
	}
	return fake.Results(value.String("[" + strings.Join(w.written, ",") + "]")), nil
}

func (w *work) GraphOp(_ context.Context, _ *contract.Query, op string) error {
	w.Rollback(op == "rollback")
	w.begun = false
	return nil
}

func (w *work) Commit(_ context.Context, all bool) error {
	if all {
		w.begun = false
	}
	return nil
}

func (w *work) CommitAsync(ctx context.Context, done func(error)) { done(w.Commit(ctx, true)) }

func (w *work) Rollback(all bool) {
	if all {
		w.written, w.begun = nil, false
	}
}

func (w *work) Rest()         { w.rested = true }
func (w *work) Pending() bool { return len(w.written) > 0 }
func (w *work) Open() bool    { return w.begun }

func (w *work) Close() {
	w.room.mu.Lock()
	defer w.room.mu.Unlock()
	if _, ok := w.room.works[w]; !ok {
		w.room.t.Error("a session is closed twice")
	}
	delete(w.room.works, w)
}

// client is a connection: who owns the sessions, and what reads the answers.
type client struct {
	room    *room
	ctx     context.Context
	cut     context.CancelFunc
	running sync.WaitGroup
	holder  *quota.Holder
	owned   *Owned

	mu        sync.Mutex
	frames    string
	abandoned int
	answered  chan struct{}
}

func (r *room) connect(user string) *client {
	c := &client{room: r, answered: make(chan struct{}, 100), holder: r.desk.Holders.Enter(quota.UserHolder, user)}
	c.ctx, c.cut = context.WithCancel(r.t.Context())
	c.owned = Own(c)
	return c
}

func (c *client) Ready() bool              { return c.ctx.Err() == nil }
func (c *client) Flush()                   {}
func (c *client) Context() context.Context { return c.ctx }
func (c *client) Running() *sync.WaitGroup { return &c.running }
func (c *client) Holder() *quota.Holder    { return c.holder }

func (c *client) Abandon(*request.Task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned++
}

func (c *client) Success() []message.Attribute                      { return nil }
func (c *client) Reserve(context.Context, *request.Task, int) error { return nil }
func (c *client) Yield(context.Context, *request.Task) error        { return nil }
func (c *client) Forget(*request.Task)                              {}
func (c *client) Break(err error)                                   { c.room.t.Errorf("a connection is broken: %v", err) }
func (c *client) Rerun(*request.Task)                               { c.room.t.Error("a request of a session runs again") }
func (c *client) Deliver(*request.Task)                             { c.room.t.Error("an answer waits for a commit") }
func (c *client) Answered()                                         { c.answered <- struct{}{} }

func (c *client) Send(_ *request.Task, frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames += string(frame)
}

// send asks for something in a session: the script "close" closes it.
func (c *client) send(session, script string, more ...string) {
	c.room.t.Helper()
	task := request.NewTask()
	task.Arrive(c.room.desk, c, "192.0.2.1:1", time.Now())
	args := value.NewMap()
	args.PutString("session", value.String(session))
	args.PutString("gremlin", value.String(script))
	for _, name := range more {
		args.PutString(name, value.Bool(true))
	}
	task.Req = &message.Request{ID: uuid.New(), HasID: true, Processor: message.ProcessorSession, Op: message.OpEval, Args: args}
	if script == "close" {
		task.Req.Op = message.OpClose
	}
	task.Reply.Codec, task.Text, task.Identity, task.Holder = graphson.Codec{Version: 3}, true, traversal.Anyone, c.holder
	task.Wire.Init(&c.holder.Account, "queryMemory", 1<<20)
	if err := task.Check(); err != nil {
		c.room.t.Fatal(err)
	}
	if err := c.room.desk.Admit(); err != nil {
		c.room.t.Fatal(err)
	}
	c.room.set.Run(c.owned, task)
}

// ask sends something and wants the text in its answer.
func (c *client) ask(session, script, want string, more ...string) {
	c.room.t.Helper()
	c.send(session, script, more...)
	c.hears(script, want)
}

func (c *client) hears(script, want string) {
	c.room.t.Helper()
	select {
	case <-c.answered:
	case <-time.After(patience):
		c.room.t.Fatalf("%s: no answer", script)
	}
	c.running.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !strings.Contains(c.frames, want) {
		c.room.t.Errorf("%s: answered with %s, want %s", script, c.frames, want)
	}
	c.frames = ""
}

// left wants that nothing is left of clients.
func (r *room) left(clients ...*client) {
	r.t.Helper()
	for _, c := range clients {
		c.cut()
		r.set.End(c.owned)
		if c.holder.Sessions != 0 {
			r.t.Errorf("%d sessions are counted for a user who is gone", c.holder.Sessions)
		}
		r.desk.Holders.Exit(c.holder)
	}
	if n, open, admitted := r.set.Count(), r.open(), r.desk.AdmittedNow(); n != 0 || open != 0 || admitted != 0 || r.set.Busy() != 0 {
		r.t.Errorf("%d sessions, %d open works and %d admitted requests are left", n, open, admitted)
	}
	if used := r.desk.Memory.Used(); used != 0 {
		r.t.Errorf("%d bytes are charged to nobody", used)
	}
}

// TestSession_Rests: between two requests, however the last one ended, a session keeps
// nothing that only that one needed.
func TestSession_Rests(t *testing.T) {
	r := newRoom(t, nil)
	c := r.connect("a")
	for _, script := range []string{"write 1", "fail", "lose", "full"} {
		c.ask("s", script, "")
		r.mu.Lock()
		for w := range r.works {
			if !w.rested {
				t.Errorf("the session did not rest behind %q", script)
			}
		}
		r.mu.Unlock()
	}
	r.left(c)
}

// TestSession_RefusedLater: what waits for the answer of a refusal keeps its order, and another
// session does not wait for it. All of it ends with the connection.
func TestSession_RefusedLater(t *testing.T) {
	r := newRoom(t, nil)
	c, other := r.connect("a"), r.connect("b")
	c.send("s", "write 1")
	c.send("s", "full")
	c.send("s", "write 2")
	other.ask("o", "write x", "[x]")
	r.desk.Drain()
	for range 2 {
		<-c.answered
	}
	c.hears("both writes", "[1,2]")
	r.left(c, other)
	r = newRoom(t, nil)
	c = r.connect("a")
	c.send("s", "full")
	c.send("s", "read")
	r.left(c)
}

func TestSession_KeepsWhatIsWritten(t *testing.T) {
	r := newRoom(t, nil)
	c := r.connect("a")
	c.ask("s", "write 1", "[1]")
	c.ask("other", "write x", "[x]")
	c.ask("s", "write 2", "[1,2]")
	c.ask("s", "fail", "597") // a failed request leaves the transaction to its client
	c.ask("s", "read", "[1,2]")
	c.ask("s", "fail", "597", "manageTransaction") // but a managed one does not
	c.ask("s", "read", "[]")
	c.ask("s", "write 3", "[3]")
	c.ask("s", "lose", "TX_CONFLICT")
	c.ask("s", "read", "[]") // a lost one is over already
	c.ask("other", "read", "[x]")
	if n := r.set.Count(); n != 2 || c.holder.Sessions != 2 {
		t.Errorf("%d sessions, %d of the user", n, c.holder.Sessions)
	}
	r.left(c)
}

// TestSession_OneByOne: requests of one session run in order, however fast they come.
func TestSession_OneByOne(t *testing.T) {
	r := newRoom(t, nil)
	c := r.connect("a")
	var want []string
	for i := range 50 {
		text := value.Int(int32(i)).JavaString()
		want = append(want, text)
		c.send("s", "write "+text)
	}
	for range want {
		c.hears("write", "")
	}
	c.ask("s", "read", "["+strings.Join(want, ",")+"]")
	r.left(c)
}

func TestSession_Names(t *testing.T) {
	r := newRoom(t, nil)
	a, b := r.connect("a"), r.connect("b")
	a.ask("s", "write 1", "[1]")
	b.ask("s", "read", "not bound to the connecting client")
	b.ask("never", "close", "204")
	if n := r.set.Count(); n != 1 {
		t.Errorf("%d sessions", n)
	}
	a.ask("s", "close", "204") // which ends nothing yet
	a.ask("s", "read", "[1]")
	r.left(a)
	b.ask("s", "read", "[]")
	r.left(b)
}

// TestSession_Room: what a client has closed makes room for others, but for what holds a
// transaction.
func TestSession_Room(t *testing.T) {
	for _, setting := range []string{"sessionsPerConnection", "sessionsPerUser", "sessions"} {
		r := newRoom(t, func(o *request.Options) {
			switch setting {
			case "sessions":
				o.Limits.Sessions = 2
			case "sessionsPerUser":
				o.Limits.SessionsPerUser = 2
			default:
				o.Limits.SessionsPerConnection = 2
			}
		})
		c := r.connect("a")
		c.ask("1", "read", "[]", "manageTransaction")
		c.ask("2", "write 1", "[1]")
		c.ask("3", "read", "("+setting+")")
		c.ask("2", "close", "204")
		c.ask("3", "read", "("+setting+")") // its transaction is open
		c.ask("1", "close", "204")
		c.ask("3", "read", "[]")
		c.ask("2", "read", "[1]")
		if n := r.set.Count(); n != 2 || r.open() != 2 {
			t.Errorf("%s: %d sessions, %d of them open", setting, n, r.open())
		}
		r.left(c)
	}
}

// TestSession_Expires: an idle transaction is rolled back, and an idle session ends; the
// client hears of what it has lost once, and then may begin anew.
func TestSession_Expires(t *testing.T) {
	r := newRoom(t, func(o *request.Options) {
		o.Limits.TransactionIdle, o.Limits.SessionIdle = time.Minute, time.Hour
	})
	c := r.connect("a")
	c.ask("s", "write 1", "[1]")
	c.ask("quiet", "read", "[]", "manageTransaction")
	r.set.Expire(time.Now().Add(30 * time.Second))
	c.ask("s", "read", "[1]")
	r.set.Expire(time.Now().Add(2 * time.Minute))
	c.ask("s", "write 2", "TX_TIMEOUT")
	c.ask("s", "write 2", "[2]")
	r.set.Expire(time.Now().Add(2 * time.Hour))
	if n := r.set.Count(); n != 0 || r.open() != 0 {
		t.Errorf("%d sessions, %d of them open", n, r.open())
	}
	c.ask("s", "read", "no longer accepting requests")
	c.ask("s", "read", "[]")
	c.ask("quiet", "read", "[]") // it held nothing
	r.left(c)
}

// TestSession_End: with the connection its sessions end, once what runs has noticed.
func TestSession_End(t *testing.T) {
	r := newRoom(t, nil)
	c := r.connect("a")
	c.send("s", "block")
	c.send("s", "write 1")
	select {
	case <-r.blocked:
	case <-time.After(patience):
		t.Fatal("nothing runs")
	}
	r.set.Expire(time.Now().Add(24 * time.Hour)) // what runs does not expire
	if n := r.set.Count(); n != 1 || r.set.Busy() != 1 {
		t.Errorf("%d sessions", n)
	}
	r.left(c)
}

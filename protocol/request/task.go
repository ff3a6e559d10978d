package request

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/tracing"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// reruns is how often an auto-commit request that lost a conflict is run again, and
// aloneAfter how many losses it takes to run it alone.
const (
	reruns     = 5
	aloneAfter = 2
)

// keepProperties is how many properties of a vertex a task has room for, for the next
// request.
const keepProperties = 16

// keepReply is how much memory for answers a task keeps for the next request, in bytes.
const keepReply = 16 << 10

// Task is one request on its way through the server: how it came, what it asks, what is
// known of it, and its answer. One goroutine owns it at a time. It is used again for another
// request when it is over (Reusable).
type Task struct {
	desk   *Desk
	client Client // who is answered; nil for HTTP
	Arrival
	Arguments
	Answering

	// What a task is used again with.
	request   message.Request // that Req is, when the request has a known form
	constants [4]value.Value
	results   []value.Bulked
	vertex    value.Element
}

// Arrival is how a request came, and from whom.
type Arrival struct {
	Received time.Time
	Remote   string // address of the client
	Holder   *quota.Holder
	Identity *traversal.Identity
	Size     int    // of its message, in bytes
	Parent   string // the trace that an HTTP client has of it; only where requests are traced
	Text     bool   // it came in a text frame, and is answered in such
	Plain    bool   // its client wants elements with null for properties, as old drivers do
	// Inline is set while the goroutine that reads its connection evaluates it: nobody
	// reads meanwhile.
	Inline bool
	// Wire is charged for what the request takes from its arrival until it is answered.
	Wire account.Account
}

// Arguments are what a request asks for, as far as they are checked.
type Arguments struct {
	Req     *message.Request
	Form    *Known // nil when the request was decoded
	Query   contract.Query
	Session string // "" for none
	Managed bool   // the request of a session is a transaction of its own
	timeout time.Duration
	// timeoutOf is the setting that the timeout is of, empty for evaluationTimeout.
	timeoutOf string
	tokens    bool
}

// Answering is the evaluation of a request, and its answer.
type Answering struct {
	Reply   answer.Reply
	started atomic.Int64          // when, in nanoseconds; 0 while it waits
	halted  atomic.Pointer[error] // why it was stopped, perhaps before it was started
	eval    evaluation
	Slotted bool // it holds a slot of those that evaluate
	Grouped bool // whoever answers it sends the frames of several
	// Account is charged for what its evaluation keeps.
	Account account.Account

	// What is left to do when its commit ends without anybody waiting; see commits.go.
	work      contract.Work
	outcome   error
	waits     time.Duration    // how long the answer is to wait, or did, for its place
	committed func(error)      // t.commitEnded; made once
	report    report           // empty where requests are neither traced nor logged for being slow
	trace     *tracing.Request // nil: it is not traced
}

// tasks are reusable ones.
var tasks sync.Pool

// NewTask returns a task that knows nothing yet.
func NewTask() *Task {
	if t, ok := tasks.Get().(*Task); ok {
		return t
	}
	t := &Task{}
	t.committed = t.commitEnded
	return t
}

// Arrive makes t a message that came to a desk; from is nil for HTTP.
func (t *Task) Arrive(d *Desk, from Client, remote string, received time.Time) {
	t.desk, t.client, t.Remote, t.Received = d, from, remote, received
	t.Reply.Asked, t.Reply.Limits, t.Reply.Account = t, d.Limits(), &t.Account
	if t.Reply.Whole = from == nil; !t.Reply.Whole {
		t.Reply.Attributes = from.Success()
	}
}

// Reusable makes a task that was answered ready for another request. It is false when
// somebody may refer to it.
func (t *Task) Reusable() bool {
	if t.eval.waited.Load() != nil { // somebody may hold its context
		return false
	}
	memory, results, vertex, committed := t.Reply.Left(keepReply), t.results, t.vertex, t.committed
	vertex.Forget(keepProperties)
	*t = Task{} // by itself, or it is made elsewhere and copied
	t.Reply.Memory, t.results, t.vertex, t.committed = memory, traversal.Kept(results), vertex, committed
	return true
}

// Recycle leaves t to another connection if nobody can refer to it.
func (t *Task) Recycle() {
	if t.Reusable() {
		tasks.Put(t)
	}
}

// Message is what the client sent.
func (t *Task) Message() *message.Request { return t.Req }

// IsBytecode reports whether the request is no script.
func (t *Task) IsBytecode() bool { return t.Query.IsBytecode() }

// Reserve makes room for a frame of n bytes.
func (t *Task) Reserve(ctx context.Context, n int) error { return t.client.Reserve(ctx, t, n) }

// Send hands a frame to the client's connection.
func (t *Task) Send(frame []byte) { t.client.Send(t, frame) }

// Yield lets a slow client catch up.
func (t *Task) Yield(ctx context.Context) error { return t.client.Yield(ctx, t) }

// Forget gives the request's id free.
func (t *Task) Forget() { t.client.Forget(t) }

// Answered takes note that the terminal frame is in the outbox: a close frame may
// follow it.
func (t *Task) Answered() {
	t.Wire.Clear()
	if t.client != nil {
		t.client.Answered()
	}
}

// Lost ends the connection of a request that cannot be answered: a client that gets no
// answer to one request must not wait for it.
func (t *Task) Lost(err error) {
	t.desk.Log.Error("error response could not be sent, connection closed", "request", t.ID(), "remote", t.Remote, "error", err)
	t.Forget()
	t.client.Break(err)
	t.Answered()
}

// Grown is asked by the codecs while they write results, of which there are n bytes now.
func (t *Task) Grown(n int) error {
	if t.eval.Err() != nil {
		return traversal.ErrTimeout
	}
	return t.Reply.Grow(n)
}

// Refuse answers a task that was never started, and returns the code.
func (t *Task) Refuse(err error) { t.End(t.Reply.Refuse(err), err) }

// FreeMessage is how long a message may be that is charged for nothing.
const FreeMessage = 4 << 10

// waitingBytes is what a request takes that waits, beside what its message says.
const waitingBytes = 2 << 10

// Park charges a request that waits for others, or for the end of the authentication.
func (t *Task) Park() error {
	n := waitingBytes
	if t.Size < FreeMessage { // it was free until now
		n += t.Size
	}
	return t.Wire.Charge(int64(n))
}

// Recharge moves what a request is charged for to another account: its connection's has
// changed with the login.
func (t *Task) Recharge(to *account.Account) {
	t.Wire.Clear()
	t.Wire.Init(to, "", account.Unlimited)
	// No more than loginBytes: what is refused here is refused to the next message.
	_ = t.Wire.Charge(int64(t.Size))
}

// End reports a request that got its terminal frame, and why that is none of success.
func (t *Task) End(code int32, why error) {
	if t.client != nil { // HTTP's answer has yet to be written
		t.Account.Clear()
	}
	elapsed := time.Since(t.Received)
	t.desk.Metrics.Answered.Observe(t.Req.Op, code, elapsed)
	switch {
	case code == message.StatusUnauthorized && t.Identity != nil && why != nil:
		t.desk.rightRefused(t, why.Error())
	case code >= message.StatusUnauthorized && t.Identity != nil:
		t.desk.failed(t, code, why)
	}
	if slow := t.desk.live.Load().SlowQuery; slow > 0 && elapsed-t.waits >= slow {
		t.logSlow(elapsed, code)
	}
	if t.trace != nil {
		t.endTrace(elapsed, code, why)
	}
}

// Decode reads the message of a request. The id is kept even when the rest is broken.
func (t *Task) Decode(b []byte) error {
	req, err := t.Reply.Codec.DecodeRequest(b, &t.Wire)
	if req == nil {
		req = &message.Request{}
	}
	t.Req = req
	if errors.Is(err, account.ErrLimit) {
		return message.TooMuch(err)
	}
	if err != nil {
		return message.Malformed("%s: %s", message.NotParsed, err)
	}
	return nil
}

package request

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/metrics"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/tracing"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// Options say what requests are checked against and evaluated by.
type Options struct {
	Engine contract.Engine
	Codecs message.Codecs
	// Feed tells what commits changed; nil: nobody is told.
	Feed   contract.Feed
	Limits quota.Limits
	Log    *slog.Logger
	// Auth asks every client for a name and a password; nil lets everybody in.
	Auth contract.Authenticator
	// Tokens writes elements without properties unless a request says otherwise.
	Tokens bool
	// StrictTransactions wants aliases with every script (strictTransactionManagement).
	StrictTransactions bool
	// CloseSessionAfterGraphOp ends a session with its commit or rollback.
	CloseSessionAfterGraphOp bool
	// Audit notes every request before it is evaluated (enableAuditLog).
	Audit bool
	// AuditFile gets what was refused, what failed and what was changed; nil: only the log
	// tells of that.
	AuditFile *audit.File
	// SlowQuery logs requests that take longer; 0 logs none.
	SlowQuery time.Duration
	// Traces samples requests, and tells a collector of them; nil: none.
	Traces *tracing.Tracer
}

// Desk is where every request reports, by whatever transport it came: the desk admits
// it, gives it the right to evaluate, and counts what becomes of it.
type Desk struct {
	Options
	Metrics *metrics.Metrics
	Trail   audit.Trail
	Memory  *account.Account // of all clients
	Holders quota.Holders
	Work    *Workers
	Forms   Forms

	live     atomic.Pointer[Live]
	slots    quota.Slots  // rights to evaluate
	admitted atomic.Int64 // requests that run or wait
	draining atomic.Bool
	drained  chan struct{} // closed when draining begins
	commits  commits
	began    time.Time // for now
}

// NewDesk returns a desk whose idle goroutines end when stop is closed.
func NewDesk(o Options, stop chan struct{}) *Desk {
	d := &Desk{Options: o, Forms: newForms(), Metrics: metrics.New(), Work: newWorkers(stop), began: time.Now(), drained: make(chan struct{})}
	d.Memory = account.New(nil, "memory", o.Limits.MemoryBytes)
	d.Set(Live{Limits: o.Limits, Audit: o.Audit, SlowQuery: o.SlowQuery})
	d.Holders.Init(d.Memory, d.Limits)
	d.Trail.Init(o.Log, o.AuditFile, d.auditLost(), d.Now)
	d.slots.Init(o.Limits.Running)
	d.commits.desk = d
	return d
}

// Now is the time by the clock that does not jump. Looking at that alone takes half as
// long as time.Now, and it is done for every request.
func (d *Desk) Now() time.Time { return d.began.Add(time.Since(d.began)) }

// Drain refuses requests from now on; false when that was so already.
func (d *Desk) Drain() bool {
	if d.draining.Swap(true) {
		return false
	}
	close(d.drained)
	return true
}

// IsDraining reports whether drain was called.
func (d *Desk) IsDraining() bool { return d.draining.Load() }

// AdmittedNow is how many requests run or wait.
func (d *Desk) AdmittedNow() int64 { return d.admitted.Load() }

// Await returns when no request runs or ctx ends.
func (d *Desk) Await(ctx context.Context) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for d.admitted.Load() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Admit counts a request in, or refuses it. leave must follow.
func (d *Desk) Admit() error {
	if d.draining.Load() {
		return answer.ErrDraining
	}
	if d.admitted.Add(1) > int64(d.Limits().Queue) {
		d.admitted.Add(-1)
		d.Reject("maxWorkQueueSize")
		return &message.StatusError{Code: message.StatusTooManyRequests, Message: message.RateLimiting}
	}
	return nil
}

// Leave counts an admitted request out.
func (d *Desk) Leave() { d.admitted.Add(-1) }

// Reject counts what a limit refused, by its setting.
func (d *Desk) Reject(setting string) { d.Metrics.Rejected.WithLabelValues(setting).Inc() }

// Acquire waits for the right to evaluate t; false when ctx ended first.
func (d *Desk) Acquire(ctx context.Context, t *Task) bool {
	t.Slotted = d.slots.Take(ctx)
	return t.Slotted
}

// TryAcquire takes the right to evaluate t if it can be had at once.
func (d *Desk) TryAcquire(t *Task) bool {
	t.Slotted = d.slots.TryTake()
	return t.Slotted
}

// Release gives back the right to evaluate t.
func (d *Desk) Release(t *Task) {
	t.Slotted = false
	d.slots.Give()
}

// Idle calls wait while t needs no slot: another request evaluates meanwhile.
func (d *Desk) Idle(t *Task, wait func()) {
	if !t.Slotted {
		wait()
		return
	}
	d.slots.Give()
	// Whatever happens to wait, the slot is what the caller gives back.
	defer d.slots.Take(context.Background())
	wait()
}

// Absent is Idle for who holds up nobody and keeps little, however long it takes: t is not among the
// requests that run or wait, of which there may be no more than so many. Behind it t is.
func (d *Desk) Absent(t *Task, wait func()) {
	d.admitted.Add(-1)
	defer d.admitted.Add(1) // with a slot: no crowd that is woken at once fills the queue
	d.Idle(t, wait)
}

// LoginRefused notes a wrong name or password, a token that does not count, or one guess too
// many.
func (d *Desk) LoginRefused(user, remote string, why error) {
	d.Metrics.AuthFail.Inc()
	d.Trail.Refused(audit.Stranger, "authentication refused", "user", user, "remote", remote, "why", why)
}

// rightRefused notes a request that its user may not make.
func (d *Desk) rightRefused(t *Task, why string) {
	d.Metrics.Unauthorized.Inc()
	d.Trail.Refused(audit.User, "request refused: the user may not do that",
		t.Fields("request", t.ID(), "op", t.Req.Op, "query", t.Summary(), "why", why)...)
}

// failed notes a request that came to an error.
func (d *Desk) failed(t *Task, code int32, why error) {
	if !d.Trail.On() {
		return
	}
	if why == nil {
		why = errUnsaid
	}
	d.Trail.Failed("request failed", t.Fields("session", t.Session,
		"request", t.ID(), "op", t.Req.Op, "query", t.Summary(), "code", code, "why", why)...)
}

var errUnsaid = errors.New("its answer could not be made")

// Record notes a request before it is evaluated.
func (d *Desk) Record(t *Task) {
	if d.Traces != nil {
		t.sample()
	}
	if t.SeesAs() != "" {
		d.Trail.Changed("request sees as another user", t.Fields("request", t.ID(), "op", t.Req.Op, "query", t.Summary())...)
	}
	if d.live.Load().Audit {
		d.Trail.Asked("audit", t.Fields("session", t.Session, "request", t.ID(), "op", t.Req.Op, "query", t.Summary())...)
	}
}

// auditLost counts what the audit file did not take, and says so now and then.
func (d *Desk) auditLost() func(error) {
	var last atomic.Int64 // the second in which it was said
	return func(err error) {
		d.Metrics.AuditLost.Inc()
		now := int64(time.Since(d.began) / time.Second)
		if before := last.Load(); (before == 0 || now-before >= auditLostSeconds) && last.CompareAndSwap(before, max(now, 1)) {
			d.Log.Error("the audit file takes no lines: requests go on without", "error", err)
		}
	}
}

// auditLostSeconds is how long nothing more is said of an audit file that takes no lines.
const auditLostSeconds = 10

// Renewed makes what id may do now hold for all that runs for it. It is nil for a user
// who is gone. Where nobody is asked who he is nothing changes.
func (d *Desk) Renewed(id *traversal.Identity) (*traversal.Identity, error) {
	if d.Auth == nil {
		return id, nil
	}
	asker := id.Asker()
	now, err := d.Auth.Renew(asker)
	if err != nil {
		d.Log.Error("users cannot be read", "error", err)
		return id, err
	}
	if now != asker {
		asker.Supersede(now)
	}
	if now != nil && asker != id { // who sees as another has the rights of the moment it began
		return id, nil
	}
	return now, nil
}

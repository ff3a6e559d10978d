package protocol

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

func inSession(id, script string, kv ...any) *message.Request {
	return requestOf(message.OpEval, message.ProcessorSession, args(append([]any{"gremlin", script, "session", id}, kv...)...))
}

func graphOp(session, source, op string) *message.Request {
	b := bytecode("")
	b.Steps = nil
	b.Source = append(b.Source, bytecode("tx", value.String(op)).Steps...)
	return requestOf(message.OpBytecode, message.ProcessorSession, args("gremlin", b, "session", session, "aliases", args("g", source)))
}

func TestSessionKeepsItsVariables(t *testing.T) {
	c := start(t, nil).dial()
	c.do(inSession("s", "set 42"))
	if _, all := c.do(inSession("s", "get")); len(all) != 1 || all[0].Int64() != 42 {
		t.Errorf("got %v", all)
	}
	if _, all := c.do(inSession("other", "get")); len(all) != 1 || !all[0].IsNull() {
		t.Errorf("another session got %v", all)
	}
}

func TestSessionRunsItsRequestsInOrder(t *testing.T) {
	c := start(t, nil).dial()
	n := 0
	for i := range 30 {
		c.send(inSession("s", "set "+value.Int(int32(i)).JavaString()))
		c.send(inSession("s", "get"))
	}
	for range 60 {
		a := c.next()
		if len(a.data.Elems()) == 0 {
			continue
		}
		if got := a.data.Elems()[0].Int64(); got != int64(n) {
			t.Fatalf("get %d gave %d", n, got)
		}
		n++
	}
	if n != 30 {
		t.Errorf("%d gets answered", n)
	}
}

func TestSessionIsBoundToItsConnection(t *testing.T) {
	h := start(t, nil)
	mine, other := h.dial(), h.dial()
	mine.do(inSession("s", "set 1"))
	other.want(inSession("s", "get"), message.StatusServerError, "Session s is not bound to the connecting client")
	mine.ws.Close()
	eventually(t, "session ended", func() bool { return h.srv.sessions.Count() == 0 })
	if _, all := other.do(inSession("s", "get")); len(all) != 1 || !all[0].IsNull() {
		t.Errorf("after its connection ended: %v", all)
	}
}

func TestCommitAndRollback(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	c.do(inSession("s", "write 1"))
	if n := h.engine.commits.Load(); n != 0 {
		t.Fatalf("%d commits before commit", n)
	}
	a, _ := c.do(graphOp("s", "g", "commit"))
	if a.Code != message.StatusNoContent || attribute(a.Response, "host").IsNull() || h.engine.commits.Load() != 1 {
		t.Errorf("commit: %d, %d commits", a.Code, h.engine.commits.Load())
	}
	c.want(graphOp("s", "g", "rollback"), message.StatusNoContent, "")
	c.want(graphOp("s", "gmodern", "commit"), message.StatusServerError, "Graph does not support transactions")
	c.want(graphOp("s", "gmodern", "rollback"), message.StatusServerError, "Graph does not support transactions")
}

func TestTransactionBytecodeNeedsASession(t *testing.T) {
	c := start(t, nil).dial()
	r := graphOp("s", "g", "commit")
	r.Processor = message.ProcessorTraversal
	c.want(r, message.StatusSerialization, "JavaTranslator cannot translate traversal operations")
}

func TestManagedTransactions(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	c.do(inSession("s", "write 1", "manageTransaction", true))
	if h.engine.commits.Load() != 1 {
		t.Error("a managed request did not commit")
	}
	c.do(inSession("s", "error", "manageTransaction", true))
	if h.engine.rolled.Load() != 1 {
		t.Error("a failed managed request did not roll back")
	}
}

func TestCloseOpEndsNothing(t *testing.T) {
	c := start(t, nil).dial()
	c.do(inSession("s", "set 5"))
	c.want(requestOf(message.OpClose, message.ProcessorSession, args("session", "s")), message.StatusNoContent, "")
	c.want(requestOf(message.OpClose, message.ProcessorSession, args("session", "never")), message.StatusNoContent, "")
	if _, all := c.do(inSession("s", "get")); len(all) != 1 || all[0].Int64() != 5 {
		t.Errorf("after close: %v", all)
	}
}

func TestCutConnectionRollsBack(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	c.do(inSession("s", "write 1"))
	// A request that still runs must not keep the transaction.
	c.send(inSession("s", "block", "evaluationTimeout", 60000))
	eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
	c.ws.NetConn().Close()
	eventually(t, "rolled back", func() bool { return h.engine.rolled.Load() == 1 })
}

func TestIdleSessionsEnd(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.SessionIdle = 100 * time.Millisecond })
	c := h.dial()
	c.do(graphOp("idle", "g", "commit"))
	eventually(t, "idle session ended", func() bool { return h.srv.sessions.Count() == 0 })
	c.do(inSession("s", "write 1"))
	eventually(t, "rolled back", func() bool { return h.engine.rolled.Load() == 1 })
	// A commit must not be promised for what is gone.
	c.want(graphOp("s", "g", "commit"), message.StatusServerError, "Session s is no longer accepting requests as it has been closed")
}

func TestIdleTransactionsAreRolledBack(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.TransactionIdle = 10 * time.Millisecond })
	c := h.dial()
	c.do(inSession("s", "set 3", "manageTransaction", true)) // leaves none open
	c.do(inSession("s", "write 1"))
	eventually(t, "rolled back", func() bool { return h.engine.rolled.Load() == 1 })
	c.want(graphOp("s", "g", "commit"), message.StatusTimeout, "[TX_TIMEOUT]")
	if _, all := c.do(inSession("s", "get")); len(all) != 1 || all[0].Int64() != 3 {
		t.Errorf("the session's variables are gone: %v", all)
	}
}

func TestSessionSurvivesAConflict(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	c.do(inSession("s", "set 3"))
	c.do(inSession("s", "lose 1"))
	c.want(graphOp("s", "g", "commit"), message.StatusTemporary, "Conflict: element modified in another transaction")
	if _, all := c.do(inSession("s", "get")); len(all) != 1 || all[0].Int64() != 3 {
		t.Errorf("after the conflict: %v", all)
	}
	c.want(graphOp("s", "g", "commit"), message.StatusNoContent, "")
}

func TestSessionEndsAfterGraphOpWhenAsked(t *testing.T) {
	c := start(t, func(o *Options) { o.CloseSessionAfterGraphOp = true }).dial()
	c.do(inSession("s", "set 3"))
	c.want(graphOp("s", "g", "commit"), message.StatusNoContent, "")
	c.want(inSession("s", "get"), message.StatusServerError, "Session s is no longer accepting requests as it has been closed")
}

// TestClosedSessionsYield opens more sessions than there may be, one after the other.
func TestClosedSessionsYield(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.Sessions, o.Limits.SessionsPerConnection = 4, 2 })
	c := h.dial()
	for i := range 20 {
		id := value.Int(int32(i)).JavaString()
		c.want(inSession(id, "count 1", "manageTransaction", true), message.StatusSuccess, "")
		c.want(requestOf(message.OpClose, message.ProcessorSession, args("session", id)), message.StatusNoContent, "")
		h.rested()
	}
	// One that its client goes on using, or that holds a transaction, stays.
	c.want(inSession("19", "set 5", "manageTransaction", true), message.StatusNoContent, "")
	h.rested()
	c.want(inSession("tx", "write 1"), message.StatusSuccess, "")
	c.want(requestOf(message.OpClose, message.ProcessorSession, args("session", "tx")), message.StatusNoContent, "")
	c.want(inSession("one too many", "count 1"), message.StatusTooManyRequests, "sessionsPerConnection")
}

// rested waits until no session is at work: an answer is out before its session rests.
func (h *harness) rested() {
	eventually(h.t, "sessions at rest", func() bool { return h.srv.sessions.Busy() == 0 })
}

func TestSessionsPerUser(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.SessionsPerUser = 3 })
	a, b := h.dial(), h.dial()
	a.want(inSession("a1", "count 1"), message.StatusSuccess, "")
	a.want(inSession("a2", "count 1"), message.StatusSuccess, "")
	b.want(inSession("b1", "count 1"), message.StatusSuccess, "")
	b.want(inSession("b2", "count 1"), message.StatusTooManyRequests, "sessionsPerUser")
	a.ws.Close()
	eventually(t, "sessions ended", func() bool { return h.srv.sessions.Count() == 1 })
	b.want(inSession("b2", "count 1"), message.StatusSuccess, "")
}

// TestExpiredSessionsAreForgotten expires sessions that held a transaction: their room
// is free at once, and each hears of it once.
func TestExpiredSessionsAreForgotten(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.SessionIdle, o.Limits.Sessions = 50*time.Millisecond, 2 })
	c := h.dial()
	c.do(inSession("s", "write 1"))
	c.do(inSession("r", "write 1"))
	eventually(t, "expired", func() bool { return h.srv.sessions.Count() == 0 })
	c.want(inSession("new", "write 1"), message.StatusSuccess, "")
	c.want(graphOp("s", "g", "commit"), message.StatusServerError, "Session s is no longer accepting requests as it has been closed")
	c.want(inSession("s", "count 1"), message.StatusSuccess, "")
}

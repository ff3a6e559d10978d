package protocol

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// asked is a request of bytecode with one constant.
func asked(step string, id value.Value, kv ...any) *message.Request {
	return requestOf(message.OpBytecode, message.ProcessorTraversal, args(append([]any{"gremlin", bytecode(step, id), "aliases", args("g", "g")}, kv...)...))
}

// Requests of one form are answered by their own constants and options, whether they
// were decoded or recalled.
func TestForms(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for i := range 6 {
		id := value.Int(int32(i))
		if _, all := c.do(asked("V", id)); len(all) != i {
			t.Errorf("V(%d) gives %d results", i, len(all))
		}
		if _, all := c.do(asked("V", id, "batchSize", 1)); len(all) != i {
			t.Errorf("V(%d) gives %d results one by one", i, len(all))
		}
		c.want(asked("E", id, "evaluationTimeout", 5), message.StatusTimeout, fmt.Sprintf("args={gremlin=[[], [E(%d)]]}", i))
		c.want(asked("V", value.String(fmt.Sprint("x", i, "\xff"))), message.StatusMalformedRequest, "not valid UTF-8")
		c.want(asked("V", id, "batchSize", -1), message.StatusInvalidArguments, "batchSize")
	}
	id, kept := value.Int(0), 0
	for _, r := range []*message.Request{asked("V", id), asked("V", id, "batchSize", 1), asked("E", id, "evaluationTimeout", 5)} {
		if h.known(r) {
			kept++
		}
	}
	if n := h.srv.desk.Forms.Len(); n != 3 || kept != 3 {
		t.Errorf("%d of %d forms are known, want 3: V, V one by one, E", kept, n)
	}
	c.healthy()
}

// known reports whether requests like r need not be decoded.
func (h *harness) known(r *message.Request) bool {
	h.t.Helper()
	codec, _, b, err := h.srv.desk.Codecs.ParseFrame(frameOf(h.t, r))
	if err != nil {
		h.t.Fatal(err)
	}
	return h.srv.desk.Forms.Knows(codec, b)
}

// A request that was not decoded is shown as what it asks.
func TestForms_Status(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for i := range 3 {
		c.send(asked("E", value.Int(int32(i))))
		eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
		list := h.srv.Status()
		if want := fmt.Sprintf("[[], [E(%d)]]", i); len(list) != 1 || list[0].Query != want || list[0].Op != message.OpBytecode {
			t.Errorf("status: %+v, want %s", list, want)
		}
		if n := h.srv.Kill(""); n != 1 {
			t.Errorf("killed %d", n)
		}
		if a := c.next(); a.Code != message.StatusTimeout {
			t.Errorf("got %d", a.Code)
		}
		eventually(t, "request ended", func() bool { return h.engine.blocked.Load() == 0 })
	}
}

// The number of forms kept is bounded, and one in use is not forgotten.
func TestForms_Many(t *testing.T) {
	const forms = 512
	h := start(t, nil)
	c := h.dial()
	for i := range 2 * forms {
		c.want(asked("V", value.Int(0)), message.StatusNoContent, "")
		c.want(asked("V", value.Int(0), "n", i), message.StatusNoContent, "")
	}
	if n := h.srv.desk.Forms.Len(); n > 2*forms {
		t.Errorf("%d forms are kept", n)
	}
	if !h.known(asked("V", value.Int(0))) {
		t.Error("the form of V is forgotten")
	}
	for i := range 2 * forms {
		if h.known(asked("V", value.Int(0), "n", i)) {
			t.Errorf("the form of V with n = %d is known, though it came once", i)
		}
	}
}

package protocol

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// asked is a request of bytecode with one constant.
func asked(step string, id value.Value, kv ...any) *message.Request {
	return request(opBytecode, processorTraversal, args(append([]any{"gremlin", bytecode(step, id), "aliases", args("g", "g")}, kv...)...))
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
		c.want(asked("E", id, "evaluationTimeout", 5), statusTimeout, fmt.Sprintf("args={gremlin=[[], [E(%d)]]}", i))
		c.want(asked("V", value.String(fmt.Sprint("x", i, "\xff"))), statusMalformedRequest, "not valid UTF-8")
		c.want(asked("V", id, "batchSize", -1), statusInvalidArguments, "batchSize")
	}
	kept := 0
	for _, f := range h.srv.forms.newer {
		if f.plan != nil {
			kept++
		}
	}
	if len(h.srv.forms.newer) != 3 || kept != 3 {
		t.Errorf("%d of %d forms are known, want 3: V, V one by one, E", kept, len(h.srv.forms.newer))
	}
	c.healthy()
}

// A request that was not decoded is shown as what it asks.
func TestForms_Status(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for i := range 3 {
		c.send(asked("E", value.Int(int32(i))))
		eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
		list := h.srv.Status()
		if want := fmt.Sprintf("[[], [E(%d)]]", i); len(list) != 1 || list[0].Query != want || list[0].Op != opBytecode {
			t.Errorf("status: %+v, want %s", list, want)
		}
		if n := h.srv.Kill(""); n != 1 {
			t.Errorf("killed %d", n)
		}
		if a := c.next(); a.Code != statusTimeout {
			t.Errorf("got %d", a.Code)
		}
		eventually(t, "request ended", func() bool { return h.engine.blocked.Load() == 0 })
	}
}

// The number of forms kept is bounded, and one in use is not forgotten.
func TestForms_Many(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for i := range 2 * formsMax {
		c.want(asked("V", value.Int(0)), statusNoContent, "")
		c.want(asked("V", value.Int(0), "n", i), statusNoContent, "")
	}
	s := &h.srv.forms
	if n := len(s.newer) + len(s.older); n > 2*formsMax {
		t.Errorf("%d forms are kept", n)
	}
	known := 0
	for _, f := range s.newer {
		if f.plan != nil {
			known++
		}
	}
	if known != 1 {
		t.Errorf("%d forms are known, want that of V alone", known)
	}
}

package protocol

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
)

// TestSleepersNeedNoSlot has more requests sleep than may evaluate.
func TestSleepersNeedNoSlot(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.Running = 2 })
	asleep := h.dial()
	var ids []*message.Request
	for range 10 {
		r := eval("sleep", "evaluationTimeout", 600_000)
		asleep.send(r)
		ids = append(ids, r)
	}
	other := h.dial()
	for range 20 {
		other.healthy()
	}
	for _, r := range ids {
		eventually(t, "woken", func() bool { return h.srv.Kill(r.ID.String()) == 1 })
	}
	for range ids {
		if a := asleep.next(); a.Code != message.StatusTimeout {
			t.Errorf("got %d %s", a.Code, a.Message)
		}
	}
	other.healthy()
}

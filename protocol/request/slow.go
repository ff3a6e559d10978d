package request

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
)

// report is how a request was evaluated, as the log of slow ones tells it.
type report struct {
	evaluated time.Duration // from its arrival until its results were there
	plan      []string      // nil: no traversal was evaluated
	took      took
}

// planBytes bounds the text of a plan in the log, stepBytes that of one step.
const (
	planBytes = 2 << 10
	stepBytes = 200
)

// look keeps how a request was evaluated, when it is slow already or traced. Its Work is not
// closed.
func (t *Task) look() {
	slow := t.desk.live.Load().SlowQuery
	if slow <= 0 && t.trace == nil {
		return
	}
	r := report{evaluated: time.Since(t.Received)}
	if ran := t.Query.Ran; ran != nil && (t.trace != nil || r.evaluated >= slow) {
		r.plan, r.took = ran.Plan(), ran.Took()
	}
	t.report = r
}

// logSlow tells of a request that took long, and where the time went.
func (t *Task) logSlow(elapsed time.Duration, code int32) {
	waited := time.Duration(0)
	if began := t.started.Load(); began != 0 {
		waited = max(time.Unix(0, began).Sub(t.Received), 0)
	}
	args := append([]any{"request", t.ID(), "ms", elapsed.Milliseconds(), "code", code, "results", t.Reply.Total()},
		t.Fields("query", t.Summary(), "source", t.Query.Resolve("g"), "waitedMs", waited.Milliseconds())...)
	if r := &t.report; r.evaluated > 0 {
		args = append(args, "evaluatedMs", (r.evaluated - waited).Milliseconds(), "commitMs", (elapsed - r.evaluated).Milliseconds())
		if r.plan != nil {
			args = append(args, "plan", value.Clip(strings.Join(r.plan, " "), planBytes))
		}
		if r.took != nil {
			args = append(args, "steps", r.took)
		}
	}
	t.desk.Log.Warn("slow query", args...)
}

// took shows what steps took: as a list in a log of JSON, and as a text in one of text.
type took []contract.Took

// MarshalText writes step: milliseconds, rows; for each of them.
func (k took) MarshalText() ([]byte, error) {
	var b strings.Builder
	for i, s := range k {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s: %.3f ms, %d rows", value.Clip(s.Step, stepBytes), s.Time.Seconds()*1e3, s.Rows)
	}
	return []byte(value.Clip(b.String(), planBytes)), nil
}

// MarshalJSON writes a list of step, ms and rows.
func (k took) MarshalJSON() ([]byte, error) {
	type step struct {
		Step string  `json:"step"`
		MS   float64 `json:"ms"`
		Rows int64   `json:"rows"`
	}
	list := make([]step, 0, len(k))
	for _, s := range k[:min(len(k), stepsLogged)] {
		list = append(list, step{value.Clip(s.Step, stepBytes), s.Time.Seconds() * 1e3, s.Rows})
	}
	return json.Marshal(list)
}

// stepsLogged is how many steps a line of JSON has at most.
const stepsLogged = 64

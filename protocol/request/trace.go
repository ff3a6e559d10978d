package request

import (
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/tracing"
	"github.com/gremlind/gremlind/storage/value"
)

// parentKey is the argument of a request, and the field of an HTTP head, with the trace that
// its client has of it.
const parentKey = "traceparent"

// sample begins the trace of a request if it is to have one.
func (t *Task) sample() {
	parent := t.Parent
	if parent == "" && t.Form == nil {
		parent = t.Arg(parentKey).Str()
	}
	t.trace = t.desk.Traces.Begin(parent)
	t.Query.Measure = t.trace != nil
}

// Commits takes note that the commit of what a request wrote begins.
func (t *Task) Commits(work contract.Work) {
	if t.trace != nil && work.Pending() {
		t.trace.Commits = time.Now()
	}
}

// endTrace makes the spans of a request that was answered.
func (t *Task) endTrace(elapsed time.Duration, code int32, why error) {
	e := tracing.Ended{
		Op: t.Req.Op, ID: t.ID(), Source: t.Query.Resolve("g"), Query: t.Summary(), User: t.Identity.Asker().User(), SeesAs: t.SeesAs(), Remote: t.Remote, Session: t.Session,
		Received: t.Received, Answered: t.Received.Add(elapsed), Code: code, Results: int64(t.Reply.Total()),
	}
	if began := t.started.Load(); began != 0 {
		e.Began = time.Unix(0, began)
	}
	if t.report.evaluated > 0 {
		e.Evaluated = t.Received.Add(t.report.evaluated)
	}
	if why != nil {
		e.Failure = value.Brief(why.Error())
	}
	if steps := t.report.took; steps != nil {
		list := make([]tracing.Step, len(steps))
		for i, s := range steps {
			list[i] = tracing.Step{Name: value.Clip(s.Step, stepBytes), Took: s.Time, Rows: s.Rows}
		}
		t.trace.Steps(list)
	}
	t.trace.End(&e)
}

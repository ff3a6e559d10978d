package request

import (
	"cmp"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// ID is the request's id as text.
func (t *Task) ID() string { return t.Req.ID.String() }

// Summary is the query as logs and status lists show it.
func (t *Task) Summary() string {
	if t.IsBytecode() {
		return t.Query.Code().Value().Brief()
	}
	return value.Brief(t.Query.Script)
}

// TimeoutText is what its client reads when it took too long.
func (t *Task) TimeoutText() string {
	setting := cmp.Or(t.timeoutOf, "evaluationTimeout")
	if t.IsBytecode() {
		return fmt.Sprintf("A timeout occurred during traversal evaluation of [RequestMessage{, requestId=%s, op='%s', processor='%s', args={gremlin=%s}}] - consider increasing the limit given to %s",
			t.ID(), t.Req.Op, t.Req.Processor, t.Summary(), setting)
	}
	return fmt.Sprintf("Evaluation exceeded the configured '%s' threshold of %d ms or evaluation was otherwise cancelled directly for request [%s]",
		setting, t.timeout.Milliseconds(), value.Brief(t.Query.Script))
}

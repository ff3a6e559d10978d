package request

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/value"
)

func TestScriptOptions(t *testing.T) {
	d := &Desk{}
	d.Set(Live{Limits: quota.DefaultLimits()})
	for script, want := range map[string]struct {
		timeout time.Duration
		tokens  bool
	}{
		`g.V()`:                                 {30 * time.Second, false},
		`g.with("evaluationTimeout", 1000).V()`: {time.Second, false},
		`g.with('evaluationTimeout',1000L).V();g.with("evaluationTimeout", 500)`:       {1500 * time.Millisecond, false},
		`g.with('materializeProperties', 'tokens').V()`:                                {30 * time.Second, true},
		`g.with("materializeProperties","tokens").with("materializeProperties","all")`: {30 * time.Second, false},
		"// g.with('evaluationTimeout', 5)\ng.V()":                                     {30 * time.Second, false},
		`g.with(evaluationTimeout, 10).V()`:                                            {10 * time.Millisecond, false},
	} {
		task := &Task{desk: d, Arguments: Arguments{Req: &message.Request{Args: value.NewMap()}}}
		task.Query.Script = script
		if err := task.checkOptions(); err != nil {
			t.Errorf("%s: %v", script, err)
		}
		if task.timeout != want.timeout || task.tokens != want.tokens {
			t.Errorf("%s: %v %v, want %+v", script, task.timeout, task.tokens, want)
		}
	}
}

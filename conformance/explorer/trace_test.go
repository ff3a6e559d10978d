//go:build explorer

package explorer

import (
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// trace begins to note what the browser does.
func (v *visitor) trace() {
	v.t.Helper()
	config := &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline"}}
	if _, err := chromedp.Call(v.ctx, tracing.Start, tracing.StartParams{TraceConfig: config}); err != nil {
		v.t.Fatal(err)
	}
}

// traced ends that, and returns the processor time of each event of a name.
func (v *visitor) traced(name string) []time.Duration {
	v.t.Helper()
	var list []time.Duration
	done := make(chan struct{})
	if err := chromedp.Listen(v.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, raw := range e.Value {
				var one struct {
					Name string `json:"name"`
					TDur *int64 `json:"tdur"` // microseconds
				}
				if err := json.Unmarshal(raw, &one); err == nil && one.Name == name && one.TDur != nil {
					list = append(list, time.Duration(*one.TDur)*time.Microsecond)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}); err != nil {
		v.t.Fatal(err)
	}
	if _, err := chromedp.Call(v.ctx, tracing.End, cdp.Empty{}); err != nil {
		v.t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(patience):
		v.t.Fatal("the browser does not tell what it did")
	}
	return list
}

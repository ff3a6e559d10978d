package metrics

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gremlind/gremlind/protocol/message"
)

// Requests are counted by op and code, and by how long they took by op alone; a bound
// belongs to the bucket below it.
func TestAnswered(t *testing.T) {
	a := newAnswered()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(a)
	const each = 100
	var all sync.WaitGroup
	for range each {
		all.Go(func() {
			a.Observe(message.OpEval, message.StatusSuccess, 100*time.Microsecond)
			a.Observe(message.OpEval, message.StatusSuccess, 100*time.Microsecond+1)
			a.Observe(message.OpEval, message.StatusTimeout, time.Minute)
			a.Observe("gather", message.StatusMalformedRequest, 0)
		})
	}
	all.Wait()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, &http.Request{Header: http.Header{}})
	const want = `# HELP gremlind_request_seconds From receipt to the terminal response.
# TYPE gremlind_request_seconds histogram
gremlind_request_seconds_bucket{op="eval",le="0.0001"} 100
gremlind_request_seconds_bucket{op="eval",le="0.0004"} 200
gremlind_request_seconds_bucket{op="eval",le="0.0016"} 200
gremlind_request_seconds_bucket{op="eval",le="0.0064"} 200
gremlind_request_seconds_bucket{op="eval",le="0.0256"} 200
gremlind_request_seconds_bucket{op="eval",le="0.1024"} 200
gremlind_request_seconds_bucket{op="eval",le="0.4096"} 200
gremlind_request_seconds_bucket{op="eval",le="1.6384"} 200
gremlind_request_seconds_bucket{op="eval",le="6.5536"} 200
gremlind_request_seconds_bucket{op="eval",le="26.2144"} 200
gremlind_request_seconds_bucket{op="eval",le="+Inf"} 300
gremlind_request_seconds_sum{op="eval"} 6000.0200001
gremlind_request_seconds_count{op="eval"} 300
gremlind_request_seconds_bucket{op="other",le="0.0001"} 100
`
	if got := w.Body.String(); w.Code != 200 || !strings.HasPrefix(got, want) {
		t.Errorf("%d\n%s\nwant\n%s", w.Code, got, want)
	}
	for _, want := range []string{
		`gremlind_requests_total{code="200",op="eval"} 200`,
		`gremlind_requests_total{code="598",op="eval"} 100`,
		`gremlind_requests_total{code="498",op="other"} 100`,
	} {
		if got := w.Body.String(); !strings.Contains(got, want+"\n") {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

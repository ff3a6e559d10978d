package metrics

import (
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gremlind/gremlind/protocol/message"
)

// BenchmarkObserve counts an answered request, and does the same with the library's
// counter and histogram, whose series are found by their labels.
func BenchmarkObserve(b *testing.B) {
	b.Run("own", func(b *testing.B) {
		a := newAnswered()
		for b.Loop() {
			a.Observe(message.OpEval, message.StatusSuccess, 3*time.Millisecond)
		}
	})
	b.Run("library", func(b *testing.B) {
		requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests"}, []string{"op", "code"})
		seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "seconds", Buckets: prometheus.ExponentialBuckets(1e-4, boundFactor, bounds)}, []string{"op"})
		for b.Loop() {
			requests.WithLabelValues(message.OpEval, strconv.Itoa(message.StatusSuccess)).Inc()
			seconds.WithLabelValues(message.OpEval).Observe(0.003)
		}
	})
}

package metrics

import (
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gremlind/gremlind/protocol/message"
)

// answered counts answered requests and how long they took. What both metrics show is
// counted once, because every request is counted: that takes about a tenth of what the
// library's counter and histogram take, 50 and 450 ns (BenchmarkObserve).
type answered struct {
	requests, seconds *prometheus.Desc
	series            [len(observedOps) + 1][codesMax]atomic.Pointer[series]
}

// observedOps are the ops that have series of their own.
var observedOps = [...]string{message.OpBytecode, message.OpEval, message.OpClose, message.OpAuthentication, message.OpChanges}

// codesMax is above every status code.
const codesMax = 600

// Bounds of the buckets: the first one, how often it is multiplied, and by what.
const (
	firstBound  = 100 * time.Microsecond
	bounds      = 10
	boundFactor = 4
)

// series are the requests of one op that were answered with one code.
type series struct {
	buckets [bounds + 1]atomic.Uint64 // the last one is beyond all bounds
	took    atomic.Int64              // nanoseconds, of all
}

func newAnswered() *answered {
	return &answered{
		requests: prometheus.NewDesc("gremlind_requests_total", "Requests answered, by op and status code.", []string{"op", "code"}, nil),
		seconds:  prometheus.NewDesc("gremlind_request_seconds", "From receipt to the terminal response.", []string{"op"}, nil),
	}
}

// Observe counts one answered request.
func (a *answered) Observe(op string, code int32, took time.Duration) {
	i := slices.Index(observedOps[:], op)
	if i < 0 {
		i = len(observedOps)
	}
	slot := &a.series[i][code]
	s := slot.Load()
	if s == nil {
		slot.CompareAndSwap(nil, &series{})
		s = slot.Load()
	}
	b := 0
	for bound := firstBound; took > bound && b < bounds; bound *= boundFactor {
		b++
	}
	s.buckets[b].Add(1)
	s.took.Add(int64(took))
}

// Describe implements prometheus.Collector.
func (a *answered) Describe(ch chan<- *prometheus.Desc) {
	ch <- a.requests
	ch <- a.seconds
}

// Collect implements prometheus.Collector.
func (a *answered) Collect(ch chan<- prometheus.Metric) {
	for i := range a.series {
		op := "other"
		if i < len(observedOps) {
			op = observedOps[i]
		}
		var sum tally
		for code := range a.series[i] {
			if s := a.series[i][code].Load(); s != nil {
				ch <- prometheus.MustNewConstMetric(a.requests, prometheus.CounterValue, float64(sum.add(s)), op, strconv.Itoa(code))
			}
		}
		if sum.requests > 0 {
			ch <- prometheus.MustNewConstHistogram(a.seconds, sum.requests, sum.took.Seconds(), sum.cumulative(), op)
		}
	}
}

// tally is the sum of several series.
type tally struct {
	buckets  [bounds + 1]uint64
	requests uint64
	took     time.Duration
}

// add returns how many requests s has.
func (t *tally) add(s *series) (n uint64) {
	for i := range s.buckets {
		k := s.buckets[i].Load()
		t.buckets[i] += k
		n += k
	}
	t.requests += n
	t.took += time.Duration(s.took.Load())
	return n
}

// cumulative maps the bounds, in seconds, to the number of requests that took no longer.
func (t *tally) cumulative() map[float64]uint64 {
	m := make(map[float64]uint64, bounds)
	n, bound := uint64(0), firstBound.Seconds()
	for _, k := range t.buckets[:bounds] {
		n += k
		m[bound] = n
		bound *= boundFactor
	}
	return m
}

package protocol

import (
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the server's counters, in a registry of their own.
type metrics struct {
	registry *prometheus.Registry
	accepted prometheus.Counter
	panics   prometheus.Counter
	reruns   prometheus.Counter
	authFail prometheus.Counter
	rejected *prometheus.CounterVec
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec

	series [len(observedOps) + 1][codesMax]atomic.Pointer[series] // resolved once
}

// observedOps are the ops that have series of their own.
var observedOps = [...]string{opBytecode, opEval, opClose, opAuthentication}

// codesMax is above every status code.
const codesMax = 600

type series struct {
	count   prometheus.Counter
	seconds prometheus.Observer
}

func newMetrics(s *Server) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "gremlind", Name: name, Help: help})
	}
	gauge := func(name, help string, f func() float64) prometheus.GaugeFunc {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "gremlind", Name: name, Help: help}, f)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		accepted: counter("connections_accepted_total", "Connections accepted."),
		panics:   counter("panics_recovered_total", "Panics turned into errors; each is a bug."),
		reruns:   counter("conflict_reruns_total", "Requests run again after a lost conflict."),
		authFail: counter("authentication_failures_total", "Refused names or passwords."),
		rejected: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "rejected_total", Help: "What a limit refused, by limit."}, []string{"limit"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "requests_total", Help: "Requests answered, by op and status code."}, []string{"op", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "gremlind", Name: "request_seconds", Help: "From receipt to the terminal response.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 10)}, []string{"op"}),
	}
	m.registry.MustRegister(m.accepted, m.panics, m.reruns, m.authFail, m.rejected, m.requests, m.seconds,
		gauge("requests_in_flight", "Requests running or waiting.", func() float64 { return float64(s.admitted.Load()) }),
		gauge("websocket_connections", "Open WebSocket connections.", func() float64 { return float64(len(s.connections())) }),
		gauge("sessions", "Open sessions.", func() float64 { return float64(len(s.sessions.all())) }),
		gauge("query_memory_bytes", "What running requests keep.", func() float64 { return float64(s.memory.Used()) }),
	)
	return m
}

// observe counts one answered request.
func (m *metrics) observe(op string, code int32, d time.Duration) {
	i := slices.Index(observedOps[:], op)
	if i < 0 {
		i, op = len(observedOps), "other"
	}
	slot := &m.series[i][code]
	one := slot.Load()
	if one == nil { // two may resolve it at once: they find the same
		one = &series{m.requests.WithLabelValues(op, strconv.Itoa(int(code))), m.seconds.WithLabelValues(op)}
		slot.Store(one)
	}
	one.count.Inc()
	one.seconds.Observe(d.Seconds())
}

// Registry holds the server's metrics; others may register theirs beside them.
func (s *Server) Registry() *prometheus.Registry { return s.metrics.registry }

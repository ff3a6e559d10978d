package protocol

import "github.com/prometheus/client_golang/prometheus"

// metrics are the server's counters, in a registry of their own.
type metrics struct {
	registry *prometheus.Registry
	accepted prometheus.Counter
	panics   prometheus.Counter
	reruns   prometheus.Counter
	authFail prometheus.Counter
	// unauthorized counts requests that their user may not make.
	unauthorized prometheus.Counter
	userChanges  *prometheus.CounterVec
	rejected     *prometheus.CounterVec
	answered     *answered
}

func newMetrics(s *Server) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "gremlind", Name: name, Help: help})
	}
	gauge := func(name, help string, f func() float64) prometheus.GaugeFunc {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "gremlind", Name: name, Help: help}, f)
	}
	m := &metrics{
		registry:     prometheus.NewRegistry(),
		accepted:     counter("connections_accepted_total", "Connections accepted."),
		panics:       counter("panics_recovered_total", "Panics turned into errors; each is a bug."),
		reruns:       counter("conflict_reruns_total", "Requests run again after a lost conflict."),
		authFail:     counter("authentication_failures_total", "Refused names or passwords."),
		unauthorized: counter("authorization_failures_total", "Requests refused because their user may not make them."),
		userChanges:  prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "user_changes_total", Help: "Changes of users, by what was changed and whether it was."}, []string{"change", "outcome"}),
		rejected:     prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "rejected_total", Help: "What a limit refused, by limit."}, []string{"limit"}),
		answered:     newAnswered(),
	}
	m.registry.MustRegister(m.accepted, m.panics, m.reruns, m.authFail, m.unauthorized, m.userChanges, m.rejected, m.answered,
		gauge("requests_in_flight", "Requests running or waiting.", func() float64 { return float64(s.admitted.Load()) }),
		gauge("websocket_connections", "Open WebSocket connections.", func() float64 { return float64(len(s.connections())) }),
		gauge("sessions", "Open sessions.", func() float64 { return float64(len(s.sessions.all())) }),
		gauge("query_memory_bytes", "What running requests keep.", func() float64 { return float64(s.memory.Used()) }),
	)
	return m
}

// CountUserChange counts a change of users that was made or refused.
func (s *Server) CountUserChange(what string, made bool) {
	outcome := "made"
	if !made {
		outcome = "refused"
	}
	s.metrics.userChanges.WithLabelValues(what, outcome).Inc()
}

// Registry holds the server's metrics; others may register theirs beside them.
func (s *Server) Registry() *prometheus.Registry { return s.metrics.registry }

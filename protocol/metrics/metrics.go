package metrics

import "github.com/prometheus/client_golang/prometheus"

// Metrics are the server's counters, in a registry of their own.
type Metrics struct {
	Registry *prometheus.Registry
	Accepted prometheus.Counter
	Panics   prometheus.Counter
	Reruns   prometheus.Counter
	AuthFail prometheus.Counter
	// unauthorized counts requests that their user may not make.
	Unauthorized prometheus.Counter
	// AuditLost counts events that the audit file did not take.
	AuditLost   prometheus.Counter
	UserChanges *prometheus.CounterVec
	Rejected    *prometheus.CounterVec
	Answered    *answered
}

// New returns counters that stand at zero.
func New() *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "gremlind", Name: name, Help: help})
	}
	m := &Metrics{
		Registry:     prometheus.NewRegistry(),
		Accepted:     counter("connections_accepted_total", "Connections accepted."),
		Panics:       counter("panics_recovered_total", "Panics turned into errors; each is a bug."),
		Reruns:       counter("conflict_reruns_total", "Requests run again after a lost conflict."),
		AuthFail:     counter("authentication_failures_total", "Refused names or passwords."),
		Unauthorized: counter("authorization_failures_total", "Requests refused because their user may not make them."),
		AuditLost:    counter("audit_lost_total", "Events that the audit file did not take."),
		UserChanges:  prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "user_changes_total", Help: "Changes of users, by what was changed and whether it was."}, []string{"change", "outcome"}),
		Rejected:     prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gremlind", Name: "rejected_total", Help: "What a limit refused, by limit."}, []string{"limit"}),
		Answered:     newAnswered(),
	}
	m.Registry.MustRegister(m.Accepted, m.Panics, m.Reruns, m.AuthFail, m.Unauthorized, m.AuditLost, m.UserChanges, m.Rejected, m.Answered)
	return m
}

// Gauge shows what f returns whenever somebody looks.
func (m *Metrics) Gauge(name, help string, f func() float64) {
	m.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "gremlind", Name: name, Help: help}, f))
}

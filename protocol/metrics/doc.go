// Package metrics counts what the server does, for Prometheus, and bounds the log lines
// that strangers can cause.
package metrics

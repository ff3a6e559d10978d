// Package tracing tells a collector of OpenTelemetry what became of requests: a span for each
// that is sampled, and beneath it spans of its wait, its evaluation with the steps of its
// traversal, and its commit.
//
// A request carries nothing while it runs but the times that its spans are made of in the end,
// so that one that is not sampled costs a look at a nil pointer. The maintained SDK batches
// spans, and drops them where the collector does not keep up.
package tracing

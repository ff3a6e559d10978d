package main

import (
	"slices"
	"time"
)

// The clients: one request at a time on each connection, eight under way on each, and
// gremlin-go.
const (
	rawClient    = "raw"
	deepClient   = "raw x8"
	driverClient = "gremlin-go"
)

// clients are connected to one server and carry one load.
type clients interface {
	count() int
	// run has every client go round the load's requests for a while and finish at least
	// one. It appends to found[c] how long each request of client c took.
	run(found [][]time.Duration, length time.Duration) error
	close()
}

// sample is what one round found.
type sample struct {
	requests  int
	elapsed   time.Duration
	cpu       time.Duration   // of the server
	latencies []time.Duration // sorted
}

func (s sample) perSecond() float64 { return float64(s.requests) / s.elapsed.Seconds() }

func (s sample) percentile(p float64) time.Duration {
	if len(s.latencies) == 0 {
		return 0
	}
	return s.latencies[min(len(s.latencies)-1, int(p*float64(len(s.latencies))))]
}

// roomPerSecond is how many latencies there is room for before a round begins.
const roomPerSecond = 400_000

// round runs clients in parallel for a while.
func round(t *target, c clients, length time.Duration) (sample, error) {
	room := int(length.Seconds()*roomPerSecond)/c.count() + 1
	found := make([][]time.Duration, c.count())
	for i := range found {
		found[i] = make([]time.Duration, 0, room)
	}
	cpu, begin := cpuTime(t.pid), time.Now()
	err := c.run(found, length)
	s := sample{elapsed: time.Since(begin), cpu: cpuTime(t.pid) - cpu}
	for _, f := range found {
		s.requests += len(f)
	}
	s.latencies = slices.Concat(found...)
	slices.Sort(s.latencies)
	return s, err
}

// firstRequest is the one that client c of n begins with: they begin apart, so that
// they do not all ask for the same vertex.
func firstRequest(c, n, size int) int { return c * size / n }

// connect opens n clients of one kind to a server.
func connect(t *target, l *load, kind string, n int) (clients, error) {
	switch kind {
	case driverClient:
		return connectDriver(t.url, l, n)
	case deepClient:
		return connectRaw(t.url, l, deep, n)
	}
	return connectRaw(t.url, l, 1, n)
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if len(s) == 0 {
		return 0
	}
	if len(s)%2 == 0 {
		return (s[len(s)/2-1] + s[len(s)/2]) / 2
	}
	return s[len(s)/2]
}

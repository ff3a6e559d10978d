package main

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// The clients: one request at a time on each connection, eight under way on each, and
// gremlin-go.
const (
	rawClient    = "raw"
	deepClient   = "raw x8"
	driverClient = "gremlin-go"
)

// asker does request i of a load, or some from i on at once, waits for the answers and
// appends to took how long each of them took.
type asker func(i int, took []time.Duration) ([]time.Duration, error)

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

// round runs clients in parallel for a while; each finishes at least one request.
func round(t *target, askers []asker, size int, length time.Duration) (sample, error) {
	room := int(length.Seconds()*roomPerSecond)/len(askers) + 1
	found := make([][]time.Duration, len(askers))
	for c := range found {
		found[c] = make([]time.Duration, 0, room)
	}
	errs := make([]error, len(askers))
	var wg sync.WaitGroup
	cpu, begin := cpuTime(t.pid), time.Now()
	for c, ask := range askers {
		wg.Go(func() {
			took := found[c]
			// Clients begin apart, so that they do not all ask for the same vertex.
			for first := c * size / len(askers); errs[c] == nil; {
				took, errs[c] = ask((first+len(took))%size, took)
				if time.Since(begin) >= length {
					break
				}
			}
			found[c] = took
		})
	}
	wg.Wait()
	s := sample{elapsed: time.Since(begin), cpu: cpuTime(t.pid) - cpu}
	for _, f := range found {
		s.requests += len(f)
	}
	s.latencies = slices.Concat(found...)
	slices.Sort(s.latencies)
	return s, errors.Join(errs...)
}

// connect opens the clients of one kind to a server.
func connect(t *target, l *load, kind string, clients int) (askers []asker, done func(), err error) {
	if kind == driverClient {
		d, err := dialDriver(t.url, l.source)
		if err != nil {
			return nil, nil, err
		}
		for range clients {
			askers = append(askers, func(i int, took []time.Duration) ([]time.Duration, error) {
				begin := time.Now()
				err := d.ask(l.bytecode[i])
				return append(took, time.Since(begin)), err
			})
		}
		return askers, func() { d.remote.Close() }, nil
	}
	var open []*rawConn
	done = func() {
		for _, c := range open {
			c.close()
		}
	}
	for range clients {
		c, err := dialRaw(t.url)
		if err != nil {
			done()
			return nil, nil, err
		}
		open = append(open, c)
		askers = append(askers, c.asker(l, kind))
	}
	return askers, done, nil
}

// asker asks one at a time, or deep at once, or does the whole load as one request.
func (c *rawConn) asker(l *load, kind string) asker {
	switch {
	case l.transaction:
		return func(_ int, took []time.Duration) ([]time.Duration, error) {
			begin := time.Now()
			for i := range l.frames {
				if err := c.ask(l.some(i, 1)); err != nil {
					return took, err
				}
			}
			return append(took, time.Since(begin)), nil
		}
	case kind == deepClient:
		return func(i int, took []time.Duration) ([]time.Duration, error) {
			begin := time.Now()
			if err := c.send(l.some(i, deep)); err != nil {
				return took, err
			}
			for range deep {
				if err := c.await(); err != nil {
					return took, err
				}
				took = append(took, time.Since(begin))
			}
			return took, nil
		}
	}
	return func(i int, took []time.Duration) ([]time.Duration, error) {
		begin := time.Now()
		err := c.ask(l.some(i, 1))
		return append(took, time.Since(begin)), err
	}
}

func (c *rawConn) ask(frame []byte) error {
	if err := c.send(frame); err != nil {
		return err
	}
	return c.await()
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

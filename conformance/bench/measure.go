package main

import (
	"errors"
	"sort"
	"sync"
	"time"

	"github.com/gremlind/gremlind/traversal"
)

// load is what one measurement repeats: the same requests in the same order for
// every server, in both clients' forms.
type load struct {
	source   string
	bytecode []*traversal.Bytecode
	frames   [][]byte
}

// asker sends request i of a load and waits for its answer.
type asker func(i int) error

// sample is what one round found.
type sample struct {
	requests  int
	elapsed   time.Duration
	cpu       time.Duration
	latencies []time.Duration // sorted
}

func (s sample) perSecond() float64 { return float64(s.requests) / s.elapsed.Seconds() }

func (s sample) percentile(p float64) time.Duration {
	if len(s.latencies) == 0 {
		return 0
	}
	return s.latencies[min(len(s.latencies)-1, int(p*float64(len(s.latencies))))]
}

// round runs clients in parallel for a while; each finishes at least one request.
func round(t *target, askers []asker, size int, length time.Duration) (sample, error) {
	cpu, begin := cpuTime(t.pid), time.Now()
	found := make([][]time.Duration, len(askers))
	errs := make([]error, len(askers))
	var wg sync.WaitGroup
	for c, ask := range askers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			// Clients begin apart, so that they do not all ask for the same vertex.
			for i := c * size / len(askers); ; i++ {
				start := time.Now()
				if errs[c] = ask(i % size); errs[c] != nil {
					return
				}
				now := time.Now()
				found[c] = append(found[c], now.Sub(start))
				if now.Sub(begin) >= length {
					return
				}
			}
		}()
	}
	wg.Wait()
	s := sample{elapsed: time.Since(begin), cpu: cpuTime(t.pid) - cpu}
	for _, f := range found {
		s.latencies = append(s.latencies, f...)
	}
	s.requests = len(s.latencies)
	sort.Slice(s.latencies, func(i, j int) bool { return s.latencies[i] < s.latencies[j] })
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
			askers = append(askers, func(i int) error { return d.ask(l.bytecode[i]) })
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
		askers = append(askers, func(i int) error { return c.ask(l.frames[i]) })
	}
	return askers, done, nil
}

func median(values []float64) float64 {
	s := append([]float64{}, values...)
	sort.Float64s(s)
	if len(s) == 0 {
		return 0
	}
	if len(s)%2 == 0 {
		return (s[len(s)/2-1] + s[len(s)/2]) / 2
	}
	return s[len(s)/2]
}

package main

import (
	"context"
	"sync"
	"time"
)

// yardstick measures how much longer things take than on a quiet machine: by work of
// always the same size, which is timed again and again.
type yardstick struct {
	mu     sync.Mutex
	least  time.Duration
	recent []time.Duration
}

const (
	yardstickEvery = 20 * time.Millisecond
	yardstickWork  = 1 << 20 // turns, some milliseconds
	yardstickKept  = 50
)

// run measures until ctx ends.
func (y *yardstick) run(ctx context.Context) {
	for x := uint64(1); ctx.Err() == nil; time.Sleep(yardstickEvery) {
		began := time.Now()
		for range yardstickWork {
			x = x*6364136223846793005 + 1442695040888963407
		}
		if x == 0 {
			continue // never, but the work is not left out
		}
		y.add(time.Since(began))
	}
}

func (y *yardstick) add(took time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.least == 0 || took < y.least {
		y.least = took
	}
	if y.recent = append(y.recent, took); len(y.recent) > yardstickKept {
		y.recent = y.recent[1:]
	}
}

// stretch is how many times as long as on a quiet machine things took lately, at least 1.
func (y *yardstick) stretch() float64 {
	y.mu.Lock()
	defer y.mu.Unlock()
	sum := time.Duration(0)
	for _, d := range y.recent {
		sum += d
	}
	if sum == 0 {
		return 1
	}
	return max(1, float64(sum)/float64(len(y.recent))/float64(y.least))
}

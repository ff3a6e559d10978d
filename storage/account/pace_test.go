package account

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// Behind a rest some refusals come together, then one at each place, and none waits longer than
// the bound.
func TestPace(t *testing.T) {
	var p Pace
	now := time.Unix(1000, 0)
	for round := range 2 {
		for i := range refusalsAtOnce {
			if d := p.Place(now); d != 0 {
				t.Fatalf("round %d: refusal %d waits %v", round, i, d)
			}
		}
		bound := int(refusedWithin / refusalEvery)
		for i := range 2 * bound {
			if d, want := p.Place(now), min(time.Duration(i+1)*refusalEvery, refusedWithin); d != want {
				t.Fatalf("round %d: refusal %d waits %v, want %v", round, i, d, want)
			}
		}
		now = now.Add(refusedWithin)
		if d := p.Place(now); d != refusalEvery { // the last place is taken now
			t.Fatalf("round %d: %v", round, d)
		}
		now = now.Add(time.Hour)
	}
}

// No two take one place.
func TestPace_Concurrent(t *testing.T) {
	var p Pace
	now := time.Unix(1000, 0)
	var mu sync.Mutex
	seen := map[time.Duration]int{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				d := p.Place(now)
				mu.Lock()
				seen[d]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for d, n := range seen {
		if want := map[bool]int{true: refusalsAtOnce, false: 1}[d == 0]; n != want {
			t.Errorf("%d wait %v, want %d", n, d, want)
		}
	}
}

// Of the accounts that bound a charge the one that refuses it says whose quota it is.
func TestLimitError_Pace(t *testing.T) {
	var quota Pace
	user := New(New(nil, "memory", 1000), "userMemory", 100)
	user.SetPace(&quota)
	for max, want := range map[int64]*Pace{50: nil, 5000: &quota} {
		var paced Paced
		if err := New(user, "queryMemory", max).Charge(101); !errors.As(err, &paced) || paced.Pace() != want {
			t.Errorf("%d: %v", max, err)
		}
	}
	graph := New(nil, "quota.memory", 10)
	graph.SetPace(&quota)
	query := New(New(nil, "memory", 1000), "queryMemory", 1000)
	if err := query.Join(graph); err != nil {
		t.Fatal(err)
	}
	var paced Paced
	if err := query.Charge(11); !errors.As(err, &paced) || paced.Pace() != &quota {
		t.Errorf("%v", err)
	}
}

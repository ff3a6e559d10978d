package main

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func pairs(ratios ...float64) [][]sample {
	both := make([][]sample, 2)
	for _, r := range ratios {
		both[0] = append(both[0], sample{requests: int(1_000_000 * r), elapsed: time.Second})
		both[1] = append(both[1], sample{requests: 1_000_000, elapsed: time.Second})
	}
	return both
}

func TestIntervalOf(t *testing.T) {
	v := intervalOf([]float64{0.9, 1.1, 1, 1, 1, 1, 1, 1, 1, 1})
	if math.Abs(v.mean-1) > 0.01 || v.low > 0.97 || v.low < 0.96 || v.high < 1.03 || v.high > 1.04 {
		t.Errorf("got %+v", v)
	}
	if v := intervalOf([]float64{0.5}); v.low != 0 || !math.IsInf(v.high, 1) {
		t.Errorf("one pair says %+v", v)
	}
}

func TestVerdict(t *testing.T) {
	q := &query{name: "a read"}
	same := line{query: q, kind: rawClient, clients: 1, samples: pairs(1, 1.01, 0.99, 1)}
	slow := line{query: q, kind: rawClient, clients: 16, samples: pairs(0.9, 0.91, 0.89, 0.9)}
	noisy := line{query: q, kind: rawClient, clients: 16, samples: pairs(0.8, 1.2, 0.7, 1.3)}
	if err := verdict([]line{same, same}, meanBar, lineBar, io.Discard); err != nil {
		t.Errorf("nothing is slower: %v", err)
	}
	if err := verdict([]line{same, slow}, meanBar, lineBar, io.Discard); err == nil || !strings.Contains(err.Error(), "16 clients") {
		t.Errorf("a slower line is not named: %v", err)
	}
	if noisy.slower(lineBar) {
		t.Error("noise alone condemns a line")
	}
	little := line{query: q, kind: rawClient, clients: 1, samples: pairs(0.98, 0.98, 0.98, 0.98)}
	if err := verdict([]line{little, little}, meanBar, lineBar, io.Discard); err == nil || !strings.Contains(err.Error(), "geometric mean") {
		t.Errorf("all a little slower passes: %v", err)
	}
}

// TestJoined: samples of a start come behind those of the start before, line by line.
func TestJoined(t *testing.T) {
	q, other := &query{name: "a read"}, &query{name: "another"}
	first := line{query: q, kind: rawClient, clients: 1, samples: pairs(1, 2)}
	lines := joined(joined(nil, []line{first, {query: other, kind: rawClient, clients: 1, samples: pairs(5)}}), []line{
		{query: other, kind: rawClient, clients: 1, samples: pairs(6)},
		{query: q, kind: rawClient, clients: 16, samples: pairs(7)},
		{query: q, kind: rawClient, clients: 1, samples: pairs(3)},
	})
	for i, want := range [][]float64{{1, 2, 3}, {5, 6}, {7}} {
		got := ratios(lines[i].samples[0], lines[i].samples[1])
		if !slices.Equal(got, want) {
			t.Errorf("line %d has %v, want %v", i, got, want)
		}
	}
}

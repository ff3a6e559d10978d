package main

import (
	"io"
	"math"
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
	if err := verdict([]line{same, same}, io.Discard); err != nil {
		t.Errorf("nothing is slower: %v", err)
	}
	if err := verdict([]line{same, slow}, io.Discard); err == nil || !strings.Contains(err.Error(), "16 clients") {
		t.Errorf("a slower line is not named: %v", err)
	}
	if noisy.slower() {
		t.Error("noise alone condemns a line")
	}
	little := line{query: q, kind: rawClient, clients: 1, samples: pairs(0.98, 0.98, 0.98, 0.98)}
	if err := verdict([]line{little, little}, io.Discard); err == nil || !strings.Contains(err.Error(), "geometric mean") {
		t.Errorf("all a little slower passes: %v", err)
	}
}

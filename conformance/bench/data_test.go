package main

import (
	"testing"
	"time"
)

func TestThreeAway(t *testing.T) {
	// 0 -> 1 -> 2 -> 3, and a shorter way to 2.
	d := &dataset{vertices: 4, out: [][]int32{{1, 2}, {2}, {3}, {0}}}
	if got := d.threeAway(1); got != 0 {
		t.Errorf("three hops from 1 lies %d, want 0", got)
	}
	if got := d.threeAway(0); got != 0 {
		t.Errorf("nothing is three hops from 0, got %d", got)
	}
}

func TestMedianAndPercentile(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("median is %v", got)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("median is %v", got)
	}
	s := sample{requests: 4, elapsed: 2 * time.Second, latencies: []time.Duration{1, 2, 3, 4}}
	if s.perSecond() != 2 || s.percentile(.5) != 3 || s.percentile(.99) != 4 {
		t.Errorf("got %v/s, p50 %d, p99 %d", s.perSecond(), s.percentile(.5), s.percentile(.99))
	}
}

func TestQueries_Build(t *testing.T) {
	d := &dataset{vertices: 2, out: [][]int32{{1}, {0}}, seeds: []int32{0, 1}}
	for i := range queries {
		q := &queries[i]
		l, err := q.build(&target{name: "x"}, d)
		if err != nil {
			t.Errorf("%s: %v", q.name, err)
			continue
		}
		want := len(q.seeds(d))
		if q.times > 0 {
			want = q.times + 1 // and the commit
		}
		if len(l.frames) != want {
			t.Errorf("%s: %d frames, want %d", q.name, len(l.frames), want)
		}
		if q.noDriver {
			continue
		}
		for _, in := range l.bytecode[0].Steps {
			for _, a := range in.Args {
				if _, err := goArgument(a); err != nil {
					t.Errorf("%s: gremlin-go cannot say it: %v", q.name, err)
				}
			}
		}
	}
}

package occ

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// TestQueue: whatever is added comes out once, each writer's requests in their order,
// and close lets nothing in and nothing be lost.
func TestQueue(t *testing.T) {
	const writers, each = 8, 500
	q := newQueue()
	var wg sync.WaitGroup
	refused := make([]int, writers)
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if !q.add(&request{start: uint64(w), Commit: Commit{Seq: uint64(i)}}) {
					refused[w] = each - i
					return
				}
			}
		})
	}
	var got [writers][]uint64
	for open, n := true, 0; open; {
		var taken []*request
		taken, open = q.take(writers, time.Microsecond)
		if open && len(taken) == 0 {
			t.Fatal("nothing was taken from an open queue")
		}
		for _, r := range taken {
			got[r.start] = append(got[r.start], r.Seq)
		}
		if n += len(taken); n >= writers*each/2 {
			q.close()
		}
		q.reuse(taken)
	}
	wg.Wait()
	if q.len() != 0 {
		t.Errorf("%d requests are left", q.len())
	}
	for w := range writers {
		if len(got[w])+refused[w] != each || !slices.IsSorted(got[w]) {
			t.Errorf("writer %d: %d of %d came out, %d were refused, in order %v", w, len(got[w]), each, refused[w], slices.IsSorted(got[w]))
		}
	}
}

// TestQueue_Company: a group waits for the writers of the last one, not for ever, and
// not when a request is no commit.
func TestQueue_Company(t *testing.T) {
	for _, test := range []struct {
		name     string
		wait     time.Duration
		expected int
		add      []*request
	}{
		{"complete", time.Hour, 2, []*request{{}, {}}},
		{"alone", time.Nanosecond, 2, []*request{{}}},
		{"nobody expected", time.Hour, 0, []*request{{}}},
		{"no commit", time.Hour, 3, []*request{{}, {kind: acquireAlone}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newQueue()
			go func() {
				for _, r := range test.add {
					q.add(r)
				}
			}()
			n := 0
			for n < len(test.add) {
				taken, _ := q.take(test.expected-n, test.wait)
				n += len(taken)
			}
		})
	}
}

// TestQueue_Patience: who is patient goes with the next group of others, whatever it is made of, or
// alone once its patience is over; until then it is nobody's company.
func TestQueue_Patience(t *testing.T) {
	taken := func(q *queue, wait time.Duration) (starts []uint64) {
		list, _ := q.take(1, wait)
		for _, r := range list {
			starts = append(starts, r.start)
		}
		return starts
	}
	q := newQueue()
	q.add(&request{start: 1, patience: time.Hour})
	q.add(&request{start: 2})
	if got := taken(q, time.Hour); !slices.Equal(got, []uint64{1, 2}) {
		t.Errorf("with others %v were taken", got)
	}
	began := time.Now()
	q.add(&request{start: 3, patience: 20 * time.Millisecond})
	if got := taken(q, time.Hour); !slices.Equal(got, []uint64{3}) || time.Since(began) < 20*time.Millisecond {
		t.Errorf("alone %v were taken after %v", got, time.Since(began))
	}
	q.add(&request{start: 4, patience: time.Hour})
	q.add(&request{start: 5, kind: acquireAlone, patience: time.Hour})
	if got := taken(q, time.Hour); !slices.Equal(got, []uint64{4, 5}) {
		t.Errorf("with what is no commit %v were taken", got)
	}
	q.add(&request{start: 6, patience: time.Hour})
	q.close()
	if got := taken(q, time.Hour); !slices.Equal(got, []uint64{6}) {
		t.Errorf("at the end %v were taken", got)
	}
}

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

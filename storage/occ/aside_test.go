package occ

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// crowdedRecent knows four commits of ten keys each, every one a stretch, and has little room. Some of
// the keys are in all of them.
func crowdedRecent(t *testing.T, alike int) *recent {
	t.Helper()
	c := newRecent(&Limits{RecentKeys: 1000}, keys, 0)
	for seq := uint64(1); seq <= 4; seq++ {
		r := &request{}
		for i := range alike {
			r.Writes = append(r.Writes, Write{Key: fmt.Appendf(nil, "%d", i)})
		}
		for i := alike; i < 10; i++ {
			r.Writes = append(r.Writes, Write{Key: fmt.Appendf(nil, "%d of commit %d", i, seq)})
		}
		n := c.runOf(r, seq)
		c.stretches = append(c.stretches, n)
		c.keys += n.size()
		c.bytes += n.weigh().bytes
	}
	c.check()
	c.max = c.keys
	return &c
}

// TestMergeAside: two neighbours are merged while both are still there, one pair at a time, the
// newest stretch not, until none are of similar size; every key is found all the time.
func TestMergeAside(t *testing.T) {
	c := crowdedRecent(t, 2)
	all := func() {
		t.Helper()
		c.check()
		for seq := uint64(1); seq <= 4; seq++ {
			key := fmt.Appendf(nil, "%d of commit %d", 5+seq, seq)
			if !c.wrote(key, seq-1) || c.wrote(key, seq) {
				t.Errorf("commit %d is not found", seq)
			}
		}
	}
	for want := 3; want >= 2; want-- {
		before := c.keys
		c.mergeAside(0)
		if c.aside == nil || len(c.stretches) != want+1 || c.aside.has(c.stretches[want]) {
			t.Fatalf("with %d stretches %v is merged", len(c.stretches), c.aside)
		}
		all()
		c.rest()
		if len(c.stretches) != want || c.keys != before-2 {
			t.Fatalf("%d stretches of %d keys, want %d of %d", len(c.stretches), c.keys, want, before-2)
		}
		all()
	}
	if c.mergeAside(0); c.aside != nil {
		t.Error("what was merged is merged with the newest ten")
	}
}

// TestMergeAside_Forgotten: what is forgotten meanwhile does not come back, and its memory is
// not given to others while it is read.
func TestMergeAside_Forgotten(t *testing.T) {
	c := crowdedRecent(t, 2)
	c.mergeAside(0)
	was := c.aside
	c.drop(3)
	if slices.Contains(c.spare, was.a) || slices.Contains(c.spare, was.b) || len(c.spare) != 1 {
		t.Errorf("%d stretches are given away", len(c.spare))
	}
	c.rest()
	c.check()
	if len(c.stretches) != 1 || c.keys != 10 {
		t.Errorf("%d stretches of %d keys are left", len(c.stretches), c.keys)
	}
}

// TestMergeAside_Room: where there is room nothing is merged aside.
func TestMergeAside_Room(t *testing.T) {
	c := crowdedRecent(t, 2)
	c.max *= 4
	if c.mergeAside(0); c.aside != nil {
		t.Error("40 of 160 keys are merged")
	}
}

// TestMergeAside_Apart: what has hardly a key in common is looked at once, and not merged; where there
// is too much of it the oldest is forgotten.
func TestMergeAside_Apart(t *testing.T) {
	for alike, want := range []int{4, 2} {
		c := crowdedRecent(t, 2*alike)
		for range 10 {
			c.mergeAside(0)
			c.rest()
			c.check()
		}
		if c.aside != nil || len(c.stretches) != want {
			t.Errorf("%d keys alike: %d stretches, want %d", 2*alike, len(c.stretches), want)
		}
		c.max = c.keys - 1
		c.bound(0)
		c.check()
		if len(c.stretches) != want-1 || c.floor != uint64(5-want) {
			t.Errorf("%d keys alike: %d stretches are left, up to commit %d is forgotten", 2*alike, len(c.stretches), c.floor)
		}
	}
}

// TestMergeAside_Rests: a merge of many keys rests, but not while somebody waits for it, and ends soon
// when what it merges is forgotten.
func TestMergeAside_Rests(t *testing.T) {
	const n = 100 * asideStep
	many := func(seq uint64) *stretch {
		s := &stretch{first: seq, last: seq}
		for i := range n {
			s.put(fmt.Appendf(nil, "%09d", i), recentWrite{any: seq, hard: seq})
		}
		return s
	}
	for _, test := range []struct {
		name string
		then func(m *aside)
		rest bool
		want int
	}{
		{"nobody waits", func(*aside) {}, true, n},
		{"somebody waits", func(m *aside) { close(m.hurry) }, false, n},
		{"forgotten", func(m *aside) { m.gone.Store(true) }, true, asideStep - 1},
	} {
		m := newAside(many(1), many(2))
		rests := 0
		m.rests = func(d time.Duration) <-chan time.Time {
			rests++
			if test.rest {
				return time.After(0)
			}
			return nil
		}
		test.then(m)
		m.merge(0)
		if got := <-m.merged; len(got.keys) != test.want {
			t.Errorf("%s: %d keys, want %d", test.name, len(got.keys), test.want)
		}
		if rests != test.want/asideStep && test.want == n || rests > 100 {
			t.Errorf("%s: %d rests", test.name, rests)
		}
	}
}

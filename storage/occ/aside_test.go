package occ

import (
	"fmt"
	"slices"
	"testing"
)

// crowdedRecent knows four commits of ten keys each, every one a stretch, and has little room.
func crowdedRecent(t *testing.T) *recent {
	t.Helper()
	c := newRecent(&Limits{RecentKeys: 1000}, keys, 0)
	for seq := uint64(1); seq <= 4; seq++ {
		r := &request{}
		for i := range 10 {
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
	c := crowdedRecent(t)
	all := func() {
		t.Helper()
		c.check()
		for seq := uint64(1); seq <= 4; seq++ {
			key := fmt.Appendf(nil, "%d of commit %d", seq, seq)
			if !c.wrote(key, seq-1) || c.wrote(key, seq) {
				t.Errorf("commit %d is not found", seq)
			}
		}
	}
	for want := 3; want >= 2; want-- {
		c.mergeAside(0)
		if c.aside == nil || len(c.stretches) != want+1 || c.aside.has(c.stretches[want]) {
			t.Fatalf("with %d stretches %v is merged", len(c.stretches), c.aside)
		}
		all()
		c.rest()
		if len(c.stretches) != want {
			t.Fatalf("%d stretches, want %d", len(c.stretches), want)
		}
		all()
	}
	if c.mergeAside(0); c.aside != nil {
		t.Error("thirty keys are merged with the newest ten")
	}
}

// TestMergeAside_Forgotten: what is forgotten meanwhile does not come back, and its memory is
// not given to others while it is read.
func TestMergeAside_Forgotten(t *testing.T) {
	c := crowdedRecent(t)
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
	c := crowdedRecent(t)
	c.max *= 4
	if c.mergeAside(0); c.aside != nil {
		t.Error("40 of 160 keys are merged")
	}
}

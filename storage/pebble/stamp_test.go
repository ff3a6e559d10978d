package pebble_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// clock is one that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func clocked(fs vfs.FS, c *clock) pebble.Options {
	o := quiet(fs)
	o.Now = c.now
	return o
}

// stamped commits a stamp and returns it.
func stamped(t *testing.T, s storage.Store) storage.Stamp {
	t.Helper()
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err == nil {
		err = tx.SetStamped([]byte("s"), make([]byte, storage.StampSize), 1)
	}
	if err == nil {
		_, err = tx.Commit(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return stampIn(t, s, "s")
}

// stampIn is the stamp at a key, 0 when it is not there.
func stampIn(t *testing.T, s storage.Store, key string) storage.Stamp {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	b, err := snap.Get([]byte(key))
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		t.Fatal(err)
	}
	n, _ := storage.Count(b)
	return storage.Stamp(n)
}

// TestStamps: stamps ascend and tell the time, whether the clock goes, stands or jumps, and
// across an end of the store. A store that gave none keeps none.
func TestStamps(t *testing.T) {
	mem, c := vfs.NewMem(), &clock{at: time.UnixMilli(1_800_000_000_123)}
	s := open(t, dataDir, clocked(mem, c))
	commitKey(t, s, "plain")
	if got := stampIn(t, s, string(table.Layout.Stamp)); got != 0 {
		t.Errorf("a store without stamps keeps %d", got)
	}
	last := storage.Stamp(0)
	next := func(what string, want time.Time) {
		t.Helper()
		got := stamped(t, s)
		if got <= last || !got.Time().Equal(want) {
			t.Errorf("%s: %d, of %v, behind %d; want %v", what, got, got.Time(), last, want)
		}
		if kept := stampIn(t, s, string(table.Layout.Stamp)); kept != got {
			t.Errorf("%s: %d is kept of %d", what, kept, got)
		}
		last = got
	}
	start := c.at
	next("first", start)
	next("the clock stands", start)
	c.at = start.Add(time.Millisecond)
	next("the clock goes", c.at)
	c.at = start.Add(-50 * time.Minute)
	next("the clock jumped back", start.Add(time.Millisecond))
	closeStore(t, s)
	s = open(t, dataDir, clocked(mem, c))
	next("opened again", start.Add(time.Millisecond))
	c.at = start.Add(24 * time.Hour)
	next("the clock jumped forward", c.at)
	commitKey(t, s, "another")
	if kept := stampIn(t, s, string(table.Layout.Stamp)); kept != last {
		t.Errorf("a commit without a stamp left %d of %d", kept, last)
	}
	closeStore(t, s)

	c.at = start
	if _, err := pebble.Open(dataDir, clocked(mem, c)); !errors.Is(err, storage.ErrClock) ||
		!strings.Contains(err.Error(), "2027-01-16T08:00:00Z") || !strings.Contains(err.Error(), "set the clock right") {
		t.Errorf("opened a day before its last stamp: %v", err)
	}
	c.at = start.Add(23 * time.Hour)
	s = open(t, dataDir, clocked(mem, c))
	next("an hour before the last stamp", start.Add(24*time.Hour))
	closeStore(t, s)
}

// TestStampsCrash: whatever a crash leaves, the next stamp is greater than all that were
// shown to anybody, though the clock went back.
func TestStampsCrash(t *testing.T) {
	mem := vfs.NewCrashableMem()
	c := &crasher{fs: mem, rng: storagetest.Rand(1)}
	shown := 0 // stamps
	c.at = func() (int, int) { return shown, 0 }
	var points []crashPoint
	c.check = func(p crashPoint) { points = append(points, p) }
	now := &clock{at: time.UnixMilli(1_800_000_000_123)}
	s := open(t, dataDir, clocked(c.disk(), now))
	var stamps []storage.Stamp
	for range 6 {
		stamps = append(stamps, stamped(t, s))
		c.mu.Lock()
		shown++
		c.mu.Unlock()
		now.at = now.at.Add(time.Minute)
	}
	closeStore(t, s)
	for _, p := range points {
		for percent, disk := range p.disks {
			r, err := pebble.Open(dataDir, clocked(disk, &clock{at: time.UnixMilli(1_800_000_000_000)}))
			if err != nil {
				t.Fatalf("%v, %d %%: %v", p.op, percent, err)
			}
			found := stampIn(t, r, "s")
			if p.acked > 0 && found < stamps[p.acked-1] || stampIn(t, r, string(table.Layout.Stamp)) != found {
				t.Errorf("%v, %d %%: %d is there, %d were shown", p.op, percent, found, p.acked)
			}
			if next := stamped(t, r); next <= found {
				t.Errorf("%v, %d %%: %d behind %d", p.op, percent, next, found)
			}
			closeStore(t, r)
		}
	}
}

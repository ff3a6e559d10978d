package storagetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// Random histories over a few contended keys, many that are made once, and counts.
const (
	contendedKeys = 6
	onceKeys      = 40
)

// historyRun is a random history under way.
type historyRun struct {
	*bench
	level storage.Isolation
	clock atomic.Int64
	value atomic.Int64 // last value given out
	mu    sync.Mutex
	h     history
}

// client runs one transaction after the other.
type client struct {
	*historyRun
	rng *rand.Rand
	tx  storage.Tx
	rec *record
	own map[string]bool
}

func (r *historyRun) client(rng *rand.Rand) *client { return &client{historyRun: r, rng: rng} }

// step does one operation, beginning a transaction when none is open. It returns true
// at the end of a transaction.
func (c *client) step() bool {
	if c.tx == nil {
		c.open()
		return false
	}
	if c.level == storage.CommittedIsolation && c.rng.IntN(3) == 0 {
		c.refresh()
	}
	switch n := c.rng.IntN(23); {
	case n < 6:
		c.read(c.key())
	case n < 9:
		c.scan()
	case n < 14:
		c.write()
	case n < 17:
		c.sum()
	case n < 18:
		c.end(false)
		return true
	default:
		c.end(true)
		return true
	}
	return false
}

func (c *client) open() {
	c.rec = &record{readOnly: c.rng.IntN(5) == 0, begin: c.clock.Add(1)}
	c.mu.Lock()
	c.rec.id = len(c.h.records)
	c.h.records = append(c.h.records, c.rec)
	c.mu.Unlock()
	var err error
	c.tx, err = c.store.Begin(context.Background(), storage.TxOptions{Isolation: c.level, ReadOnly: c.rec.readOnly})
	c.ok(err)
	c.rec.start = c.tx.Seq()
	c.own = map[string]bool{}
}

func (c *client) key() string {
	if c.rng.IntN(4) == 0 {
		return onceKey(c.rng.IntN(onceKeys))
	}
	return fmt.Sprint("k", c.rng.IntN(contendedKeys))
}

func onceKey(i int) string { return fmt.Sprintf("once/%03d", i) }

func (c *client) saw(key string, v []byte) {
	if c.own[key] {
		return
	}
	n, _ := strconv.Atoi(string(v)) // a missing value is version 0
	c.rec.reads = append(c.rec.reads, observed{key, n})
	c.rec.readAt = append(c.rec.readAt, c.tx.Seq())
}

// refresh moves the snapshot on. What was written stays as it was written.
func (c *client) refresh() {
	newest := c.store.Seq()
	c.ok(c.tx.Refresh(context.Background()))
	if c.tx.Seq() < newest {
		c.Errorf("refreshed to commit %d behind commit %d", c.tx.Seq(), newest)
	}
	for key := range c.own {
		v, err := c.tx.Get([]byte(key))
		c.ok(err)
		if n, _ := strconv.Atoi(string(v)); n != c.rec.leaves(key) {
			c.Errorf("transaction %d wrote %s=%d and reads %s", c.rec.id, key, c.rec.leaves(key), v)
		}
	}
}

func (c *client) read(key string) {
	v, err := c.tx.Get([]byte(key))
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		c.ok(err)
	}
	c.saw(key, v)
}

// scan reads a range of the keys that are made once, and every key of it counts.
func (c *client) scan() {
	from := c.rng.IntN(onceKeys)
	to := from + 1 + c.rng.IntN(onceKeys-from)
	found := map[string][]byte{}
	it := c.tx.Scan(storage.ScanOptions{From: []byte(onceKey(from)), To: []byte(onceKey(to)), Reverse: c.rng.IntN(2) == 0})
	for it.Next() {
		found[string(it.Key())] = append([]byte(nil), it.Value()...)
	}
	c.ok(it.Close())
	for i := from; i < to; i++ {
		c.saw(onceKey(i), found[onceKey(i)])
	}
}

func (c *client) write() {
	if c.rec.readOnly {
		return
	}
	key := c.key()
	if c.rng.IntN(2) == 0 {
		c.read(key)
	}
	n := int(c.value.Add(1))
	switch err := c.tx.Set([]byte(key), []byte(strconv.Itoa(n))); {
	case c.level == storage.CommittedIsolation && errors.Is(err, storage.ErrConflict):
		return // refreshed, and lost already
	default:
		c.ok(err)
	}
	c.rec.writes = append(c.rec.writes, observed{key, n})
	c.rec.wroteAt = append(c.rec.wroteAt, c.tx.Seq())
	c.own[key] = true
}

func (c *client) end(commit bool) {
	if commit {
		c.stamp()
		commit := c.tx.Commit
		if c.rng.IntN(2) == 0 {
			commit = func(context.Context) (uint64, error) { return await(c.tx) }
		}
		seq, err := commit(context.Background())
		if err != nil && !errors.Is(err, storage.ErrConflict) {
			c.ok(err)
		}
		c.rec.seq, c.rec.committed = seq, err == nil
		if err == nil && c.h.order != nil {
			c.look()
		}
	}
	c.ok(c.tx.Close())
	c.rec.end = c.clock.Add(1)
	c.tx = nil
}

// look notes which versions the keys just written have, seen from outside.
func (c *client) look() {
	snap, err := c.store.Snapshot()
	c.ok(err)
	for _, key := range c.rec.keys() {
		v, err := snap.Get([]byte(key))
		c.ok(err)
		n, err := strconv.Atoi(string(v))
		c.ok(err)
		c.h.order[key] = append(c.h.order[key], n)
	}
	c.ok(snap.Close())
}

// finish ends what is open and returns the anomalies and the rate of aborts.
func (r *historyRun) finish() ([]string, float64) {
	commits, aborts := 0, 0
	for _, rec := range r.h.records {
		if rec.committed {
			commits++
		} else {
			aborts++
		}
	}
	return r.h.anomalies(r.level), float64(aborts) / float64(commits+aborts)
}

// interleaved runs a history of n transactions in one goroutine, up to 8 of them open
// at a time: the seed decides everything.
func interleaved(b *bench, level storage.Isolation, seed uint64, n int) *historyRun {
	r := &historyRun{bench: b, level: level, h: history{order: map[string][]int{}}}
	rng := Rand(seed)
	clients := make([]*client, 8)
	for i := range clients {
		clients[i] = r.client(rng)
	}
	for done := 0; done < n; {
		if clients[rng.IntN(len(clients))].step() {
			done++
		}
	}
	for _, c := range clients {
		if c.tx != nil {
			c.end(true)
		}
	}
	return r
}

// concurrent runs a history with a goroutine per client.
func concurrent(b *bench, level storage.Isolation, seed uint64, n int) *historyRun {
	r := &historyRun{bench: b, level: level}
	var wg sync.WaitGroup
	for i := range 8 {
		c := r.client(Rand(seed*8 + uint64(i)))
		wg.Go(func() {
			for done := 0; done < n/8; {
				if c.step() {
					done++
				}
			}
		})
	}
	wg.Wait()
	return r
}

// runHistories checks random histories on all levels.
func runHistories(t *testing.T, open Open) {
	for name, level := range levels {
		t.Run("Interleaved/"+name, func(t *testing.T) {
			Seeds(t, 10, func(t *testing.T, seed uint64) { checkHistory(t, interleaved(newBench(t, open), level, seed, 150)) })
		})
	}
	RunConcurrent(t, open)
}

func checkHistory(t *testing.T, r *historyRun) {
	t.Helper()
	bad, aborts := r.finish()
	for _, b := range bad {
		t.Error(b)
	}
	r.checkStamps()
	r.checkSums()
	t.Logf("%d transactions, %.0f %% aborted", len(r.h.records), 100*aborts)
}

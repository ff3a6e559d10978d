package pebble

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// cached is a store with small blocks of noise, more than fit into its cache.
type cached struct {
	*testing.T
	dir string
	*Store
}

const (
	cachedBytes, cachedTable = 8 << 20, 4 << 20
	cachedValues             = 2400
)

func (c *cached) open() {
	s, err := Open(c.dir, Options{Layout: table.Layout, CacheBytes: cachedBytes, MemTableBytes: cachedTable, BallastBytes: -1, DiskReserve: -1,
		Tick: time.Hour, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		c.Fatal(err)
	}
	c.Store = s
}

// write writes values, which take as much on disk.
func (c *cached) write(values int) {
	noise := rand.NewChaCha8([32]byte{})
	for i := 0; i < values; i += 100 {
		tx, err := c.Begin(c.Context(), storage.TxOptions{})
		if err != nil {
			c.Fatal(err)
		}
		for j := range 100 {
			value := make([]byte, 8<<10)
			_, _ = noise.Read(value)
			if err := tx.Set(fmt.Appendf(nil, "k%d", i+j), value); err != nil {
				c.Fatal(err)
			}
		}
		if _, err := tx.Commit(c.Context()); err != nil {
			c.Fatal(err)
		}
	}
}

// read reads all values, and returns what blocks take then.
func (c *cached) read() int64 {
	snap, err := c.Snapshot()
	if err != nil {
		c.Fatal(err)
	}
	it := snap.Scan(storage.ScanOptions{From: []byte("k"), To: []byte("l")})
	n := 0
	for it.Next() {
		n++
	}
	if err := it.Close(); err != nil || n != cachedValues {
		c.Fatalf("%d keys, %v", n, err)
	}
	if err := snap.Close(); err != nil {
		c.Fatal(err)
	}
	return c.db.Metrics().BlockCache.Size
}

// settled reads until blocks take their share: with a compaction that ends meanwhile those of the
// tables that it has merged go.
func (c *cached) settled() (blocks int64) {
	for range 10 {
		if blocks = c.read(); blocks >= cachedBytes/2 {
			break
		}
	}
	return blocks
}

// TestBlockCache_Size reads far more than fits into the cache, before anything is written
// and between writes that fill many tables in memory: blocks take what they may, no room of
// tables that are not there, and have not lost theirs to those that are.
func TestBlockCache_Size(t *testing.T) {
	c := &cached{T: t, dir: t.TempDir()}
	c.open()
	c.write(cachedValues)
	for range 2 {
		c.write(cachedValues)
		if got := c.settled(); got < cachedBytes/2 || got > cachedBytes+memTableShare*cachedTable {
			t.Errorf("between writes blocks of %d bytes are cached, of %d", got, cachedBytes)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c.open()
	if got := c.settled(); got > cachedBytes+cachedBytes/2 || got < cachedBytes/2 {
		t.Errorf("blocks of %d bytes are cached, of %d", got, cachedBytes)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

package pebble

import (
	"github.com/cockroachdb/pebble/v2"
)

// memTableShare is how many tables in memory Pebble's cache holds room for beside its
// blocks: it takes their size off its own, and a flush has two of them at once.
const memTableShare = 2

// blockCache is Pebble's cache. Pebble would fill the room for tables in memory with blocks
// as long as there are none, and a server that only reads would take far more than
// Options.CacheBytes. What of the room is not in use is therefore reserved, too.
type blockCache struct {
	cache   *pebble.Cache
	room    int64 // for tables in memory
	unused  int64 // of that, reserved here
	release func()
	moved   chan struct{} // tables in memory came or went
}

func (c *blockCache) init(o *Options) {
	c.room = memTableShare * o.MemTableBytes
	c.cache = pebble.NewCache(o.CacheBytes + c.room)
	c.moved = make(chan struct{}, 1)
	c.reserve(c.room)
}

// reserve keeps blocks out of so many bytes.
func (c *blockCache) reserve(bytes int64) {
	if c.release != nil {
		c.release()
	}
	c.unused, c.release = bytes, c.cache.Reserve(int(bytes))
}

// notify has the room looked at soon.
func (c *blockCache) notify() {
	select {
	case c.moved <- struct{}{}:
	default:
	}
}

// growth is how many times as much room as they have tables in memory may take before the
// keeper hears of it: each has twice the size of the one before, up to MemTableBytes. Were the
// cache ever to shrink to nothing, it would be slow to take blocks again.
const growth = 4

// balance reserves what tables in memory leave of their room. The keeper alone calls it.
func (c *blockCache) balance(all *pebble.Metrics) {
	m := &all.MemTable
	if unused := max(c.room-growth*int64(m.Size+m.ZombieSize), 0); unused != c.unused {
		c.reserve(unused)
	}
}

package rowcache

import (
	"sync"
	"sync/atomic"
)

// Stats counts what a Budget's tables did.
type Stats struct {
	Bytes     int64 // of the rows held
	Rows      int64
	Installed int64 // offers taken
	Refused   int64 // offers void because of a commit
	Evicted   int64
	Copied    int64 // edges copied to make successors
}

const (
	lockCount  = 1 << 9
	touchCount = 1 << 16
)

// Budget bounds the memory of the tables made with it.
type Budget struct {
	max   int64
	bytes atomic.Int64

	ghosts ghosts

	installed, refused, evicted, rows, copied atomic.Int64
	tables                                    atomic.Uint64 // made so far, to give each a hash of its own

	mu    sync.Mutex
	queue []queued // rows in the order in which eviction looks at them
	head  int
}

// Commits remembers which rows the commits of one store touched last. Tables over
// different stores must not share one: their commits are numbered apart.
type Commits struct {
	locks [lockCount]sync.Mutex
	// touched is the last commit to any row of that hash, guarded by its lock.
	touched [touchCount]uint64
}

// queued is a row that eviction will look at.
type queued struct {
	table evicter
	id    uint64
}

type evicter interface {
	// evict drops the row unless it is to be spared when it was used since the last time.
	evict(id uint64, spare bool) (dropped bool)
	// holds reports whether the row is there.
	holds(id uint64) bool
}

// NewBudget makes a budget of max bytes.
func NewBudget(max int64) *Budget { return &Budget{max: max} }

// Max returns the bound in bytes.
func (b *Budget) Max() int64 { return b.max }

// Full reports whether rows are dropped to make room for more bytes of others, or nearly so.
func (b *Budget) Full(more int64) bool { return b.bytes.Load()+more > b.max-b.max/8 }

// Stats returns the counts so far.
func (b *Budget) Stats() Stats {
	return Stats{
		Bytes: b.bytes.Load(), Rows: b.rows.Load(), Installed: b.installed.Load(),
		Refused: b.refused.Load(), Evicted: b.evicted.Load(), Copied: b.copied.Load(),
	}
}

// hash spreads the rows of all tables.
func hash(table, id uint64) uint64 {
	h := (id + table<<56) * 0x9E3779B97F4A7C15
	return h ^ h>>29 ^ h>>48 // the table is in the upper bits, what is used in the lower ones
}

func (c *Commits) lock(h uint64) *sync.Mutex { return &c.locks[h%lockCount] }

func (b *Budget) enqueue(t evicter, id uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.head > len(b.queue)/2 && b.head > 1024 {
		n := copy(b.queue, b.queue[b.head:])
		clear(b.queue[n:])
		b.queue, b.head = b.queue[:n], 0
	}
	b.queue = append(b.queue, queued{t, id})
	b.sweep()
}

// sweep looks at the first rows when many of those in the queue must be gone: dropped
// with their elements.
func (b *Budget) sweep() {
	for range 2 {
		if int64(len(b.queue)-b.head) <= 2*b.rows.Load()+1024 {
			return
		}
		if q, _ := b.first(); q.table.holds(q.id) {
			b.queue = append(b.queue, q)
		}
	}
}

func (b *Budget) dequeue() (queued, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.first()
}

func (b *Budget) first() (queued, bool) {
	if b.head == len(b.queue) {
		return queued{}, false
	}
	q := b.queue[b.head]
	b.queue[b.head] = queued{}
	b.head++
	return q, true
}

// evictChances is how many rows in use one Shrink spares. When there are more of them
// side by side, some must go all the same: the budget holds.
const evictChances = 64

// Shrink evicts until the rows fit, looking at no more than looks of them. Places of rows that
// are gone do not count: each is looked at once.
func (b *Budget) Shrink(looks int) {
	for spared := 0; looks > 0 && b.bytes.Load() > b.max; {
		q, ok := b.dequeue()
		if !ok {
			return
		}
		if !q.table.holds(q.id) {
			continue
		}
		looks--
		if !q.table.evict(q.id, spared < evictChances) {
			spared++
			b.enqueue(q.table, q.id)
		}
	}
}

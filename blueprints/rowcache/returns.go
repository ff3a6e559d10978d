package rowcache

import (
	"sync/atomic"

	"github.com/gremlind/gremlind/storage/table"
)

// Whose rows come back. When rows fill the budget, one that is read is worth its place only
// if it is wanted again before those that come meanwhile would have pushed it out. Budget
// remembers when elements were read last, and not as rows: the ghosts of 2Q (Johnson and
// Shasha, "2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm",
// VLDB 1994), one for elements side by side, and with no list, for age alone counts.

const (
	// ghostSpan is how many elements side by side have one ghost.
	ghostSpan = 1 << 10
	// ghostBits says how many ghosts there are: those of 16 million elements in 128 KiB.
	ghostBits = 14
	// ghostAge is the bits of a ghost that say when; the others say whose it is.
	ghostAge = 40
)

// ghosts remembers when elements were read.
type ghosts struct {
	read atomic.Uint64 // elements, by all
	seen [1 << ghostBits]atomic.Uint64
}

// GhostOf names the ghost of an element; it is not 0.
func GhostOf(graph uint32, class table.Class, id uint64) uint64 {
	return hash(uint64(graph)<<2|uint64(class), id/ghostSpan) | 1
}

// Returns takes note that n elements of a ghost are read, beside the rows, and reports whether
// rows of them would still be there if they had been made the last time.
func (b *Budget) Returns(ghost uint64, n int) bool {
	now := b.ghosts.read.Add(uint64(n)) & (1<<ghostAge - 1)
	at := &b.ghosts.seen[ghost>>(64-ghostBits)]
	before := at.Swap(ghost<<ghostAge | now)
	if before>>ghostAge != ghost<<ghostAge>>ghostAge {
		return false
	}
	since := now - before&(1<<ghostAge-1)
	return since < uint64(n)+b.roomFor()
}

// Read takes note of n more elements that are read of the ghost that was asked for last.
func (b *Budget) Read(n int) { b.ghosts.read.Add(uint64(n)) }

// roomFor is how many rows the budget has room for, when all are as large as those it holds.
func (b *Budget) roomFor() uint64 {
	bytes, rows := b.bytes.Load(), b.rows.Load()
	if bytes <= 0 || rows <= 0 {
		return 0
	}
	return uint64(float64(b.max) / float64(bytes) * float64(rows))
}

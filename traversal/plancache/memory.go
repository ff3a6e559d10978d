package plancache

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Memory is the memory of plans that got their constants.
type Memory struct {
	plans  block[traversal.Plan]
	nodes  block[traversal.Node]
	lists  block[*traversal.Node]
	args   block[traversal.Arg]
	values block[value.Value]
	starts block[traversal.GraphStart]
	has    block[traversal.Has]
	tests  block[traversal.P]
}

// Release lets the memory be used again. Nobody may refer to the plans that had it.
func (r *Memory) Release() {
	r.plans.release()
	r.nodes.release()
	r.lists.release()
	r.args.release()
	r.values.release()
	r.starts.release()
	r.has.release()
	r.tests.release()
}

// block hands out parts of an array.
type block[T any] struct{ items []T }

// blockSize is how many items an array has.
const blockSize = 8

// take returns n items that are zero.
func (b *block[T]) take(n int) []T {
	from := len(b.items)
	if n > cap(b.items)-from {
		if n > blockSize {
			return make([]T, n)
		}
		b.items, from = make([]T, 0, blockSize), 0 // who has parts of the old one keeps it
	}
	b.items = b.items[:from+n]
	return b.items[from : from+n : from+n]
}

func (b *block[T]) copyOf(list []T) []T {
	out := b.take(len(list))
	copy(out, list)
	return out
}

func (b *block[T]) release() {
	clear(b.items)
	b.items = b.items[:0]
}

package traversal

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Batch is what steps hand to each other: traversers in order, one column for each of
// their parts. Most traversers are nothing but their object, and so are most batches:
// the other columns are empty where no traverser of the batch needs them.
type Batch struct {
	// Objects is where the traversers are. Whoever appends to it calls Fill before
	// anything else is done with the batch.
	Objects []value.Value
	bulks   []int64  // empty when every bulk is 1
	rest    []*Extra // empty when nobody has one
}

// Len returns the number of traversers.
func (b *Batch) Len() int { return len(b.Objects) }

// Plain reports whether the traversers are nothing but their objects: bulk 1, no path, no
// sack, no loops.
func (b *Batch) Plain() bool { return len(b.bulks) == 0 && len(b.rest) == 0 }

// Singles reports whether every bulk is 1.
func (b *Batch) Singles() bool { return len(b.bulks) == 0 }

// At returns the traverser at i.
func (b *Batch) At(i int) Traverser {
	return Traverser{Value: b.Objects[i], Bulk: b.Bulk(i), X: b.extra(i)}
}

// Bulk returns the bulk of the traverser at i.
func (b *Batch) Bulk(i int) int64 {
	if len(b.bulks) == 0 {
		return 1
	}
	return b.bulks[i]
}

func (b *Batch) extra(i int) *Extra {
	if len(b.rest) == 0 {
		return nil
	}
	return b.rest[i]
}

// Bulks returns the sum of the bulks from a traverser on. It wraps as Java's long does.
func (b *Batch) Bulks(from int) int64 {
	if len(b.bulks) == 0 {
		return int64(len(b.Objects) - from)
	}
	var n int64
	for _, bulk := range b.bulks[from:] {
		n += bulk
	}
	return n
}

// quickly is up to how many traversers a batch that they come to one by one makes room for
// four times as many.
const quickly = 256

// Add appends a traverser.
func (b *Batch) Add(t Traverser) {
	if n := len(b.Objects); n == cap(b.Objects) && n > 0 && n < quickly {
		b.Grow(3 * n) // append would make room less at a time, for each column
	}
	b.Objects = append(b.Objects, t.Value)
	if t.Bulk != 1 || len(b.bulks) > 0 {
		b.widenBulks(len(b.Objects) - 1)
		b.bulks = append(b.bulks, t.Bulk)
	}
	if t.X != nil || len(b.rest) > 0 {
		b.widenRest(len(b.Objects) - 1)
		b.rest = append(b.rest, t.X)
	}
}

// Append appends traversers.
func (b *Batch) Append(ts []Traverser) {
	from := len(b.Objects)
	bulks, rest := len(b.bulks) > 0, len(b.rest) > 0
	b.Grow(len(ts))
	for i := range ts {
		b.Objects = append(b.Objects, ts[i].Value)
		bulks, rest = bulks || ts[i].Bulk != 1, rest || ts[i].X != nil
	}
	if bulks {
		b.widenBulks(from)
		for i := range ts {
			b.bulks = append(b.bulks, ts[i].Bulk)
		}
	}
	if rest {
		b.widenRest(from)
		for i := range ts {
			b.rest = append(b.rest, ts[i].X)
		}
	}
}

// AppendFrom appends those traversers of another batch.
func (b *Batch) AppendFrom(a *Batch, from, to int) {
	n := len(b.Objects)
	b.Objects = append(b.Objects, a.Objects[from:to]...)
	if len(a.bulks) > 0 || len(b.bulks) > 0 {
		b.widenBulks(n)
		for i := from; i < to; i++ {
			b.bulks = append(b.bulks, a.Bulk(i))
		}
	}
	if len(a.rest) > 0 || len(b.rest) > 0 {
		b.widenRest(n)
		for i := from; i < to; i++ {
			b.rest = append(b.rest, a.extra(i))
		}
	}
}

// Fill says that the objects from a place on, which were just appended, have the bulk and
// the rest of one traverser.
func (b *Batch) Fill(from int, bulk int64, x *Extra) {
	n := len(b.Objects)
	if bulk != 1 || len(b.bulks) > 0 {
		b.widenBulks(from)
		for len(b.bulks) < n {
			b.bulks = append(b.bulks, bulk)
		}
	}
	if x != nil || len(b.rest) > 0 {
		b.widenRest(from)
		for len(b.rest) < n {
			b.rest = append(b.rest, x)
		}
	}
}

// widenBulks gives the first n traversers a bulk each, and makes room for as many as there
// is room for objects.
func (b *Batch) widenBulks(n int) {
	if cap(b.bulks) < cap(b.Objects) {
		b.bulks = append(make([]int64, 0, cap(b.Objects)), b.bulks...)
	}
	for len(b.bulks) < n {
		b.bulks = append(b.bulks, 1)
	}
}

func (b *Batch) widenRest(n int) {
	if cap(b.rest) < cap(b.Objects) {
		b.rest = append(make([]*Extra, 0, cap(b.Objects)), b.rest...)
	}
	for len(b.rest) < n {
		b.rest = append(b.rest, nil)
	}
}

// Set puts another traverser in the place of one.
func (b *Batch) Set(i int, t Traverser) {
	b.Objects[i] = t.Value
	if t.Bulk != b.Bulk(i) {
		b.widenBulks(len(b.Objects))
		b.bulks[i] = t.Bulk
	}
	if t.X != b.extra(i) {
		b.widenRest(len(b.Objects))
		b.rest[i] = t.X
	}
}

// Truncate keeps the first n traversers.
func (b *Batch) Truncate(n int) {
	b.Objects = b.Objects[:n]
	if len(b.bulks) > 0 {
		b.bulks = b.bulks[:n]
	}
	if len(b.rest) > 0 {
		b.rest = b.rest[:n]
	}
}

// Grow makes room for n more objects.
func (b *Batch) Grow(n int) { b.Objects = slices.Grow(b.Objects, n) }

// Clear empties b and keeps its memory.
func (b *Batch) Clear() { b.Objects, b.bulks, b.rest = b.Objects[:0], b.bulks[:0], b.rest[:0] }

// Release empties b and forgets what was in it; its memory is kept when it has room for
// no more than max traversers.
func (b *Batch) Release(max int) {
	if cap(b.Objects) > max || cap(b.rest) > max {
		*b = Batch{}
		return
	}
	clear(b.Objects[:cap(b.Objects)])
	clear(b.rest[:cap(b.rest)])
	b.Clear()
}

// batchMax is the largest demand a step makes of the one before it.
const batchMax = 1024

// VertexIDs appends the ids of the stored vertices that objs begins with.
func VertexIDs(dst []blueprints.VertexID, objs []value.Value) []blueprints.VertexID {
	n := 0
	for n < len(objs) && objs[n].Kind() == value.KindVertex && objs[n].IsStored() {
		n++
	}
	dst = slices.Grow(dst, n)
	for i := range n {
		dst = append(dst, blueprints.VertexID(objs[i].Ref()))
	}
	return dst
}

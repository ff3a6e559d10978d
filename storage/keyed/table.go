package keyed

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/gremlind/gremlind/storage/account"
)

// Number is what a Table keeps for an id.
type Number interface {
	~int32 | ~uint32 | ~int64 | ~float64
}

// Table keeps a number for each of some internal ids: a few are hashed, many are an array
// by id, and bits beside it say which of its numbers count. A number may be 0. What is
// there has no order; an Index has one. The zero Table is empty.
//
// After an error of the account the table has everything but what the failed call was to
// add, of which it may have a part.
type Table[P Number] struct {
	// Rooms, when not nil, lends the array.
	Rooms *Rooms[P]
	// Account is charged before the table grows; nil means no limit.
	Account *account.Account
	charged int64

	few  Index
	sums []P // by the places of few

	room[P]
	// full is set when order would be so long that the bits are rather walked, for ids that
	// follow each other lie together in memory: then order takes no more.
	full bool
	paid int // ids in order that the account was charged for

	at, fewAt int // where Take is: in order or in the bits, and in few
}

// room is the array of a Table. Without a table all its bits are 0.
type room[P Number] struct {
	array []P      // by id; a power of two, 64 at least
	there []uint64 // which of them count: one bit each
	order []uint32 // their ids, in the order of coming; of those that are there
}

// Rooms keeps the arrays of tables that are done, for those that come.
type Rooms[P Number] struct{ pool sync.Pool }

func (r *Rooms[P]) get() *room[P] {
	if r == nil {
		return nil
	}
	ready, _ := r.pool.Get().(*room[P])
	return ready
}

const (
	// sparsest says how few an array may have: one id in so many.
	sparsest = 256
	// arrayMax bounds the ids in an array.
	arrayMax = 1 << 27
	// tableMin is how many ids there must be for an array, and how long that is at least.
	tableMin = 1 << 6
	// fullest is how full an array is when its order is given up: one in so many.
	fullest = 8
	// numberBytes is what a number is charged for, whatever its type.
	numberBytes = 8
)

// Add adds n to the number of an id.
func (t *Table[P]) Add(id uint64, n P) error {
	if id < uint64(len(t.array)) {
		word, bit := &t.there[id>>6], uint64(1)<<(id&63)
		if *word&bit != 0 {
			t.array[id] += n
			return nil
		}
		return t.come(id, n)
	}
	return t.addFar(id, n)
}

// AddPairs adds n to every second of pairs, as blueprints.Ends has them.
func (t *Table[P]) AddPairs(pairs []uint32, n P) error {
	array, there := t.array, t.there
	for k := 1; k < len(pairs); k += 2 {
		id := pairs[k]
		if w := int(id >> 6); w < len(there) && int(id) < len(array) {
			if there[w]>>(id&63)&1 != 0 {
				array[id] += n
				continue
			}
			if t.full {
				there[w] |= 1 << (id & 63)
				array[id] = n
				continue
			}
		}
		if err := t.Add(uint64(id), n); err != nil {
			return err
		}
		array, there = t.array, t.there
	}
	return nil
}

// come enters an id that is within the array and not there.
func (t *Table[P]) come(id uint64, n P) error {
	if !t.full {
		if len(t.order) == t.paid {
			if err := t.charge(cap(t.sums), max(tableMin, 2*t.paid), len(t.array)); err != nil {
				return err
			}
			t.order = slices.Grow(t.order, t.paid-len(t.order))
		}
		t.order = append(t.order, uint32(id))
		t.full = len(t.order)*fullest > len(t.array)
	}
	t.there[id>>6] |= 1 << (id & 63)
	t.array[id] = n
	return nil
}

// addFar adds to the number of an id beyond the array.
func (t *Table[P]) addFar(id uint64, n P) error {
	if i := t.few.Find(id); i >= 0 {
		t.sums[i] += n
		return nil
	}
	if t.array != nil && id < arrayMax && id < sparsest*uint64(t.Len()) {
		if err := t.spread(id); err != nil {
			return err
		}
		return t.Add(id, n)
	}
	if t.few.Len() == cap(t.sums) {
		if err := t.growFew(); err != nil {
			return err
		}
		return t.Add(id, n)
	}
	t.few.Append(id)
	t.sums = append(t.sums, n)
	return nil
}

// growFew moves the few to an array when they are many and near enough, or makes room for
// more of them.
func (t *Table[P]) growFew() error {
	greatest, near := uint64(0), 0
	for _, id := range t.few.Keys() {
		if id < arrayMax {
			greatest, near = max(greatest, id), near+1
		}
	}
	if near >= tableMin {
		// An array that lies ready costs nothing, however sparse it will be.
		ready := t.Rooms.get()
		switch {
		case ready != nil && greatest < uint64(len(ready.array)):
			return t.take(ready)
		case ready != nil:
			t.Rooms.pool.Put(ready)
		}
		if greatest < sparsest*uint64(near+len(t.order)) {
			return t.spread(greatest)
		}
	}
	few := max(firstFew, 4*t.few.Len())
	if near >= tableMin {
		few = 2 * t.few.Len()
	}
	if err := t.charge(few, t.paid, len(t.array)); err != nil {
		return err
	}
	if few == firstFew {
		first := &firstRoom[P]{}
		t.few.lend(first.keys[:0], first.slots[:])
		t.sums = first.sums[:0]
		return nil
	}
	t.few.Grow(few)
	t.sums = append(make([]P, 0, few), t.sums...)
	return nil
}

// firstFew is what a Table makes room for at first, all at once.
const firstFew = 16

type firstRoom[P Number] struct {
	keys  [firstFew]uint64
	sums  [firstFew]P
	slots [2 * firstFew]uint32
}

// spread makes the array reach an id and moves what it can of the few into it.
func (t *Table[P]) spread(id uint64) error {
	size := max(tableMin, 1<<bits.Len64(id))
	next := t.Rooms.get()
	if next == nil || len(next.array) < size {
		if err := t.charge(cap(t.sums), t.paid+size/sparsest, size); err != nil {
			return err
		}
		next = &room[P]{array: make([]P, size), there: make([]uint64, size/64)}
	}
	return t.take(next)
}

// take moves to an empty array that is no smaller than the one there is.
func (t *Table[P]) take(next *room[P]) error {
	if err := t.charge(cap(t.sums), max(t.paid, t.Len()), len(next.array)); err != nil {
		return err
	}
	copy(next.array, t.array)
	copy(next.there, t.there)
	next.order = append(slices.Grow(next.order[:0], t.paid), t.order...)
	few, sums := t.few, t.sums
	t.room, t.few, t.sums = *next, Index{}, nil
	for i, id := range few.Keys() {
		if err := t.Add(id, sums[i]); err != nil {
			return err
		}
	}
	return t.charge(cap(t.sums), t.paid, len(t.array))
}

// charge makes the account hold what a table takes with so many few, an order of so many
// and such an array.
func (t *Table[P]) charge(few, order, array int) error {
	bytes := int64(4 * order)
	if few > 0 {
		bytes += IndexBytes(few) + int64(numberBytes*few)
	}
	// An array that lay ready counts as one that would have been made.
	bytes += int64(min(numberBytes*array+array/8, 2*numberBytes*sparsest*order))
	if more := bytes - t.charged; more > 0 {
		if err := t.Account.Charge(more); err != nil {
			return err
		}
	} else {
		t.Account.Release(-more)
	}
	t.charged, t.paid = bytes, order
	return nil
}

// Get returns the number of an id, and whether it is there.
func (t *Table[P]) Get(id uint64) (P, bool) {
	if id < uint64(len(t.array)) {
		if t.there[id>>6]>>(id&63)&1 == 0 {
			return 0, false
		}
		return t.array[id], true
	}
	if i := t.few.Find(id); i >= 0 {
		return t.sums[i], true
	}
	return 0, false
}

// Len returns the number of ids.
func (t *Table[P]) Len() int {
	n := t.few.Len() + len(t.order)
	if t.full {
		n = t.few.Len()
		for _, word := range t.there {
			n += bits.OnesCount64(word)
		}
	}
	return n
}

// Take takes up to max ids with their numbers out; none at the end, when nothing is left.
// Nothing may be added before that.
func Take[ID ~uint64, P Number](t *Table[P], ids []ID, ns []P, max int) ([]ID, []P) {
	if t.full {
		for ; len(ids) < max && t.at < len(t.there); t.at++ {
			word := t.there[t.at]
			for word != 0 && len(ids) < max {
				id := t.at<<6 + bits.TrailingZeros64(word)
				word &= word - 1
				ids, ns = append(ids, ID(id)), append(ns, t.array[id])
			}
			t.there[t.at] = word
			if word != 0 {
				return ids, ns
			}
		}
	} else {
		for ; len(ids) < max && t.at < len(t.order); t.at++ {
			id := t.order[t.at]
			t.there[id>>6] &^= 1 << (id & 63)
			ids, ns = append(ids, ID(id)), append(ns, t.array[id])
		}
	}
	for ; len(ids) < max && t.fewAt < t.few.Len(); t.fewAt++ {
		ids, ns = append(ids, ID(t.few.keys[t.fewAt])), append(ns, t.sums[t.fewAt])
	}
	if len(ids) == 0 {
		t.Reset()
	}
	return ids, ns
}

// Reset empties the table and keeps its memory.
func (t *Table[P]) Reset() {
	if t.full {
		clear(t.there)
	} else {
		for _, id := range t.order {
			t.there[id>>6] = 0
		}
	}
	t.order, t.full = t.order[:0], false
	t.few.Reset()
	t.sums = t.sums[:0]
	t.at, t.fewAt = 0, 0
}

// Release empties the table and gives its memory back.
func (t *Table[P]) Release() {
	t.Reset()
	if t.Rooms != nil && t.array != nil {
		lent := t.room
		t.Rooms.pool.Put(&lent)
	}
	t.Account.Release(t.charged)
	*t = Table[P]{Rooms: t.Rooms, Account: t.Account}
}

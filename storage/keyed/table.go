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
// by id. A number may be 0: bits beside the array say which zeros count. What is there has
// no order; an Index has one. The zero Table is empty.
//
// After an error of the account the table has everything but what the failed call was to
// add, of which it may have a part.
type Table[P Number] struct {
	// Arrays, when not nil, lends the array.
	Arrays *Arrays[P]
	// Account is charged before the table grows; nil means no limit.
	Account *account.Account
	charged int64

	few  Index
	sums []P // by the places of few

	dense[P]
	// full is set when order would be so long that the array is rather walked, for ids that
	// follow each other lie together in memory: then order takes no more.
	full bool
	paid int // ids in order that the account was charged for

	at, fewAt int // where Take is: in order or in the array, and in few
}

// dense is the array of a Table. Without a table it holds nothing but zeros.
type dense[P Number] struct {
	array []P // by id, 0 where none is; a power of two, 64 at least
	// there has one bit for each: those of numbers that are 0 and count are set, those of
	// others that count may be. Sums seldom are 0: zeros says whether a bit was ever set.
	there []uint64
	zeros bool
	order []uint32 // ids in array that count, in the order of coming
}

// has reports whether a number within the array counts.
func (r *dense[P]) has(id uint64) bool {
	return r.array[id] != 0 || r.zeros && r.there[id>>6]>>(id&63)&1 != 0
}

// zero notes that a number which counts is 0.
func (r *dense[P]) zero(id uint64) {
	r.there[id>>6] |= 1 << (id & 63)
	r.zeros = true
}

// remove takes a number out.
func (r *dense[P]) remove(id uint64) P {
	n := r.array[id]
	r.array[id] = 0
	if r.zeros {
		r.there[id>>6] &^= 1 << (id & 63)
	}
	return n
}

// Arrays keeps the arrays of tables that are done, for those that come.
type Arrays[P Number] struct{ pool sync.Pool }

func (r *Arrays[P]) get() *dense[P] {
	if r == nil {
		return nil
	}
	ready, _ := r.pool.Get().(*dense[P])
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
	if id >= uint64(len(t.array)) {
		return t.addFar(id, n)
	}
	if !t.full && !t.has(id) {
		if err := t.come(id); err != nil {
			return err
		}
	}
	if t.array[id] += n; t.array[id] == 0 {
		t.zero(id)
	}
	return nil
}

// AddPairs adds n to every second of pairs, as blueprints.Expanded has them.
func (t *Table[P]) AddPairs(pairs []uint32, n P) error {
	for {
		switch {
		case t.full:
			pairs = pairs[addFull(t.array, pairs, n):]
		case !t.zeros:
			done := 0
			t.order, done = addInOrder(t.array, t.order, min(t.paid, len(t.array)/fullest), pairs, n)
			pairs = pairs[done:]
		}
		if len(pairs) < 2 {
			return nil
		}
		if err := t.Add(uint64(pairs[1]), n); err != nil {
			return err
		}
		pairs = pairs[2:]
	}
}

// addFull adds n to numbers up to the first that Add has more to do for, and returns how much
// of pairs that was. It calls nothing, so that all it uses stays in registers.
func addFull[P Number](array []P, pairs []uint32, n P) (done int) {
	k := 1
	for ; k < len(pairs); k += 2 {
		id := uint(pairs[k])
		if id >= uint(len(array)) {
			break
		}
		sum := array[id] + n
		if sum == 0 {
			break
		}
		array[id] = sum
	}
	return k - 1
}

// addInOrder is addFull for an array with an order, which gets no longer than max here.
func addInOrder[P Number](array []P, order []uint32, max int, pairs []uint32, n P) (_ []uint32, done int) {
	came, room := len(order), order
	if max = min(max, cap(order)); max > came {
		room = order[:max]
	}
	k := 1
	for ; k < len(pairs); k += 2 {
		id := uint(pairs[k])
		if id >= uint(len(array)) || came >= len(room) {
			break
		}
		was := array[id]
		sum := was + n
		if sum == 0 {
			break
		}
		array[id] = sum
		room[came] = uint32(id) // for good if it was not there: that cannot be foreseen
		if was == 0 {
			came++
		}
	}
	return room[:came], k - 1
}

// come notes in order that an id within the array will be there.
func (t *Table[P]) come(id uint64) error {
	if len(t.order) == t.paid {
		if err := t.charge(cap(t.sums), max(tableMin, 2*t.paid), len(t.array)); err != nil {
			return err
		}
		t.order = slices.Grow(t.order, t.paid-len(t.order))
	}
	t.order = append(t.order, uint32(id))
	t.full = len(t.order)*fullest > len(t.array)
	return nil
}

// addFar adds to the number of an id beyond the array.
func (t *Table[P]) addFar(id uint64, n P) error {
	if i := t.few.Find(id); i >= 0 {
		t.sums[i] += n
		return nil
	}
	if t.array != nil && id < arrayMax && id < sparsest*uint64(t.few.Len()+len(t.order)) {
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
		ready := t.Arrays.get()
		switch {
		case ready != nil && greatest < uint64(len(ready.array)):
			return t.take(ready)
		case ready != nil:
			t.Arrays.pool.Put(ready)
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
	next := t.Arrays.get()
	if next == nil || len(next.array) < size {
		if err := t.charge(cap(t.sums), t.paid+size/sparsest, size); err != nil {
			return err
		}
		next = &dense[P]{array: make([]P, size), there: make([]uint64, size/64)}
	}
	return t.take(next)
}

// take moves to an empty array that is no smaller than the one there is.
func (t *Table[P]) take(next *dense[P]) error {
	if err := t.charge(cap(t.sums), max(t.paid, t.Len()), len(next.array)); err != nil {
		return err
	}
	copy(next.array, t.array)
	copy(next.there, t.there)
	next.zeros = t.zeros
	next.order = append(slices.Grow(next.order[:0], t.paid), t.order...)
	few, sums := t.few, t.sums
	t.dense, t.few, t.sums = *next, Index{}, nil
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
		return t.array[id], t.has(id)
	}
	if i := t.few.Find(id); i >= 0 {
		return t.sums[i], true
	}
	return 0, false
}

// Sum returns the number of an id, 0 when it is not there.
func (t *Table[P]) Sum(id uint64) P {
	if id < uint64(len(t.array)) {
		return t.array[id]
	}
	return t.sumFar(id)
}

// SumPairs adds up the numbers of every second of pairs, as often as it is there.
func (t *Table[P]) SumPairs(pairs []uint32) (n P) {
	array := t.array
	for k := 1; k < len(pairs); k += 2 {
		if id := pairs[k]; int(id) < len(array) {
			n += array[id]
		} else {
			n += t.sumFar(uint64(id))
		}
	}
	return n
}

func (t *Table[P]) sumFar(id uint64) P {
	if i := t.few.Find(id); i >= 0 {
		return t.sums[i]
	}
	return 0
}

// Len returns the number of ids.
func (t *Table[P]) Len() int {
	if !t.full {
		return t.few.Len() + len(t.order)
	}
	n := t.few.Len()
	for id := range t.array {
		if t.has(uint64(id)) {
			n++
		}
	}
	return n
}

// Take takes up to max ids with their numbers out; none at the end, when nothing is left.
// Nothing may be added before that.
func Take[ID ~uint64, P Number](t *Table[P], ids []ID, ns []P, max int) ([]ID, []P) {
	switch {
	case t.full && !t.zeros:
		at, array := t.at, t.array
		for ; len(ids) < max && at < len(array); at++ {
			if n := array[at]; n != 0 {
				ids, ns, array[at] = append(ids, ID(at)), append(ns, n), 0
			}
		}
		t.at = at
	case t.full:
		for ; len(ids) < max && t.at < len(t.array); t.at++ {
			if id := uint64(t.at); t.has(id) {
				ids, ns = append(ids, ID(id)), append(ns, t.remove(id))
			}
		}
	default:
		for _, id := range t.order[t.at:] {
			if len(ids) >= max {
				break
			}
			ids, ns = append(ids, ID(id)), append(ns, t.remove(uint64(id)))
			t.at++
		}
	}
	for ; len(ids) < max && t.fewAt < t.few.Len(); t.fewAt++ {
		ids, ns = append(ids, ID(t.few.keys[t.fewAt])), append(ns, t.sums[t.fewAt])
	}
	if len(ids) == 0 {
		t.emptied()
	}
	return ids, ns
}

// Peek appends up to max of the ids that Take takes out next.
func Peek[ID ~uint64, P Number](t *Table[P], ids []ID, max int) []ID {
	most := len(ids) + max
	if t.full {
		for at := t.at; len(ids) < most && at < len(t.array); at++ {
			if t.has(uint64(at)) {
				ids = append(ids, ID(at))
			}
		}
	} else {
		for at := t.at; len(ids) < most && at < len(t.order); at++ {
			ids = append(ids, ID(t.order[at]))
		}
	}
	for at := t.fewAt; len(ids) < most && at < t.few.Len(); at++ {
		ids = append(ids, ID(t.few.keys[at]))
	}
	return ids
}

// Reset empties the table and keeps its memory.
func (t *Table[P]) Reset() {
	if t.full {
		clear(t.array)
	} else {
		for _, id := range t.order {
			t.array[id] = 0
		}
	}
	t.emptied()
}

// emptied begins anew with an array of zeros.
func (t *Table[P]) emptied() {
	if t.zeros {
		clear(t.there)
	}
	t.order, t.full, t.zeros = t.order[:0], false, false
	t.few.Reset()
	t.sums = t.sums[:0]
	t.at, t.fewAt = 0, 0
}

// Release empties the table and gives its memory back.
func (t *Table[P]) Release() {
	t.Reset()
	if t.Arrays != nil && t.array != nil {
		lent := t.dense
		t.Arrays.pool.Put(&lent)
	}
	t.Account.Release(t.charged)
	*t = Table[P]{Arrays: t.Arrays, Account: t.Account}
}

package traversal

import (
	"math/bits"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
)

// TraverserSet is an insertion-ordered queue in which equal traversers merge into
// bulk, as they do at TinkerPop's barriers and starts.
type TraverserSet struct {
	list   []Traverser
	head   int
	places *keyed.Index // of list, by hash; not used while it is short
	hashed bool         // places is used
	// mergeSacks is the merge operator of withSack(); nil keeps all apart that have a sack.
	mergeSacks func(a, b value.Value) (value.Value, error)
	err        error // of mergeSacks, or of account
	oneBulk    bool  // withBulk(false): what merges counts once
	account    *account.Account
}

// foundBytes is what finding a traverser takes besides, in a set of any size.
const foundBytes = 20

// push appends t where there is room, which is charged before it is made.
func (s *TraverserSet) push(t Traverser) bool {
	if len(s.list) < cap(s.list) {
		s.list = append(s.list, t)
		return true
	}
	list, err := account.Append(s.account, s.list, t)
	if err == nil {
		err = s.account.Charge(int64(cap(list)-cap(s.list)) * foundBytes)
	}
	if s.list = list; err != nil && s.err == nil {
		s.err = err
	}
	return err == nil
}

// Err returns the first error of merging sacks, or of room for traversers.
func (s *TraverserSet) Err() error { return s.err }

// merge adds t to the traverser at position i if the two may become one.
func (s *TraverserSet) merge(i int, t *Traverser) bool {
	u := &s.list[i]
	if s.mergeSacks == nil {
		if !u.Mergeable(t) {
			return false
		}
		s.count(u, t)
		return true
	}
	if !value.Identical(u.Value, t.Value) || !u.mergeableBut(t) {
		return false
	}
	sack, err := s.mergeSacks(u.Sack(), t.Sack())
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return false
	}
	*u = u.WithSack(sack)
	s.count(u, t)
	return true
}

func (s *TraverserSet) count(u, t *Traverser) {
	if !s.oneBulk {
		u.Bulk += t.Bulk
	}
}

const setIndexMin = 9 // below this many traversers a linear look is cheaper than hashing

// Add appends t or merges it into an equal one. After an error it does nothing: what does
// not merge would be compared with more and more.
func (s *TraverserSet) Add(t Traverser) {
	if s.err != nil {
		return
	}
	if !s.hashed && len(s.list)-s.head < setIndexMin {
		for i := s.head; i < len(s.list) && !s.alone(&t); i++ {
			if s.merge(i, &t) {
				return
			}
		}
		s.push(t)
		return
	}
	if !s.hashed {
		s.buildIndex()
	}
	h := s.hash(&t)
	if !s.alone(&t) {
		look := s.places.Look(h)
		for i := s.places.Next(&look); i >= 0; i = s.places.Next(&look) {
			if i >= s.head && s.merge(i, &t) {
				return
			}
		}
	}
	if len(s.list) == cap(s.list) && s.head > len(s.list)/2 {
		s.dropPopped()
	}
	if s.push(t) {
		s.places.Append(h)
	}
}

// buildIndex hashes what is there.
func (s *TraverserSet) buildIndex() {
	s.dropPopped()
	if s.places == nil {
		s.places = &keyed.Index{}
		s.places.Grow(2 * setIndexMin)
	}
	s.hashed = true
	for i := range s.list {
		s.places.Append(s.hash(&s.list[i]))
	}
}

// dropPopped makes room of what was popped.
func (s *TraverserSet) dropPopped() {
	n := copy(s.list, s.list[s.head:])
	clear(s.list[n:])
	if s.hashed {
		s.places.Drop(s.head)
	}
	s.list, s.head = s.list[:n], 0
}

// hashPath is how many objects of the path count for a hash: enough to tell most of
// the ways to one object apart.
const hashPath = 3

// alone reports whether t merges with nobody: its sack is its own.
func (s *TraverserSet) alone(t *Traverser) bool { return s.mergeSacks == nil && !t.Sack().IsNull() }

// hash agrees with merge. Those who are alone have any: equal ones would be long chains.
func (s *TraverserSet) hash(t *Traverser) uint64 {
	if s.alone(t) {
		return uint64(s.places.Len()) * 0x9E3779B97F4A7C15
	}
	return t.hash()
}

// hash agrees with Mergeable.
func (t *Traverser) hash() uint64 {
	h := value.Hash(t.Value)
	if t.X == nil || t.X.Path == nil {
		return h
	}
	p := t.X.Path
	for i := 0; i < hashPath && p != nil; i++ {
		h = bits.RotateLeft64(h, 21)*0x9E3779B97F4A7C15 ^ value.Hash(p.Object)
		p = p.Parent
	}
	return h
}

// Append adds t without merging.
func (s *TraverserSet) Append(t Traverser) {
	s.forgetPlaces()
	s.push(t)
}

// Len returns the number of distinct traversers left.
func (s *TraverserSet) Len() int { return len(s.list) - s.head }

// Bulk returns the sum of the bulks left.
func (s *TraverserSet) Bulk() int64 {
	var n int64
	for i := s.head; i < len(s.list); i++ {
		n += s.list[i].Bulk
	}
	return n
}

// Rest returns the traversers left, in order; valid until the next Add or Clear.
func (s *TraverserSet) Rest() []Traverser { return s.list[s.head:] }

// Pop moves up to max traversers to b and returns how many.
func (s *TraverserSet) Pop(b *Batch, max int) int {
	n := min(max, s.Len())
	b.Append(s.list[s.head : s.head+n])
	s.head += n
	if s.head == len(s.list) {
		s.Clear()
	}
	return n
}

// Clear forgets everything.
func (s *TraverserSet) Clear() {
	if len(s.list) > setKeepMax {
		account.Free(s.account, s.list)
		s.account.Release(int64(cap(s.list)) * foundBytes)
		s.list, s.places, s.hashed = nil, nil, false
	}
	s.list, s.head = s.list[:0], 0
	s.forgetPlaces()
}

func (s *TraverserSet) forgetPlaces() {
	if s.hashed {
		s.places.Reset()
		s.hashed = false
	}
}

const setKeepMax = 4096 // larger backing arrays are given back to the collector

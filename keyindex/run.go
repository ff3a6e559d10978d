package keyindex

import (
	"bytes"
	"container/heap"
	"encoding/binary"
	"slices"
	"sync"
	"unsafe"
)

// run are entries of one table, sorted once it is full. Its memory is little enough to be had, and
// sorted, in a moment: many writers wait behind whoever takes a hundred megabytes at once.
type run struct {
	mem  []byte
	sets []runSet
}

// runSet is where an entry lies in memory.
type runSet struct {
	prefix          uint64 // of what tells its key from others, once sorted
	key, val, after uint32
	element         uint32 // its place among those of the gathering
}

const (
	runSets    = 1 << 15 // entries of a run
	runMem     = 1 << 20 // bytes of their keys and values
	runSetSize = int(unsafe.Sizeof(runSet{}))
)

func (r *run) head() []byte { return r.mem[:headLen] }

func (r *run) fits(bytes int) bool {
	return len(r.sets) < cap(r.sets) && len(r.mem)+bytes <= cap(r.mem)
}

// size is what the run takes, in bytes.
func (r *run) size() int { return cap(r.sets)*runSetSize + cap(r.mem) }

func (r *run) add(element int, key, val []byte) {
	s := runSet{element: uint32(element), key: uint32(len(r.mem))}
	r.mem = append(r.mem, key...)
	s.val = uint32(len(r.mem))
	r.mem = append(r.mem, val...)
	s.after = uint32(len(r.mem))
	r.sets = append(r.sets, s)
}

func (r *run) key(s *runSet) []byte { return r.mem[s.key:s.val] }

// sort sorts the entries. Those of an index begin alike; the eight bytes behind that tell
// most of them apart.
func (r *run) sort(spare *spareRuns) {
	if len(r.sets) == 0 {
		return
	}
	first := r.key(&r.sets[0])
	common := len(first)
	for i := range r.sets {
		k := r.key(&r.sets[i])
		common = min(common, len(k))
		for common > 0 && !bytes.Equal(k[:common], first[:common]) {
			common--
		}
	}
	for i := range r.sets {
		var b [8]byte
		copy(b[:], r.key(&r.sets[i])[common:])
		r.sets[i].prefix = binary.BigEndian.Uint64(b[:])
	}
	r.byPrefix(spare)
	for from := 0; from < len(r.sets); {
		to := from + 1
		for to < len(r.sets) && r.sets[to].prefix == r.sets[from].prefix {
			to++
		}
		r.sortAlike(r.sets[from:to])
		from = to
	}
}

// byPrefix sorts entries by their prefixes, byte by byte from the last one, those that are alike
// in the order in which they stand (LSD radix sort). Bytes that are the same in all are left out.
func (r *run) byPrefix(spare *spareRuns) {
	var counts [8][256]int
	for i := range r.sets {
		for b, p := 0, r.sets[i].prefix; b < 8; b, p = b+1, p>>8 {
			counts[b][byte(p)]++
		}
	}
	other := spare.take(0)
	to := other.sets[:len(r.sets)]
	for b := range counts {
		starts, shift := &counts[b], 8*b
		if starts[byte(r.sets[0].prefix>>shift)] == len(r.sets) {
			continue
		}
		sum := 0
		for i, n := range starts {
			starts[i], sum = sum, sum+n
		}
		for i := range r.sets {
			at := &starts[byte(r.sets[i].prefix>>shift)]
			to[*at] = r.sets[i]
			*at++
		}
		r.sets, to = to, r.sets
	}
	other.sets = to
	spare.give(other)
}

// sortAlike sorts entries that the prefix does not tell apart. They stand in the order in which
// they were gathered, by element, which is theirs when their values are the same.
func (r *run) sortAlike(sets []runSet) {
	compare := func(a, b runSet) int { return bytes.Compare(r.key(&a), r.key(&b)) }
	if !slices.IsSortedFunc(sets, compare) {
		slices.SortFunc(sets, compare)
	}
}

// spareRuns is memory of runs that are needed no more, for the next.
type spareRuns struct {
	runs  spares[*run]
	grams spares[gramRun]
}

// take returns an empty run with room for an entry of some bytes.
func (s *spareRuns) take(bytes int) *run {
	if bytes <= runMem {
		if r, ok := s.runs.take(); ok {
			return r
		}
	}
	return &run{mem: make([]byte, 0, max(bytes, runMem)), sets: make([]runSet, 0, runSets)}
}

// give takes back runs that nobody reads any more.
func (s *spareRuns) give(runs ...*run) {
	for _, r := range runs {
		if cap(r.mem) == runMem {
			r.mem, r.sets = r.mem[:0], r.sets[:0]
			s.runs.give(r)
		}
	}
}

// spares are things that are needed no more, for whoever needs one next.
type spares[T any] struct {
	mu   sync.Mutex
	free []T
}

func (s *spares[T]) take() (x T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return x, false
	}
	x, s.free = s.free[n-1], s.free[:n-1]
	return x, true
}

func (s *spares[T]) give(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, x)
}

// merging are runs of one table that have entries left, as a heap: the first has the least entry.
type merging[T interface{ before(T) bool }] []T

// Len implements heap.Interface.
func (m merging[T]) Len() int { return len(m) }

// Less implements heap.Interface.
func (m merging[T]) Less(i, j int) bool { return m[i].before(m[j]) }

// Swap implements heap.Interface.
func (m merging[T]) Swap(i, j int) { m[i], m[j] = m[j], m[i] }

// Push implements heap.Interface.
func (m *merging[T]) Push(x any) { *m = append(*m, x.(T)) }

// Pop implements heap.Interface.
func (m *merging[T]) Pop() any {
	last := len(*m) - 1
	r := (*m)[last]
	*m = (*m)[:last]
	return r
}

// passed puts the first run, some entries of which are gone, where it belongs now: left says whether
// it has any more.
func (m *merging[T]) passed(left bool) {
	if left {
		heap.Fix(m, 0)
	} else {
		heap.Pop(m)
	}
}

type mergedRun struct {
	*run
	key  []byte // of the entry at hand
	rest []runSet
}

func (r *mergedRun) before(o *mergedRun) bool { return bytes.Compare(r.key, o.key) < 0 }

// merge adds the entries of all runs in order, each once: of two that are alike, which an element
// has that holds a value twice. Of a unique index two elements may have one, which is errOneByOne.
func merge(runs []*run, unique bool, add func(key, value []byte) error) error {
	var m merging[*mergedRun]
	for _, r := range runs {
		if len(r.sets) > 0 {
			m = append(m, &mergedRun{run: r, key: r.key(&r.sets[0]), rest: r.sets})
		}
	}
	heap.Init(&m)
	for last, val := []byte(nil), []byte(nil); len(m) > 0; {
		least, next := m[0], secondKey(m)
		for next == nil || bytes.Compare(least.key, next) <= 0 {
			s := least.rest[0]
			if !bytes.Equal(least.key, last) {
				last, val = least.key, least.mem[s.val:s.after]
				if err := add(last, val); err != nil {
					return err
				}
			} else if unique && !bytes.Equal(least.mem[s.val:s.after], val) {
				return errOneByOne
			}
			if least.rest = least.rest[1:]; len(least.rest) == 0 {
				break
			}
			least.key = least.run.key(&least.rest[0])
		}
		m.passed(len(least.rest) > 0)
	}
	return nil
}

// secondKey is the least key of all runs but the first, nil if there is none: runs are of one part
// of the elements each, so many entries of one stand together.
func secondKey(m merging[*mergedRun]) []byte {
	switch {
	case len(m) < 2:
		return nil
	case len(m) > 2 && m.Less(2, 1):
		return m[2].key
	default:
		return m[1].key
	}
}

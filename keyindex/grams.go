package keyindex

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"sync"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// An element has an entry in an index of trigrams for each few bytes of its texts, and all of them
// look alike: what is gathered of one is a number, the trigram and the element's place.

// gramRun are entries of a trigram index, sorted by trigram once it is full: elements come in their
// order. See run for its size.
type gramRun []uint64

const (
	gramSets    = 1 << 17 // entries of a gramRun
	gramSetSize = 8
)

func gramSet(gram uint32, place int) uint64 { return uint64(gram)<<32 | uint64(place) }

func gramOf(set uint64) uint32 { return uint32(set >> 32) }

func placeOf(set uint64) int { return int(uint32(set)) }

// gramIndex is a trigram index whose entries a gathering keeps.
type gramIndex struct {
	Index
	g *gathering
}

// Put implements Index.
func (x gramIndex) Put(_ storage.Tx, _ Elements, _ *Element, token []byte, _ bool) error {
	return x.g.addGram(packToken(token))
}

// packToken makes a number of a token, which ascends as the tokens do: longText is shorter than all
// others, none of which has a zero byte.
func packToken(token []byte) uint32 {
	var b [4]byte
	copy(b[1:], token)
	return binary.BigEndian.Uint32(b[:])
}

// appendToken appends the token of a number.
func appendToken(dst []byte, gram uint32) []byte {
	for shift := 16; shift >= 0 && byte(gram>>shift) != 0; shift -= 8 {
		dst = append(dst, byte(gram>>shift))
	}
	return dst
}

// addGram keeps an entry of the element at hand.
func (g *gathering) addGram(gram uint32) error {
	last := len(g.grams) - 1
	if last < 0 || len(g.grams[last]) == gramSets {
		if last >= 0 {
			g.grams[last] = g.grams[last].sort(&g.spare.grams)
		}
		if g.bytes += gramSets * gramSetSize; g.bytes > g.most {
			return errNoTables
		}
		g.grams = append(g.grams, g.spare.grams.take())
		last++
	}
	g.grams[last] = append(g.grams[last], gramSet(gram, g.element))
	return nil
}

// sort sorts the entries by trigram, those of one in the order in which they stand (LSD radix sort).
// Who has the run has the one that comes back in its place.
func (r gramRun) sort(spare *spareGrams) gramRun {
	if len(r) == 0 {
		return r
	}
	var counts [gramLen][256]int
	for _, s := range r {
		for b := range counts {
			counts[b][byte(s>>(32+8*b))]++
		}
	}
	to := spare.take()[:len(r)]
	for b := range counts {
		starts, shift := &counts[b], 32+8*b
		if starts[byte(r[0]>>shift)] == len(r) {
			continue
		}
		sum := 0
		for i, n := range starts {
			starts[i], sum = sum, sum+n
		}
		for _, s := range r {
			at := &starts[byte(s>>shift)]
			to[*at] = s
			*at++
		}
		r, to = to, r
	}
	spare.give(to)
	return r
}

// spareGrams is memory of runs that are needed no more, for the next.
type spareGrams struct {
	mu   sync.Mutex
	free []gramRun
}

func (s *spareGrams) take() gramRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	return make(gramRun, 0, gramSets)
}

func (s *spareGrams) give(runs ...gramRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range runs {
		s.free = append(s.free, r[:0])
	}
}

// gramKeys makes the keys of entries.
type gramKeys struct {
	key  []byte
	head int
}

func newGramKeys(graph uint32, d *Definition) gramKeys {
	key := table.AppendTextBeginning(nil, graph, d.Number, 0, nil)
	return gramKeys{key, len(key)}
}

// of returns the key of an entry, valid until the next call.
func (k *gramKeys) of(gram uint32, element uint64) []byte {
	k.key = append(appendToken(k.key[:k.head], gram), 0)
	k.key = binary.BigEndian.AppendUint64(k.key, element)
	return k.key
}

// gramStretch are the entries of a run that are left.
type gramStretch struct {
	gramRun
	ids   []uint64 // by place
	order int      // of its run: elements ascend from run to run
}

// gramMerge are the runs that have entries left, as a heap: the first has the least trigram, and
// of those that have it the first elements.
type gramMerge []gramStretch

// mergeGrams adds the entries of all runs of all parts, whose elements ascend, in order.
func mergeGrams(parts []*gathering, keys gramKeys, add func(key, value []byte) error) error {
	var m gramMerge
	for _, g := range parts {
		for _, r := range g.grams {
			if len(r) > 0 {
				m = append(m, gramStretch{r, g.ids, len(m)})
			}
		}
	}
	heap.Init(&m)
	for len(m) > 0 {
		s := &m[0]
		gram := gramOf(s.gramRun[0])
		for len(s.gramRun) > 0 && gramOf(s.gramRun[0]) == gram {
			if err := add(keys.of(gram, s.ids[placeOf(s.gramRun[0])]), nil); err != nil {
				return err
			}
			s.gramRun = s.gramRun[1:]
		}
		if len(s.gramRun) == 0 {
			heap.Pop(&m)
		} else {
			heap.Fix(&m, 0)
		}
	}
	return nil
}

// Len implements heap.Interface.
func (m gramMerge) Len() int { return len(m) }

// Less implements heap.Interface.
func (m gramMerge) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(gramOf(m[i].gramRun[0]), gramOf(m[j].gramRun[0])), cmp.Compare(m[i].order, m[j].order)) < 0
}

// Swap implements heap.Interface.
func (m gramMerge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }

// Push implements heap.Interface.
func (m *gramMerge) Push(x any) { *m = append(*m, x.(gramStretch)) }

// Pop implements heap.Interface.
func (m *gramMerge) Pop() any {
	last := len(*m) - 1
	r := (*m)[last]
	*m = (*m)[:last]
	return r
}

package keyindex

import (
	"cmp"
	"container/heap"
	"encoding/binary"

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
			g.grams[last] = g.grams[last].sort(g.spare)
		}
		if g.bytes += gramSets * gramSetSize; g.bytes > g.most {
			return errNoTables
		}
		g.grams = append(g.grams, g.spare.takeGrams())
		last++
	}
	g.grams[last] = append(g.grams[last], gramSet(gram, g.element))
	return nil
}

// sort sorts the entries by trigram, those of one in the order in which they stand (LSD radix sort).
// Who has the run has the one that comes back in its place.
func (r gramRun) sort(spare *spareRuns) gramRun {
	if len(r) == 0 {
		return r
	}
	var counts [gramLen][256]int
	for _, s := range r {
		for b := range counts {
			counts[b][byte(s>>(32+8*b))]++
		}
	}
	to := spare.takeGrams()[:len(r)]
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
	spare.giveGrams(to)
	return r
}

func (s *spareRuns) takeGrams() gramRun {
	if r, ok := s.grams.take(); ok {
		return r
	}
	return make(gramRun, 0, gramSets)
}

// giveGrams takes back runs that nobody reads any more.
func (s *spareRuns) giveGrams(runs ...gramRun) {
	for _, r := range runs {
		s.grams.give(r[:0])
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

// mergedGrams are the entries of a run that are left.
type mergedGrams struct {
	gramRun
	ids   []uint64 // by place
	order int      // of the run: elements ascend from run to run
}

func (r *mergedGrams) gram() uint32 { return gramOf(r.gramRun[0]) }

func (r *mergedGrams) before(o *mergedGrams) bool {
	return cmp.Or(cmp.Compare(r.gram(), o.gram()), cmp.Compare(r.order, o.order)) < 0
}

// mergeGrams adds the entries of all runs of all parts, whose elements ascend, in order.
func mergeGrams(parts []*gathering, keys gramKeys, add func(key, value []byte) error) error {
	var m merging[*mergedGrams]
	for _, g := range parts {
		for _, r := range g.grams {
			if len(r) > 0 {
				m = append(m, &mergedGrams{r, g.ids, len(m)})
			}
		}
	}
	heap.Init(&m)
	for len(m) > 0 {
		least := m[0]
		for gram := least.gram(); len(least.gramRun) > 0 && least.gram() == gram; least.gramRun = least.gramRun[1:] {
			if err := add(keys.of(gram, least.ids[placeOf(least.gramRun[0])]), nil); err != nil {
				return err
			}
		}
		m.passed(len(least.gramRun) > 0)
	}
	return nil
}

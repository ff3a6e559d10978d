package steps

import (
	"container/heap"
	"slices"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// limitOf is how many OrderLimitStrategy says that order() has to keep; 0 for all.
func limitOf(n *traversal.Node) int {
	for _, m := range n.ModsNamed("~limit") {
		return int(m.Args[0].Value.Int64())
	}
	return 0
}

// top is an order() of which only the first few are wanted: it keeps no more. Equal
// traversers merge where the first of them stands, as they do when all are sorted.
//
// Tolerates: effects and side effects before it, for everything is taken; keys come from
// by(), and an unproductive one drops its traverser before it is ranked, as order() does.
// Labels stay with their traversers; what is thrown away nobody behind would have seen,
// which OrderLimitStrategy decides.
type top struct {
	s     *sorter
	up    traversal.Source
	limit int
	heap  ranks
	// places are those of came, by the hash of the object: all that were kept, with nil for
	// those that were thrown away since.
	places keyed.Index
	came   []*rank
	keys   []value.Value
	ends   []int // of keys of a batch
	seq    int
	out    []traversal.Traverser
}

// rank is a traverser with its sort keys and its place in the order of coming.
type rank struct {
	t    traversal.Traverser
	keys []value.Value
	seq  int
	hash uint64 // of the object
	at   int    // its place in came
}

// ranks is a heap with the last of the order on top.
type ranks struct {
	s    *sorter
	list []*rank
}

func (h *ranks) Len() int           { return len(h.list) }
func (h *ranks) Less(i, j int) bool { return h.s.before(h.list[j], h.list[i]) }
func (h *ranks) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *ranks) Push(x any)         { h.list = append(h.list, x.(*rank)) }
func (h *ranks) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}

// compareKeys compares two lists of sort keys.
func (s *sorter) compareKeys(a, b []value.Value) int {
	for c := s.from; c < len(s.by); c++ {
		if x := s.compare[c](a[c], b[c]); x != 0 {
			return x
		}
	}
	return 0
}

func (s *sorter) before(a, b *rank) bool {
	if c := s.compareKeys(a.keys, b.keys); c != 0 {
		return c < 0
	}
	return a.seq < b.seq
}

func newTop(s *sorter, up traversal.Source, limit int) *top {
	return &top{s: s, up: up, limit: limit, heap: ranks{s: s}}
}

func (p *top) Next(b *traversal.Batch, max int) error {
	if len(p.out) == 0 {
		if err := p.fill(); err != nil {
			return err
		}
	}
	n := min(max, len(p.out))
	b.Append(p.out[:n])
	p.out = p.out[n:]
	return nil
}

func (p *top) fill() error {
	p.heap.list = p.heap.list[:0]
	p.places.Reset()
	p.came = p.came[:0]
	if err := p.drain(); err != nil {
		return err
	}
	m := merging[*rank]{less: func(a, b *rank) (bool, error) {
		c, err := p.s.compared(a.keys, b.keys)
		return c < 0 || c == 0 && a.seq < b.seq, err
	}}
	sorted, err := m.sort(p.heap.list, make([]*rank, len(p.heap.list)))
	for _, k := range sorted {
		p.out = append(p.out, k.t)
	}
	return err
}

func (p *top) drain() error {
	if p.s.column == nil {
		return p.s.r.Drain(p.up, p.add)
	}
	defer p.s.column.Release()
	return p.s.r.DrainBatches(p.up, p.addBatch)
}

func (p *top) addBatch(b *traversal.Batch) (err error) {
	p.keys, p.ends, err = p.s.column.Each(p.keys[:0], p.ends[:0], b)
	if err != nil {
		return err
	}
	from := 0
	for i, end := range p.ends {
		if keys := p.keys[from:end]; len(keys) > 0 {
			keys[0] = sortKey(keys[0])
			if worse := p.worse(keys); worse <= 0 {
				t := b.At(i)
				if err := p.rank(&t, keys, worse); err != nil {
					return err
				}
			}
		}
		from = end
	}
	return nil
}

func (p *top) add(t *traversal.Traverser) error {
	var ok bool
	var err error
	if p.keys, ok, err = p.s.keys(p.keys[:0], t); err != nil || !ok {
		return err
	}
	if worse := p.worse(p.keys); worse <= 0 {
		return p.rank(t, p.keys, worse)
	}
	return nil
}

// worse tells whether keys are beyond those of the last one that is kept, when no more may be:
// 1 for that, 0 when they are equal.
func (p *top) worse(keys []value.Value) int {
	if len(p.heap.list) < p.limit {
		return -1
	}
	return p.s.compareKeys(keys, p.heap.list[0].keys)
}

// rank keeps a traverser that is not worse, or adds it to an equal one.
func (p *top) rank(t *traversal.Traverser, keys []value.Value, worse int) error {
	h := value.Hash(t.Value)
	look := p.places.Look(h)
	for i := p.places.Next(&look); i >= 0; i = p.places.Next(&look) {
		if k := p.came[i]; k != nil && k.t.Mergeable(t) {
			if !p.s.r.OneBulk {
				k.t.Bulk += t.Bulk
			}
			return nil
		}
	}
	if worse == 0 {
		return nil
	}
	if len(p.heap.list) == p.limit {
		worst := heap.Pop(&p.heap).(*rank)
		p.came[worst.at] = nil
		p.s.r.Account.Release(p.bytes(worst))
	}
	k := &rank{t: *t, keys: slices.Clone(keys), seq: p.seq, hash: h}
	p.seq++
	heap.Push(&p.heap, k)
	p.keep(k)
	return p.s.r.Account.Charge(p.bytes(k))
}

// rankBytes is what a rank takes beside its keys, with its places in the heap, while it is
// sorted and in what
// finds it.
const rankBytes = 184

// bytes is what a budget is charged for a rank.
func (p *top) bytes(k *rank) int64 {
	return rankBytes + int64(len(k.keys)*step.ValueBytes) + p.s.r.TraverserBytes(&k.t)
}

// keep makes a rank one that equal traversers find. When half of what came was thrown away
// since, the others move up.
func (p *top) keep(k *rank) {
	if len(p.came) >= 2*p.limit+cameMin {
		all := p.came
		p.came = all[:0]
		p.places.Reset()
		for _, o := range all {
			if o != nil {
				p.enter(o)
			}
		}
		clear(all[len(p.came):])
	}
	p.enter(k)
}

// cameMin is how many may come beyond twice the limit.
const cameMin = 32

func (p *top) enter(k *rank) {
	k.at = len(p.came)
	p.came = append(p.came, k)
	p.places.Append(k.hash)
}

func (p *top) Reset() {
	p.out = nil
	p.up.Reset()
}

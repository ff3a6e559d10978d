package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// seen is a set of values: stored vertices and edges by their ids, everything else as a
// value.Set.
type seen struct {
	r               *traversal.Run
	vertices, edges keyed.Set
	others          *value.Set
}

func newSeen(r *traversal.Run) seen {
	return seen{r: r, vertices: keyed.Set{Account: r.Account}, edges: keyed.Set{Account: r.Account}}
}

const keyBytes = 32 // what a budget is charged for one key that is no stored element

// add reports whether v is new, and charges for it.
func (s *seen) add(v value.Value) (bool, error) {
	if v.IsStored() {
		if v.Kind() == value.KindVertex {
			return s.vertices.Add(v.Ref())
		}
		return s.edges.Add(v.Ref())
	}
	if s.others == nil {
		s.others = value.NewSet()
	}
	if !s.others.Add(v) {
		return false, nil
	}
	return true, s.r.ChargeText(v, keyBytes)
}

// forget empties the set.
func (s *seen) forget() {
	s.vertices.Release()
	s.edges.Release()
	s.others = nil
}

// pages is a set of ids: one bit each, in pages of 4,096.
type pages struct {
	low  []*page // by number, those below pagesLow
	high map[uint64]*page
}

type page [64]uint64

// pagesLow is how many pages are found by their number alone.
const pagesLow = 1 << 15

func (p *pages) add(id uint64) bool {
	at := p.page(id >> 12)
	word, bit := &at[id>>6&63], uint64(1)<<(id&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

func (p *pages) page(n uint64) *page {
	if n < uint64(len(p.low)) && p.low[n] != nil {
		return p.low[n]
	}
	if n >= pagesLow {
		if p.high == nil {
			p.high = map[uint64]*page{}
		}
		if p.high[n] == nil {
			p.high[n] = &page{}
		}
		return p.high[n]
	}
	if n >= uint64(len(p.low)) {
		p.low = append(p.low, make([]*page, max(int(n)+1, 2*len(p.low))-len(p.low))...)
	}
	p.low[n] = &page{}
	return p.low[n]
}

// addEnds returns how many of some vertices are new.
func (p *pages) addEnds(e blueprints.Expanded) (n int64) {
	for k := 1; k < len(e.Pairs); k += 2 {
		id := e.Pairs[k]
		if at := uint64(id >> 12); at < uint64(len(p.low)) && p.low[at] != nil {
			word, bit := &p.low[at][id>>6&63], uint64(1)<<(id&63)
			n += int64(^*word >> (id & 63) & 1)
			*word |= bit
		} else if p.add(uint64(id)) {
			n++
		}
	}
	for i := range e.Edges {
		if p.add(uint64(e.Edges[i].Other)) {
			n++
		}
	}
	return n
}

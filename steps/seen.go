package steps

import "github.com/gremlind/gremlind/storage/value"

// seen is a set of values. Stored vertices and edges, whose internal ids are dense, are
// bits in pages; everything else is a value.Set. The zero seen is empty.
type seen struct {
	vertices, edges pages
	others          *value.Set
}

// add reports whether v is new.
func (s *seen) add(v value.Value) bool {
	if v.IsStored() {
		if v.Kind() == value.KindVertex {
			return s.vertices.add(v.Ref())
		}
		return s.edges.add(v.Ref())
	}
	if s.others == nil {
		s.others = value.NewSet()
	}
	return s.others.Add(v)
}

// pages is a set of ids: one bit each, in pages of 4,096.
type pages struct {
	last *page // the page touched last
	key  uint64
	all  map[uint64]*page
}

type page [64]uint64

func (p *pages) add(id uint64) bool {
	key := id >> 12
	if p.last == nil || p.key != key {
		if p.all == nil {
			p.all = map[uint64]*page{}
		}
		p.last, p.key = p.all[key], key
		if p.last == nil {
			p.last = &page{}
			p.all[key] = p.last
		}
	}
	word, bit := &p.last[id>>6&63], uint64(1)<<(id&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

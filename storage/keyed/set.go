package keyed

import (
	"math/bits"
	"slices"

	"github.com/gremlind/gremlind/storage/account"
)

// Set is a set of internal ids. The zero Set is empty.
type Set struct {
	// Account is charged before the set grows beyond a few ids; nil means no limit.
	Account *account.Account
	charged int64

	few   [setFew]uint64 // the ids, while they are no more
	n     int            // of few
	pages *pages         // nil until then
}

// pages are found by number: the number of an id's page is the id / pageIDs.
type pages struct {
	low []*page // those below lowPages
	// high are the others, in the order of far, which has their numbers.
	far  Index
	high []*page
}

// page is a bit for each of pageIDs ids.
type page [pageIDs / 64]uint64

const (
	setFew   = 16
	pageBits = 12
	pageIDs  = 1 << pageBits
	// lowPages is how many pages are found by their number alone.
	lowPages  = 1 << 15
	pageBytes = pageIDs / 8
	farBytes  = 40 // what finding a far page takes besides
)

// Add reports whether an id is new.
func (s *Set) Add(id uint64) (bool, error) {
	if s.pages != nil {
		if p := s.pages.lowPage(id >> pageBits); p != nil {
			return p.add(id), nil
		}
		return s.addToPage(id)
	}
	return s.addFew(id)
}

func (p *pages) lowPage(n uint64) *page {
	if n < uint64(len(p.low)) {
		return p.low[n]
	}
	return nil
}

// add sets a bit and reports whether that is new.
func (p *page) add(id uint64) bool {
	word, bit := &p[id>>6%uint64(len(p))], uint64(1)<<(id&63)
	was := *word
	*word = was | bit
	return was&bit == 0
}

// addFew adds an id while they are few, or moves them to pages.
func (s *Set) addFew(id uint64) (bool, error) {
	if slices.Contains(s.few[:s.n], id) {
		return false, nil
	}
	if s.n < setFew {
		s.few[s.n] = id
		s.n++
		return true, nil
	}
	s.pages = &pages{}
	for _, other := range s.few {
		if _, err := s.addToPage(other); err != nil {
			s.Account.Release(s.charged)
			s.charged, s.pages = 0, nil
			return false, err
		}
	}
	s.n = 0
	return s.addToPage(id)
}

// addToPage adds an id whose page may have to be made.
func (s *Set) addToPage(id uint64) (bool, error) {
	p, err := s.makePage(id >> pageBits)
	if err != nil {
		return false, err
	}
	return p.add(id), nil
}

func (s *Set) makePage(n uint64) (*page, error) {
	ps := s.pages
	if p := ps.find(n); p != nil {
		return p, nil
	}
	if n >= lowPages {
		if err := s.charge(pageBytes + farBytes); err != nil {
			return nil, err
		}
		ps.far.Append(n)
		ps.high = append(ps.high, new(page))
		return ps.high[len(ps.high)-1], nil
	}
	if n >= uint64(len(ps.low)) {
		size := min(max(int(n)+1, 2*len(ps.low)), lowPages)
		if err := s.charge(int64(8 * (size - len(ps.low)))); err != nil {
			return nil, err
		}
		ps.low = append(ps.low, make([]*page, size-len(ps.low))...)
	}
	if err := s.charge(pageBytes); err != nil {
		return nil, err
	}
	ps.low[n] = new(page)
	return ps.low[n], nil
}

// find returns the page of a number, nil when there is none.
func (p *pages) find(n uint64) *page {
	if n < lowPages {
		return p.lowPage(n)
	}
	if i := p.far.Find(n); i >= 0 {
		return p.high[i]
	}
	return nil
}

// AddPairs adds every second of pairs, as blueprints.Expanded has them.
func (s *Set) AddPairs(pairs []uint32) error {
	for {
		if s.pages != nil {
			pairs = pairs[addLow(s.pages.low, pairs):]
		}
		if len(pairs) < 2 {
			return nil
		}
		if _, err := s.Add(uint64(pairs[1])); err != nil {
			return err
		}
		pairs = pairs[2:]
	}
}

// addLow adds pairs up to the first whose page is not among these, and returns how much of
// pairs that was. It calls nothing, so that all it uses stays in registers.
func addLow(low []*page, pairs []uint32) (done int) {
	k := 1
	for ; k < len(pairs); k += 2 {
		id := pairs[k]
		at := uint(id >> pageBits)
		if at >= uint(len(low)) || low[at] == nil {
			break
		}
		low[at][id>>6%(pageIDs/64)] |= 1 << (id & 63)
	}
	return k - 1
}

// Len returns the number of ids; it takes time in the number of pages.
func (s *Set) Len() (n int64) {
	if s.pages == nil {
		return int64(s.n)
	}
	for _, pages := range [...][]*page{s.pages.low, s.pages.high} {
		for _, p := range pages {
			if p != nil {
				n += p.len()
			}
		}
	}
	return n
}

func (p *page) len() (n int64) {
	for _, word := range p {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// Has reports whether an id is in the set.
func (s *Set) Has(id uint64) bool {
	if s.pages == nil {
		return slices.Contains(s.few[:s.n], id)
	}
	p := s.pages.find(id >> pageBits)
	return p != nil && p[id>>6%uint64(len(p))]>>(id&63)&1 != 0
}

func (s *Set) charge(bytes int64) error {
	err := s.Account.Charge(bytes)
	if err == nil {
		s.charged += bytes
	}
	return err
}

// Release empties the set and gives its memory back.
func (s *Set) Release() {
	s.Account.Release(s.charged)
	*s = Set{Account: s.Account}
}

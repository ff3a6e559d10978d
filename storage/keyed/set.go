package keyed

import "github.com/gremlind/gremlind/storage/account"

// Set is a set of internal ids. The zero Set is empty.
type Set struct {
	// Account is charged before the set grows beyond a few ids; nil means no limit.
	Account *account.Account
	charged int64

	few [setFew]uint64 // the ids, while they are no more
	n   int            // of few
	low []*page        // by number, those below lowPages
	// high are the pages behind, farPages the numbers of theirs.
	farPages Index
	high     []*page
}

// page is a bit for each of pageIDs ids.
type page [pageIDs / 64]uint64

const (
	setFew   = 8
	pageBits = 12
	pageIDs  = 1 << pageBits
	// lowPages is how many pages are found by their number alone.
	lowPages  = 1 << 15
	pageBytes = pageIDs / 8
	farBytes  = 40 // what finding a far page takes besides
)

// Add reports whether an id is new.
func (s *Set) Add(id uint64) (bool, error) {
	if n := id >> pageBits; n < uint64(len(s.low)) && s.low[n] != nil {
		return s.low[n].add(id), nil
	}
	return s.addFar(id)
}

// add sets a bit and reports whether that is new.
func (p *page) add(id uint64) bool {
	word, bit := &p[id>>6%uint64(len(p))], uint64(1)<<(id&63)
	was := *word
	*word = was | bit
	return was&bit == 0
}

// addFar adds an id that is on none of the low pages that there are.
func (s *Set) addFar(id uint64) (bool, error) {
	if s.low == nil && s.high == nil {
		for _, other := range s.few[:s.n] {
			if other == id {
				return false, nil
			}
		}
		if s.n < setFew {
			s.few[s.n] = id
			s.n++
			return true, nil
		}
		if err := s.spread(); err != nil {
			return false, err
		}
	}
	return s.addToPage(id)
}

// spread moves the few to pages.
func (s *Set) spread() error {
	few := *s
	for _, id := range few.few {
		if _, err := s.addToPage(id); err != nil {
			s.Account.Release(s.charged)
			*s = few
			return err
		}
	}
	s.n = 0
	return nil
}

func (s *Set) addToPage(id uint64) (bool, error) {
	n := id >> pageBits
	if n >= lowPages {
		i, isNew := s.farPages.Add(n)
		if !isNew {
			return s.high[i].add(id), nil
		}
		if err := s.charge(pageBytes + farBytes); err != nil {
			s.farPages.Remove(i)
			return false, err
		}
		s.high = append(s.high, new(page))
		return s.high[i].add(id), nil
	}
	if n >= uint64(len(s.low)) {
		size := min(max(int(n)+1, 2*len(s.low)), lowPages)
		if err := s.charge(int64(8 * (size - len(s.low)))); err != nil {
			return false, err
		}
		s.low = append(s.low, make([]*page, size-len(s.low))...)
	}
	if s.low[n] == nil {
		if err := s.charge(pageBytes); err != nil {
			return false, err
		}
		s.low[n] = new(page)
	}
	return s.low[n].add(id), nil
}

// AddPairs adds every second of pairs, as blueprints.Ends has them, and returns how many
// are new.
func (s *Set) AddPairs(pairs []uint32) (n int64, err error) {
	low := s.low
	for k := 1; k < len(pairs); k += 2 {
		id := pairs[k]
		if at := id >> pageBits; int(at) < len(low) && low[at] != nil {
			word := &low[at][id>>6%(pageIDs/64)]
			n += int64(^*word >> (id & 63) & 1)
			*word |= 1 << (id & 63)
			continue
		}
		isNew, err := s.addFar(uint64(id))
		if err != nil {
			return n, err
		}
		if isNew {
			n++
		}
		low = s.low
	}
	return n, nil
}

// Has reports whether an id is in the set.
func (s *Set) Has(id uint64) bool {
	for _, other := range s.few[:s.n] {
		if other == id {
			return true
		}
	}
	p := s.page(id >> pageBits)
	return p != nil && p[id>>6%uint64(len(p))]>>(id&63)&1 != 0
}

func (s *Set) page(n uint64) *page {
	if n < uint64(len(s.low)) {
		return s.low[n]
	}
	if i := s.farPages.Find(n); i >= 0 {
		return s.high[i]
	}
	return nil
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

package check

import "hash/maphash"

// Most of what tables promise each other comes in pairs: an edge and its entries at both
// ends, an element and its label and id, an index entry and its reverse row. To look up
// each other half costs several times what reading everything in order does. So the first
// pass looks none up: it adds a hash of the cell for every promise, and takes it away for
// every cell that must have been promised. Nothing is left when each promise has its cell
// and each cell its promise; that something is wrong and nothing left has one chance in
// 2^64, for the seed is new each time.

// sum is what promises and cells have left.
type sum struct {
	seed maphash.Seed
	open uint64
	cell []byte
}

func (s *sum) hash(key, val []byte) uint64 {
	if len(val) == 0 {
		return maphash.Bytes(s.seed, key)
	}
	s.cell = append(append(s.cell[:0], key...), val...)
	return maphash.Bytes(s.seed, s.cell)
}

// promise says that there is a key elsewhere, and with a value, unless that is nil. What
// is found is true where promises are added up.
func (c *checker) promise(key, val []byte) (found bool, err error) {
	if c.sum != nil {
		c.sum.open += c.sum.hash(key, val)
		return true, nil
	}
	got, found, err := c.get(key)
	return found && (val == nil || string(got) == string(val)), err
}

// promised takes a key that must have been promised and reports whether that is all to
// do: where promises are added up.
func (c *checker) promised(key, val []byte) bool {
	if c.sum != nil {
		c.sum.open -= c.sum.hash(key, val)
	}
	return c.sum != nil
}

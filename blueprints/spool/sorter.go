package spool

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Sorter sorts byte strings, each with a number: in memory up to a bound, in runs in
// temporary files beyond it. The zero value has default options.
type Sorter struct {
	Options
	keys    []byte // each behind its number
	entries []sorted
	mixed   bool // they did not come in order
	runs    []*List
}

// sorted is a string of a Sorter.
type sorted struct {
	prefix   uint64 // of what strings do not have in common
	at, size uint32
}

const (
	sortedBytes = 16 // of a sorted
	numberBytes = 4
	// sorterMax is what a Sorter keeps in memory at most, so that 32 bits find it.
	sorterMax = 1 << 30
)

// Add adds a string.
func (s *Sorter) Add(key []byte, number uint32) error {
	most := s.Memory
	if most == 0 {
		most = Memory
	}
	if n := int64(len(s.keys)) + sortedBytes*int64(len(s.entries)); n > min(most, sorterMax) {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.keys = binary.BigEndian.AppendUint32(s.keys, number)
	at := uint32(len(s.keys))
	s.keys = append(s.keys, key...)
	s.entries = append(s.entries, sorted{at: at, size: uint32(len(key))})
	if n := len(s.entries); n > 1 && !s.mixed {
		s.mixed = bytes.Compare(s.key(&s.entries[n-2]), key) > 0
	}
	return nil
}

func (s *Sorter) key(e *sorted) []byte { return s.keys[e.at : e.at+e.size] }

// sort sorts what is in memory.
func (s *Sorter) sort() {
	if !s.mixed {
		return
	}
	skip := len(s.common())
	for i := range s.entries {
		var first [8]byte
		copy(first[:], s.key(&s.entries[i])[skip:])
		s.entries[i].prefix = binary.BigEndian.Uint64(first[:])
	}
	slices.SortFunc(s.entries, func(a, b sorted) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return cmp.Or(bytes.Compare(s.key(&a), s.key(&b)), cmp.Compare(a.at, b.at))
	})
	s.mixed = false
}

// common is what all strings in memory begin with.
func (s *Sorter) common() []byte {
	common := s.key(&s.entries[0])
	for i := range s.entries {
		key := s.key(&s.entries[i])
		n := 0
		for n < len(common) && n < len(key) && key[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	return common
}

// flush writes what is in memory as a run.
func (s *Sorter) flush() error {
	s.sort()
	run := &List{Options: Options{Memory: -1, Dir: s.Dir}}
	s.runs = append(s.runs, run)
	for i := range s.entries {
		e := &s.entries[i]
		if err := run.Write(s.keys[e.at-numberBytes : e.at+e.size]); err != nil {
			return err
		}
	}
	s.keys, s.entries, s.mixed = s.keys[:0], s.entries[:0], false
	err := run.Seal()
	run.w = nil // and its buffer
	return err
}

// Each visits the strings in order, those that are equal in the order in which they
// came. fn does not keep the key.
func (s *Sorter) Each(fn func(key []byte, number uint32) error) error {
	if len(s.runs) > 0 {
		return s.merge(fn)
	}
	s.sort()
	for i := range s.entries {
		e := &s.entries[i]
		if err := fn(s.key(e), binary.BigEndian.Uint32(s.keys[e.at-numberBytes:])); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sorter) merge(fn func(key []byte, number uint32) error) error {
	if len(s.entries) > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.keys, s.entries = nil, nil
	runs := make([]Run, len(s.runs))
	for i, run := range s.runs {
		r := run.Reader(Mark{})
		runs[i] = func() ([]byte, uint32, error) {
			b, err := r.Read()
			if err != nil {
				return nil, 0, err
			}
			return b[numberBytes:], binary.BigEndian.Uint32(b), nil
		}
	}
	return Merge(runs, fn)
}

// Close gives memory and files back.
func (s *Sorter) Close() {
	for _, run := range s.runs {
		run.Close()
	}
	*s = Sorter{Options: s.Options}
}

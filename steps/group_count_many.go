package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// recentBits says how many keys groupCount() remembers in front of its table: keys are
// few as a rule, and come again and again.
const recentBits = 8

// recentKey is a key of the table with what it was counted since it came there.
type recentKey struct {
	key   value.Value
	n     int64
	known bool
}

// AddBatch implements traversal.BatchReducer.
//
// Tolerates: a by() that is unproductive, which gives no key; paths, sacks and loops, of which
// by() sees nothing where it is a key or the label, and many are read at once. Elements
// that stand for several are counted one by one.
func (s *groupCounter) AddBatch(b *traversal.Batch) error {
	switch {
	case !b.Singles() || !s.identity && s.column == nil:
		return s.addEach(b, 0, b.Len())
	case s.identity:
		return s.countAll(b.Objects)
	}
	for i := 0; i < b.Len(); {
		s.ids = traversal.VertexIDs(s.ids[:0], b.Objects[i:])
		if len(s.ids) == 0 {
			if err := s.addEach(b, i, i+1); err != nil {
				return err
			}
			i++
			continue
		}
		var err error
		if s.keys, err = s.column(s.keys[:0], s.ids); err != nil {
			return err
		}
		if err := s.countAll(s.keys); err != nil {
			return err
		}
		i += len(s.ids)
	}
	return nil
}

func (s *groupCounter) addEach(b *traversal.Batch, from, to int) error {
	for i := from; i < to; i++ {
		if err := s.r.Poll(); err != nil {
			return err
		}
		s.at = b.At(i)
		if err := s.Add(&s.at); err != nil {
			return err
		}
	}
	return nil
}

func (s *groupCounter) countAll(keys []value.Value) error {
	for _, k := range keys {
		r := &s.recent[uint64(k.Int64())*0x9e3779b97f4a7c15>>(64-recentBits)]
		if r.key == k && r.known {
			r.n++
			continue
		}
		s.settle(r)
		r.key, r.known = k, true
		if s.counts.Add(k, 1) {
			if err := s.r.ChargeText(k, keyBytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle brings what a key was counted into the table.
func (s *groupCounter) settle(r *recentKey) {
	if r.n > 0 {
		s.counts.Add(r.key, r.n)
	}
	r.n = 0
}

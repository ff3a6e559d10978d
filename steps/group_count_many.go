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

// AddObjects implements traversal.ObjectReducer.
//
// Tolerates: a by() that is unproductive, which gives no key. by() is a key or the label
// where many are read at once; objects come without traversers only where traversal.Objects
// lets them, so that no effect, side effect, label or sack is lost.
func (s *groupCounter) AddObjects(objs []value.Value) error {
	if s.identity {
		return s.countAll(objs)
	}
	for len(objs) > 0 {
		s.ids = s.ids[:0]
		if s.column != nil {
			s.ids = traversal.VertexIDs(s.ids, objs)
		}
		if len(s.ids) == 0 {
			t := traversal.NewTraverser(objs[0])
			if err := s.Add(&t); err != nil {
				return err
			}
			objs = objs[1:]
			continue
		}
		var err error
		if s.keys, err = s.column(s.keys[:0], s.ids); err != nil {
			return err
		}
		if err := s.countAll(s.keys); err != nil {
			return err
		}
		objs = objs[len(s.ids):]
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
			if err := s.r.Charge(keyBytes); err != nil {
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

package steps

import (
	"github.com/gremlind/gremlind/steps/step"
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
	return true, s.r.ChargeText(v, step.KeyBytes)
}

// forget empties the set.
func (s *seen) forget() {
	s.vertices.Release()
	s.edges.Release()
	s.others = nil
}

package engine

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// slow knows which kinds of traversals somebody wants to know more of: the next of the kind is
// measured step by step, and it alone. A kind is the names of the steps, in order.
type slow struct {
	any   atomic.Bool // kinds are not empty, which is looked at for every traversal
	mu    sync.Mutex
	kinds map[uint64]bool
}

// slowKinds bounds the kinds that are waited for.
const slowKinds = 256

var kindSeed = maphash.MakeSeed()

func kindOf(p *traversal.Plan) uint64 {
	var h maphash.Hash
	h.SetSeed(kindSeed)
	for _, n := range p.Nodes {
		_, _ = h.WriteString(n.Name()) // which never fails
		_ = h.WriteByte('.')
	}
	return h.Sum64()
}

// wants reports whether the steps of a plan are to be measured.
func (s *slow) wants(p *traversal.Plan) bool {
	if !s.any.Load() {
		return false
	}
	kind := kindOf(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.kinds[kind] {
		return false
	}
	delete(s.kinds, kind)
	s.any.Store(len(s.kinds) > 0)
	return true
}

// want has the next traversal with such a plan measured.
func (s *slow) want(p *traversal.Plan) {
	kind := kindOf(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil || len(s.kinds) >= slowKinds {
		s.kinds = map[uint64]bool{}
	}
	s.kinds[kind] = true
	s.any.Store(true)
}

var _ contract.Ran = (*run)(nil)

// Plan are the steps of the run.
func (s *run) Plan() []string {
	texts := make([]string, len(s.r.Plan.Nodes))
	for i, n := range s.r.Plan.Nodes {
		texts[i] = n.String()
	}
	return texts
}

// Took is what they took.
func (s *run) Took() (list []contract.Took) {
	if s.r.Profile == nil {
		s.slow.want(s.r.Plan)
		return nil
	}
	s.r.Profile.Each(func(p *traversal.StepProfile, own time.Duration) {
		list = append(list, contract.Took{Step: p.Node.String(), Time: own, Rows: p.Elements})
	})
	return list
}

package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// probe answers a pattern of a single hop whose both ends are bound, as the last edge
// of a triangle is. Rather than go through the neighbours of one end for each
// traverser, it marks those of the other end once: depth first, that end stays the
// same for long.
//
// Tolerates: side effects, for a probe only counts edges. Not effects that could change the
// graph on the way (the run is strict then), nor patterns with more than a hop in them.
type probe struct {
	r      *traversal.Run
	hop    *traversal.Hop
	end    value.Value
	counts map[uint64]int64 // vertices one hop before end, with the number of edges
	at     [1]blueprints.VertexID
	probes int
	builds int
}

// probeTrial is after how many markings a probe must have paid for them.
const probeTrial = 32

// newProbe returns nil for a pattern that is more than a hop, or when effects could
// change the graph on the way.
func newProbe(r *traversal.Run, p *pattern) *probe {
	hop := probeHop(p)
	if r.Strict || r.Profile != nil || hop == nil {
		return nil
	}
	return &probe{r: r, hop: hop, counts: map[uint64]int64{}}
}

// probeHop returns the hop that a pattern from label to label consists of, nil when it
// is something else.
func probeHop(p *pattern) *traversal.Hop {
	nodes := p.body.Nodes
	if p.end == "" || p.key == "" || p.inner != nil || len(nodes) == 0 || len(nodes) > 2 {
		return nil
	}
	if len(nodes) == 2 && !isLazyBarrier(nodes[1]) {
		return nil
	}
	hop, ok := nodes[0].Data.(*traversal.Hop)
	if !ok || hop.Edge || hop.None || nodes[0].HasLabels() {
		return nil
	}
	return hop
}

// backwards is the direction in which the end sees the hop.
func backwards(d blueprints.Direction) blueprints.Direction {
	switch d {
	case blueprints.Out:
		return blueprints.In
	case blueprints.In:
		return blueprints.Out
	}
	return d
}

// between returns how many edges lead from one vertex to the other; false when the
// probe does not pay.
func (p *probe) between(from, end value.Value) (n int64, ok bool, err error) {
	if p == nil || from.Kind() != value.KindVertex || end.Kind() != value.KindVertex || !from.IsStored() || !end.IsStored() {
		return 0, false, nil
	}
	if p.builds == 0 || end.Ref() != p.end.Ref() {
		if p.builds > probeTrial && p.probes < 4*p.builds {
			return 0, false, nil
		}
		if err := p.mark(end); err != nil {
			return 0, false, err
		}
	}
	p.probes++
	return p.counts[from.Ref()], true, nil
}

func (p *probe) mark(end value.Value) error {
	clear(p.counts)
	p.end = end
	p.builds++
	labels, none := p.r.Symbols(p.hop.Labels)
	if none {
		return nil
	}
	p.at[0] = blueprints.VertexID(end.Ref())
	return p.r.View.Expand(p.at[:], blueprints.Expansion{Dir: backwards(p.hop.Dir), Labels: labels, Want: blueprints.WantEnds}, p)
}

// Take counts the edges to each neighbour.
func (p *probe) Take(_ int, e blueprints.Expanded) error {
	for k := 1; k < len(e.Pairs); k += 2 {
		p.counts[uint64(e.Pairs[k])]++
	}
	for i := range e.Edges {
		p.counts[uint64(e.Edges[i].Other)]++
	}
	return nil
}

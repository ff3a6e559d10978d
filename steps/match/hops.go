package match

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/walk"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// singleHop returns the hop that a pattern from label to label consists of, nil when it
// is something else.
func (pt *pattern) singleHop() *traversal.Hop {
	nodes := pt.body.Nodes
	if pt.end == "" || pt.key == "" || pt.inner != nil || len(nodes) == 0 || len(nodes) > 2 {
		return nil
	}
	if len(nodes) == 2 && !step.IsLazyBarrier(nodes[1]) {
		return nil
	}
	hop, ok := nodes[0].Data.(*traversal.Hop)
	if !ok || hop.Edge || hop.None || nodes[0].HasLabels() {
		return nil
	}
	return hop
}

// probe answers a pattern of a single hop whose both ends are bound, as the last edge
// of a triangle is. Rather than go through the neighbours of one end for each
// traverser, it marks those of the other end once: depth first, that end stays the
// same for long. MatchProbeStrategy says what else must hold.
//
// Tolerates: side effects, for a probe only counts edges; not patterns with more than a hop
// in them.
type probe struct {
	none   bool // no edge has one of the labels
	end    value.Value
	near   *walk.Near // vertices one hop before end, with the number of edges
	probes int
	builds int
}

// probeTrial is after how many markings a probe must have paid for them.
const probeTrial = 32

// probeMod is what MatchProbeStrategy puts on a match() whose hops are probed.
const probeMod = "~probe"

// probeHops has the patterns probed that are single hops, and reports whether there is one.
func (m *matchArgs) probeHops() (any bool) {
	for _, p := range m.patterns {
		if p.inner != nil {
			any = p.inner.probeHops() || any
		} else if p.probed = p.singleHop() != nil; p.probed {
			any = true
		}
	}
	return any
}

// probes lists the patterns that are probed, for explain().
func (m *matchArgs) probes() (list []string) {
	for _, p := range m.patterns {
		if p.inner != nil {
			list = append(list, p.inner.probes()...)
		} else if p.probed {
			list = append(list, p.key+"->"+p.end)
		}
	}
	return list
}

// newProbe returns nil for a pattern that is run.
func newProbe(r *traversal.Run, p *pattern) *probe {
	if !p.probed {
		return nil
	}
	hop := p.singleHop()
	labels, none := r.Symbols(hop.Labels)
	return &probe{none: none, near: walk.NewNear(r, blueprints.Expansion{Dir: walk.Back(hop.Dir), Labels: labels})}
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
	return p.near.Edges(blueprints.VertexID(from.Ref())), true, nil
}

func (p *probe) mark(end value.Value) error {
	p.end = end
	p.builds++
	if p.none {
		return nil
	}
	return p.near.Go(blueprints.VertexID(end.Ref()))
}

// matchCount is match() with count() behind it, where every pattern is a single hop:
//
//	match(as("a").out().as("b"), as("b").out().as("c"), as("c").out().as("a")).count()
//
// It makes no matches: the labels are the corners of a figure of hops.
//
// Tolerates: labels bound before, which run() counts by making the matches. Patterns are
// single hops without effects, labels of their own or children.
type matchCount struct {
	traversal.One
	m      *matcher
	figure *walk.Figure // nil when no edge has one of the labels
	n      int64
	out    traversal.Batch
}

// MatchCount is what MatchCountStrategy puts in place of match() and count().
var MatchCount = traversal.Spec{
	Name: "~matchCount", Class: "MatchCountStep", Kind: traversal.ReduceStep, Needs: traversal.NeedLabelledPath, HoldsChildren: true,
	Doc:     "Counts the matches of a pattern of hops without making each of them.",
	Prepare: prepareMatchCount, Open: openMatchCount,
	Print: func(n *traversal.Node) string {
		m, ok := n.Data.(*matchArgs)
		if !ok {
			return "MatchCountStep"
		}
		return "MatchCountStep" + strings.TrimPrefix(m.String(), "MatchStep")
	},
}

// prepareMatchCount refuses a match() whose matches must be made.
func prepareMatchCount(n *traversal.Node) error {
	if err := prepareMatch(n); err != nil {
		return err
	}
	m, ok := n.Data.(*matchArgs)
	if !ok || m.chain() == nil {
		return traversal.ErrUnfit
	}
	m.probeHops() // for matches that are made
	return nil
}

// chain is the patterns in the order in which labels are bound, each one starting at a
// label that one before it binds; nil for a match() that is more than single hops, or has
// none that leads on.
func (m *matchArgs) chain() []*pattern {
	if m.or || m.first == "" {
		return nil
	}
	for _, p := range m.patterns {
		if p.singleHop() == nil || p.key == p.end {
			return nil
		}
	}
	bound := map[string]bool{m.first: true}
	var order []*pattern
	left := slices.Clone(m.patterns)
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(p *pattern) bool { return bound[p.key] })
		if i < 0 {
			return nil
		}
		bound[left[i].end] = true
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return order
}

func openMatchCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	m, err := openMatcher(n, r, up)
	if err != nil {
		return nil, err
	}
	return r.ReduceInto(up, &matchCount{m: m, figure: m.m.figure(r)}), nil
}

// figure makes each label a corner. Where the graph has no edge of a label, there is no
// match to be counted, and it is nil.
func (m *matchArgs) figure(r *traversal.Run) *walk.Figure {
	f := walk.NewFigure(r)
	corners := map[string]int{m.first: 0}
	for _, p := range m.chain() {
		hop := p.singleHop()
		syms, none := r.Symbols(hop.Labels)
		if none {
			return nil
		}
		x := blueprints.Expansion{Dir: hop.Dir, Labels: syms}
		from := corners[p.key]
		if to, ok := corners[p.end]; ok {
			f.Check(from, to, x)
			continue
		}
		corners[p.end] = len(corners)
		f.Corner(from, x)
	}
	return f
}

// Restart implements traversal.RestartedReducer.
func (c *matchCount) Restart() { c.n, c.m.stack = 0, c.m.stack[:0] }

// AddBatch implements traversal.Reducer.
func (c *matchCount) AddBatch(b *traversal.Batch) error { return c.Each(c.m.r, b, c) }

// Add counts the matches of a start.
func (c *matchCount) Add(t *traversal.Traverser) error {
	if c.figure == nil || !step.IsStoredVertex(t.Value) || t.History() != nil {
		return c.run(t)
	}
	n, err := c.figure.Count(blueprints.VertexID(t.Ref()))
	c.n += n * t.Bulk
	return err
}

// run counts by making the matches.
func (c *matchCount) run(t *traversal.Traverser) error {
	c.out.Clear()
	from, err := c.m.begin(t)
	if err != nil {
		return err
	}
	got, err := c.m.advance(&c.out, 0, from, 0)
	for err == nil && len(c.m.stack) > 0 {
		var u *traversal.Traverser
		var done uint64
		if u, done, err = c.m.step(); err == nil && u != nil {
			got, err = c.m.advance(&c.out, got, u, done)
		}
		c.n += c.out.Bulks(0)
		c.out.Clear()
	}
	c.n += c.out.Bulks(0)
	return err
}

// Result gives the count.
func (c *matchCount) Result() (value.Value, bool, error) {
	if c.figure != nil {
		c.figure.Release()
	}
	return value.Long(c.n), true, nil
}

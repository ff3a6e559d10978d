package steps

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// matchCount is match() with count() behind it, where every pattern is a single hop:
//
//	match(as("a").out().as("b"), as("b").out().as("c"), as("c").out().as("a")).count()
//
// It makes no matches. The labels are bound one after the other, each by a pattern
// that leads there; the patterns that then have both ends bound are looked up in the
// marks of the earlier end. Labels that the last pattern leads to are only counted.
//
// Tolerates: labels bound before, which run() counts by making the matches. Patterns are
// single hops without effects, labels of their own or children.
type matchCount struct {
	traversal.One
	m      *matcher
	levels []matchLevel // by the order of binding; the first is where it starts
	none   bool         // no edge has one of the labels
	n      int64
	out    traversal.Batch
	// bulks are those of the vertices of which the last level is counted; one is room for
	// a single bulk.
	bulks []int64
	one   [1]int64
}

// matchLevel is one label.
type matchLevel struct {
	parent int            // the level from which the hop leads here
	hop    *traversal.Hop // nil for the first
	syms   []blueprints.Symbol
	checks []*matchMarks // what a vertex bound here must be in
	marks  []*matchMarks // made when a vertex is bound here
	at     [1]blueprints.VertexID
	bulk   int64 // of each edge that leads here
	found  []blueprints.VertexID
	bulks  []int64
}

// matchMarks are the neighbours of the vertex bound at a level, with the number of
// edges to each.
type matchMarks struct {
	dir    blueprints.Direction
	labels []string
	syms   []blueprints.Symbol
	near   frontier
}

// matchCountSpec is what MatchCountStrategy puts in place of match() and count().
var matchCountSpec = traversal.Spec{
	Name: "~matchCount", Class: "MatchCountStep", Kind: traversal.ReduceStep, Needs: traversal.NeedLabelledPath, HoldsChildren: true,
	Prepare: prepareMatchCount, Open: openMatchCount,
	Print: func(n *traversal.Node) string {
		return "MatchCountStep" + strings.TrimPrefix(printMatch(n), "MatchStep")
	},
}

// prepareMatchCount refuses a match() whose matches must be made.
func prepareMatchCount(n *traversal.Node) error {
	if err := prepareMatch(n); err != nil {
		return err
	}
	if m, ok := n.Data.(*matchArgs); !ok || matchLevels(m) == nil {
		return traversal.ErrUnfit
	}
	return nil
}

func openMatchCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	m, err := openMatcher(n, r, up)
	if err != nil {
		return nil, err
	}
	c := &matchCount{m: m, levels: matchLevels(m.m)}
	c.resolve()
	return r.Reduce(up, func() traversal.Reducer {
		c.n, m.stack = 0, m.stack[:0]
		return c
	}), nil
}

// matchLevels is the order in which labels are bound, nil for a match() that is more than
// single hops which lead from one to the next.
func matchLevels(m *matchArgs) []matchLevel {
	if m.or || m.first == "" {
		return nil
	}
	levels := []matchLevel{{}}
	bound := map[string]int{m.first: 0}
	left := slices.Clone(m.patterns)
	for _, p := range left {
		if probeHop(p) == nil || p.key == p.end {
			return nil
		}
	}
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(p *pattern) bool { _, ok := bound[p.key]; return ok })
		if i < 0 {
			return nil
		}
		levels = withPattern(levels, left[i], bound)
		left = slices.Delete(left, i, i+1)
	}
	return levels
}

// withPattern makes a pattern whose start is bound a level of its own, or a check.
func withPattern(levels []matchLevel, p *pattern, bound map[string]int) []matchLevel {
	hop := probeHop(p)
	from := bound[p.key]
	to, ok := bound[p.end]
	if !ok {
		bound[p.end] = len(levels)
		return append(levels, matchLevel{parent: from, hop: hop})
	}
	marks := &matchMarks{dir: hop.Dir, labels: hop.Labels}
	early, late := from, to
	if to < from {
		early, late, marks.dir = to, from, backwards(hop.Dir)
	}
	levels[early].marks = append(levels[early].marks, marks)
	levels[late].checks = append(levels[late].checks, marks)
	return levels
}

// resolve finds the symbols of the labels. Where the graph has no edge of a label, there is
// no match to be counted.
func (c *matchCount) resolve() {
	for i := range c.levels {
		l := &c.levels[i]
		if l.hop != nil {
			c.symbols(&l.syms, l.hop.Labels)
		}
		for _, m := range l.marks {
			c.symbols(&m.syms, m.labels)
		}
	}
}

func (c *matchCount) symbols(dst *[]blueprints.Symbol, labels []string) {
	var none bool
	*dst, none = c.m.r.Symbols(labels)
	c.none = c.none || none
}

// AddBatch implements traversal.Reducer.
func (c *matchCount) AddBatch(b *traversal.Batch) error { return c.Each(c.m.r, b, c) }

// Add counts the matches of a start.
func (c *matchCount) Add(t *traversal.Traverser) error {
	if c.none || !isStoredVertex(t.Value) || t.History() != nil {
		return c.run(t)
	}
	before := c.n
	if err := c.bind(0, blueprints.VertexID(t.Ref())); err != nil {
		return err
	}
	if err := c.expand(1, 1); err != nil {
		return err
	}
	c.n = before + (c.n-before)*t.Bulk
	return nil
}

// run counts by making the matches.
func (c *matchCount) run(t *traversal.Traverser) error {
	c.out.Clear()
	got, err := c.m.advance(&c.out, 0, c.m.begin(t), 0)
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
func (c *matchCount) Result() (value.Value, bool, error) { return value.Long(c.n), true, nil }

// bind puts a vertex at a level and marks what later levels ask about it.
func (c *matchCount) bind(level int, v blueprints.VertexID) error {
	l := &c.levels[level]
	l.at[0] = v
	for _, m := range l.marks {
		m.near.reset()
		err := c.m.r.View.Expand(l.at[:], blueprints.Expansion{Dir: m.dir, Labels: m.syms, Want: blueprints.WantEnds}, m)
		if err != nil {
			return err
		}
	}
	return c.m.r.Poll()
}

// Take marks neighbours.
func (m *matchMarks) Take(_ int, e blueprints.Expanded) error {
	m.near.addEnds(e, 1)
	return nil
}

// expand counts the ways to bind a level and those behind it, bulk times each.
func (c *matchCount) expand(level int, bulk int64) error {
	if level == len(c.levels) {
		c.n += bulk
		return nil
	}
	l := &c.levels[level]
	from := c.levels[l.parent].at[:]
	if level == len(c.levels)-1 {
		c.one[0] = bulk
		return c.last(from, c.one[:])
	}
	l.found, l.bulks, l.bulk = l.found[:0], l.bulks[:0], bulk
	room := cap(l.found)
	err := c.m.r.View.Expand(from, l.expansion(blueprints.WantEnds), l)
	if err == nil {
		err = c.m.r.Charge(16 * (cap(l.found) - room))
	}
	if err != nil {
		return err
	}
	if level == len(c.levels)-2 && c.levels[level+1].parent == level && len(l.marks) == 0 {
		return c.last(l.found, l.bulks)
	}
	for i, v := range l.found {
		if err := c.bind(level, v); err != nil {
			return err
		}
		if err := c.expand(level+1, l.bulks[i]); err != nil {
			return err
		}
	}
	return nil
}

// expansion leads from the parent's vertices to the level.
func (l *matchLevel) expansion(want blueprints.Want) blueprints.Expansion {
	return blueprints.Expansion{Dir: l.hop.Dir, Labels: l.syms, Want: want}
}

// Take keeps the vertices that pass the checks.
func (l *matchLevel) Take(_ int, e blueprints.Expanded) error {
	for k := 1; k < len(e.Pairs); k += 2 {
		l.keep(uint64(e.Pairs[k]))
	}
	for i := range e.Edges {
		l.keep(uint64(e.Edges[i].Other))
	}
	return nil
}

func (l *matchLevel) keep(id uint64) {
	if bulk := l.bulk * l.edges(id); bulk != 0 {
		l.found, l.bulks = append(l.found, blueprints.VertexID(id)), append(l.bulks, bulk)
	}
}

// edges is the number of ways in which a vertex passes the checks.
func (l *matchLevel) edges(id uint64) int64 {
	n := int64(1)
	for _, m := range l.checks {
		n *= m.near.bulk(id)
	}
	return n
}

// last counts the ways from vertices to the last level.
func (c *matchCount) last(from []blueprints.VertexID, bulks []int64) error {
	l := &c.levels[len(c.levels)-1]
	x := l.expansion(blueprints.WantCount)
	if len(l.checks) > 0 {
		x.Want = blueprints.WantEnds
	}
	for len(from) > 0 {
		n := min(len(from), hopBatch)
		if err := c.m.r.PollNow(); err != nil {
			return err
		}
		c.bulks = bulks
		if err := c.m.r.View.Expand(from[:n], x, (*matchLast)(c)); err != nil {
			return err
		}
		from, bulks = from[n:], bulks[n:]
	}
	return nil
}

// matchLast is a matchCount that takes edges to the last level, or their number.
type matchLast matchCount

// Take counts the ways to the last level.
func (c *matchLast) Take(i int, e blueprints.Expanded) error {
	l, ways := &c.levels[len(c.levels)-1], e.Count
	for k := 1; k < len(e.Pairs); k += 2 {
		ways += l.edges(uint64(e.Pairs[k]))
	}
	for k := range e.Edges {
		ways += l.edges(uint64(e.Edges[k].Other))
	}
	c.n += ways * c.bulks[i]
	return nil
}

package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// indexCursor walks the ranges of a key index, one after the other.
type indexCursor struct {
	r      *traversal.Run
	edges  bool
	choice *traversal.IndexChoice
	tests  []hasTest
	next   int // the range to open next
	scan   *scanCursor
	// seen keeps the vertices given before: one with several values of the key has
	// several entries. The first needs no map, which spares point look-ups one.
	first blueprints.VertexID
	given bool
	seen  map[blueprints.VertexID]struct{}
}

func (c *indexCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for {
		if c.scan == nil && !c.open() {
			return dst, nil
		}
		from := len(dst)
		var err error
		if dst, err = c.scan.Next(dst, max); err != nil {
			return dst, err
		}
		if len(dst) == from {
			c.scan.Close()
			c.scan = nil
			continue
		}
		if dst = c.unseen(dst, from); len(dst) > from {
			return dst, nil
		}
	}
}

// open begins the next range; false when there is none left.
func (c *indexCursor) open() bool {
	if c.next >= len(c.choice.Ranges) {
		return false
	}
	rng := c.choice.Ranges[c.next]
	c.next++
	c.scan = &scanCursor{r: c.r, edges: c.edges, tests: c.tests}
	exact := false
	if c.edges {
		c.scan.es = c.r.View.LookupEdges(c.choice.Key, rng)
		exact = c.scan.es.Exact()
	} else {
		c.scan.vs = c.r.View.LookupVertices(c.choice.Key, rng)
		exact = c.scan.vs.Exact()
	}
	if exact {
		c.scan.tests = without(c.tests, c.choice.Covers)
	}
	return true
}

// unseen drops the vertices from position from on that were given before.
func (c *indexCursor) unseen(dst []value.Value, from int) []value.Value {
	if c.edges {
		return dst
	}
	kept := dst[:from]
	for _, v := range dst[from:] {
		if c.isNew(blueprints.VertexID(v.Ref())) {
			kept = append(kept, v)
		}
	}
	return kept
}

func (c *indexCursor) isNew(v blueprints.VertexID) bool {
	if !c.given {
		c.first, c.given = v, true
		return true
	}
	if c.seen == nil {
		c.seen = map[blueprints.VertexID]struct{}{c.first: {}}
	}
	_, old := c.seen[v]
	c.seen[v] = struct{}{}
	return !old
}

func (c *indexCursor) Close() {
	if c.scan != nil {
		c.scan.Close()
	}
}

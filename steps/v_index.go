package steps

import (
	"slices"

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
	scan   scanCursor
	open   bool // scan is
	// The vertices given before: one with several values of the key has several entries.
	// A few need no map, which spares point look-ups one.
	few  [8]blueprints.VertexID
	n    int // of few
	seen map[blueprints.VertexID]struct{}
}

func (c *indexCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for {
		if !c.open && !c.begin() {
			return dst, nil
		}
		from := len(dst)
		var err error
		if dst, err = c.scan.Next(dst, max); err != nil {
			return dst, err
		}
		if len(dst) == from {
			c.scan.Close()
			c.open = false
			continue
		}
		if dst = c.unseen(dst, from); len(dst) > from {
			return dst, nil
		}
	}
}

// begin opens the next range; false when there is none left.
func (c *indexCursor) begin() bool {
	if c.next >= len(c.choice.Ranges) {
		return false
	}
	rng := c.choice.Ranges[c.next]
	c.next++
	c.scan.r, c.scan.edges, c.scan.tests, c.open = c.r, c.edges, c.tests, true
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
	if slices.Contains(c.few[:c.n], v) {
		return false
	}
	if c.n < len(c.few) {
		c.few[c.n] = v
		c.n++
		return true
	}
	if c.seen == nil {
		c.seen = map[blueprints.VertexID]struct{}{}
	}
	_, old := c.seen[v]
	c.seen[v] = struct{}{}
	return !old
}

func (c *indexCursor) Close() {
	if c.open {
		c.scan.Close()
	}
}

package find

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// indexCursor looks values up in an index, or walks ranges of it, one after the other.
//
// Tolerates: any effects: an entry is looked up when it is asked for, and sees the writes
// of its own transaction; what a strict run adds meanwhile it does not see, as a scan does
// not. has-filters, which are all that is folded in, have no labels, side effects or
// children.
type indexCursor struct {
	g      *traversal.GraphStart
	points []value.Value           // to look up
	ranges []blueprints.ValueRange // to walk behind them
	walks  []blueprints.IndexColumns
	one    bool       // there was only one of all: nothing comes twice
	tests  []Test     // without the one that an exact walk answers
	scan   scanCursor // of the range under way
	open   bool       // scan is
	ids    []blueprints.VertexID
	buf    [8]blueprints.VertexID
	// given are the elements given before: a vertex with several values of the key has
	// several entries, and a value may come twice.
	given keyed.Set
}

// start makes c, whatever it was, stand before all that g asks for.
func (c *indexCursor) start(r *traversal.Run, g *traversal.GraphStart, tests []Test) {
	*c = indexCursor{g: g, tests: tests, scan: scanCursor{r: r, edges: g.Edges}, given: keyed.Set{Account: r.Account}}
	c.ids = c.buf[:0]
	if g.Index.Declared != nil {
		c.walks = strategy.Columns(g.Index, g.Has)
		c.one = len(c.walks) == 1
		return
	}
	var ok bool
	if c.points, ok = strategy.Points(g.Has[g.Index.At].P); !ok {
		c.ranges, _ = strategy.Ranges(g.Has[g.Index.At].P)
	}
	c.one = len(c.points)+len(c.ranges) == 1
}

func (c *indexCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for from := len(dst); len(dst) == from; {
		var err error
		switch {
		case c.open:
			dst, err = c.walk(dst, max)
		case len(c.points) > 0:
			dst, err = c.lookUp(dst, max)
		case len(c.ranges) > 0:
			err = c.begin(c.ranges[0])
			c.ranges = c.ranges[1:]
		case len(c.walks) > 0:
			err = c.beginBy(c.walks[0])
			c.walks = c.walks[1:]
		default:
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// walk gives what the open range holds next, and closes it at its end.
func (c *indexCursor) walk(dst []value.Value, max int) ([]value.Value, error) {
	from := len(dst)
	dst, err := c.scan.Next(dst, max)
	if len(dst) == from && err == nil {
		c.scan.Close()
		c.open = false
	}
	return c.onlyNew(dst, from, err)
}

// lookUp gives the vertices of the next points. Those of a point that has many are
// walked, and so are edges.
func (c *indexCursor) lookUp(dst []value.Value, max int) ([]value.Value, error) {
	if err := c.scan.r.Poll(); err != nil {
		return dst, err
	}
	n := 0
	if !c.g.Edges {
		var err error
		if c.ids, n, err = c.scan.r.View.FewVertices(c.ids[:0], c.g.Index.Key, c.points, max); err != nil {
			return dst, err
		}
	}
	if n == 0 {
		v := c.points[0]
		c.points = c.points[1:]
		return dst, c.begin(blueprints.ValueRange{Min: v, Max: v, HasMin: true, HasMax: true})
	}
	c.points = c.points[n:]
	from := len(dst)
	dst = slices.Grow(dst, len(c.ids))
	for _, v := range c.ids {
		dst = append(dst, value.VertexRef(uint64(v)))
	}
	c.scan.tests = c.tests
	dst, err := c.scan.keep(dst, from)
	return c.onlyNew(dst, from, err)
}

// begin opens a range.
func (c *indexCursor) begin(rng blueprints.ValueRange) error {
	view, exact := c.scan.r.View, false
	if c.g.Edges {
		c.scan.es = view.LookupEdges(c.g.Index.Key, rng)
		exact = c.scan.es.Exact()
	} else {
		c.scan.vs = view.LookupVertices(c.g.Index.Key, rng)
		exact = c.scan.vs.Exact()
	}
	return c.opened(exact)
}

// beginBy opens a walk of a declared index.
func (c *indexCursor) beginBy(w blueprints.IndexColumns) error {
	view, exact := c.scan.r.View, false
	if c.g.Edges {
		c.scan.es = view.LookupEdgesBy(c.g.Index.Declared, w)
		exact = c.scan.es.Exact()
	} else {
		c.scan.vs = view.LookupVerticesBy(c.g.Index.Declared, w)
		exact = c.scan.vs.Exact()
	}
	return c.opened(exact)
}

// opened prepares for what a walk gives, which has to pass all filters if it is not exact.
func (c *indexCursor) opened(exact bool) (err error) {
	c.open, c.scan.tests = true, c.tests
	if !exact && c.g.Index.Exact {
		c.scan.tests, err = Compile(c.scan.r, c.g.Has)
	}
	return err
}

// onlyNew drops the elements from position from on that were given before; err comes
// behind them.
func (c *indexCursor) onlyNew(dst []value.Value, from int, err error) ([]value.Value, error) {
	if c.one {
		return dst, err
	}
	kept := dst[:from]
	for _, v := range dst[from:] {
		isNew, full := c.given.Add(v.Ref())
		if full != nil {
			return kept, full
		}
		if isNew {
			kept = append(kept, v)
		}
	}
	return kept, err
}

func (c *indexCursor) Close() {
	c.given.Release()
	if c.open {
		c.scan.Close()
	}
}

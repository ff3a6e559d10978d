package find

import (
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const (
	// bothAfter is how many elements are tested one by one before both indexes are read.
	bothAfter = 512
	// bothRead is how many are read of each index in turn.
	bothRead = 1024
	// bothWorth is how many entries may be read for each element that need not be tested.
	bothWorth = 8
	// bothMax is how many are kept of both indexes together.
	bothMax  = 1 << 20
	refBytes = 16 // of an id, with room to grow
)

// bothCursor looks filters up in two indexes. What the better one finds is tested, as if there
// were no other; once that is many, both are read in turn until one ends, and the other a while
// longer: what both have is tested, or what the shorter one has.
//
// Tolerates: what indexCursor does. All that is given has passed all filters when it is given;
// what is added behind the look-up it may not see, as a scan does not.
type bothCursor struct {
	r       *traversal.Run
	g       *traversal.GraphStart
	sides   [2]side
	scan    scanCursor // tests what was found
	tested  keyed.Set  // before both were read
	n       int        // of them
	found   []uint64   // to be tested before what is left of the first side
	charged int64
}

// side is one of two indexes, and what was read of it.
type side struct {
	index indexCursor
	ids   []uint64
	ended bool
	buf   []value.Value
}

func openBoth(r *traversal.Run, g *traversal.GraphStart) (traversal.Cursor, error) {
	tests, err := compileRest(r, g)
	if err != nil {
		return nil, err
	}
	c := &bothCursor{r: r, g: g, scan: scanCursor{r: r, edges: g.Edges, tests: tests}, tested: keyed.Set{Account: r.Account}}
	for i, choice := range [2]*traversal.IndexChoice{g.Index, g.Index.And} {
		alone, start := *choice, *g
		if alone.And = nil; i > 0 {
			alone.Exact = false // everything is tested here
		}
		start.Index = &alone
		c.sides[i].index.start(r, &start, nil)
	}
	return c, nil
}

// Next implements traversal.Cursor.
func (c *bothCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for from := len(dst); ; {
		if err := c.r.Poll(); err != nil {
			return dst, err
		}
		candidates, err := c.candidates(dst, max)
		if err != nil || len(candidates) == from {
			return dst, err
		}
		if dst, err = c.scan.keep(candidates, from); err != nil || len(dst) > from {
			return dst, err
		}
	}
}

// candidates appends the next elements to be tested.
func (c *bothCursor) candidates(dst []value.Value, max int) ([]value.Value, error) {
	if c.n >= bothAfter && c.n < bothMax {
		if c.n = bothMax; !c.sides[0].ended {
			if err := c.readBoth(); err != nil {
				return dst, err
			}
		}
	}
	if len(c.found) > 0 {
		n := min(max, len(c.found))
		for _, id := range c.found[:n] {
			dst = append(dst, c.element(id))
		}
		c.found = c.found[n:]
		return dst, nil
	}
	if c.sides[0].ended {
		return dst, nil
	}
	from := len(dst)
	dst, err := c.sides[0].index.Next(dst, min(max, bothAfter))
	c.sides[0].ended = len(dst) == from
	for _, v := range dst[from:] {
		if err == nil && c.n < bothAfter {
			_, err = c.tested.Add(v.Ref())
		}
	}
	if c.n < bothMax {
		c.n += len(dst) - from
	}
	return dst, err
}

func (c *bothCursor) element(id uint64) value.Value {
	if c.scan.edges {
		return value.EdgeRef(id)
	}
	return value.VertexRef(id)
}

// readBoth finds what is left to be tested, by all filters: it may have changed by then.
func (c *bothCursor) readBoth() (err error) {
	a, b := &c.sides[0], &c.sides[1]
	if c.scan.tests, err = Compile(c.r, c.g.Has); err != nil {
		return err
	}
	for !a.ended && !b.ended && len(a.ids)+len(b.ids) < bothMax {
		for _, s := range []*side{a, b} {
			if err := c.read(s); err != nil {
				return err
			}
		}
	}
	less, more := a, b
	if b.ended && (!a.ended || len(b.ids) < len(a.ids)) {
		less, more = b, a
	}
	for less.ended && !more.ended && len(more.ids) < bothWorth*len(less.ids) {
		if err := c.read(more); err != nil {
			return err
		}
	}
	c.found = less.ids
	if !less.ended {
		return nil // both are long: the first goes on behind what was read of it
	}
	if !more.ended {
		more = nil
	}
	a.ended = true // no more of it is needed
	return c.narrow(more)
}

// narrow drops from what was found what was tested before and, unless it is nil, what the
// other side has not.
func (c *bothCursor) narrow(other *side) error {
	has := keyed.Set{Account: c.r.Account}
	defer has.Release()
	if other != nil {
		for _, id := range other.ids {
			if _, err := has.Add(id); err != nil {
				return err
			}
		}
	}
	kept := c.found[:0]
	for _, id := range c.found {
		if (other == nil || has.Has(id)) && !c.tested.Has(id) {
			kept = append(kept, id)
		}
	}
	c.found = kept
	return nil
}

// read reads some more of a side.
func (c *bothCursor) read(s *side) error {
	if s.ended {
		return nil
	}
	if err := c.r.Poll(); err != nil {
		return err
	}
	var err error
	if s.buf, err = s.index.Next(s.buf[:0], bothRead); err != nil {
		return err
	}
	bytes := int64(len(s.buf)) * refBytes
	if err := c.r.Account.Charge(bytes); err != nil {
		return err
	}
	c.charged += bytes
	s.ended = len(s.buf) == 0
	for _, v := range s.buf {
		s.ids = append(s.ids, v.Ref())
	}
	return nil
}

// Close implements traversal.Cursor.
func (c *bothCursor) Close() {
	c.r.Account.Release(c.charged)
	c.charged = 0
	c.tested.Release()
	for i := range c.sides {
		c.sides[i].index.Close()
	}
}

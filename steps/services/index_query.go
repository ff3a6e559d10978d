package services

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// callQuery walks what may satisfy the predicate, in the order of values, and asks it.
func callQuery(c traversal.ServiceCall) (traversal.Cursor, error) {
	x, key, val, err := entry(c)
	if err != nil {
		return nil, err
	}
	out := &hits{run: c.Run, edges: x.Class() == blueprints.EdgeClass}
	p, ok := val.Object().(*traversal.P)
	if !ok {
		if !val.IsNull() {
			out.h = x.Get(key, val)
			return out, nil
		}
		out.h = x.Query(key, blueprints.ValueRange{}, nil)
		return out, nil
	}
	test, err := p.Compile(c.Run)
	if err != nil {
		return nil, err
	}
	out.rest = queryRanges(p)
	if len(out.rest) > 1 {
		out.seen = &keyed.Set{Account: c.Run.Account}
	}
	out.open = func(r blueprints.ValueRange) blueprints.IndexHits {
		return x.Query(key, r, func(v value.Value) bool {
			ok, err := test(v)
			if err != nil && out.err == nil {
				out.err = err
			}
			return ok
		})
	}
	return out, nil
}

// queryRanges returns where the values lie that p can be true for, in their order.
func queryRanges(p *traversal.P) []blueprints.ValueRange {
	ranges, score := strategy.Ranges(p)
	if score == 0 {
		return []blueprints.ValueRange{{}}
	}
	slices.SortStableFunc(ranges, func(a, b blueprints.ValueRange) int { return value.Order(a.Min, b.Min) })
	return ranges
}

// hits turns the elements that an index found into a Cursor.
type hits struct {
	run   *traversal.Run
	h     blueprints.IndexHits // nil: there is none, or it is the next of rest
	edges bool
	buf   []uint64
	err   error // of the predicate

	rest []blueprints.ValueRange
	open func(blueprints.ValueRange) blueprints.IndexHits
	seen *keyed.Set // of more than one range
}

func (c *hits) Next(dst []value.Value, max int) ([]value.Value, error) {
	if cap(c.buf) < max {
		c.buf = make([]uint64, max)
	}
	from := len(dst)
	for len(dst) == from && c.begin() {
		n := c.h.Next(c.buf[:max])
		if err := c.failed(); err != nil {
			return dst[:from], err
		}
		if n == 0 {
			c.Close()
		}
		for _, e := range c.buf[:n] {
			if c.seen != nil {
				if isNew, err := c.seen.Add(e); err != nil {
					return dst[:from], err
				} else if !isNew {
					continue
				}
			}
			dst = append(dst, c.element(e))
		}
	}
	return dst, nil
}

// begin opens the next range when there is none, false behind the last one.
func (c *hits) begin() bool {
	if c.h == nil && len(c.rest) > 0 {
		c.h = c.open(c.rest[0])
		c.rest = c.rest[1:]
	}
	return c.h != nil
}

// failed returns why there is nothing more.
func (c *hits) failed() error {
	if c.err != nil {
		return c.err
	}
	if err := c.h.Err(); err != nil {
		return err
	}
	return c.run.Poll()
}

func (c *hits) element(e uint64) value.Value {
	if c.edges {
		return value.EdgeRef(e)
	}
	return value.VertexRef(e)
}

// Close gives the iterator back.
func (c *hits) Close() {
	if c.h != nil {
		c.h.Close()
		c.h = nil
	}
}

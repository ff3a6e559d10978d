package find

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// orderedCursor gives the first vertices in the order of a key index, for an order()
// behind that keeps no more of them. It stops when it has enough and all that tie with
// the last, and gives them in insertion order, which a stable sort keeps within ties.
// Where the index does not tell the order, it gives all vertices instead: a vertex with
// several values is sorted by its first, and long texts are cut in the index.
//
// Tolerates: labels, effects and side effects behind order(), which sorts what it is given
// again. Vertices without the key are in no index, and the by() of order() is unproductive
// for them.
type orderedCursor struct {
	r      *traversal.Run
	choice *traversal.IndexChoice
	found  []value.Value
	all    traversal.Cursor
	begun  bool
}

var errNoOrder = errors.New("the index does not tell the order")

func (c *orderedCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	if !c.begun {
		c.begun = true
		err := c.collect()
		if errors.Is(err, errNoOrder) {
			c.found = nil
			c.all = &scanCursor{r: c.r, vs: c.r.View.Vertices()}
		} else if err != nil {
			return dst, err
		}
	}
	if c.all != nil {
		return c.all.Next(dst, max)
	}
	n := min(max, len(c.found))
	dst = append(dst, c.found[:n]...)
	c.found = c.found[n:]
	return dst, nil
}

func (c *orderedCursor) collect() error {
	sym, ok := c.r.View.Symbol(c.choice.Key)
	if !ok {
		return nil
	}
	it := c.r.View.LookupVertices(c.choice.Key, blueprints.ValueRange{Reverse: c.choice.Reverse})
	defer it.Close()
	buf := make([]blueprints.VertexID, min(c.choice.Limit+1, 1024))
	c.found = make([]value.Value, 0, len(buf))
	var last value.Value
	var entries []blueprints.PropertyEntry
	objs := make([]value.Value, 0, len(buf))
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		objs = objs[:0]
		for _, v := range buf[:n] {
			objs = append(objs, value.VertexRef(uint64(v)))
		}
		c.r.ReadsNext(objs)
		for _, v := range buf[:n] {
			if err := c.r.Poll(); err != nil {
				return err
			}
			var err error
			if entries, err = c.r.View.VertexProperties(entries[:0], v, []blueprints.Symbol{sym}); err != nil {
				return err
			}
			if len(entries) != 1 || !OrderTold(entries[0].Value) {
				return errNoOrder
			}
			x := entries[0].Value
			if len(c.found) >= c.choice.Limit && value.Order(x, last) != 0 {
				c.arrange()
				return nil
			}
			c.found, last = append(c.found, value.VertexRef(uint64(v))), x
		}
	}
	c.arrange()
	return it.Err()
}

// OrderTold reports whether an index tells where a value stands among others.
func OrderTold(v value.Value) bool {
	_, exact, err := value.AppendOrdered(nil, v)
	return exact && err == nil && !v.IsNull()
}

// arrange puts what was found into insertion order.
func (c *orderedCursor) arrange() {
	slices.SortFunc(c.found, func(a, b value.Value) int {
		if a.Ref() < b.Ref() {
			return -1
		}
		return 1
	})
}

func (c *orderedCursor) Close() {
	if c.all != nil {
		c.all.Close()
	}
}

package find

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// idCursor looks up ids one after the other.
type idCursor struct {
	r     *traversal.Run
	g     *traversal.GraphStart
	tests []Test
	pos   int
}

func (c *idCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for got := 0; got < max && c.pos < len(c.g.IDs); c.pos++ {
		if err := c.r.Poll(); err != nil { // none of them may be there
			return dst, err
		}
		v, ok, err := c.find(c.g.IDs[c.pos])
		if err != nil {
			return dst, err
		}
		if ok {
			if ok, err = Passes(c.r, c.tests, v); err != nil {
				return dst, err
			}
		}
		if ok {
			dst = append(dst, v)
			got++
		}
	}
	return dst, nil
}

func (c *idCursor) find(id value.Value) (value.Value, bool, error) {
	if e := id.Detached(); e != nil {
		id = e.ID
	} else if id.IsStored() {
		return c.stored(id)
	}
	if c.g.Edges {
		e, ok, err := c.r.View.FindEdge(id)
		return value.EdgeRef(uint64(e)), ok, err
	}
	v, ok, err := c.r.View.FindVertex(id)
	return value.VertexRef(uint64(v)), ok, err
}

// stored accepts an element that the same request found before.
func (c *idCursor) stored(v value.Value) (value.Value, bool, error) {
	var ok bool
	var err error
	switch {
	case c.g.Edges && v.Kind() == value.KindEdge:
		ok, err = c.r.View.EdgeExists(blueprints.EdgeID(v.Ref()))
	case !c.g.Edges && v.Kind() == value.KindVertex:
		ok, err = c.r.View.VertexExists(blueprints.VertexID(v.Ref()))
	}
	return v, ok, err
}

func (c *idCursor) Close() {}

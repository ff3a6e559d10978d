package check

import (
	"bytes"
	"encoding/binary"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// beginRow notices the first cell of an element.
func (c *checker) beginRow(class table.Class, id uint64, key []byte) error {
	if c.row.class == class && c.row.id == id {
		return nil
	}
	if err := c.endRow(); err != nil {
		return err
	}
	c.row = row{class: class, id: id, first: bytes.Clone(key), props: c.row.props}
	clear(c.plainKeys)
	return nil
}

// endRow notices that all cells of an element were read.
func (c *checker) endRow() error {
	if c.row.class != 0 && !c.row.exists {
		c.bad("I3", c.row.first, "the %s does not exist", c.row.class)
	}
	err := c.fits()
	if err == nil {
		err = c.declaredRow()
	}
	c.row = row{props: c.row.props[:0]}
	return err
}

func (c *checker) vertexCell(key, val []byte) error {
	id, family, ok := table.VertexCell(key)
	if !ok {
		c.bad("I1", key, "malformed")
		return nil
	}
	if err := c.beginRow(table.VertexClass, id, key); err != nil {
		return err
	}
	switch family {
	case table.Exists:
		return c.vertexExists(key, val, id)
	case table.Property:
		return c.vertexProperty(key, val)
	case table.CounterCell:
		return c.elementCounter(key, val)
	case table.StampCell:
		c.stamp(key, val)
		return nil
	case table.ExpiryCell:
		return c.ends(key, val)
	case table.OutEdge, table.InEdge:
		return c.adjacency(key, val)
	}
	c.otherCell(key, family)
	return nil
}

// stamp checks a stamp of an element.
func (c *checker) stamp(key, val []byte) {
	if _, err := table.DecodeElementStamp(key); err != nil || len(val) != storage.StampSize {
		c.bad("I1", key, "malformed")
		return
	}
	c.otherCell(key, table.StampCell)
}

// otherCell refuses a cell that belongs to no feature of the graph.
func (c *checker) otherCell(key []byte, f table.Family) {
	if err := c.options.Skips(f); err != nil {
		c.bad("I1", key, "%v", err)
	}
}

func (c *checker) vertexExists(key, val []byte, id uint64) error {
	if _, _, err := table.DecodeVertexExists(key); err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.row.exists = true
	cell, err := blueprints.DecodeVertexCell(val)
	if err != nil {
		c.bad("I1", key, "%v", err)
		return nil
	}
	c.indexing.element = keyindex.Element{Class: table.VertexClass, ID: id, Label: uint32(cell.Label)}
	c.report.Vertices++
	c.maxVertex, c.anyVertex = max(c.maxVertex, id), true
	c.tally(table.VertexCount, uint32(cell.Label))
	c.ruled(table.VertexClass, cell.Label, cell.ID)
	return c.registered(key, table.VertexClass, id, uint32(cell.Label), cell.ID)
}

// registered checks what every element has in other tables.
func (c *checker) registered(key []byte, class table.Class, id uint64, label uint32, userID value.Value) error {
	if err := c.known(key, label); err != nil {
		return err
	}
	c.key = table.AppendLabel(c.key[:0], table.Label{Graph: c.graph, Class: class, Label: label, Element: id})
	found, err := c.promise(c.key, nil)
	if err != nil {
		return err
	}
	if !found {
		c.bad("I5", key, "not found under its label #%d", label)
	}
	c.key, err = c.options.AppendIDRow(table.AppendUserID(c.key[:0], c.graph, class, nil), class, userID)
	if err != nil {
		c.bad("I1", key, "user id: %v", err)
		return nil
	}
	if found, err = c.promise(c.key, binary.BigEndian.AppendUint64(nil, id)); err != nil {
		return err
	}
	if !found {
		c.bad("I6", key, "not found by its id %s", userID.Brief())
	}
	return c.pair(key, class, id, userID)
}

// pair notes an element whose id is equal to that of another, which a graph made before
// ids were equal by value can hold. Of each pair, the one that has the less likely form
// is noted.
func (c *checker) pair(key []byte, class table.Class, id uint64, userID value.Value) error {
	for _, other := range c.options.EqualIDs(class, userID) {
		var err error
		if c.key, err = c.options.AppendIDRow(table.AppendUserID(c.key[:0], c.graph, class, nil), class, other); err != nil {
			return err
		}
		if val, found, err := c.get(c.key); err != nil {
			return err
		} else if found && len(val) == 8 {
			c.report.note(key, "its id %#v is equal to %#v, the id of %s %d: each is found by the exact form alone, so give one of them another id",
				userID, other, class, binary.BigEndian.Uint64(val))
			return nil
		}
	}
	return nil
}

func (c *checker) vertexProperty(key, val []byte) error {
	k, err := table.DecodeVertexProperty(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	cell, err := blueprints.DecodePropertyCell(val)
	if err != nil {
		c.bad("I1", key, "%v", err)
		return nil
	}
	c.report.Properties++
	c.maxNumber, c.anyNumber = max(c.maxNumber, cell.Number), true
	for _, m := range cell.Meta {
		if err := c.known(key, uint32(m.Key)); err != nil {
			return err
		}
	}
	if cell.Expires != 0 {
		if err := c.ends(key, val); err != nil {
			return err
		}
	}
	c.holding(k.Key, cell.Value)
	c.plain(k.Key)
	return c.indexed(key, table.VertexClass, k.Vertex, k.Key, cell.Value)
}

func (c *checker) adjacency(key, val []byte) error {
	a, err := table.DecodeAdjacency(key)
	if err != nil || len(val) != 1 || val[0] != 1 {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.crowded(key, a)
	if c.promised(key, nil) {
		return nil
	}
	b, found, err := c.get(table.AppendEdgeExists(nil, c.graph, a.Edge))
	if err != nil {
		return err
	}
	if !found {
		c.bad("I2", key, "edge %d does not exist", a.Edge)
		return nil
	}
	e, err := blueprints.DecodeEdgeCell(b)
	if err != nil {
		return nil // reported where the edge stands
	}
	here, there := e.Out, e.In
	if a.Direction == table.InEdge {
		here, there = e.In, e.Out
	}
	if uint64(here) != a.Vertex || uint64(there) != a.Other || uint32(e.Label) != a.Label {
		c.bad("I2", key, "edge %d goes from %d to %d with label #%d", a.Edge, e.Out, e.In, e.Label)
	}
	return nil
}

func (c *checker) edgeCell(key, val []byte) error {
	id, family, ok := table.EdgeCell(key)
	if !ok {
		c.bad("I1", key, "malformed")
		return nil
	}
	if err := c.beginRow(table.EdgeClass, id, key); err != nil {
		return err
	}
	switch family {
	case table.Exists:
		return c.edgeExists(key, val, id)
	case table.Property:
		return c.edgeProperty(key, val)
	case table.CounterCell:
		return c.elementCounter(key, val)
	case table.StampCell:
		c.stamp(key, val)
		return nil
	case table.ExpiryCell:
		return c.ends(key, val)
	}
	c.otherCell(key, family)
	return nil
}

func (c *checker) edgeExists(key, val []byte, id uint64) error {
	if _, _, err := table.DecodeEdgeExists(key); err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	c.row.exists = true
	cell, err := blueprints.DecodeEdgeCell(val)
	if err != nil {
		c.bad("I1", key, "%v", err)
		return nil
	}
	c.indexing.element = keyindex.Element{Class: table.EdgeClass, ID: id, Label: uint32(cell.Label), Out: uint64(cell.Out), In: uint64(cell.In)}
	c.report.Edges++
	c.maxEdge, c.anyEdge = max(c.maxEdge, id), true
	c.tally(table.EdgeCount, uint32(cell.Label))
	c.ruled(table.EdgeClass, cell.Label, cell.ID)
	c.row.out, c.row.in = cell.Out, cell.In
	ends := [...]table.Adjacency{
		{Graph: c.graph, Vertex: uint64(cell.Out), Direction: table.OutEdge, Label: uint32(cell.Label), Edge: id, Other: uint64(cell.In)},
		{Graph: c.graph, Vertex: uint64(cell.In), Direction: table.InEdge, Label: uint32(cell.Label), Edge: id, Other: uint64(cell.Out)},
	}
	for _, a := range ends {
		c.key = table.AppendAdjacency(c.key[:0], a)
		found, err := c.promise(c.key, nil)
		if err != nil {
			return err
		}
		if !found {
			c.bad("I2", key, "vertex %d does not know the edge", a.Vertex)
		}
		if c.sum != nil {
			continue // the row that holds the entry tells whether there is a vertex
		}
		if _, found, err = c.get(table.AppendVertexExists(nil, c.graph, a.Vertex)); err != nil {
			return err
		}
		if !found {
			c.bad("I3", key, "vertex %d does not exist", a.Vertex)
		}
	}
	return c.registered(key, table.EdgeClass, id, uint32(cell.Label), cell.ID)
}

func (c *checker) edgeProperty(key, val []byte) error {
	k, err := table.DecodeEdgeProperty(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	cell, err := blueprints.DecodeEdgePropertyCell(val)
	if err != nil {
		c.bad("I1", key, "%v", err)
		return nil
	}
	c.report.Properties++
	if cell.Expires != 0 {
		if err := c.ends(key, val); err != nil {
			return err
		}
	}
	c.holding(k.Key, cell.Value)
	c.plain(k.Key)
	return c.indexed(key, table.EdgeClass, k.Edge, k.Key, cell.Value)
}

// header returns label and user id of an element.
func (c *checker) header(class table.Class, id uint64) (label uint32, userID value.Value, found bool, err error) {
	if class == table.EdgeClass {
		b, found, err := c.get(table.AppendEdgeExists(nil, c.graph, id))
		if err != nil || !found {
			return 0, value.Null, false, err
		}
		cell, err := blueprints.DecodeEdgeCell(b)
		return uint32(cell.Label), cell.ID, err == nil, nil
	}
	b, found, err := c.get(table.AppendVertexExists(nil, c.graph, id))
	if err != nil || !found {
		return 0, value.Null, false, err
	}
	cell, err := blueprints.DecodeVertexCell(b)
	return uint32(cell.Label), cell.ID, err == nil, nil
}

func (c *checker) userID(key, val []byte) error {
	_, class, idRow, err := table.DecodeUserID(key)
	if err != nil || len(val) != 8 {
		c.bad("I1", key, "malformed")
		return nil
	}
	if c.promised(key, val) {
		return nil
	}
	id := binary.BigEndian.Uint64(val)
	_, userID, found, err := c.header(class, id)
	if err != nil {
		return err
	}
	if !found {
		c.bad("I6", key, "leads to %s %d, which does not exist", class, id)
		return nil
	}
	if want, err := c.options.AppendIDRow(nil, class, userID); err != nil || !bytes.Equal(want, idRow) {
		c.bad("I6", key, "leads to %s %d, whose id is %s", class, id, userID.Brief())
	}
	return nil
}

func (c *checker) label(key, val []byte) error {
	l, err := table.DecodeLabel(key)
	if err != nil || len(val) != 0 {
		c.bad("I1", key, "malformed")
		return nil
	}
	if c.promised(key, nil) {
		return nil
	}
	label, _, found, err := c.header(l.Class, l.Element)
	if err != nil {
		return err
	}
	switch {
	case !found:
		c.bad("I5", key, "the %s does not exist", l.Class)
	case label != l.Label:
		c.bad("I5", key, "its label is #%d", label)
	}
	return nil
}

package check

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Both passes ask the rules, for what they are about stands in the row of the element: its
// properties, and at a vertex its edges by direction and label.

// crowd is the edges of one label that a vertex has in one direction, as far as they were
// read.
type crowd struct {
	of     table.Adjacency // vertex, direction and label
	n      int64
	others *keyed.Set // where the label is SIMPLE
	told   bool
}

func (c *checker) loadRules() error {
	rules, err := blueprints.ReadRules(c.snap, c.graph)
	if errors.Is(err, storage.ErrCorrupt) {
		c.bad("I9", table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: c.graph, Family: table.IndexSchema}), "%v", err)
		return nil
	}
	c.rules = rules
	return err
}

// ruled finds the rules for the element whose row is read.
func (c *checker) ruled(class table.Class, label blueprints.Symbol, id value.Value) {
	if c.rules == nil {
		return
	}
	lr, m := c.rules.Of(class, label)
	c.row.rules, c.row.userID = lr, id
	c.misfit(m)
}

func (c *checker) misfit(m *schema.Misfit) {
	if m != nil {
		c.bad("I15", c.row.first, "%v", m)
	}
}

// holding keeps a property for the end of the row.
func (c *checker) holding(key uint32, v value.Value) {
	if c.row.rules != nil {
		c.row.props = append(c.row.props, blueprints.PropertyEntry{Key: blueprints.Symbol(key), Value: v})
	}
}

// fits asks the rules about the element whose row has been read.
func (c *checker) fits() error {
	lr := c.row.rules
	if lr == nil {
		return nil
	}
	c.misfit(lr.Element(c.row.userID, c.row.props))
	if c.row.class == table.VertexClass || lr.JoinsAny() {
		return nil
	}
	out, _, found, err := c.header(table.VertexClass, uint64(c.row.out))
	if err != nil || !found {
		return err // what is not there is reported where the edge stands
	}
	in, _, found, err := c.header(table.VertexClass, uint64(c.row.in))
	if err == nil && found {
		c.misfit(lr.Joins(blueprints.Symbol(out), blueprints.Symbol(in)))
	}
	return err
}

// crowded counts the edges of a vertex. They come by direction and label.
func (c *checker) crowded(key []byte, a table.Adjacency) {
	if c.rules == nil {
		return
	}
	of := table.Adjacency{Graph: a.Graph, Vertex: a.Vertex, Direction: a.Direction, Label: a.Label}
	if c.crowd.of != of {
		c.crowd = crowd{of: of}
	}
	lr, _ := c.rules.Of(table.EdgeClass, blueprints.Symbol(a.Label))
	if lr == nil || c.crowd.told {
		return
	}
	out := a.Direction == table.OutEdge
	switch m := lr.Multiplicity; {
	case m == schema.Simple && out:
		if c.crowd.others == nil {
			c.crowd.others = &keyed.Set{}
		}
		isNew, err := c.crowd.others.Add(a.Other)
		c.crowd.told = err == nil && !isNew
	case m.OneOut() && out, m.OneIn() && !out:
		c.crowd.n++
		c.crowd.told = c.crowd.n > 1
	}
	if c.crowd.told {
		c.bad("I15", key, "%v", lr.TooMany(c.row.userID, 2))
	}
}

package check

import (
	"bytes"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/table"
)

// ends checks that a cell which says when its element or its property ends is listed so.
func (c *checker) ends(key, val []byte) error {
	if !c.usesTTL(key) {
		return nil
	}
	row, err := blueprints.EndIn(c.graph, key, val)
	if err != nil || row == nil {
		c.bad("I1", key, "malformed end")
		return nil
	}
	found, err := c.promise(row, nil)
	if err == nil && !found {
		c.bad("I15", key, "it is not in the list of what ends, and would stay")
	}
	return err
}

// expiry checks that what is listed as ending does.
func (c *checker) expiry(key, val []byte) error {
	e, err := table.DecodeExpiry(key)
	if err != nil || len(val) != 0 {
		c.bad("I1", key, "malformed")
		return nil
	}
	if c.promised(key, nil) || !c.usesTTL(key) {
		return nil
	}
	var cell []byte
	switch {
	case !e.Property:
		cell = table.AppendExpiryCell(nil, c.graph, e.Class, e.Element)
	case e.Class == table.EdgeClass:
		cell = table.AppendEdgeProperty(nil, table.EdgeProperty{Graph: c.graph, Edge: e.Element, Key: e.Key})
	default:
		cell = table.AppendVertexProperty(nil, table.VertexProperty{Graph: c.graph, Vertex: e.Element, Key: e.Key, Ordinal: e.Ordinal})
	}
	b, found, err := c.get(cell)
	if err != nil {
		return err
	}
	if row, err := blueprints.EndIn(c.graph, cell, b); !found || err != nil || !bytes.Equal(row, key) {
		c.bad("I15", key, "what it is about does not end then")
	}
	return nil
}

// usesTTL reports whether the graph may have what is about the ends of elements.
func (c *checker) usesTTL(key []byte) bool {
	if slices.Contains(c.options.Features(), blueprints.TTL) {
		return true
	}
	c.bad("I9", key, "the graph does not use the feature %q", string(blueprints.TTL))
	return false
}

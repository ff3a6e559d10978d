package blueprints

import "slices"

// Ahead is what a transaction was told that it is about to read, one at a time. It costs
// nothing until one of it is not in memory: then all of it is read at once.
type ahead struct {
	vertices []VertexID
	edges    []EdgeID
}

// AheadVertices says which vertices are read next.
func (t *Tx) AheadVertices(vs []VertexID) {
	t.ahead.vertices = append(t.ahead.vertices[:0], vs[:min(len(vs), fillMax)]...)
}

// AheadEdges says which edges are read next, and perhaps the vertices at their ends.
func (t *Tx) AheadEdges(es []EdgeID) {
	t.ahead.edges = append(t.ahead.edges[:0], es[:min(len(es), fillMax)]...)
}

// verticesFrom returns the vertices that are read next, from v on; none when v is not
// among them.
func (t *Tx) verticesFrom(v VertexID) []VertexID {
	if i := slices.Index(t.ahead.vertices, v); i >= 0 {
		return t.ahead.vertices[i:]
	}
	var ends []VertexID
	found := false
	for _, e := range t.ahead.edges {
		r := t.cachedEdge(e)
		if r == nil || !r.exists {
			continue
		}
		ends = append(ends, r.cell.Out, r.cell.In)
		found = found || r.cell.Out == v || r.cell.In == v
	}
	if !found {
		return nil
	}
	return ends[:min(len(ends), fillMax)]
}

// missVertex reads the row of a vertex that is not in memory, with those that are read
// next.
func (t *Tx) missVertex(v VertexID) (*vertexRow, error) {
	if vs := t.verticesFrom(v); len(vs) > 1 {
		if err := t.fillVertices(vs, partHeader, 0); err != nil {
			return nil, err
		}
		if r := t.cachedVertex(v); r != nil {
			return r, nil
		}
	}
	return t.fillVertex(v)
}

// missEdge is missVertex for an edge.
func (t *Tx) missEdge(e EdgeID) (*edgeRow, error) {
	if i := slices.Index(t.ahead.edges, e); i >= 0 && len(t.ahead.edges)-i > 1 {
		if err := t.fillEdges(t.ahead.edges[i:]); err != nil {
			return nil, err
		}
		if r := t.cachedEdge(e); r != nil {
			return r, nil
		}
	}
	return t.fillEdge(e)
}

// missAdjacency reads the edges of the vertices that are read next, if v, whose are not in
// memory, is one of them; long rows it leaves out.
func (t *Tx) missAdjacency(v VertexID, d Direction) error {
	if vs := t.verticesFrom(v); len(vs) > 1 {
		return t.fillVertices(vs, partOf(d), fillCells)
	}
	return nil
}

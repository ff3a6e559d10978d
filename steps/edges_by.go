package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/find"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// ~edgesBy stands for outE(label), inE(label) or bothE(label) and the has() behind it: it
// looks the edges of each vertex up in an edge-centric index, whatever the degree.
// EdgeIndexStrategy makes it.
//
// Tolerates: bulks, labels, paths and effects: the edges of a vertex are looked up when its
// traverser comes, which is split as by outE().
var edgesBySpec = traversal.Spec{
	Name: "~edgesBy", Class: "EdgesByStep", Kind: traversal.FlatMapStep, Effects: traversal.ReadsGraph,
	Doc:  "Gives the edges of vertices that an edge-centric index finds.",
	Open: openEdgesBy, Print: printEdgesBy,
}

func printEdgesBy(n *traversal.Node) string {
	x := n.Data.(*traversal.EdgesBy)
	text := fmt.Sprintf("EdgesByStep(%s,[%s],%s)", directionName(x.Hop.Dir), x.Hop.Labels[0], find.FiltersText(x.Has))
	if x.Index.Ordered {
		return text + " " + strategy.OrderedText(x.Index, x.Has)
	}
	return text + " by " + strategy.DeclaredText(x.Index, x.Has)
}

func openEdgesBy(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	x := n.Data.(*traversal.EdgesBy)
	e := &edgesBy{r: r, x: x, walks: []blueprints.IndexColumns{{}}}
	var rest []traversal.Has
	for i, h := range x.Has {
		if !x.Index.Answers(i) {
			rest = append(rest, h)
		}
	}
	var err error
	if e.tests, err = find.Compile(r, rest); err != nil {
		return nil, err
	}
	if e.all, err = find.Compile(r, x.Has); err != nil {
		return nil, err
	}
	if x.Index.Ordered {
		e.walks[0] = strategy.OrderedColumns(x.Index, x.Has)
	} else {
		e.walks = strategy.Columns(x.Index, x.Has)
	}
	if e.dirs = []blueprints.Direction{x.Hop.Dir}; x.Hop.Dir == blueprints.Both {
		e.dirs = []blueprints.Direction{blueprints.Out, blueprints.In}
	}
	return r.Expand(up, e), nil
}

// edgesBy opens the walks of a vertex.
type edgesBy struct {
	r     *traversal.Run
	x     *traversal.EdgesBy
	dirs  []blueprints.Direction
	walks []blueprints.IndexColumns
	tests []find.Test // that a walk which is exact does not answer
	all   []find.Test
}

// Expand implements traversal.Expander.
func (e *edgesBy) Expand(t *traversal.Traverser) (traversal.Cursor, error) {
	if t.Kind() != value.KindVertex {
		return nil, step.NotVertex(t.Value)
	}
	if !t.IsStored() { // a detached copy has no edges here
		return nil, nil
	}
	return &edgesByCursor{e: e, v: blueprints.VertexID(t.Ref())}, nil
}

// edgesByCursor gives the edges of one vertex, walk by walk.
type edgesByCursor struct {
	e     *edgesBy
	v     blueprints.VertexID
	next  int // of the walks in all directions
	walk  blueprints.EdgeWalk
	tests []find.Test
	buf   []blueprints.Adjacent
	given keyed.Set // in this direction, when there are several walks

	collected bool
	found     []value.Value // the first in order
}

const (
	edgesByFirst = 8
	edgesByMax   = 1024
)

func (c *edgesByCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	if c.e.x.Index.Ordered {
		if err := c.collect(); err != nil {
			return dst, err
		}
		n := min(max, len(c.found))
		if dst, c.found = append(dst, c.found[:n]...), c.found[n:]; n > 0 {
			return dst, nil
		}
	}
	for from := len(dst); len(dst) == from; {
		if err := c.e.r.Poll(); err != nil {
			return dst, err
		}
		if c.walk == nil {
			if more, err := c.open(); !more {
				return dst, err
			}
		}
		edges, err := c.read(max)
		if err != nil || len(edges) == 0 {
			if c.Close(); err != nil {
				return dst, err
			}
			continue
		}
		if dst, err = c.keep(dst, edges); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// open begins the next walk, false when there is none.
func (c *edgesByCursor) open() (bool, error) {
	if c.next == len(c.e.walks)*len(c.e.dirs) {
		return false, nil
	}
	walk, dir := c.e.walks[c.next%len(c.e.walks)], c.e.dirs[c.next/len(c.e.walks)]
	if c.next%len(c.e.walks) == 0 {
		c.given = keyed.Set{Account: c.e.r.Account}
	}
	c.next++
	return true, c.begin(walk, dir)
}

// begin opens a walk.
func (c *edgesByCursor) begin(columns blueprints.IndexColumns, dir blueprints.Direction) error {
	x := blueprints.Expansion{Dir: dir, Want: blueprints.WantWalk, By: &blueprints.EdgeLookup{Index: c.e.x.Index.Declared, Columns: columns}}
	return c.e.r.View.Expand([]blueprints.VertexID{c.v}, x, c)
}

// Take implements blueprints.Sink; there are only walks.
func (c *edgesByCursor) Take(int, blueprints.Expanded) error { return nil }

// TakeWalk implements blueprints.WalkSink.
func (c *edgesByCursor) TakeWalk(_ int, w blueprints.EdgeWalk) error {
	c.walk = w
	if c.tests = c.e.tests; !w.Exact() {
		c.tests = c.e.all
	}
	return w.Err()
}

// read gives the next edges of the walk under way, none at its end.
func (c *edgesByCursor) read(max int) ([]blueprints.Adjacent, error) {
	if c.walk == nil { // of a vertex without edges
		return nil, nil
	}
	if len(c.buf) < min(max, edgesByMax) {
		c.buf = make([]blueprints.Adjacent, min(max, 2*len(c.buf)+edgesByFirst, edgesByMax))
	}
	n := c.walk.Next(c.buf[:min(max, len(c.buf))])
	if n == 0 {
		return nil, c.walk.Err()
	}
	return c.buf[:n], nil
}

// keep gives those of a batch that pass the filters.
func (c *edgesByCursor) keep(dst []value.Value, edges []blueprints.Adjacent) ([]value.Value, error) {
	for _, e := range edges {
		v := value.EdgeRef(uint64(e.Edge))
		ok, err := find.Passes(c.e.r, c.tests, v)
		if ok && err == nil && len(c.e.walks) > 1 {
			ok, err = c.given.Add(uint64(e.Edge))
		}
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, v)
		}
	}
	return dst, nil
}

func (c *edgesByCursor) Close() {
	if c.walk != nil {
		c.walk.Close()
		c.walk = nil
	}
}

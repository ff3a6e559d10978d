package merge

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/find"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// findVertices looks for the vertices with the id, label and properties of a map, by
// the cheapest way there is: id, complete key index, label, scan.
//
// Tolerates: own writes, which every way sees. The map has neither children nor labels;
// with a null or what an index cannot look up another way is taken, and all filters are
// tested again.
func findVertices(r *traversal.Run, m *value.Map) (traversal.Cursor, error) {
	g := &traversal.GraphStart{}
	return findElements(r, g, m)
}

// findEdges also looks for the ends, and begins at one of them when it can.
func findEdges(r *traversal.Run, m *value.Map) (traversal.Cursor, error) {
	e := &edgeEnds{r: r}
	for _, end := range []struct {
		key value.Value
		dir blueprints.Direction
	}{{keyOut, blueprints.Out}, {keyIn, blueprints.In}} {
		id, ok := m.Get(end.key)
		if !ok || id.IsNull() {
			continue
		}
		v, ok, err := r.View.FindVertex(id)
		if err != nil || !ok {
			return nil, err
		}
		e.dirs |= end.dir
		e.at[end.dir] = v
	}
	if _, byID := m.Get(step.KeyID); byID || e.dirs == 0 {
		c, err := findElements(r, &traversal.GraphStart{Edges: true}, m)
		if c == nil || e.dirs == 0 {
			return c, err
		}
		return &endFilter{in: c, ends: e}, err
	}
	return e.open(m)
}

// findElements opens V() or E() with the filters of m.
func findElements(r *traversal.Run, g *traversal.GraphStart, m *value.Map) (traversal.Cursor, error) {
	g.Has = mapFilters(m)
	if id, ok := m.Get(step.KeyID); ok && !id.IsNull() {
		g.ByID, g.IDs = true, []value.Value{id}
	} else {
		g.Index = chooseIndex(r, g.Edges, g.Has)
	}
	return find.Open(r, g)
}

// mapFilters turns a map into filters: the label, then the properties.
func mapFilters(m *value.Map) []traversal.Has {
	var list []traversal.Has
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		switch {
		case k.Kind() == value.KindString:
			list = append(list, traversal.Has{Key: k.Str(), P: step.Predicate(v)})
		case k.Kind() == value.KindT && k.Str() == "label":
			list = append(list, traversal.Has{Token: step.KeyLabel, P: step.Predicate(v)})
		}
	}
	return list
}

// chooseIndex picks the way in. All filters are tested again, for the map can ask for what
// has() cannot.
func chooseIndex(r *traversal.Run, edges bool, list []traversal.Has) *traversal.IndexChoice {
	choice := strategy.Access(r.View, edges, list)
	if choice.LooksUp() {
		choice.Exact = false
	}
	return choice
}

// edgeEnds are the ends that an edge must have.
type edgeEnds struct {
	r    *traversal.Run
	dirs blueprints.Direction
	at   [3]blueprints.VertexID // by Direction
}

// endPieceMin is how many edges are read first from either end.
const endPieceMin = 64

// open walks the edges of one end. When both are known it begins at both, in pieces
// that double, so that the smaller end decides what it costs.
func (e *edgeEnds) open(m *value.Map) (traversal.Cursor, error) {
	tests, err := find.Compile(e.r, mapFilters(m))
	if err != nil {
		return nil, err
	}
	var names []string
	if l, ok := m.Get(step.KeyLabel); ok {
		names = []string{l.Str()}
	}
	labels, none := e.r.Symbols(names)
	if none {
		return nil, nil
	}
	dirs := []blueprints.Direction{e.dirs}
	if e.dirs == blueprints.Both {
		dirs = []blueprints.Direction{blueprints.Out, blueprints.In}
	}
	for piece := endPieceMin; ; piece *= 4 {
		for _, d := range dirs {
			var found traversal.Cursor
			x := blueprints.Expansion{Dir: d, Labels: labels, Max: piece}
			err := e.r.View.Expand(e.at[d:d+1], x, blueprints.SinkFunc(func(_ int, adj blueprints.Expanded) error {
				if len(adj.Edges) < piece {
					found = e.keep(adj.Edges, d, tests)
				}
				return nil
			}))
			if found != nil || err != nil {
				return found, err
			}
		}
		if err := e.r.PollNow(); err != nil {
			return nil, err
		}
	}
}

// keep gives those of the edges of one end that fit the other end and the filters.
func (e *edgeEnds) keep(adj []blueprints.Adjacent, dir blueprints.Direction, tests []find.Test) traversal.Cursor {
	other := blueprints.Both &^ dir
	var vs []value.Value
	for _, a := range adj {
		if e.dirs == blueprints.Both && a.Other != e.at[other] {
			continue
		}
		vs = append(vs, value.EdgeRef(uint64(a.Edge)))
	}
	return &testFilter{in: traversal.Values(vs), r: e.r, tests: tests}
}

// testFilter drops what fails the filters.
type testFilter struct {
	in    traversal.Cursor
	r     *traversal.Run
	tests []find.Test
	buf   []value.Value
}

func (c *testFilter) Next(dst []value.Value, max int) ([]value.Value, error) {
	for {
		var err error
		if c.buf, err = c.in.Next(c.buf[:0], max); err != nil || len(c.buf) == 0 {
			return dst, err
		}
		from := len(dst)
		for _, v := range c.buf {
			ok, err := find.Passes(c.r, c.tests, v)
			if err != nil {
				return dst, err
			}
			if ok {
				dst = append(dst, v)
			}
		}
		if len(dst) > from {
			return dst, nil
		}
	}
}

func (c *testFilter) Close() { c.in.Close() }

// endFilter drops edges with other ends.
type endFilter struct {
	in   traversal.Cursor
	ends *edgeEnds
}

func (c *endFilter) Next(dst []value.Value, _ int) ([]value.Value, error) {
	for {
		from := len(dst)
		var err error
		if dst, err = c.in.Next(dst, 1); err != nil || len(dst) == from {
			return dst, err
		}
		h, err := c.ends.r.Edge(dst[from])
		if err != nil {
			return dst, err
		}
		e := c.ends
		if (e.dirs&blueprints.Out == 0 || h.Out == e.at[blueprints.Out]) && (e.dirs&blueprints.In == 0 || h.In == e.at[blueprints.In]) {
			return dst, nil
		}
		dst = dst[:from]
	}
}

func (c *endFilter) Close() { c.in.Close() }

package traversal

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
)

// Guard is what SubgraphStrategy and PartitionStrategy leave of a graph. It filters
// beneath the steps, where elements are read, so that no step, service or file shows
// what it hides, a step that is still to be written least of all.
type Guard struct {
	// Vertices, Edges and Properties are what shows must satisfy; nil shows all.
	Vertices, Edges, Properties *Plan
	// Adjacent lets an edge show only if both of its vertices do.
	Adjacent bool
}

// WithGuard returns a copy of p that reads through one more guard.
func (p *Plan) WithGuard(g *Guard) *Plan {
	c := *p
	c.Guards = append(slices.Clone(p.Guards), g)
	return &c
}

// HidesProperties reports whether properties are hidden from p.
func (p *Plan) HidesProperties() bool {
	return slices.ContainsFunc(p.Guards, func(g *Guard) bool { return g.Properties != nil })
}

// Walk visits the nodes of the criteria.
func (g *Guard) Walk(fn func(*Node)) {
	for _, p := range []*Plan{g.Vertices, g.Edges, g.Properties} {
		if p != nil {
			p.Walk(fn)
		}
	}
}

// guard puts the guards of the plan between the run and its View. Criteria see the
// whole graph.
func (r *Run) guard() error {
	whole := r.View
	for _, g := range r.Plan.Guards {
		v := &guardedView{View: r.View, adjacent: g.Adjacent}
		if r.Plan.Effects()&(WritesGraph|Opaque|External) == 0 {
			v.known = &known{shown: keyed.Set{Account: r.Account}, hidden: keyed.Set{Account: r.Account}}
		}
		var err error
		for _, c := range []struct {
			plan *Plan
			dst  *Predicate
		}{{g.Vertices, &v.vertex}, {g.Edges, &v.edge}, {g.Properties, &v.property}} {
			if c.plan == nil {
				continue
			}
			if *c.dst, err = r.criterion(c.plan, whole, v); err != nil {
				return err
			}
		}
		r.View = v
		r.guards = append(r.guards, v)
	}
	return nil
}

// criterion opens a criterion in a run of its own, which reads the whole graph and
// writes nothing.
func (r *Run) criterion(p *Plan, whole blueprints.View, v *guardedView) (Predicate, error) {
	in := &Run{Env: r.Env, Plan: p, SideEffects: r.SideEffects, Strict: r.Strict}
	in.View, in.Mutator, in.Memory = whole, nil, nil
	in.paths = p.pathMode()
	v.r = in
	return in.ChildTest(p)
}

// Whole returns the View beneath the guards, for one who asks Shows about what it finds there
// and whom hidden properties do not mislead.
func (r *Run) Whole() blueprints.View {
	v := r.View
	for {
		g, is := v.(*guardedView)
		if !is {
			return v
		}
		v = g.View
	}
}

// Shows reports whether the guards let an element be seen.
func (r *Run) Shows(v value.Value) (bool, error) {
	for _, g := range r.guards {
		if ok, err := g.shows(v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// guardedView is a View without what a Guard hides.
type guardedView struct {
	blueprints.View
	r                      *Run // of the criteria
	vertex, edge, property Predicate
	adjacent               bool
	known                  *known // nil when an answer may change
}

// known are the vertices that were asked for.
type known struct {
	shown, hidden keyed.Set
	n             int
}

// knownMax is how many answers are kept.
const knownMax = 1 << 16

func (g *guardedView) shows(v value.Value) (bool, error) {
	switch {
	case v.Kind() == value.KindVertex && v.IsStored():
		return g.showsVertex(blueprints.VertexID(v.Ref()))
	case v.Kind() == value.KindEdge && v.IsStored():
		return g.showsEdge(blueprints.EdgeID(v.Ref()))
	case v.Kind() == value.KindVertex && g.vertex != nil: // a copy, at the end of a copied edge
		t := NewTraverser(v)
		return g.vertex(&t)
	}
	return true, nil
}

func (g *guardedView) showsVertex(v blueprints.VertexID) (bool, error) {
	if g.vertex == nil {
		return true, nil
	}
	if g.known != nil {
		switch id := uint64(v); {
		case g.known.shown.Has(id):
			return true, nil
		case g.known.hidden.Has(id):
			return false, nil
		}
	}
	if err := g.r.Poll(); err != nil {
		return false, err
	}
	t := NewTraverser(value.VertexRef(uint64(v)))
	ok, err := g.vertex(&t)
	if g.known != nil && err == nil {
		err = g.known.add(v, ok)
	}
	return ok, err
}

// add remembers whether a vertex shows.
func (k *known) add(v blueprints.VertexID, shows bool) (err error) {
	if k.n++; k.n > knownMax {
		k.shown.Release()
		k.hidden.Release()
		k.n = 1
	}
	if shows {
		_, err = k.shown.Add(uint64(v))
	} else {
		_, err = k.hidden.Add(uint64(v))
	}
	return err
}

func (g *guardedView) showsEdge(e blueprints.EdgeID) (bool, error) {
	if ok, err := g.edgeAlone(e); !ok || err != nil || !g.adjacent || g.vertex == nil {
		return ok, err
	}
	h, err := g.View.Edge(e)
	if err != nil {
		return false, err
	}
	if ok, err := g.showsVertex(h.Out); !ok || err != nil {
		return false, err
	}
	return g.showsVertex(h.In)
}

// edgeAlone asks the criterion of edges alone.
func (g *guardedView) edgeAlone(e blueprints.EdgeID) (bool, error) {
	if g.edge == nil {
		return true, nil
	}
	if err := g.r.Poll(); err != nil {
		return false, err
	}
	t := NewTraverser(value.EdgeRef(uint64(e)))
	return g.edge(&t)
}

// hidesEdges reports whether there are edges that do not show.
func (g *guardedView) hidesEdges() bool { return g.edge != nil || g.adjacent && g.vertex != nil }

// keepEdges drops from dst, from position from on, the edges that do not show at a
// vertex that does.
func (g *guardedView) keepEdges(dst []blueprints.Adjacent, from int) ([]blueprints.Adjacent, error) {
	kept := from
	for i := from; i < len(dst); i++ {
		ok, err := g.edgeAlone(dst[i].Edge)
		if ok && err == nil && g.adjacent {
			ok, err = g.showsVertex(dst[i].Other)
		}
		if err != nil {
			return dst[:kept], err
		}
		if ok {
			dst[kept] = dst[i]
			kept++
		}
	}
	return dst[:kept], nil
}

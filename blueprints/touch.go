package blueprints

import (
	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage/value"
)

// Who reads elements one at a time waits for memory at each: a row lies three dependent loads
// away. What is touched before, level by level, is near when its turn comes.

// AheadWhole says which elements are read next, all of each. Those that are in memory are
// brought near the processor.
func (t *Tx) AheadWhole(objs []value.Value) {
	t.Ahead(objs)
	if len(objs) < 2 || t.cache == nil {
		return
	}
	for ; len(objs) > stage; objs = objs[stage:] {
		t.touch(objs[:stage])
	}
	t.touch(objs)
}

// touch brings at most stage elements near, each kind at once.
func (t *Tx) touch(objs []value.Value) {
	var vs [stage]VertexID
	var es [stage]EdgeID
	v, e := 0, 0
	for _, o := range objs {
		switch {
		case !o.IsStored():
		case o.Kind() == value.KindVertex:
			vs[v] = VertexID(o.Ref())
			v++
		case o.Kind() == value.KindEdge:
			es[e] = EdgeID(o.Ref())
			e++
		}
	}
	if v > 0 {
		t.touchVertices(vs[:v])
	}
	if e > 0 {
		t.touchEdges(es[:e])
	}
}

func (t *Tx) touchVertices(vs []VertexID) {
	var rows [stage]*vertexRow
	rowcache.GetMany(t.cache.vertices, vs, t.seq, &rows)
	t.touchProperties(rows[:len(vs)])
}

// touchProperties loads the properties of rows side by side.
func (t *Tx) touchProperties(rows []*vertexRow) {
	for _, r := range rows {
		if r != nil {
			t.touchEntries(r.props)
		}
	}
}

func (t *Tx) touchEntries(props []PropertyEntry) {
	if len(props) > 0 {
		t.touched += uint32(props[0].Key + props[len(props)-1].Key)
	}
}

// touchEdges brings edges near, and the vertices that they join.
func (t *Tx) touchEdges(es []EdgeID) {
	var rows [stage]*edgeRow
	rowcache.GetMany(t.cache.edges, es, t.seq, &rows)
	var out, in [stage]VertexID
	n := 0
	for _, r := range rows[:len(es)] {
		if r == nil {
			continue
		}
		t.touchEntries(r.props)
		out[n], in[n] = r.cell.Out, r.cell.In
		n++
	}
	if n > 0 {
		t.touchVertices(out[:n])
		t.touchVertices(in[:n])
	}
}

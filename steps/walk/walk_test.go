package walk_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/walk"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ground is a View of nothing but edges.
type ground struct {
	blueprints.View
	out, in map[blueprints.VertexID][]blueprints.Adjacent
}

// Expand gives every second edge as a pair, as the row cache does, where that may be.
func (g ground) Expand(vs []blueprints.VertexID, x blueprints.Expansion, into blueprints.Sink) error {
	for i, v := range vs {
		var e blueprints.Expanded
		all := g.edges(v, x.Dir)
		after := slices.Index(all, x.After) // -1 for none
		for k, a := range all {
			switch {
			case x.Want == blueprints.WantCount:
				e.Count++
			case x.Want == blueprints.WantEnds && k%2 == 0 && a.Other>>32 == 0:
				e.Pairs = append(e.Pairs, uint32(a.Edge), uint32(a.Other))
			case k > after && (x.Max == 0 || len(e.Edges) < x.Max):
				e.Edges = append(e.Edges, a)
			}
		}
		if err := into.Take(i, e); err != nil {
			return err
		}
	}
	return nil
}

func (g ground) edges(v blueprints.VertexID, d blueprints.Direction) (all []blueprints.Adjacent) {
	if d&blueprints.Out != 0 {
		all = append(all, g.out[v]...)
	}
	if d&blueprints.In != 0 {
		all = append(all, g.in[v]...)
	}
	return all
}

// draw makes a small graph of so many edges at most, whose vertices may lie far apart, with loops and parallel edges.
func draw(t *rapid.T, most int) (g ground, vs []blueprints.VertexID) {
	g = ground{out: map[blueprints.VertexID][]blueprints.Adjacent{}, in: map[blueprints.VertexID][]blueprints.Adjacent{}}
	spread := rapid.SampledFrom([]blueprints.VertexID{1, 3, 1 << 12, 1 << 33}).Draw(t, "spread")
	n := rapid.IntRange(1, 400).Draw(t, "vertices")
	for i := range n {
		vs = append(vs, 1+blueprints.VertexID(i)*spread)
	}
	of := rapid.SampledFrom(vs)
	for i := range rapid.IntRange(0, most).Draw(t, "edges") {
		from, to := of.Draw(t, "from"), of.Draw(t, "to")
		e := blueprints.EdgeID(i + 1)
		g.out[from] = append(g.out[from], blueprints.Adjacent{Edge: e, Other: to, Dir: blueprints.Out})
		g.in[to] = append(g.in[to], blueprints.Adjacent{Edge: e, Other: from, Dir: blueprints.In})
	}
	return g, vs
}

func direction(t *rapid.T) blueprints.Expansion {
	return blueprints.Expansion{Dir: rapid.SampledFrom([]blueprints.Direction{blueprints.Out, blueprints.In, blueprints.Both}).Draw(t, "direction")}
}

// Walkers hop as numbers in a map do, also where they add up to 0, and all that was charged
// for them is given back.
func TestFrontier_HopsAsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, vs := draw(t, 400)
		top := account.New(nil, "queryMemory", 1<<30)
		r := &traversal.Run{Env: traversal.Env{View: g, Account: top}}
		f := walk.New(r)
		at := map[blueprints.VertexID]int64{}
		for range rapid.IntRange(0, 300).Draw(t, "starts") {
			v, n := rapid.SampledFrom(vs).Draw(t, "start"), rapid.SampledFrom([]int64{-1, 1, 2, -1 << 63}).Draw(t, "walkers")
			at[v] += n
			if err := f.Add(v, n); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 4).Draw(t, "hops") {
			x := direction(t)
			if err := f.Hop(x); err != nil {
				t.Fatal(err)
			}
			next := map[blueprints.VertexID]int64{}
			for v, n := range at {
				for _, a := range g.edges(v, x.Dir) {
					next[a.Other] += n
				}
			}
			at = next
			for _, v := range vs {
				n, there := f.At(v)
				if want, ok := at[v]; n != want || there != ok {
					t.Fatalf("%d walkers at %d (%v), want %d (%v)", n, v, there, want, ok)
				}
			}
		}
		checkLast(t, g, f, at)
		if f.Release(); top.Used() != 0 {
			t.Fatalf("%d bytes charged when all was given back", top.Used())
		}
	})
}

// checkLast makes the last hop.
func checkLast(t *rapid.T, g ground, f *walk.Frontier, at map[blueprints.VertexID]int64) {
	x, ways, ends := direction(t), int64(0), map[blueprints.VertexID]bool{}
	for v, n := range at {
		for _, a := range g.edges(v, x.Dir) {
			ways += n
			ends[a.Other] = true
		}
	}
	count, want := f.Count, ways
	if rapid.Bool().Draw(t, "distinct") {
		count, want = f.CountEnds, int64(len(ends))
	}
	if n, err := count(x); err != nil || n != want {
		t.Fatalf("%d (%v), want %d", n, err, want)
	}
}

// A trail goes along every edge of every place, in the order in which they were reached,
// however many edges are taken at once; walkers who come from one place stand together, and
// each place leads back to the start.
func TestTrail_LeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, vs := draw(t, 400)
		top := account.New(nil, "queryMemory", 1<<30)
		trail := walk.NewTrail(&traversal.Run{Env: traversal.Env{View: g, Account: top}})
		for range rapid.IntRange(1, 3).Draw(t, "starts") {
			past := []blueprints.VertexID{rapid.SampledFrom(vs).Draw(t, "before"), rapid.SampledFrom(vs).Draw(t, "start")}
			c := &climber{t: t, g: g, trail: trail, x: direction(t), places: []climbed{{past[1], rapid.Int64().Draw(t, "walkers"), -1, 0}}}
			c.begin(past)
			for len(c.places) < 200 && trail.Waits() {
				c.room = rapid.IntRange(1, 30).Draw(t, "room")
				if err := trail.Go(c); err != nil {
					t.Fatal(err)
				}
			}
			if len(c.places) < 200 && (c.head != len(c.places)-1 || len(c.edges) > 0) {
				t.Fatalf("the trail ends at place %d of %d, %d edges left", c.head, len(c.places), len(c.edges))
			}
		}
		if trail.Reset(); trail.Waits() {
			t.Fatal("a trail without a start waits")
		}
	})
}

// climber goes along a Trail beside a list of places.
type climber struct {
	t       *rapid.T
	g       ground
	trail   *walk.Trail
	x       blueprints.Expansion
	history []value.Value
	places  []climbed
	head    int
	first   int
	edges   []blueprints.Adjacent // of head, to come
	room    int
}

type climbed struct {
	v      blueprints.VertexID
	n      int64
	from   int
	passes int
}

func (c *climber) begin(past []blueprints.VertexID) {
	var history *traversal.PathNode
	for _, v := range past {
		c.history = append(c.history, value.VertexRef(uint64(v)))
		history = history.Extend(c.history[len(c.history)-1], nil)
	}
	c.trail.Along(c.x.Dir, nil)
	c.trail.Begin(past[len(past)-1], c.places[0].n, history)
	c.head = -1
}

// TakeEdges checks what is offered and takes as much as there is room for.
func (c *climber) TakeEdges(_ int, edges []blueprints.Adjacent) (int, error) {
	if h := c.trail.Head(); h != c.head {
		if h != c.head+1 || len(c.edges) > 0 {
			c.t.Fatalf("from place %d with %d edges left to %d", c.head, len(c.edges), h)
		}
		c.head, c.first = h, len(c.places)
		c.edges = c.g.edges(c.places[h].v, c.x.Dir)
	}
	here := c.places[c.head]
	if c.trail.Walkers() != here.n || c.trail.Passes() != here.passes+1 {
		c.t.Fatalf("%d walkers behind %d passes, want %+v", c.trail.Walkers(), c.trail.Passes(), here)
	}
	c.checkWay()
	n := min(len(edges), c.room)
	if n > len(c.edges) || !slices.Equal(edges[:n], c.edges[:n]) {
		c.t.Fatalf("edges %v, want %v", edges, c.edges)
	}
	for _, a := range edges[:n] {
		c.trail.Add(a.Other)
		i := slices.IndexFunc(c.places[c.first:], func(p climbed) bool { return p.v == a.Other })
		if i < 0 {
			i = len(c.places) - c.first
			c.places = append(c.places, climbed{a.Other, 0, c.head, here.passes + 1})
		}
		c.places[c.first+i].n += here.n
	}
	c.edges = c.edges[n:]
	if c.room -= n; c.room == 0 {
		return n, walk.ErrEnough
	}
	return n, nil
}

// checkWay looks at the way from the start's history to head.
func (c *climber) checkWay() {
	way := slices.Clone(c.history)
	for i := c.head; i > 0; i = c.places[i].from {
		way = slices.Insert(way, len(c.history), value.VertexRef(uint64(c.places[i].v)))
	}
	var got []value.Value
	for p := c.trail.Path(); p != nil; p = p.Parent {
		got = append(got, p.Object)
	}
	slices.Reverse(got)
	if !slices.EqualFunc(got, way, value.Identical) {
		c.t.Fatalf("the path to place %d is %v, want %v", c.head, got, way)
	}
	for i, p := range c.places {
		v := value.VertexRef(uint64(p.v))
		met := slices.ContainsFunc(way, func(w value.Value) bool { return value.Identical(w, v) })
		if i < 20 && c.trail.Been(p.v) != met {
			c.t.Fatalf("the way to place %d meets %d: %v", c.head, p.v, !met)
		}
	}
}

// A Reader gives every edge once, however few are taken at a time, in pieces as for many
// vertices at once.
func TestReader_GivesEachEdgeOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := ground{out: map[blueprints.VertexID][]blueprints.Adjacent{}}
		var vs []blueprints.VertexID
		for i := range rapid.IntRange(1, 4).Draw(t, "vertices") {
			v := blueprints.VertexID(i + 1)
			vs = append(vs, v)
			for k := range rapid.SampledFrom([]int{0, 1, 15, 16, 17, 100, 9000}).Draw(t, "edges") {
				g.out[v] = append(g.out[v], blueprints.Adjacent{Edge: blueprints.EdgeID(i*10_000 + k + 1), Other: v, Dir: blueprints.Out})
			}
		}
		var d walk.Reader
		top := account.New(nil, "queryMemory", 1<<30)
		d.Init(&traversal.Run{Env: traversal.Env{View: g, Account: top}}, rapid.Bool().Draw(t, "whole"))
		d.Along(blueprints.Out, nil)
		n := &nibbler{t: t}
		many := rapid.Bool().Draw(t, "many")
		for left := vs; len(left) > 0 || d.Waits(); {
			n.room = rapid.IntRange(1, 6000).Draw(t, "room")
			switch {
			case d.Waits():
				if err := d.Go(rapid.IntRange(0, 5000).Draw(t, "piece"), n); err != nil {
					t.Fatal(err)
				}
			case many:
				begun, err := d.Many(left, n)
				if err != nil {
					t.Fatal(err)
				}
				left = left[begun:]
			default:
				d.Enter(left[0])
				left = left[1:]
			}
		}
		var want []blueprints.Adjacent
		for _, v := range vs {
			want = append(want, g.out[v]...)
		}
		if !slices.Equal(n.got, want) {
			t.Fatalf("%d edges, want %d", len(n.got), len(want))
		}
		if d.Leave(); d.Waits() {
			t.Fatal("a reader without a vertex waits")
		}
	})
}

// nibbler takes as many edges as there is room for.
type nibbler struct {
	t    *rapid.T
	room int
	got  []blueprints.Adjacent
}

func (n *nibbler) TakeEdges(_ int, edges []blueprints.Adjacent) (int, error) {
	k := min(n.room, len(edges))
	n.got = append(n.got, edges[:k]...)
	if n.room -= k; n.room == 0 {
		return k, walk.ErrEnough
	}
	return k, nil
}

// steps are how many edges lead from one vertex to another.
func (g ground) steps(d blueprints.Direction) map[blueprints.VertexID]map[blueprints.VertexID]int64 {
	all := map[blueprints.VertexID]map[blueprints.VertexID]int64{}
	for _, ends := range []map[blueprints.VertexID][]blueprints.Adjacent{g.out, g.in} {
		for v := range ends {
			if all[v] != nil {
				continue
			}
			all[v] = map[blueprints.VertexID]int64{}
			for _, a := range g.edges(v, d) {
				all[v][a.Other]++
			}
		}
	}
	return all
}

// A figure is counted as often as its corners can be filled one by one.
func TestFigure_CountsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corners := rapid.IntRange(2, 4).Draw(t, "corners")
		g, vs := draw(t, []int{2: 400, 3: 400, 4: 40}[corners])
		vs = vs[:min(len(vs), 12)]
		f := walk.NewFigure(&traversal.Run{Env: traversal.Env{View: g}})
		type edge struct {
			from, to int
			x        blueprints.Expansion
		}
		var edges []edge
		for c := 1; c < corners; c++ {
			e := edge{rapid.IntRange(0, c-1).Draw(t, "from"), c, direction(t)}
			f.Corner(e.from, e.x)
			edges = append(edges, e)
		}
		for range rapid.IntRange(0, 3).Draw(t, "checks") {
			e := edge{rapid.IntRange(0, corners-1).Draw(t, "from"), rapid.IntRange(0, corners-1).Draw(t, "to"), direction(t)}
			if e.from != e.to {
				f.Check(e.from, e.to, e.x)
				edges = append(edges, e)
			}
		}
		steps := map[blueprints.Direction]map[blueprints.VertexID]map[blueprints.VertexID]int64{}
		for _, e := range edges {
			if steps[e.x.Dir] == nil {
				steps[e.x.Dir] = g.steps(e.x.Dir)
			}
		}
		// fill puts vertices at the corners from one on and multiplies edges between them.
		at := make([]blueprints.VertexID, corners)
		var fill func(c int) int64
		fill = func(c int) (n int64) {
			if c == corners {
				return 1
			}
			for v := range steps[edges[c-1].x.Dir][at[edges[c-1].from]] {
				at[c] = v
				ways := int64(1)
				for _, e := range edges {
					if max(e.from, e.to) == c {
						ways *= steps[e.x.Dir][at[e.from]][at[e.to]]
					}
				}
				if ways > 0 {
					n += ways * fill(c+1)
				}
			}
			return n
		}
		for _, v := range vs {
			at[0] = v
			want := fill(1)
			if n, err := f.Count(v); err != nil || n != want {
				t.Fatalf("%d ways from %d (%v), want %d", n, v, err, want)
			}
		}
		f.Release()
	})
}

// A walk ends with the request's time, and with its memory.
func TestFrontier_IsBounded(t *testing.T) {
	g := ground{out: map[blueprints.VertexID][]blueprints.Adjacent{}}
	for i := range blueprints.VertexID(5000) {
		g.out[1] = append(g.out[1], blueprints.Adjacent{Edge: blueprints.EdgeID(i + 1), Other: 2 + i<<20})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		env  traversal.Env
		want error
	}{
		{traversal.Env{View: g, Ctx: ctx}, traversal.ErrTimeout},
		{traversal.Env{View: g, Account: account.New(nil, "queryMemory", 10_000)}, account.ErrLimit},
	} {
		for name, last := range map[string]func(f *walk.Frontier) error{
			"hop": func(f *walk.Frontier) error { return f.Hop(blueprints.Expansion{Dir: blueprints.Out}) },
			"ends": func(f *walk.Frontier) error {
				_, err := f.CountEnds(blueprints.Expansion{Dir: blueprints.Out})
				return err
			},
		} {
			f := walk.New(&traversal.Run{Env: c.env})
			if err := f.Add(1, 1); err != nil {
				t.Fatal(err)
			}
			if err := last(f); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
			if f.Release(); c.env.Account != nil && c.env.Account.Used() != 0 {
				t.Errorf("%s: %d bytes charged when all was given back", name, c.env.Account.Used())
			}
		}
	}
}

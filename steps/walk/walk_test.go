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
		for k, a := range g.edges(v, x.Dir) {
			switch {
			case x.Want == blueprints.WantCount:
				e.Count++
			case x.Want == blueprints.WantEnds && k%2 == 0 && a.Other>>32 == 0:
				e.Pairs = append(e.Pairs, uint32(a.Edge), uint32(a.Other))
			case x.Max == 0 || (x.After == blueprints.Adjacent{} || a.Edge > x.After.Edge) && len(e.Edges) < x.Max:
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

// draw makes a small graph, whose vertices may lie far apart, with loops and parallel edges.
func draw(t *rapid.T) (g ground, vs []blueprints.VertexID) {
	g = ground{out: map[blueprints.VertexID][]blueprints.Adjacent{}, in: map[blueprints.VertexID][]blueprints.Adjacent{}}
	spread := rapid.SampledFrom([]blueprints.VertexID{1, 3, 1 << 12, 1 << 33}).Draw(t, "spread")
	n := rapid.IntRange(1, 400).Draw(t, "vertices")
	for i := range n {
		vs = append(vs, 1+blueprints.VertexID(i)*spread)
	}
	of := rapid.SampledFrom(vs)
	for i := range rapid.IntRange(0, 400).Draw(t, "edges") {
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
		g, vs := draw(t)
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

// A trail leads back from each place to the start along edges; walkers who come from one
// place stand together, in the order in which they came.
func TestTrail_LeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, vs := draw(t)
		top := account.New(nil, "queryMemory", 1<<30)
		trail := walk.NewTrail(&traversal.Run{Env: traversal.Env{View: g, Account: top}})
		for range rapid.IntRange(1, 3).Draw(t, "starts") {
			type place struct {
				v    blueprints.VertexID
				n    int64
				from int
			}
			want := []place{{rapid.SampledFrom(vs).Draw(t, "start"), rapid.Int64().Draw(t, "walkers"), -1}}
			trail.Begin(want[0].v, want[0].n)
			x := direction(t)
			for head := 0; head < len(want) && len(want) < 200; head++ {
				if ahead := trail.Ahead(nil); len(ahead) == 0 || ahead[0] != want[head].v || !trail.Waits() {
					t.Fatalf("%d waits behind place %d, want %d", ahead, trail.Head(), want[head].v)
				}
				trail.Next()
				first := len(want)
				for _, a := range g.edges(want[head].v, x.Dir) {
					trail.Add(a.Other)
					i := slices.IndexFunc(want[first:], func(p place) bool { return p.v == a.Other })
					if i < 0 {
						i = len(want) - first
						want = append(want, place{a.Other, 0, head})
					}
					want[first+i].n += want[head].n
				}
				been := false
				for i := head; i > 0; i = want[i].from {
					been = been || want[i].v == vs[0]
				}
				if trail.Been(vs[0]) != been {
					t.Fatalf("the way to place %d meets %d: %v", head, vs[0], !been)
				}
			}
			if trail.Len() != len(want) {
				t.Fatalf("%d places, want %d", trail.Len(), len(want))
			}
			for i, p := range want {
				if v, n, from := trail.At(i); v != p.v || n != p.n || from != p.from {
					t.Fatalf("place %d is %d with %d from %d, want %v", i, v, n, from, p)
				}
			}
			if err := trail.Pay(); err != nil || top.Used() < int64(24*len(want)) {
				t.Fatalf("%d bytes charged for %d places (%v)", top.Used(), len(want), err)
			}
		}
	})
}

// A figure is counted as often as its corners can be filled one by one.
func TestFigure_CountsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, vs := draw(t)
		vs = vs[:min(len(vs), 12)]
		f := walk.NewFigure(&traversal.Run{Env: traversal.Env{View: g}})
		type edge struct {
			from, to int
			x        blueprints.Expansion
		}
		var edges []edge
		corners := rapid.IntRange(2, 3).Draw(t, "corners")
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
		// fill puts vertices at the corners from one on and multiplies edges between them.
		at := make([]blueprints.VertexID, corners)
		var fill func(c int) int64
		fill = func(c int) (n int64) {
			if c == corners {
				n = 1
				for _, e := range edges {
					ways := int64(0)
					for _, a := range g.edges(at[e.from], e.x.Dir) {
						if a.Other == at[e.to] {
							ways++
						}
					}
					n *= ways
				}
				return n
			}
			ends := map[blueprints.VertexID]bool{}
			for _, a := range g.edges(at[edges[c-1].from], edges[c-1].x.Dir) {
				ends[a.Other] = true
			}
			for v := range ends {
				at[c] = v
				n += fill(c + 1)
			}
			return n
		}
		for _, v := range vs {
			at[0] = v
			if n, err := f.Count(v); err != nil || n != fill(1) {
				t.Fatalf("%d ways from %d (%v), want %d", n, v, err, fill(1))
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

package computer

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
)

func noPoll() error { return nil }

func newGraph(ids []blueprints.VertexID) *Graph {
	g, _ := NewGraph(ids, nil) // no limit, no error
	return g
}

// random draws a graph of up to 30 vertices whose ids are dense or sparse.
func random(t *rapid.T) *Graph {
	n := rapid.IntRange(1, 30).Draw(t, "vertices")
	step := blueprints.VertexID(rapid.SampledFrom([]int{1, 1000}).Draw(t, "step"))
	ids := make([]blueprints.VertexID, n)
	for i := range ids {
		ids[i] = 5 + blueprints.VertexID(i)*step
	}
	g := newGraph(ids)
	for range ids {
		for _, to := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 4).Draw(t, "targets") {
			g.Add(blueprints.EdgeID(len(g.Edges)), ids[to])
		}
		g.EndVertex()
	}
	return g
}

func TestNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		for i, id := range g.IDs {
			if n, ok := g.Number(id); !ok || n != int32(i) {
				t.Fatalf("Number(%d) = %d, %v, want %d", id, n, ok, i)
			}
		}
		if n, ok := g.Number(4); ok {
			t.Fatalf("an id that is not in the graph has number %d", n)
		}
	})
}

func TestPageRank_SumsToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks, err := PageRank(random(t), PageRankOptions{Alpha: 0.85, Times: 20, Epsilon: 1e-5}, noPoll)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, r := range ranks {
			sum += r
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("ranks sum to %v", sum)
		}
	})
}

func TestReverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		back := g.Reverse().Reverse()
		for v := range g.IDs {
			if count(g.Out(int32(v))) != count(back.Out(int32(v))) {
				t.Fatalf("vertex %d leads to %v, reversed twice to %v", v, g.Out(int32(v)), back.Out(int32(v)))
			}
		}
	})
}

// count is the multiset of targets of a graph of up to 30 vertices.
func count(targets []int32) (n [30]int) {
	for _, t := range targets {
		n[t]++
	}
	return n
}

// TestComponents compares with reachability over edges in both directions.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := both(random(t))
		names, err := Components(g, func(a, b int32) bool { return a < b }, noPoll)
		if err != nil {
			t.Fatal(err)
		}
		for v := range g.IDs {
			s, err := ShortestPaths(g, int32(v), func(int64) (float64, error) { return 1, nil }, -1, noPoll)
			if err != nil {
				t.Fatal(err)
			}
			least := int32(v)
			for _, u := range s.Reached {
				least = min(least, u)
			}
			if names[v] != least {
				t.Fatalf("vertex %d is in component %d, but reaches %d", v, names[v], least)
			}
		}
	})
}

// both adds every edge in the other direction too.
func both(g *Graph) *Graph {
	r := g.Reverse()
	b := newGraph(g.IDs)
	for v := range g.IDs {
		for _, half := range []*Graph{g, r} {
			for _, t := range half.Out(int32(v)) {
				b.Add(0, b.IDs[t])
			}
		}
		b.EndVertex()
	}
	return b
}

func TestShortestPaths_Triangle(t *testing.T) {
	g := newGraph([]blueprints.VertexID{1, 2, 3, 4})
	for _, edges := range [][]int{{1, 2}, {3}, {3}, {}} { // 1->2, 1->3, 2->4, 3->4
		for _, to := range edges {
			g.Add(blueprints.EdgeID(len(g.Edges)), g.IDs[to])
		}
		g.EndVertex()
	}
	one := func(int64) (float64, error) { return 1, nil }
	s, err := ShortestPaths(g, 0, one, -1, noPoll)
	if err != nil {
		t.Fatal(err)
	}
	if s.Distance[3] != 2 || len(s.Before[3]) != 2 {
		t.Errorf("4 is %v away with %d last steps, want 2 and 2", s.Distance[3], len(s.Before[3]))
	}
	if s, _ = ShortestPaths(g, 0, one, 1, noPoll); s.Distance[3] >= 0 {
		t.Error("a path longer than the bound was found")
	}
}

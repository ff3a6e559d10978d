package computer

import (
	"math"
	"slices"
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

// TestShortestPaths_Relaxed compares with the distances that are left when no edge makes any
// of them shorter: every vertex within the bound is reached, the nearer ones first, and the last
// steps to it are all edges that end a way of its distance.
func TestShortestPaths_Relaxed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := random(t)
		lengths := rapid.SliceOfN(rapid.Float64Range(0, 4), len(g.Edges), len(g.Edges)).Draw(t, "lengths")
		if rapid.Bool().Draw(t, "whole") { // so that there are ties, and edges of length 0
			for i := range lengths {
				lengths[i] = math.Floor(lengths[i])
			}
		}
		source := int32(rapid.IntRange(0, g.Len()-1).Draw(t, "source"))
		most := rapid.SampledFrom([]float64{-1, 0, 2, 7.5}).Draw(t, "most")
		s, err := ShortestPaths(g, source, func(e int64) (float64, error) { return lengths[e], nil }, most, noPoll)
		if err != nil {
			t.Fatal(err)
		}
		want := relaxed(g, source, lengths, most)
		reached := 0
		for v := range g.IDs {
			if s.Distance[v] != want.Distance[v] {
				t.Fatalf("vertex %d is %v away, want %v", v, s.Distance[v], want.Distance[v])
			}
			if want.Distance[v] >= 0 {
				reached++
			}
			slices.SortFunc(s.Before[v], func(a, b Step) int { return int(a.Edge - b.Edge) })
			if !slices.Equal(s.Before[v], want.Before[v]) {
				t.Fatalf("the last steps to vertex %d are %v, want %v", v, s.Before[v], want.Before[v])
			}
		}
		for i, v := range s.Reached {
			if slices.Contains(s.Reached[:i], v) || i > 0 && s.Distance[v] < s.Distance[s.Reached[i-1]] {
				t.Fatalf("%v are reached, whose distances are %v", s.Reached, s.Distance)
			}
		}
		if len(s.Reached) != reached {
			t.Fatalf("%v are reached, want %d", s.Reached, reached)
		}
	})
}

// relaxed finds shortest paths by looking at all edges until no distance becomes less.
func relaxed(g *Graph, source int32, lengths []float64, most float64) *Shortest {
	s := &Shortest{Distance: make([]float64, g.Len()), Before: make([][]Step, g.Len())}
	for v := range s.Distance {
		s.Distance[v] = -1
	}
	s.Distance[source] = 0
	each := func(visit func(step Step, to int32, d float64)) {
		for v := range g.IDs {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				if d := s.Distance[v] + lengths[e]; s.Distance[v] >= 0 && (most < 0 || d <= most) {
					visit(Step{int32(v), e}, g.Targets[e], d)
				}
			}
		}
	}
	for again := true; again; {
		again = false
		each(func(_ Step, to int32, d float64) {
			if s.Distance[to] < 0 || d < s.Distance[to] {
				s.Distance[to], again = d, true
			}
		})
	}
	each(func(step Step, to int32, d float64) {
		if to != source && d == s.Distance[to] {
			s.Before[to] = append(s.Before[to], step)
		}
	})
	return s
}

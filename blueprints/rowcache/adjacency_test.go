package rowcache

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// list reads a row back in order.
func list(a *Adjacency) []Edge { return a.edges() }

func drawEdge(t *rapid.T) Edge {
	e := Edge{
		Label: rapid.Uint32Range(1, 3).Draw(t, "label"),
		Edge:  rapid.Uint64Range(1, 3000).Draw(t, "edge"),
		Other: rapid.Uint64Range(1, 5).Draw(t, "other"),
	}
	if rapid.IntRange(0, 50).Draw(t, "wide") == 0 {
		e.Edge += 1 << 40
	}
	return e
}

// A row after any changes holds what a sorted list would.
func TestAdjacency_AppliesChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []Edge
		n := rapid.SampledFrom([]int{0, 3, 500, 1500}).Draw(t, "edges")
		label := rapid.Uint32Range(1, 3).Draw(t, "label")
		for i := range n {
			want = append(want, Edge{Label: label, Edge: uint64(2 * i), Other: uint64(i % 5)})
		}
		row := NewAdjacency(want, true)
		for range rapid.IntRange(1, 5).Draw(t, "commits") {
			var changes []Change
			for range rapid.IntRange(1, 20).Draw(t, "changes") {
				c := Change{Edge: drawEdge(t), Removed: rapid.Bool().Draw(t, "removed")}
				if c.Removed && len(want) > 0 {
					c.Edge = rapid.SampledFrom(want).Draw(t, "existing")
				}
				changes = append(changes, c)
			}
			slices.SortFunc(changes, func(a, b Change) int { return byLabelAndEdge(a.Edge, b.Edge) })
			changes = slices.CompactFunc(changes, func(a, b Change) bool { return a.Edge == b.Edge })
			before := list(&row)
			next, _ := row.Apply(changes)
			if !slices.Equal(list(&row), before) {
				t.Fatal("the old row has changed")
			}
			row, want = next, applyTo(slices.Clone(want), changes)
			checkRow(t, &row, want)
		}
	})
}

func checkRow(t *rapid.T, row *Adjacency, want []Edge) {
	if got := list(row); !slices.Equal(got, want) {
		t.Fatalf("%d edges, want %d", len(got), len(want))
	}
	if row.Len() != len(want) {
		t.Fatalf("Len %d, want %d", row.Len(), len(want))
	}
	for label := range uint32(4) {
		n := 0
		for _, e := range want {
			if e.Label == label {
				n++
			}
		}
		var one [1]Chunk
		sum := 0
		for _, c := range row.RunOf(label, &one) {
			if sum += c.Len(); c.Len() == 0 || c.Len() > 2*chunkMax {
				t.Fatalf("a chunk of %d", c.Len())
			}
		}
		if sum != n || row.LenOf(label) != n {
			t.Fatalf("label %d: run of %d, length %d, want %d", label, sum, row.LenOf(label), n)
		}
	}
}

// What a small row says of each label is what its edges say, however many labels it has and
// whatever their numbers are.
func TestAdjacency_SmallRuns(t *testing.T) {
	labels := []uint32{0, 1, 2, 3, 5, 1000, noLabel - 1, noLabel, noLabel + 1, noLabel + 2, noLabel + 1001, math.MaxUint32}
	rapid.Check(t, func(t *rapid.T) {
		var edges []Edge
		counts := map[uint32]int{}
		left := smallMax
		for _, l := range rapid.SliceOfNDistinct(rapid.SampledFrom(labels), 0, 5, rapid.ID).Draw(t, "labels") {
			n := rapid.IntRange(0, min(left, rapid.SampledFrom([]int{1, 3, 400}).Draw(t, "most"))).Draw(t, "edges")
			counts[l], left = n, left-n
			for i := range n {
				edges = append(edges, Edge{Label: l, Edge: uint64(i + 1), Other: 7})
			}
		}
		slices.SortFunc(edges, byLabelAndEdge)
		row := NewAdjacency(edges, true)
		for _, l := range labels {
			from, to := row.SmallRunOf(l)
			if row.LenOf(l) != counts[l] || int(to-from) != counts[l] {
				t.Fatalf("label %d of %v: %d edges, from %d to %d", l, counts, row.LenOf(l), from, to)
			}
			for i := from; i < to; i++ {
				if edges[i].Label != l {
					t.Fatalf("label %d of %v: begins at %d", l, counts, from)
				}
			}
		}
		if pairs := row.SmallPairs(); len(pairs) != 2*len(edges) {
			t.Fatalf("%d pairs of %d edges", len(pairs), len(edges))
		}
	})
}

// A row that knows some labels learns more, and changes of others leave it alone.
func TestAdjacency_PartialRows(t *testing.T) {
	var row Adjacency
	row = row.With(2, []Edge{{2, 1, 9}, {2, 5, 9}})
	if row.Complete() || !row.Knows(2) || row.Knows(1) {
		t.Error("knows what it should not")
	}
	next, copied := row.Apply([]Change{{Edge: Edge{1, 3, 9}}, {Edge: Edge{2, 7, 9}}, {Edge: Edge{2, 1, 9}, Removed: true}})
	if next.Knows(1) || next.LenOf(2) != 2 || copied == 0 {
		t.Errorf("after changes: %v", list(&next))
	}
	row = next.With(1, []Edge{{1, 3, 9}})
	if got := list(&row); !slices.Equal(got, []Edge{{1, 3, 9}, {2, 5, 9}, {2, 7, 9}}) {
		t.Errorf("%v", got)
	}
}

// An edge added to a big row copies no more than a chunk.
func TestAdjacency_CopiesOneChunk(t *testing.T) {
	edges := make([]Edge, 1_000_000)
	for i := range edges {
		edges[i] = Edge{1, uint64(2 * i), 7}
	}
	row := NewAdjacency(edges, true)
	for _, id := range []uint64{1, 999_999, 2_000_001} {
		next, copied := row.Apply([]Change{{Edge: Edge{1, id, 7}}})
		if copied > chunkMax+1 || next.Len() != len(edges)+1 {
			t.Errorf("edge %d: copied %d, length %d", id, copied, next.Len())
		}
		row2, copied := next.Apply([]Change{{Edge: Edge{1, id, 7}, Removed: true}})
		if copied > chunkMax+1 || row2.Len() != len(edges) {
			t.Errorf("edge %d removed: copied %d, length %d", id, copied, row2.Len())
		}
	}
	if size := row.Size().All; size > 16*int64(len(edges)) {
		t.Errorf("%d bytes for %d edges", size, len(edges))
	}
}

package blueprints

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// TestToFront: the lists are the last ones that came, each place of memory once.
func TestToFront(t *testing.T) {
	memory := make([][2]int, 6)
	for i := range memory {
		memory[i][0] = i
	}
	rapid.Check(t, func(t *rapid.T) {
		lists := make([][]int, rapid.IntRange(1, 5).Draw(t, "places"))
		var want []int // where they begin
		for range rapid.IntRange(0, 12).Draw(t, "times") {
			at := rapid.IntRange(0, len(memory)-1).Draw(t, "list")
			toFront(lists, memory[at][:1+len(want)%2])
			want = slices.DeleteFunc(want, func(w int) bool { return w == at })
			want = slices.Insert(want, 0, at)
			want = want[:min(len(want), len(lists))]
			var got []int
			for _, l := range lists {
				if l != nil {
					got = append(got, l[0])
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

// TestBeginLoad_NotEmpty: a graph with a vertex is not filled past transactions.
func TestBeginLoad_NotEmpty(t *testing.T) {
	_, g := openCached(t, 1<<20)
	commit(t, g, func(tx *Tx) error { _, err := tx.AddVertex("v", value.Null); return err })
	if _, err := g.BeginLoad(t.Context()); !errors.Is(err, ErrNotEmpty) {
		t.Error(err)
	}
	commit(t, g, func(tx *Tx) error { _, err := tx.AddVertex("v", value.Null); return err })
}

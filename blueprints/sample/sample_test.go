package sample

import "testing"

func TestSizes(t *testing.T) {
	for name, want := range map[string][2]int{
		"modern": {6, 6}, "classic": {6, 6}, "crew": {6, 14}, "sink": {3, 3},
		"grateful": {808, 8049}, "airroutes": {3749, 57645},
	} {
		g, err := build(name)
		if err != nil {
			t.Fatalf("build %s: %v", name, err)
		}
		if got := [2]int{len(g.vertices), len(g.edges)}; got != want {
			t.Errorf("%s has %v vertices and edges, want %v", name, got, want)
		}
	}
}

package traversal

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"values", "out", "valueMap", "g", "in", "outE", "OUT"}
	given := slices.Clone(known)
	for _, c := range []struct{ name, want string }{
		{"valuess", "values"}, {"vlaues", "values"}, {"valuemap", "valueMap"}, {"G", "g"}, {"q", ""},
		{"Out", "OUT"}, {"ot", "out"}, {"xyz", ""}, {"", ""}, {"inn", "in"}, {"outEE", "outE"},
	} {
		if got := Nearest(c.name, known); got != c.want {
			t.Errorf("%q: %q, not %q", c.name, got, c.want)
		}
	}
	if !slices.Equal(known, given) {
		t.Errorf("the list is another: %q", known)
	}
}

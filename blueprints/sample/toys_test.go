package sample

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestSamples_StayAsTheyAre compares all of each graph with what it was when TinkerPop's
// scenarios found their answers in it.
func TestSamples_StayAsTheyAre(t *testing.T) {
	for _, name := range Names() {
		g, err := build(name)
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		fmt.Fprintln(h, g.labels)
		for _, v := range g.vertices {
			fmt.Fprintln(h, v.ID.JavaString(), v.Label)
			for _, p := range v.Properties {
				fmt.Fprintln(h, p.Key, p.Value.JavaString(), p.Value.Kind(), p.ID.JavaString())
				for _, m := range p.Meta {
					fmt.Fprintln(h, m.Key, m.Value.JavaString(), m.Value.Kind())
				}
			}
		}
		for _, e := range g.edges {
			fmt.Fprintln(h, e.ID.JavaString(), e.Label, e.Out.JavaString(), e.In.JavaString())
			for _, p := range e.Properties {
				fmt.Fprintln(h, p.Key, p.Value.JavaString(), p.Value.Kind())
			}
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)[:8]); got != sums[name] {
			t.Errorf("%s: %s, want %s", name, got, sums[name])
		}
	}
}

// sums are the beginnings of SHA-256.
var sums = map[string]string{
	"modern": "80a7334c65e76b92", "classic": "ad88180dd6b0bd39", "crew": "1ad6c781833fe1da",
	"sink": "20aeb2ff57a314b8", "grateful": "c6330d06a729b1be", "airroutes": "f49d8dce8651d78f",
}

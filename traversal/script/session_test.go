package script

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestSession_Source: a variable stands for a source as the host gave it; one with strategies of
// its own, and any other value, hides what the host calls so.
func TestSession_Source(t *testing.T) {
	s := NewSession(nil, machine.Options{})
	g := host.Global{Kind: host.SourceGlobal, Name: "social"}
	s.SetGlobal("g", g)
	s.SetGlobal("g", g) // again
	s.SetGlobal("graph", host.Global{Kind: host.GraphGlobal, Name: "social"})
	s.Set("own", value.Object(value.KindForeign, &graphs.Source{Global: g, Config: []traversal.Instruction{{Name: "withPath"}}}))
	s.Set("x", value.Of(1))
	for name, want := range map[string]struct {
		global host.Global
		there  bool
	}{"g": {g, true}, "graph": {there: true}, "own": {there: true}, "x": {there: true}, "none": {}} {
		if got, there := s.Source(name); got != want.global || there != want.there {
			t.Errorf("%s: %+v, %v", name, got, there)
		}
	}
}

package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What call() does is what the right says that the service wants; of services of others
// anything is expected, unless they say by their names that they are the server's own.
func TestCall_Effects(t *testing.T) {
	const writes = traversal.External | traversal.WritesGraph
	byRight := map[traversal.Right]traversal.Effects{
		traversal.ReadRight:  0,
		traversal.WriteRight: writes,
		traversal.AdminRight: writes | traversal.Administers,
	}
	want := map[string]traversal.Effects{
		services.ListName:   0,
		"gremlind.ofserver": traversal.ReadsGraph,
		"somebody.else":     traversal.External,
	}
	all := value.NewMap()
	all.PutString("all", value.Bool(true))
	for _, name := range services.List(all, nil) {
		s, _ := services.Lookup(name.Str())
		want[name.Str()] = traversal.ReadsGraph | byRight[s.Right(value.NewMap())]
		if services.ReadsPast(name.Str()) {
			want[name.Str()] |= traversal.ReadsPast
		}
	}
	for name, effects := range want {
		p, err := traversal.Compile(nil, steps.Registry(), &traversal.Bytecode{Steps: []traversal.Instruction{instruction("call", value.String(name))}})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := p.Effects(); got != effects {
			t.Errorf("%s has the effects %b, want %b", name, got, effects)
		}
	}
}

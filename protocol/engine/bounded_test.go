package engine

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestBounded_RefusedFirst: a request too many is refused before it is compiled, and says whose
// quota it was. Who may not read the graph is told that, and takes nobody's place.
func TestBounded_RefusedFirst(t *testing.T) {
	e := open(t)
	if _, err := e.o.Database.CreateGraph("busy", blueprints.Options{Limits: blueprints.Limits{Requests: 1}}); err != nil {
		t.Fatal(err)
	}
	code := func(names ...string) *contract.Query {
		b := &traversal.Bytecode{}
		for _, name := range names {
			b.Steps = append(b.Steps, traversal.Instruction{Name: name})
		}
		return &contract.Query{Bytecode: b, Source: "busy"}
	}
	ask := func(who *traversal.Identity, q *contract.Query) error {
		w := e.Open(contract.WorkOptions{Identity: who})
		defer w.Close()
		_, err := results(w, q)
		return err
	}
	for range 5 {
		if err := ask(&traversal.Identity{Name: "bob"}, code("V")); !errors.Is(err, contract.ErrUnauthorized) {
			t.Errorf("who may not: %v", err)
		}
	}
	if err := ask(traversal.Anyone, code("V", "count")); err != nil {
		t.Errorf("the first: %v", err)
	}
	for _, q := range []*contract.Query{code("V", "count"), code("V", "noSuchStep")} {
		var many *blueprints.TooManyError
		var paced account.Paced
		err := ask(traversal.Anyone, q)
		if !errors.As(err, &many) || !errors.As(err, &paced) || paced.Pace() == nil {
			t.Errorf("%v", err)
		}
	}
}

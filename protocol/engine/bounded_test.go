package engine

import (
	"errors"
	"strings"
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

// TestBounded_ReadOnly: a read-only graph takes no writes, of nobody, and is no obstacle to what
// changes something else.
func TestBounded_ReadOnly(t *testing.T) {
	e := open(t)
	if _, err := e.o.Database.CreateGraph("still", blueprints.Options{Limits: blueprints.Limits{ReadOnly: true}}); err != nil {
		t.Fatal(err)
	}
	reader, writer := &traversal.Identity{Name: "reader", Roles: []traversal.Role{traversal.ReadRole}}, &traversal.Identity{Name: "writer", Roles: []traversal.Role{traversal.WriteRole}}
	const readOnly = "graph is read-only: still (readOnly)"
	for _, c := range []struct {
		who          *traversal.Identity
		script, want string
	}{
		{reader, "g.V().count()", "0"},
		{writer, "g.V().count()", "0"},
		{traversal.Anyone, "g.V().count()", "0"},
		{reader, "g.addV('a')", "user reader may not write to graph still"},
		{writer, "g.addV('a')", readOnly},
		{traversal.Anyone, "g.addV('a')", readOnly},
		{traversal.Anyone, "g.call('gremlind.index.create',[class:'vertex',key:'name'])", readOnly},
		{writer, "g.io('file').read()", readOnly},
		{reader, "g.io('file').write()", "user reader may not write to graph still"},
		{writer, "g.io('file').write()", "io() is switched off on this server"},
		{reader, "g.call('gremlind.graph.create',[name:'one'])", "user reader may not administer graphs"},
		{writer, "g.call('gremlind.graph.create',[name:'one'])", "user writer may not administer graphs"},
		{traversal.Anyone, "g.call('gremlind.graph.create',[name:'one'])", "one"},
	} {
		w := e.Open(contract.WorkOptions{Identity: c.who})
		q := query(languageLang, c.script)
		q.Aliases = map[string]string{"g": "still"}
		got, err := results(w, q)
		if err == nil {
			err = w.Commit(t.Context(), true)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s for %s: %s, want %s", c.script, c.who.User(), got, c.want)
		}
		w.Close()
	}
}

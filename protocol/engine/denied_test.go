package engine

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// keptFrom is a user who reads and writes everything but what is denied in every graph.
func keptFrom(denied blueprints.Denied) *traversal.Identity {
	return &traversal.Identity{Name: "ann", Roles: []traversal.Role{{Name: "r", Allow: traversal.WriteRight, Denied: denied}}}
}

// TestDenied_InTurn: what a role denies in every graph is not there in any, and each is itself, in
// whatever order one query reads them, as they are and as they were.
func TestDenied_InTurn(t *testing.T) {
	x := openTimed(t)
	ann := keptFrom(blueprints.Denied{Keys: []string{"age", "location"}})
	const modern, past, crew = "g.V(1).valueMap().next()", "g.with('asOf',<v0>L).E().count().next()", "gcrew.V(1).valueMap().next()"
	for _, c := range [][2]string{
		{"[g.E().count().next(), gcrew.E().count().next(), g.E().count().next(), gcrew.E().count().next()]", "3 14 3 14"},
		{"[g.E().count().next(), " + past + ", g.E().count().next(), " + past + "]", "3 6 3 6"},
		{"[" + modern + ", " + crew + ", " + modern + ", " + crew + "]", "{name=[marko]} {name=[marko]} {name=[marko]} {name=[marko]}"},
		{"g.V(1).map{gcrew.E().count().next() + g.E().count().next()}", "17"},
	} {
		w := x.e.Open(contract.WorkOptions{Identity: ann})
		got, err := results(w, query(languageGroovy, x.text(c[0])))
		w.Close()
		if err != nil || got != c[1] {
			t.Errorf("%s: %s %v, want %s", c[0], got, err, c[1])
		}
	}
}

// TestDenied_Meanwhile: what is denied to who asks while his query runs is not there any more for
// what the query begins from then on.
func TestDenied_Meanwhile(t *testing.T) {
	e := open(t)
	ann := keptFrom(blueprints.Denied{Keys: []string{"lang"}})
	w := e.Open(contract.WorkOptions{Identity: ann})
	defer w.Close()
	r, err := w.Run(t.Context(), query(languageGroovy, "g.V(1, 2, 4).map{g.V(it.get().id()).valueMap().next()}"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, want := range []string{"{name=[marko], age=[29]}", "{name=[vadas]}"} {
		got, err := r.Next(nil, 1)
		if err != nil || len(got) != 1 {
			t.Fatal(len(got), err)
		}
		if text := got[0].Value.JavaStringWith(r.Resolver()); text != want {
			t.Errorf("%s, want %s", text, want)
		}
		ann.Supersede(keptFrom(blueprints.Denied{Keys: []string{"age"}}))
	}
}

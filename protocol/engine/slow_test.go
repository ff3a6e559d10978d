package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// TestRan: what a query ran is told, step by step when it is measured, which is what the next of
// its like is for whom somebody asked; all other answers are the same.
func TestRan(t *testing.T) {
	e := open(t)
	ask := func(language, text, want string, measure bool, look func(contract.Ran)) {
		t.Helper()
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		defer w.Close()
		q := query(language, text)
		q.Measure = measure
		if got, err := results(w, q); err != nil || got != want {
			t.Fatalf("%s: %q %v, want %q", text, got, err, want)
		}
		look(q.Ran)
	}
	plan := func(language, text, want, step string) {
		t.Helper()
		ask(language, text, want, false, func(r contract.Ran) {
			if got := strings.Join(r.Plan(), " "); !strings.Contains(got, step) {
				t.Errorf("%s: %s", text, got)
			}
		})
	}
	plan(languageLang, "g.V(1).out().values('name')", "lop vadas josh", "VertexStep(OUT,vertex)")
	plan(languageGroovy, "x = g.V(2).values('name').next(); x + '!'", "vadas!", "PropertiesStep([name],value)")
	ask(languageGroovy, "1 + 1", "2", false, func(r contract.Ran) {
		if r != nil {
			t.Error("no traversal was evaluated")
		}
	})
	took := func(text, want string, measure bool) (rows string) {
		t.Helper()
		ask(languageLang, text, want, measure, func(r contract.Ran) {
			for _, k := range r.Took() {
				name, _, _ := strings.Cut(k.Step, "(")
				rows += fmt.Sprintf("%s %d ", name, k.Rows)
			}
		})
		return rows
	}
	measured := "GraphStep 1 VertexStep 3 PropertiesStep 3 "
	if got := took("g.V(1).out().values('name')", "lop vadas josh", false); got != "" {
		t.Errorf("nobody asked: %s", got)
	}
	if got := took("g.V().count()", "6", false); got != "" {
		t.Errorf("of another kind: %s", got)
	}
	if got := took("g.V(1).out().values('name')", "lop vadas josh", false); got != measured {
		t.Errorf("of the kind that was asked about: %q", got)
	}
	if len(e.slow.kinds) != 1 {
		t.Errorf("only the kind of count() is waited for, and there are %d", len(e.slow.kinds))
	}
	if got := took("g.V(1).out().values('name')", "lop vadas josh", true); got != measured {
		t.Errorf("when it was asked for: %q", got)
	}
	for i := range 2 * slowKinds {
		e.slow.want(planOf(t, strings.Repeat(".identity()", i)))
	}
	if n := len(e.slow.kinds); n == 0 || n > slowKinds {
		t.Errorf("%d kinds are waited for", n)
	}
}

// planOf is a plan of steps that no other has.
func planOf(t *testing.T, text string) *traversal.Plan {
	t.Helper()
	p := &traversal.Plan{}
	for range strings.Count(text, ".") {
		p.Nodes = append(p.Nodes, &traversal.Node{Spec: &traversal.Spec{Name: "identity"}})
	}
	return p
}

// BenchmarkRan is what a small query takes, whose steps are not measured and are.
func BenchmarkRan(b *testing.B) {
	e := open(b)
	for _, measure := range []bool{false, true} {
		b.Run(fmt.Sprint("measured=", measure), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
				q := query(languageLang, "g.V(1).out().values('name')")
				q.Measure = measure
				r, err := w.Run(context.Background(), q)
				if err == nil {
					err = drain(r)
				}
				if err != nil {
					b.Fatal(err)
				}
				w.Close()
			}
		})
	}
}

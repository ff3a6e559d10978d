package differential_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/engine"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

// TestScripts runs random traversals with closures as scripts: one at a time, without
// optimizations, and in a session behind changes that are not committed. All must give what
// a request of its own gives on a graph with the changes.
func TestScripts(t *testing.T) {
	traversals := raced.Times(raced.Part(500, 3), 4)
	db := open(t, 0)
	stored, changed := plainly(t, db, "stored"), plainly(t, db, "changed")
	stored.changes = changesOf(t, rand.New(rand.NewPCG(seed(), 7)))
	load(t, db, "committed", "modern", storage.CommittedIsolation)
	err := changed.graph.Update(t.Context(), func(tx *blueprints.Tx) error { return stored.change(t.Context(), tx) })
	if err == nil {
		err = changed.graph.View(t.Context(), stored.old.note)
	}
	if err != nil {
		t.Fatal(err)
	}
	asker := asker{t: t, old: stored.old, changes: stored.changes}
	sources := map[string]string{"stored": "stored", "changed": "changed", "committed": "committed"}
	engines := map[string]engine.Options{"as usual": {}, "one at a time": {BatchMax: 1}, "without optimizations": {NoOptimization: true}}
	for name, o := range engines {
		o.Database, o.Sources, o.Host = db, sources, newHost()
		e, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		asker.list = append(asker.list, asking{name + ", in a session", e, "stored", true},
			asking{name + ", in a session under isolation: committed", e, "committed", true}, asking{name, e, "changed", false})
	}
	gen := differential.NewGenerator(seed(), differential.Closures)
	for range traversals {
		q := gen.Traversal()
		if !q.ShowsNewIDs() && !q.ShowsCount() && !strings.Contains(q.Text, "profile(") {
			asker.compare(q)
		}
	}
	t.Logf("compared %d of %d", asker.compared, traversals)
	if asker.compared < traversals/2 {
		t.Errorf("only %d of %d traversals could be compared", asker.compared, traversals)
	}
}

// asking is one way to ask a server.
type asking struct {
	name    string
	e       *engine.Engine
	source  string
	session bool
}

type asker struct {
	t        *testing.T
	old      oldIDs
	changes  []query
	list     []asking
	compared int
}

func (a *asker) compare(q differential.Query) {
	var want outcome
	for i, way := range a.list {
		got, err := a.ask(way, q)
		if errors.Is(err, traversal.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
			return // too large
		}
		if err != nil {
			a.t.Fatal(err)
		}
		switch {
		case i == 0:
			want = got
			a.compared++
		case got.String() != want.String():
			a.t.Errorf("%s\n%s: %.600s\n%s: %.600s", q.Groovy(), way.name, got, a.list[0].name, want)
			return
		}
	}
}

func (a *asker) ask(way asking, q differential.Query) (o outcome, err error) {
	ctx, cancel := context.WithTimeout(a.t.Context(), traversalMax)
	defer cancel()
	w := way.e.Open(contract.WorkOptions{Session: way.session, Identity: traversal.Anyone})
	defer w.Close()
	if way.session {
		for _, c := range a.changes {
			if err := new(outcome).read(ctx, w, c.Query, way.source, a.old); err != nil {
				return o, err
			}
		}
	}
	err = o.read(ctx, w, q, way.source, a.old)
	if errors.Is(err, traversal.ErrTimeout) || ctx.Err() != nil {
		return o, traversal.ErrTimeout
	}
	if err != nil {
		return outcome{failure: class(err)}, nil
	}
	if !q.Ordered {
		o.sort()
	}
	return o, nil
}

func (o *outcome) read(ctx context.Context, w contract.Work, q differential.Query, source string, old oldIDs) error {
	r, err := w.Run(ctx, &contract.Query{Script: q.Groovy(), Language: "gremlin-groovy", Aliases: map[string]string{"g": source}})
	if err != nil {
		return err
	}
	defer r.Close()
	for n := 0; ; {
		list, err := r.Next(nil, 64)
		if err != nil || len(list) == 0 {
			return err
		}
		if n += len(list); n > resultsMax {
			return traversal.ErrTimeout
		}
		print := differential.Printer{Resolver: r.Resolver(), AnyOrder: q.Gathers(), New: old.isNew}
		for _, b := range list {
			o.add(b.Value.Kind().String()+" "+print.Value(b.Value), b.Bulk)
		}
	}
}

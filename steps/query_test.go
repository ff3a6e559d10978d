package steps_test

import (
	"context"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// tester is what runQuery wants of a test, or of a property's test.
type tester interface {
	Context() context.Context
	Fatal(args ...any)
}

// runQuery calls read with a query that only reads and has begun. batch is the largest
// batch that its steps take, 0 for the default.
func runQuery(t tester, g *blueprints.Graph, text string, batch int, read func(*traversal.Run) error) {
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		t.Fatal(text, err)
	}
	err = g.View(t.Context(), func(tx *blueprints.Tx) error {
		plan, err := steps.Prepare(q.Last().Bytecode, tx)
		if err != nil {
			return err
		}
		run, err := traversal.Open(plan, traversal.Env{Ctx: t.Context(), Registry: steps.Registry(), View: tx, BatchMax: batch})
		if err != nil {
			return err
		}
		return read(run)
	})
	if err != nil {
		t.Fatal(text, err)
	}
}

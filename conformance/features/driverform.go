package main

import (
	"context"
	"fmt"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	cucumber "github.com/apache/tinkerpop/gremlin-go/v3/driver/cucumber"

	"github.com/gremlind/gremlind/storage/value"
)

// newDriverForm sends gremlind's bytecode too, but first compares it with what
// gremlin-go sends for the traversal that TinkerPop generated from the same scenario.
func newDriverForm(c *capture) form {
	return form{"driver", func(ctx context.Context, w *world, r *request) ([]value.Value, error) {
		ours, err := bytecodeOf(r)
		if err != nil {
			return nil, err
		}
		t, err := generated(c, r)
		if err != nil {
			return nil, err
		}
		theirs, err := c.bytecode(ctx, t)
		if err != nil {
			return nil, err
		}
		if diff := compareBytecode(ours, theirs); diff != "" {
			return nil, fmt.Errorf("bytecode differs from gremlin-go's: %s", diff)
		}
		return w.conn.Bytecode(ctx, r.source, ours.Value())
	}}
}

// generated builds the traversal of a scenario with gremlin-go. The generated table
// gives the traversals of a scenario one by one, in the order of its steps.
func generated(c *capture, r *request) (t *gremlingo.GraphTraversal, err error) {
	// A name that has fewer traversals than its scenarios makes the table panic.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("gremlin-go has no traversal for this: %v", p)
		}
	}()
	params, err := goMap(r.parameters)
	if err != nil {
		return nil, err
	}
	effects, err := goMap(r.sideEffects)
	if err != nil {
		return nil, err
	}
	g := c.g
	if r.computer {
		g = g.WithStrategies(gremlingo.VertexProgramStrategy())
	}
	return cucumber.GetTraversal(r.scenario, g, params, effects)
}

func goMap(m *value.Map) (map[string]any, error) {
	out := map[string]any{}
	for i := range m.Len() {
		k, v := m.Entry(i)
		x, err := goValue(v)
		if err != nil {
			return nil, err
		}
		out[k.Str()] = x
	}
	return out, nil
}

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// bytecodeForm sends what gremlind's own parser makes of the text.
var bytecodeForm = form{"bytecode", func(ctx context.Context, w *world, r *request) ([]value.Value, error) {
	b, err := bytecodeOf(r)
	if err != nil {
		return nil, err
	}
	return w.conn.Bytecode(ctx, r.source, b.Value())
}}

// vertexProgramStrategy is what withComputer() sends.
const vertexProgramStrategy = "org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.decoration.VertexProgramStrategy"

// bytecodeOf compiles a scenario's text, as a driver would have built it.
func bytecodeOf(r *request) (*traversal.Bytecode, error) {
	q, err := lang.Parse(strings.TrimSpace(r.traversal), lang.Options{Variables: func(name string) (value.Value, bool) {
		return r.parameters.GetString(name)
	}})
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	st := q.Last()
	if st.Bytecode == nil || st.Terminal != "" {
		return nil, fmt.Errorf("%q is no plain traversal", r.traversal)
	}
	b := *st.Bytecode
	b.Source = qualify(b.Source)
	if r.computer {
		s := &traversal.StrategySpec{Class: vertexProgramStrategy}
		computer := traversal.Instruction{Name: "withStrategies", Args: []value.Value{value.Object(value.KindStrategy, s)}}
		b.Source = append([]traversal.Instruction{computer}, b.Source...)
	}
	if r.asOf != "" {
		b.Source = append(b.Source, traversal.Instruction{Name: "with", Args: []value.Value{value.String("asOf"), value.String(r.asOf)}})
	}
	for i := range r.sideEffects.Len() {
		k, v := r.sideEffects.Entry(i)
		b.Source = append(b.Source, traversal.Instruction{Name: "withSideEffect", Args: []value.Value{k, v}})
	}
	return &b, nil
}

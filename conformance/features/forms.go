package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// textLanguage is the language of the text form; the text is never Groovy.
const textLanguage = "gremlin-lang"

// textForm sends the scenario's own text, its parameters as bindings. Side effects
// have no place in bindings, so they are written into the text.
var textForm = form{"text", func(ctx context.Context, w *world, r *request) ([]value.Value, error) {
	text, err := withSources(r)
	if err != nil {
		return nil, err
	}
	return w.conn.Text(ctx, r.source, textLanguage, text, r.parameters)
}}

// withSources puts what a scenario sets up beside its text behind the leading g.
func withSources(r *request) (string, error) {
	var b strings.Builder
	b.WriteString("g.")
	if r.computer {
		b.WriteString("withStrategies(VertexProgramStrategy).")
	}
	if r.asOf != "" {
		fmt.Fprintf(&b, "with('asOf', '%s').", r.asOf)
	}
	for i := range r.sideEffects.Len() {
		k, v := r.sideEffects.Entry(i)
		l, err := literal(v)
		if err != nil {
			return "", fmt.Errorf("write side effect %s: %w", k, err)
		}
		fmt.Fprintf(&b, "withSideEffect(%q, %s).", k.Str(), l)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(r.traversal), "g.")
	if !ok {
		return "", fmt.Errorf("the traversal does not begin with g: %s", r.traversal)
	}
	b.WriteString(rest)
	return b.String(), nil
}

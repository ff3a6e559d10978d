package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// checkResult compares with a table, ordered, unordered, or "of": every answer is
// among the rows.
func (p *performance) checkResult(ctx context.Context, st step, m []string) error {
	if p.failure != nil {
		return p.failure
	}
	want, err := p.expectations(ctx, st.rows)
	if err != nil {
		return err
	}
	got := p.got
	ok := false
	switch m[1] {
	case "ordered":
		ok = sameOrdered(got, want)
	case "unordered":
		ok = sameUnordered(got, want)
	case "of":
		ok = allFound(got, want, false)
	}
	if !ok {
		return fmt.Errorf("expected %s %s, got %s", m[1], printAll(want), printAll(got))
	}
	return nil
}

func (p *performance) expectations(ctx context.Context, rows []string) ([]value.Value, error) {
	var want []value.Value
	for _, r := range rows {
		v, err := p.parse(ctx, r)
		if err != nil {
			return nil, err
		}
		want = append(want, v)
	}
	return want, nil
}

func (p *performance) checkTree(ctx context.Context, st step, _ []string) error {
	if p.failure != nil {
		return p.failure
	}
	t, err := p.names(ctx, p.src)
	if err != nil {
		return err
	}
	want, err := notation{t}.parseTree(st.doc)
	if err != nil {
		return err
	}
	if len(p.got) != 1 || p.got[0].Tree() == nil || !sameTree(p.got[0].Tree(), want) {
		return fmt.Errorf("expected the tree %s, got %s", want.Value(), printAll(p.got))
	}
	return nil
}

func (p *performance) checkSubgraph(ctx context.Context, st step, _ []string) error {
	if p.failure != nil {
		return p.failure
	}
	want, err := p.expectations(ctx, st.rows)
	if err != nil {
		return err
	}
	if len(p.got) != 1 || p.got[0].Subgraph() == nil {
		return fmt.Errorf("expected a subgraph, got %s", printAll(p.got))
	}
	got := p.got[0].Subgraph().Vertices
	if st.head == "edges" {
		got = p.got[0].Subgraph().Edges
	}
	if !sameUnordered(got, want) {
		return fmt.Errorf("expected the %s %s, got %s", st.head, printAll(want), printAll(got))
	}
	return nil
}

// printedMax bounds how many values a message shows.
const printedMax = 12

func printAll(vs []value.Value) string {
	var parts []string
	for i, v := range vs {
		if i == printedMax {
			parts = append(parts, fmt.Sprintf("... %d in all", len(vs)))
			break
		}
		parts = append(parts, fmt.Sprintf("%#v", v))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

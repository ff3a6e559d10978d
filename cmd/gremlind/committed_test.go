package main

import (
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

const committedConfig = `graphs:
  tx: {transactional: true, isolation: committed}
traversalSources: {g: tx}
`

// TestIsolationCommitted: a driver's open transaction sees with each request what others
// have committed, beneath its own writes; two that write the same property conflict. The
// graph keeps its level.
func TestIsolationCommitted(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, writeFile(t, "committed.yaml", committedConfig))
	conn, g := p.connect("g")
	defer conn.Close()
	begin := func() (*gremlingo.Transaction, *gremlingo.GraphTraversalSource) {
		tx := g.Tx()
		gtx, err := tx.Begin()
		if err != nil {
			t.Fatal(err)
		}
		return tx, gtx
	}
	count := func(g *gremlingo.GraphTraversalSource) int {
		t.Helper()
		r, err := g.V().Count().Next()
		if err != nil {
			t.Fatal(err)
		}
		n, _ := r.GetInt()
		return n
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, first := begin()
	second, gtx := begin()
	do(<-first.AddV("a").Property("n", 1).Iterate())
	if count(gtx) != 0 || count(first) != 1 {
		t.Error("what is not committed was seen, or not by its owner")
	}
	do(<-g.AddV("b").Property("n", 1).Iterate())
	if count(gtx) != 1 || count(first) != 2 {
		t.Errorf("after another's commit: %d and %d", count(gtx), count(first))
	}
	do(<-gtx.V().HasLabel("b").Property("n", 2).Iterate())
	do(<-g.V().HasLabel("b").Property("n", 3).Iterate())
	if err := second.Commit(); err == nil || !strings.Contains(err.Error(), "Conflict") {
		t.Errorf("two wrote one property: %v", err)
	}
	if code, text := p.post(t, "g.V().hasLabel('b').values('n')"); code != 200 || !strings.HasSuffix(text, "3") {
		t.Error(text)
	}
	p.stop(syscall.SIGTERM)
	p = serve(t, "--data-dir", dir, writeFile(t, "committed.yaml", committedConfig))
	if strings.Contains(p.output(), "keeps the options") {
		t.Error(p.output())
	}
}

// Package scripthost runs scripts in the tests of the rooms of traversal/script: a host with
// the modern graph, and files of scripts with their answers.
package scripthost

import (
	"context"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Host runs traversals of scripts on one graph, all in one transaction.
type Host struct {
	tx       *blueprints.Tx
	closures traversal.ClosureCompiler

	charged    strings.Builder // what scripts were charged
	made, kept int64           // since the last line there
}

// New returns a host of the modern graph, which is called g and gmodern as a source and
// graph as a graph.
func New(t testing.TB) *Host {
	ctx := context.Background()
	g, err := queryhost.New(t).Get(ctx, "modern")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return &Host{tx: tx}
}

// Lookup finds the graph by its names.
func (h *Host) Lookup(name string) (host.Global, bool) {
	switch name {
	case "g", "gmodern":
		return host.Global{Kind: host.SourceGlobal, Name: name}, true
	case "graph":
		return host.Global{Kind: host.GraphGlobal, Name: name}, true
	}
	return host.Global{}, false
}

// Here is the graph.
func (h *Host) Here() (host.Global, bool) { return h.Lookup("g") }

// Execute runs a traversal.
func (h *Host) Execute(ctx context.Context, g host.Global, b *traversal.Bytecode) (host.Iterator, error) {
	if g == (host.Global{}) {
		r := &traversal.Run{}
		return &running{r: r}, steps.OpenAnonymous(r, b, traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: h.tx, Closures: h.closures})
	}
	plan, err := steps.Prepare(b, h.tx)
	if err != nil {
		return nil, err
	}
	r, err := traversal.Open(plan, traversal.Env{
		Ctx: ctx, Registry: steps.Registry(), View: h.tx, Mutator: h.tx, Closures: h.closures,
	})
	return &running{r: r}, err
}

// Steps are the steps of a plan.
func (h *Host) Steps(_ context.Context, g host.Global, b *traversal.Bytecode, _ bool) ([]string, error) {
	p, err := traversal.Compile(nil, steps.Registry(), b)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, n := range p.Nodes {
		all = append(all, n.String())
	}
	return all, nil
}

// Explain shows a strategy that does not exist, whatever the traversal.
func (h *Host) Explain(context.Context, host.Global, *traversal.Bytecode) (value.Value, error) {
	steps := []string{"explained"}
	return value.Object(value.KindExplanation, &traversal.Explanation{
		Original: steps, Intermediate: []traversal.ExplainedStrategy{{Strategy: "SomeStrategy", Category: "F", Traversal: steps}}, Final: steps,
	}), nil
}

// Describe names the graph as TinkerPop does.
func (h *Host) Describe(context.Context, host.Global) (string, error) {
	return "tinkergraph[vertices:6 edges:6]", nil
}

// Tx says that the transaction is open.
func (h *Host) Tx(_ context.Context, _ host.Global, op string) (value.Value, error) {
	if op == "isOpen" {
		return value.Bool(true), nil
	}
	return value.Null, nil
}

// Elements are read in the transaction.
func (h *Host) Elements() host.Elements {
	return &traversal.Run{Env: traversal.Env{View: h.tx, Registry: steps.Registry()}}
}

type running struct{ r *traversal.Run }

func (it *running) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	var b traversal.Batch
	err := it.r.Next(&b, max)
	for i := range b.Len() {
		t := b.At(i)
		dst = append(dst, value.Bulked{Bulk: t.Bulk, Value: t.Value})
	}
	return dst, err
}

func (it *running) Close() {}

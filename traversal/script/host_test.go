package script_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// testHost runs traversals of scripts on one graph, all in one transaction.
type testHost struct {
	tx       *blueprints.Tx
	closures traversal.ClosureCompiler
	ops      []string
}

func newHost(t testing.TB) *testHost {
	store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := db.CreateGraph("modern", blueprints.Options{
		VertexIDs: blueprints.IntegerIDs, EdgeIDs: blueprints.IntegerIDs, VertexPropertyIDs: blueprints.LongIDs, DefaultCardinality: "single",
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := sample.Load(ctx, g, "modern"); err != nil {
		t.Fatal(err)
	}
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tx.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &testHost{tx: tx}
}

func (h *testHost) Lookup(name string) (host.Global, bool) {
	switch name {
	case "g", "gmodern":
		return host.Global{Kind: host.SourceGlobal, Name: name}, true
	case "graph":
		return host.Global{Kind: host.GraphGlobal, Name: name}, true
	}
	return host.Global{}, false
}

func (h *testHost) Execute(ctx context.Context, g host.Global, b *traversal.Bytecode) (host.Iterator, error) {
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

func (h *testHost) Steps(_ context.Context, g host.Global, b *traversal.Bytecode, _ bool) ([]string, error) {
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

func (h *testHost) Explain(context.Context, host.Global, *traversal.Bytecode) (value.Value, error) {
	return value.String("explained"), nil
}

func (h *testHost) Describe(context.Context, host.Global) (string, error) {
	return "tinkergraph[vertices:6 edges:6]", nil
}

func (h *testHost) Tx(_ context.Context, g host.Global, op string) (value.Value, error) {
	h.ops = append(h.ops, g.Name+"."+op)
	if op == "isOpen" {
		return value.Bool(true), nil
	}
	return value.Null, nil
}

func (h *testHost) Elements() host.Elements {
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

// evaluate runs a text in a session and shows what the server would send.
func evaluate(ctx context.Context, h *testHost, s *script.Session, text string, bindings *value.Map) string {
	r, err := s.Eval(ctx, text, bindings)
	if err == nil {
		var lines []string
		if lines, err = h.results(ctx, r); err == nil {
			return strings.Join(lines, "\n")
		}
	}
	class := ""
	if e, ok := err.(interface{ JavaClass() string }); ok {
		class = e.JavaClass()
	}
	return "ERROR " + class + ": " + err.Error()
}

func (h *testHost) results(ctx context.Context, r script.Result) ([]string, error) {
	it, err := r.Results(ctx, h)
	if err != nil {
		return nil, err
	}
	defer it.Close()
	var lines []string
	for {
		b, err := it.Next(nil, 64)
		for _, x := range b {
			for range x.Bulk {
				lines = append(lines, h.show(x.Value))
			}
		}
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			break
		}
	}
	if lines == nil {
		lines = []string{"(no results)"}
	}
	return lines, nil
}

// show prints a value with its type.
func (h *testHost) show(v value.Value) string {
	switch k := v.Kind(); {
	case k == value.KindForeign:
		return fmt.Sprintf("(not serializable: %s %s)", value.JavaClass(v), v.JavaString())
	case k == value.KindList:
		return "List" + h.all(v.Elems())
	case k == value.KindSet:
		return "Set" + h.all(v.Set().Elems())
	case k == value.KindMap:
		var parts []string
		for i := range v.Map().Len() {
			k, e := v.Map().Entry(i)
			parts = append(parts, h.show(k)+": "+h.show(e))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case k == value.KindString:
		return fmt.Sprintf("%q", v.Str())
	case k == value.KindBool || k == value.KindNull:
		return v.JavaString()
	case k.IsElement() || k == value.KindPath || k == value.KindProperty:
		return v.JavaStringWith(h.tx)
	case k.IsEnum():
		return lang.PrintValue(v)
	}
	return v.JavaString() + ":" + v.Kind().String()
}

func (h *testHost) all(vs []value.Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = h.show(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

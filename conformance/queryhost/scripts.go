package queryhost

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// Run runs the scripts of a folder. A script has one
// directive:
//
//	query graph=modern order=any types class
//	g.V().values("name")
//	----
//	josh
//	...
//
// graph is modern (the default), classic, crew, sink, grateful or empty; each file
// has graphs of its own, which keep what its queries write. order=any sorts the
// results, exact (the default) keeps their order, count gives only their number. types
// adds the type to each result, class the Java class to an error. Several queries may stand on lines of their own; the
// results are those of the last. An error is written as "error: text".
//
// "index name on=key+key of=label class=edge direction=OUT analyzer=words graph=modern" declares
// an index, which is unique with that word.
//
// Queries that change nothing run again one and two traversers at a time, and without
// strategies: the results must be the same, in whatever order.
//
// go test ./steps -rewrite writes what came out into the scripts: read the diff.
func Run(t *testing.T, folder string) {
	t.Helper()
	scriptfiles.Walk(t, folder, func(t *testing.T, path string) {
		graphs := New(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "index" {
				return declare(t, graphs, d)
			}
			if d.Cmd != "query" {
				d.Fatalf(t, "unknown directive %s", d.Cmd)
			}
			s := Script{Graphs: graphs, Graph: "modern", Order: "exact"}
			d.MaybeScanArgs(t, "graph", &s.Graph)
			d.MaybeScanArgs(t, "order", &s.Order)
			s.Types = d.HasArg("types")
			out, err := s.Run(t.Context(), d.Input)
			if err != nil {
				return "error: " + javaClass(err, d.HasArg("class")) + err.Error()
			}
			return out
		})
	})
}

// RunAlone is Run in a package whose code the tests of steps run by the same scripts: a plain
// run of all packages runs them there.
func RunAlone(t *testing.T, folder string) {
	t.Helper()
	leaveToSteps(t)
	Run(t, folder)
}

func leaveToSteps(t *testing.T) {
	t.Helper()
	if raced.Elsewhere() {
		t.Skip("the tests of steps run the same; ALONE=1 runs it here too")
	}
}

// declare declares an index.
func declare(t *testing.T, graphs *Graphs, d *datadriven.TestData) string {
	t.Helper()
	name, label, class, keys := "modern", "", "vertex", ""
	s := blueprints.IndexSpec{Name: d.CmdArgs[0].Key, Class: blueprints.VertexClass}
	for arg, to := range map[string]*string{"graph": &name, "of": &label, "class": &class, "on": &keys, "direction": &s.Direction, "analyzer": &s.Analyzer} {
		d.MaybeScanArgs(t, arg, to)
	}
	if class == "edge" {
		s.Class = blueprints.EdgeClass
	}
	s.Label, s.Keys, s.Unique = label, strings.Split(keys, "+"), d.HasArg("unique")
	g, err := graphs.Get(t.Context(), name)
	if err == nil {
		_, err = g.DeclareIndex(t.Context(), t.Context(), s)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return ""
}

// javaClass is the class that err names for clients, as a prefix of its text.
func javaClass(err error, wanted bool) string {
	var j interface{ JavaClass() string }
	if !wanted || !errors.As(err, &j) {
		return ""
	}
	return j.JavaClass() + ": "
}

// Script is how queries run, and how their results are shown.
type Script struct {
	Graphs *Graphs
	Graph  string // its name
	Order  string // exact, any, or count
	Types  bool
}

// Run runs queries, each on a line, and shows the results of the last.
func (s *Script) Run(ctx context.Context, text string) (string, error) {
	var lines []string
	for _, query := range strings.Split(text, "\n") {
		q, err := lang.Parse(query, lang.Options{})
		if err != nil {
			return "", err
		}
		for i := range q.Statements {
			if lines, err = s.statement(ctx, q.Statements[i].Bytecode); err != nil {
				return "", err
			}
		}
	}
	if s.Order == "count" {
		return fmt.Sprintln(len(lines)), nil
	}
	if s.Order == "any" {
		slices.Sort(lines)
	}
	return strings.Join(lines, "\n"), nil
}

// statement runs b and compares with the other ways to run it.
func (s *Script) statement(ctx context.Context, b *traversal.Bytecode) ([]string, error) {
	plan, err := s.prepare(ctx, b)
	if err != nil {
		return nil, err
	}
	lines, err := s.execute(ctx, plan, 0)
	if plan.Effects()&(traversal.WritesGraph|traversal.Randomised|traversal.Opaque|traversal.External) != 0 {
		return lines, err
	}
	plain, perr := unoptimized(b)
	if perr != nil {
		return nil, perr
	}
	for _, v := range []struct {
		name string
		plan *traversal.Plan
		max  int
	}{{"one at a time", plan, 1}, {"two at a time", plan, 2}, {"without strategies", plain, 0}} {
		again, verr := s.execute(ctx, v.plan, v.max)
		if (err == nil) != (verr == nil) {
			return nil, fmt.Errorf("%v; but %s: %v", err, v.name, verr)
		}
		if a, b := sorted(lines), sorted(again); err == nil && !slices.Equal(a, b) {
			return nil, fmt.Errorf("%v, but %s: %v", a, v.name, b)
		}
	}
	return lines, err
}

// unoptimized compiles b and applies only the strategies that it asks for.
func unoptimized(b *traversal.Bytecode) (*traversal.Plan, error) {
	p, err := traversal.Compile(nil, steps.Registry(), b)
	if err != nil || len(p.Options.Strategies) == 0 {
		return p, err
	}
	strategy.SwitchOff(p.Options)
	return strategy.Apply(nil, steps.Registry(), p, strategy.IndexedKeys{})
}

// prepare plans b with the indexes that the graph has.
func (s *Script) prepare(ctx context.Context, b *traversal.Bytecode) (*traversal.Plan, error) {
	g, err := s.Graphs.Get(ctx, s.Graph)
	if err != nil {
		return nil, err
	}
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	return steps.Prepare(b, tx)
}

func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}

// execute runs a plan in a transaction of its own.
func (s *Script) execute(ctx context.Context, plan *traversal.Plan, batchMax int) (lines []string, err error) {
	err = s.each(ctx, plan, batchMax, func(t *traversal.Traverser, tx *blueprints.Tx) {
		for range t.Bulk {
			lines = append(lines, s.text(t.Value, tx))
		}
	}, func(tx *blueprints.Tx) error { return tx.Commit(ctx) })
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// each gives fn each result of a plan, and the transaction to end.
func (s *Script) each(ctx context.Context, plan *traversal.Plan, batchMax int, fn func(*traversal.Traverser, *blueprints.Tx), end func(*blueprints.Tx) error) error {
	g, err := s.Graphs.Get(ctx, s.Graph)
	if err != nil {
		return err
	}
	writes := plan.Effects()&traversal.WritesGraph != 0
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: !writes})
	if err != nil {
		return err
	}
	defer tx.Close()
	env := traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx, BatchMax: batchMax, Host: s.Graphs.files}
	if writes {
		env.Mutator = tx
	}
	run, err := traversal.Open(plan, env)
	if err != nil {
		return err
	}
	var b traversal.Batch
	for {
		b.Clear()
		err := run.Next(&b, 64)
		for i := range b.Len() {
			t := b.At(i)
			fn(&t, tx)
		}
		if err != nil {
			return err
		}
		if b.Len() == 0 {
			return end(tx)
		}
	}
}

func (s *Script) text(v value.Value, r value.Resolver) string {
	text := v.JavaStringWith(r)
	if v.Kind() == value.KindTraversalMetrics {
		text = v.Kind().String() // no two runs take as long
	}
	if s.Types {
		return text + ":" + v.Kind().String()
	}
	return text
}

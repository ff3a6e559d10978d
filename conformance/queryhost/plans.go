package queryhost

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Plans compares with a file what strategies make of the queries of a folder's scripts: the
// steps, the labels that stay on a path, and what is called. Queries that the file does not
// have are left alone, so that who adds a script need not touch it. -rewrite writes the file
// anew: read the diff.
func Plans(t *testing.T, folder, file string) {
	t.Helper()
	var out strings.Builder
	scriptfiles.Walk(t, folder, func(t *testing.T, path string) {
		s := Script{Graphs: New(t)}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "index" {
				return declare(t, s.Graphs, d)
			}
			s.Graph = "modern"
			d.MaybeScanArgs(t, "graph", &s.Graph)
			for query := range strings.SplitSeq(d.Input, "\n") {
				q, err := lang.Parse(query, lang.Options{})
				if err != nil {
					continue
				}
				for i := range q.Statements {
					s.plan(t.Context(), &out, filepath.Base(path), q.Statements[i].Bytecode)
				}
			}
			return d.Expected
		})
	})
	golden.Write(t, file, out.String())
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got, met := plansIn(string(b)), plansIn(out.String()), 0
	for query, plan := range want {
		now, asked := got[query]
		if asked {
			met++
		}
		if asked && now != plan {
			t.Errorf("%s\nbecomes\n%s\nand was\n%s", query, now, plan)
		}
	}
	if 2*met < len(want) {
		t.Errorf("%s: the scripts ask %d of %d queries", file, met, len(want))
	}
}

// plansIn are plans by query.
func plansIn(text string) map[string]string {
	all := map[string]string{}
	lines := strings.Split(text, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		all[lines[i]] += lines[i+1] + "\n"
	}
	return all
}

// plan writes what becomes of a query.
func (s *Script) plan(ctx context.Context, out *strings.Builder, name string, b *traversal.Bytecode) {
	before, err := traversal.Compile(nil, steps.Registry(), b)
	if err != nil {
		return
	}
	after, err := s.prepare(ctx, b)
	if err != nil {
		fmt.Fprintf(out, "%s: %s\n  error: %.100s\n", name, before, err)
		return
	}
	was, is := planText(before), planText(after)
	if was == is {
		is = "="
	}
	fmt.Fprintf(out, "%s: %s\n  %s\n", name, was, is)
}

// planText shows a plan with the labels that its steps keep.
func planText(p *traversal.Plan) string {
	var kept []string
	p.Walk(func(n *traversal.Node) {
		if n.Keep != nil {
			kept = append(kept, fmt.Sprint(n.Name(), slices.Sorted(slices.Values(n.Keep))))
		}
	})
	var parts []string
	for _, n := range p.Nodes {
		parts = append(parts, n.Explained())
	}
	if kept == nil {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ") + " keep " + strings.Join(kept, " ")
}

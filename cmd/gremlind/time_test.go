package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

const timeConfig = `graphs:
  social: {sample: modern, history: forever}
  plain: {sample: modern}
traversalSources: {g: social, gplain: plain}
`

// past is a time behind all that was acknowledged and in front of what comes.
func past() time.Time {
	at := time.Now()
	<-time.After(2 * time.Millisecond)
	return at
}

// TestTime_Drivers: what there was at a time, from a driver, after the server was killed and
// started, from a source that is fixed to it, from an export, a backup and another graph.
func TestTime_Drivers(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	p := serve(t, "--data-dir", dir, writeFile(t, "g.yaml", timeConfig))
	var times []time.Time
	for _, q := range []string{"g.V(1).property('age', 30).iterate()", "g.V(4).drop().iterate()", "g.V().drop().iterate()"} {
		times = append(times, past())
		if code, text := p.post(t, q); code != 200 {
			t.Fatal(q, text)
		}
	}
	p.kill()
	fixed := fmt.Sprintf("  gpast: {graph: social, with: {asOf: '%s'}}\n", times[2].UTC().Format(time.RFC3339Nano))
	config := writeFile(t, "g.yaml", strings.Replace(strings.ReplaceAll(timeConfig, "sample: modern", "transactional: true"), "{g: social, gplain: plain}", "\n  g: social\n  gplain: plain\n"+fixed, 1))
	p = serve(t, "--data-dir", dir, config) // without the sample, which fills what is empty
	for _, r := range []quotaRow{
		{"g", "g.V().count()", vertexCount, "0"},
		{"g", asOfText(times[0], "V(1).values('age')"), asOf(times[0], func(g source) *gremlingo.GraphTraversal { return g.V(1).Values("age") }), "29"},
		{"g", asOfText(times[1], "V(1).values('age')"), asOf(times[1], func(g source) *gremlingo.GraphTraversal { return g.V(1).Values("age") }), "30"},
		{"g", asOfText(times[1], "V(4).bothE().count()"), asOf(times[1], func(g source) *gremlingo.GraphTraversal { return g.V(4).BothE().Count() }), "3"},
		{"g", asOfText(times[2], "V().count()"), asOf(times[2], vertexCount), "5"},
		{"g", asOfText(times[2], "addV('x')"), asOf(times[2], func(g source) *gremlingo.GraphTraversal { return g.AddV("x") }), "!asOf reads the past, which cannot be changed: addV() writes"},
		{"gpast", "g.V().count()", vertexCount, "5"},
		{"gpast", asOfText(times[0], "V().count()"), asOf(times[0], vertexCount), "!the source gpast fixes asOf"},
		{"gplain", asOfText(times[0], "V().count()"), asOf(times[0], vertexCount), "!graph plain keeps no history (setting: history)"},
	} {
		for _, form := range []string{"text", "bytecode"} {
			p.quotaRows(t, form, []quotaRow{r})
		}
	}
	at := times[1].UTC().Format(time.RFC3339Nano)
	wantDone(t, "export", "--data-dir", dir, "--graph", "social", "--as-of", at, filepath.Join(files, "running.json"))
	wantDone(t, "graph", "backup", "social", filepath.Join(files, "social"), "--data-dir", dir)
	wantDone(t, "graph", "restore", "again", filepath.Join(files, "social"), "--data-dir", dir)
	copied := filepath.Join(files, "copy")
	wantDone(t, "backup", "--data-dir", dir, copied)
	p.stop(syscall.SIGTERM)
	wantDone(t, "check", "--data-dir", dir)
	wantDone(t, "check", "--data-dir", copied)
	wantDone(t, "export", "--data-dir", dir, "--graph", "again", "--as-of", at, filepath.Join(files, "again.json"))
	wantDone(t, "export", "--data-dir", copied, "--graph", "social", "--as-of", at, filepath.Join(files, "copied.json"))
	was := string(readFile(t, filepath.Join(files, "running.json")))
	contains(t, was, "josh")
	for _, other := range []string{"again.json", "copied.json"} {
		if got := string(readFile(t, filepath.Join(files, other))); got != was {
			t.Errorf("%s: %s", other, got)
		}
	}
	if out, _, _ := run(t, "inspect", "--data-dir", dir); !strings.Contains(out, "what was until version") {
		t.Error("inspect shows no history")
	}
	for args, want := range map[string]string{"--as-of yesterday": "asOf 'yesterday': want a date", "--all --as-of " + at: "do without --as-of", "--as-of 2000-01-01": "is before the history of graph social"} {
		out, errs, code := run(t, append(append([]string{"export", "--data-dir", dir, "--graph", "social"}, strings.Fields(args)...), filepath.Join(files, "x.json"))...)
		if code == exitDone || !strings.Contains(out+errs, want) {
			t.Errorf("%s: %d %s%s", args, code, out, errs)
		}
	}
	_, errs, _ := run(t, "graph", "feature", "off", "history", "--data-dir", dir, "--source", "social")
	contains(t, errs, "history would be lost: what the graph was since 20")
	wantDone(t, "graph", "feature", "off", "history", "--yes", "--data-dir", dir, "--source", "social")
	wantDone(t, "check", "--data-dir", dir)
}

func asOfText(at time.Time, rest string) string {
	return fmt.Sprintf("g.with('asOf', '%s').%s", at.UTC().Format(time.RFC3339Nano), rest)
}

func asOf(at time.Time, rest func(g source) *gremlingo.GraphTraversal) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return rest(g.With("asOf", at)) }
}

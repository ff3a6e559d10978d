package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestRole_Past: to read the past is a right of its own. Who has roles of which none grants it is
// refused by whatever way he asks; a change takes hold while the server runs.
func TestRole_Past(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", writeFile(t, "g.yaml", `graphs:
  social: {sample: modern, history: forever}
traversalSources: {g: social}
`))
	must := func(line string, args ...string) string {
		t.Helper()
		out, code := pipe(t, line, append(args, "--data-dir", dir)...)
		if code != exitDone {
			t.Fatalf("%v: %s", args, out)
		}
		return out
	}
	must("", "role", "add", "present", "--allow", "write", "--past=false")
	if list := must("", "role", "list"); !strings.Contains(list, "present\t--allow write --past=false\n") || !strings.Contains(list, "write\t--allow write\n") {
		t.Error(list)
	}
	if out, code := pipe(t, "", "role", "add", "keeper", "--allow", "admin", "--past=false", "--data-dir", dir); code == exitDone || !strings.Contains(out, "who administers reads the past in backups and exports: grant it, or allow write") {
		t.Errorf("%d: %s", code, out)
	}
	must("a password\n", "user", "add", "ann", "--role", "present")
	must("a password\n", "user", "add", "bob", "--role", "present,read")
	ann, bob := asker(t, p, "ann"), asker(t, p, "bob")
	version := bob("g.call('gremlind.version').select('version')")
	if got := ann("g.V(1).property('age', 30).values('age')"); got != "30" {
		t.Fatal(got)
	}
	asOf := "g.with('asOf', '" + version + "').V(1).values('age')"
	const refused = "user ann may not read the past of graph social"
	for text, want := range map[string]string{
		asOf: "29",
		"g.inject(1).flatMap(__.call('gremlind.history', [vertex: 1])).count()":         "",
		"g.V(1).union(__.call('gremlind.history'), __.values('age')).count()":           "",
		"g.call('gremlind.diff', [from: '" + version + "']).count()":                    "1",
		"g.call('gremlind.changes').count()":                                            "",
		"g.with('asOf', '" + version + "').V().explain()":                               "",
		"g.call('gremlind.trash').count()":                                              "0",
		"g.call('gremlind.undo', [version: '" + version + "'])":                         "",
		"g.V().hasLabel('none').map(__.call('gremlind.restore', [vertex: 1]))":          "",
		"g.V().hasLabel('none').sideEffect(__.V(1).call('gremlind.history')).hasNext()": "",
	} {
		if got := ann(text); !strings.HasPrefix(got, "!") || !strings.Contains(got, refused) {
			t.Errorf("ann: %s: %s", text, got)
		}
		if got := bob(text); strings.Contains(got, "may not read the past") || want != "" && got != want {
			t.Errorf("bob: %s: %s, want %s", text, got, want)
		}
	}
	for _, q := range []string{"g.V(1).values('~created').hasNext()", "g.V(1).values('age')", "g.call('gremlind.version').count()"} {
		if got := ann(q); strings.HasPrefix(got, "!") {
			t.Errorf("%s: %s", q, got)
		}
	}
	for user, want := range map[string]int{"ann": http.StatusUnauthorized, "bob": http.StatusOK} {
		r, err := http.NewRequest(http.MethodGet, "http://"+p.addr+"/changes?source=g", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(user, "a password")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s follows: %d", user, resp.StatusCode)
		}
	}
	must("", "role", "change", "present", "--past")
	waitFor(t, "the right to read the past", func() bool { return ann(asOf) == "29" })
	must("", "role", "change", "present", "--past=false")
	waitFor(t, "the end of the right", func() bool { return strings.Contains(ann(asOf), refused) })
}

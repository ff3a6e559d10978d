package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/steps/services"
)

// deniedSecret matches what the role of TestDenied_Services denies, and who asks may not read
// in any answer: names of the denied key and labels, and what stands there.
var deniedSecret = regexp.MustCompile(`ssn|s3cret|spy|pays|007`)

// deniedMoment matches what is another each time: versions and times.
var deniedMoment = regexp.MustCompile(`\b(version|time):\d[\d-]*( [\d:.]+ \+0000 UTC\+00:00)?`)

// deniedServer serves a graph that has a key, an edge label and a vertex label, with indexes of
// each kind and a schema of them, which are denied to the user clerk. Its user root makes it.
func deniedServer(t *testing.T) *process {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern, history: forever}\ntraversalSources: {g: social}\n"))
	for _, args := range [][]string{
		{"role", "add", "clerk", "--allow", "write", "--deny-keys", "ssn", "--deny-edge-labels", "pays", "--deny-vertex-labels", "spy"},
		{"user", "add", "clerk", "--role", "clerk"}, {"user", "add", "root", "--role", "admin"},
	} {
		if out, code := pipe(t, "a password\n", append(args, "--data-dir", dir)...); code != exitDone {
			t.Fatal(out)
		}
	}
	ask := asker(t, p, "root")
	for _, text := range []string{
		"g.call('gremlind.feature',[on:'ttl'])",
		"g.V(1).property('ssn','s3cret').iterate()", "g.addV('spy').property(id,70L).property('name','007').property('ssn','s3cret').iterate()",
		"g.V(1).property('ssn','s3cret again').iterate()", "g.V(1).property('age',30).iterate()", "g.addV('spy').property(id,71L).property('name','0072').iterate()", "g.V(71L).drop().iterate()",
		"g.addV('person').property(id,72L).property('name','zoe').property('ssn','s3cret of zoe').iterate()", "g.V(72L).drop().iterate()",
		"g.V(1).addE('pays').to(__.V(70L)).property('ssn','s3cret').iterate()", "g.V(1).addE('knows').to(__.V(70L)).iterate()",
		"g.call('gremlind.index.createKey',[class:'vertex',key:'ssn'])", "g.call('gremlind.index.createKey',[class:'vertex',key:'name'])",
		"g.call('gremlind.index.create',[name:'by ssn',class:'vertex',label:'spy',keys:['ssn'],unique:true])",
		"g.call('gremlind.index.create',[name:'words',class:'vertex',keys:['name'],analyzer:'words'])",
		"g.call('gremlind.index.create',[name:'secrets',class:'vertex',keys:['ssn'],analyzer:'words'])",
	} {
		if got := ask(text); strings.HasPrefix(got, "!") {
			t.Fatal(text, got)
		}
	}
	return p
}

// TestDenied_Services asks every service as somebody who is denied something; answers stand in
// testdata/denied, which -rewrite fills in, and none tells of what is denied.
func TestDenied_Services(t *testing.T) {
	ask := asker(t, deniedServer(t), "clerk")
	b, err := os.ReadFile("testdata/denied")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	listed := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if strings.HasPrefix(text, "#") {
			out.WriteString(line)
			continue
		}
		if _, name, ok := strings.Cut(text, "call('"); ok {
			name, _, _ = strings.Cut(name, "'")
			listed[name] = true
		}
		got := deniedMoment.ReplaceAllString(deniedMessage(ask(text)), "$1:…")
		if found := deniedSecret.FindString(got); found != "" && !strings.Contains(text, found) {
			t.Errorf("%s tells of %s: %s", text, found, got)
		}
		out.WriteString(text + " => " + got + "\n")
	}
	golden.Check(t, "testdata/denied", out.String())
	for _, name := range append(services.Names(), (&host{}).ServiceNames()...) {
		if !listed[name] {
			t.Errorf("testdata/denied has no line of the service %s", name)
		}
	}
}

// deniedMessage is an answer in one line, an error without the driver's words around it.
func deniedMessage(got string) string {
	got = strings.Join(strings.Fields(got), " ")
	if _, said, ok := strings.Cut(got, " message:"); ok && strings.HasPrefix(got, "!") {
		said, _, _ = strings.Cut(said, " attributes:")
		return "!" + said
	}
	return got
}

// TestDenied_Shells: an assistant and the commands show who is denied something no more than a
// driver does.
func TestDenied_Shells(t *testing.T) {
	p := deniedServer(t)
	secret := writeFile(t, "secret", "a password\n")
	login := []string{"--user", "clerk", "--password-file", secret, queryURL(p)}
	s, ctx := assistant(t, append([]string{"--write"}, login...)...)
	for _, c := range []struct{ tool, query, want string }{
		{"schema", "", `"knows"`}, {"query", "g.V(1).valueMap()", "marko"}, {"query", "g.E().count()", "6"}, {"query", "g.V().has('ssn','s3cret').count()", "0"},
		{"explain", "g.V().has('ssn','s3cret')", ""}, {"query", "g.addV('spy')", "may not write vertices of label spy"},
	} {
		arguments := map[string]any{}
		if c.query != "" {
			arguments["query"] = c.query
		}
		text, _ := call(t, ctx, s, c.tool, arguments)
		if found := deniedSecret.FindString(text); found != "" && !strings.Contains(c.query, found) || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.query, text)
		}
	}
	for query, want := range map[string]string{"g.V(1).valueMap()": "marko", "g.V().count()": "6", "g.V().hasLabel('spy').count()": "0", "g.V(1).property('ssn','x')": "may not write the property key ssn"} {
		out, errs, _ := run(t, append([]string{"query", query}, login...)...)
		if found := deniedSecret.FindString(out + errs); found != "" && !strings.Contains(query, found) || !strings.Contains(out+errs, want) {
			t.Errorf("query %s: %s%s", query, out, errs)
		}
	}
	for _, args := range [][]string{{"index", "list"}, {"schema", "show"}, {"graph", "list"}, {"export", "-"}} {
		out, errs, _ := run(t, append(args, login...)...)
		if found := deniedSecret.FindString(out + errs); found != "" {
			t.Errorf("%v tells of %s: %s%s", args, found, out, errs)
		}
	}
}

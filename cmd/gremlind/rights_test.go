package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// rightsRoles are the columns of testdata/rights: users of that name, of whom none has a role
// in another graph alone, and present one that allows to write and not to read the past.
var rightsRoles = []string{"none", "read", "present", "write", "admin"}

// TestRights_EveryWay asks a server what testdata/rights lists, as each role: whatever is
// registered has a line there. -rewrite fills in the last column, which is to be read.
func TestRights_EveryWay(t *testing.T) {
	dir := t.TempDir()
	wantDone(t, "role", "add", "present", "--allow", "write", "--past=false", "--data-dir", dir)
	for _, role := range rightsRoles {
		args := []string{"user", "add", role, "--data-dir", dir, "--role", role}
		if role == "none" {
			args = append(args[:5], "--role", "write", "--graph", "elsewhere")
		}
		if out, code := pipe(t, "a password\n", args...); code != exitDone {
			t.Fatal(out)
		}
	}
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--sample", "modern")
	b, err := os.ReadFile("testdata/rights")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	listed := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			out.WriteString(line + "\n")
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 4 {
			t.Fatalf("testdata/rights: %q has not four parts", line)
		}
		kind, name, text := parts[0], parts[1], parts[2]
		listed[kind+" "+name] = true
		fmt.Fprintf(&out, "%s | %s | %s |", kind, name, text)
		for _, role := range rightsRoles {
			out.WriteString(" " + rightAsked(t, p, role, kind, name, text))
		}
		out.WriteString("\n")
	}
	golden.Write(t, "testdata/rights", out.String())
	want := strings.Split(string(b), "\n")
	for i, line := range strings.Split(out.String(), "\n") {
		if line != want[i] {
			t.Errorf("testdata/rights, line %d:\n%s\nthe server says\n%s", i+1, want[i], line)
		}
	}
	missing := func(kind string, names []string) {
		for _, name := range names {
			if !strings.HasPrefix(name, "~") && !listed[kind+" "+name] {
				t.Errorf("testdata/rights has no line of the %s %s", kind, name)
			}
		}
	}
	missing("step", steps.Registry().Names())
	missing("service", append(services.Names(), (&host{}).ServiceNames()...))
	missing("source", traversal.SourceInstructions())
	missing("option", append(traversal.OptionNames(), "evaluationTimeout"))
	missing("terminal", lang.Terminals())
	missing("admin", adminNames())
}

// adminNames are the addresses that the admin address or the socket answer, with a method.
func adminNames() []string {
	every := &server{c: &config{Auth: true}}
	patterns := protocol.AdminPatterns()
	patterns = slices.AppendSeq(patterns, maps.Keys(every.adminRoutes()))
	patterns = slices.AppendSeq(patterns, maps.Keys(every.socketRoutes()))
	for i, p := range patterns {
		if !strings.Contains(p, " ") {
			patterns[i] = http.MethodGet + " " + p
		}
	}
	return patterns
}

// rightAsked is what a server does with a request of a user: yes, no, gone, or for an address
// that does not have it, absent.
func rightAsked(t *testing.T, p *process, user, kind, name, text string) string {
	t.Helper()
	method, address := http.MethodPost, "http://"+p.addr+"/gremlin"
	body := io.Reader(nil)
	switch kind {
	case "port", "admin":
		method, _, _ = strings.Cut(name, " ")
		if address = "http://" + p.addr + text; kind == "admin" {
			address = "http://" + p.admin() + text
		}
	default:
		language := "gremlin-lang"
		if kind == "script" {
			language = "gremlin-groovy"
		}
		body = strings.NewReader(fmt.Sprintf(`{"gremlin":%q,"language":%q}`, text, language))
	}
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(user, "a password")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	switch said := string(answer); {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return "no"
	case resp.StatusCode == http.StatusNotFound && kind == "admin":
		return "absent"
	case strings.Contains(said, "traversal source") || strings.Contains(said, "No such property: g"):
		return "gone"
	}
	return "yes"
}

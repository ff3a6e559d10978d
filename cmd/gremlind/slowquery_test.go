package main

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSlowQuery: what was slow is in the log with its plan and where the time went, and the
// second of its kind with what each step took.
func TestSlowQuery(t *testing.T) {
	p := serve(t, "--memory", "--sample", "modern", "--set", "slowQueryMillis=1")
	resp, err := http.Get("http://" + p.addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || string(b) != "ok\n" {
		t.Errorf("health: %d %q", resp.StatusCode, b)
	}
	text := "g.V(1).repeat(__.identity()).times(20000).out().count()"
	logged := func(n int) string {
		t.Helper()
		p.post(t, text)
		var lines []string
		waitFor(t, "a slow query is logged", func() bool {
			lines = slices.DeleteFunc(strings.Split(p.output(), "\n"), func(l string) bool { return !strings.Contains(l, `msg="slow query"`) || !strings.Contains(l, "20000") })
			return len(lines) == n
		})
		return lines[n-1]
	}
	first, second := logged(1), logged(2)
	for _, want := range []string{" ms=", " waitedMs=", " evaluatedMs=", " commitMs=", " code=200 ", " results=1 ", " query=", " source=g ", ` plan="GraphStep(vertex,[1]) RepeatStep(`} {
		if !strings.Contains(first, want) || !strings.Contains(second, want) {
			t.Errorf("no %s in %s%s", want, first, second)
		}
	}
	steps := regexp.MustCompile(` steps="GraphStep\S*: [0-9.]+ ms, 1 rows; RepeatStep.*: [0-9.]+ ms, 1 rows; DegreeCountStep\S*: [0-9.]+ ms, 1 rows"`)
	if strings.Contains(first, " steps=") || !steps.MatchString(second) {
		t.Errorf("the first: %s\nthe second: %s", first, second)
	}
}

//go:build unix

package main

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
)

var (
	demoLast     = regexp.MustCompile(`(?m)^10\. .*\n    .*\n`)
	demoQuestion = regexp.MustCompile(`(?m)^[ 1]\d\. (.*)\n    (.*)\n`)
)

// startDemo starts gremlind demo and waits until it has said everything.
func startDemo(t *testing.T, args ...string) *shownProcess {
	t.Helper()
	p := startShown(t, exec.Command(binary, append([]string{"demo", "--port", "0", "--admin", "off"}, args...)...))
	t.Cleanup(p.kill)
	p.waitShows("questions", demoLast)
	return p
}

// TestDemo asks what gremlind demo proposes, as it is printed: testdata/demo has the answers. In
// Groovy, which console and explorer send, they are the same as in gremlin-lang.
func TestDemo(t *testing.T) {
	leavesOutAirRoutes(t)
	dir := t.TempDir()
	p := startDemo(t, "--data-dir", dir)
	text := p.shown()
	contains(t, text, "kept in "+dir)
	url := regexp.MustCompile(`gremlind console (ws://localhost:\d+/gremlin)`).FindStringSubmatch(text)
	if url == nil || !strings.Contains(text, "explorer   "+strings.TrimSuffix(strings.Replace(url[1], "ws", "http", 1), "gremlin")+"\n") {
		t.Fatalf("neither console nor explorer can be found by this:\n%s", text)
	}
	questions := demoQuestion.FindAllStringSubmatch(text, -1)
	if len(questions) != 10 {
		t.Fatalf("%d questions", len(questions))
	}
	ask := func(query ...string) string {
		answer, errs, code := run(t, append(append([]string{"query"}, query...), url[1])...)
		if code != exitDone {
			t.Errorf("%s: %d %s", query, code, errs)
		}
		return answer
	}
	var page, queries strings.Builder
	var answers []string
	for _, q := range questions {
		answer := ask("--language", "gremlin-lang", q[2])
		page.WriteString("# " + q[1] + "\n" + q[2] + "\n" + answer + "\n")
		queries.WriteString(q[2] + "\n")
		answers = append(answers, answer)
	}
	golden.Check(t, "testdata/demo", page.String())
	if got := ask("--file", writeFile(t, "questions.groovy", queries.String())); got != strings.Join(answers, "\n") {
		t.Errorf("in Groovy the answers are\n%s", got)
	}
	p.end(syscall.SIGINT)
	if code := p.cmd.ProcessState.ExitCode(); code != exitDone {
		t.Errorf("ended with %d: %s", code, p.shown())
	}
	p = startDemo(t, "--data-dir", dir)
	p.end(syscall.SIGTERM)
	if out, errs, code := run(t, "query", "--data-dir", dir, "g.V().hasLabel('airport').count()"); code != exitDone || out != "3504\n" {
		t.Errorf("started twice: %d %s%s", code, out, errs)
	}
}

// TestDemo_Refused: a folder with something else stays as it is.
func TestDemo_Refused(t *testing.T) {
	other := t.TempDir()
	p := serve(t, "--sample", "modern", "--data-dir", other)
	p.stop(syscall.SIGTERM)
	for what, tc := range map[string]struct {
		args []string
		says string
	}{
		"another graph":  {[]string{"--data-dir", other}, "the data directory holds another graph"},
		"another sample": {[]string{"--sample", "modern"}, "gremlind serve --sample has the other samples"},
		"an argument":    {[]string{"x.yaml"}, "unknown command"},
	} {
		out, errs, code := run(t, append([]string{"demo", "--port", "0", "--admin", "off"}, tc.args...)...)
		if code != exitUsage || !strings.Contains(errs, tc.says) || out != "" {
			t.Errorf("%s: %d %s%s", what, code, out, errs)
		}
	}
	if out, errs, code := run(t, "query", "--data-dir", other, "g.V().count()"); code != exitDone || out != "6\n" {
		t.Errorf("the other graph: %d %s%s", code, out, errs)
	}
}

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

// TestDemo asks what gremlind demo proposes, as it is printed, in both languages of text: the
// console sends one, the explorer the other. testdata/demo has the answers.
func TestDemo(t *testing.T) {
	p := startDemo(t)
	text := p.shown()
	contains(t, text, "in memory, gone at the end")
	url := regexp.MustCompile(`gremlind console (ws://localhost:\d+/gremlin)`).FindStringSubmatch(text)
	if url == nil || !strings.Contains(text, "explorer   "+strings.TrimSuffix(strings.Replace(url[1], "ws", "http", 1), "gremlin")+"\n") {
		t.Fatalf("neither console nor explorer can be found by this:\n%s", text)
	}
	questions := demoQuestion.FindAllStringSubmatch(text, -1)
	if len(questions) != 10 {
		t.Fatalf("%d questions", len(questions))
	}
	answers := map[string]string{}
	for _, language := range []string{"gremlin-groovy", "gremlin-lang"} {
		var out strings.Builder
		for _, q := range questions {
			answer, errs, code := run(t, "query", "--language", language, q[2], url[1])
			if code != exitDone {
				t.Errorf("%s, %s: %d %s", language, q[2], code, errs)
			}
			out.WriteString("# " + q[1] + "\n" + q[2] + "\n" + answer + "\n")
		}
		answers[language] = out.String()
	}
	golden.Check(t, "testdata/demo", answers["gremlin-lang"])
	if answers["gremlin-lang"] != answers["gremlin-groovy"] {
		t.Errorf("in Groovy the answers are\n%s", answers["gremlin-groovy"])
	}
	p.end(syscall.SIGINT)
	if code := p.cmd.ProcessState.ExitCode(); code != exitDone {
		t.Errorf("ended with %d: %s", code, p.shown())
	}
}

// TestDemo_Kept has the demo in a folder, twice; a folder with something else stays as it is.
func TestDemo_Kept(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		p := startDemo(t, "--data-dir", dir)
		contains(t, p.shown(), "kept in "+dir)
		p.end(syscall.SIGTERM)
	}
	if out, errs, code := run(t, "query", "--data-dir", dir, "g.V().hasLabel('airport').count()"); code != exitDone || out != "3504\n" {
		t.Errorf("%d: %s%s", code, out, errs)
	}
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

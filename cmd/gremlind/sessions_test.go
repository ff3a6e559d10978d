//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/conformance/golden"
)

// A recorded session is what a terminal showed, in testdata/sessions: a first line with
// the width of the terminal and, where there is a server beside it, its arguments; the
// command; and then everything on the screen. HOME is the folder of the sessions, URL that
// server's. TestSessions types again what stands behind each prompt and compares the whole
// screen. What differs from run to run is written as in steady. -rewrite records anew what
// comes behind the prompts.

var (
	sessionHead = regexp.MustCompile(`^# (\d+) columns(?:, beside gremlind serve (.*))?\n\$ gremlind (.*)\n`)
	promptLine  = regexp.MustCompile(`^gremlin(?:\[\w+\])?(?:\(tx\))?> ?(.*)$`)
	leaves      = regexp.MustCompile(`^:(q|x|quit|exit)$`)
	moreLine    = regexp.MustCompile(`^(?:\.{6}|│) *(.*)$`) // of the same statement
)

// sessionRows is more than any session shows, so that nothing waits for a key.
const sessionRows = 400

// sessionFiles are the recorded sessions by name.
func sessionFiles(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/sessions/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".txt")] = string(b)
	}
	return out
}

// TestSessions replays the recorded sessions.
func TestSessions(t *testing.T) {
	for name, text := range sessionFiles(t) {
		t.Run(name, func(t *testing.T) {
			head := sessionHead.FindStringSubmatch(text)
			if head == nil {
				t.Fatal("it does not begin as a session does")
			}
			want := strings.TrimRight(text[len(head[0]):], "\n")
			got := replay(t, head, strings.Split(want, "\n"))
			golden.Write(t, filepath.Join("testdata/sessions", name+".txt"), head[0]+got+"\n")
			if got != want && !golden.Rewriting() {
				t.Errorf("recorded was\n%s\nand shown is\n%s", want, got)
			}
		})
	}
}

// TestSessions_EveryCommand has each command of the console in a recorded session.
func TestSessions_EveryCommand(t *testing.T) {
	page, err := os.ReadFile("../../docs/shell.md")
	if err != nil {
		t.Fatal(err)
	}
	typed := map[string]bool{}
	for _, text := range sessionFiles(t) {
		for _, line := range strings.Split(text, "\n") {
			if m := promptLine.FindStringSubmatch(line); m != nil {
				typed[strings.Fields(m[1] + " -")[0]] = true
			}
		}
	}
	commands := regexp.MustCompile("(?m)^\\| `(:[a-z]+)").FindAllStringSubmatch(string(page), -1)
	if len(commands) < 10 {
		t.Fatalf("docs/shell.md lists %v", commands)
	}
	for _, m := range commands {
		if !typed[m[1]] {
			t.Errorf("no session types %s", m[1])
		}
	}
}

// replay types a session and returns what its terminal shows.
func replay(t *testing.T, head, lines []string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS("testdata/sessions")); err != nil {
		t.Fatal(err)
	}
	url := "URL"
	words := func(args string) []string {
		return strings.Fields(strings.NewReplacer("HOME", home, "URL", url).Replace(args))
	}
	if head[2] != "" {
		url = queryURL(serve(t, words(head[2])...))
	}
	width, err := strconv.Atoi(head[1])
	if err != nil {
		t.Fatal(err)
	}
	p := inTerminal(t, width, sessionRows, home, exec.Command(binary, words(head[3])...))
	for _, line := range lines {
		if promptLine.MatchString(line) && render.Width(line) >= width {
			t.Fatalf("what wraps cannot be told from what it is answered with: %s", line)
		}
	}
	p.follows(lines)
	<-p.ended
	return strings.TrimRight(steady(p.screen.String(), home, url), "\n")
}

// follows types what stands behind the prompts of a recorded session.
func (p *typist) follows(lines []string) {
	p.t.Helper()
	for i := 0; i < len(lines); i++ {
		m := promptLine.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		p.sees("gremlin>")
		text := m[1]
		for i+1 < len(lines) && moreLine.MatchString(lines[i+1]) {
			i++
			p.types(text + "\r")
			p.continues()
			text = moreLine.FindStringSubmatch(lines[i])[1]
		}
		if leaves.MatchString(text) {
			p.types(text + "\r")
			return
		}
		p.asks(text)
	}
}

// steady is a screen without what differs from run to run.
func steady(screen, home, url string) string {
	screen = strings.NewReplacer(home, "HOME", url, "URL").Replace(screen)
	for _, r := range []struct{ from, to string }{
		{`(?s)services: gremlind\..*?tinker\.search`, "services: SERVICES"}, // there will be others
		{`(?m)^gremlind \S+, connected`, "gremlind VERSION, connected"},
		{` *\d+(\.\d+)? (µs|ms|s)\b`, " TIME"},
		{` *\d+\.\d+%( [█▏▎▍▌▋▊▉]+)?`, " SHARE"},
		{` +time( +share)?`, " time$1"},
		{`(?m) +share$`, " share"},
	} {
		screen = regexp.MustCompile(r.from).ReplaceAllString(screen, r.to)
	}
	return screen
}

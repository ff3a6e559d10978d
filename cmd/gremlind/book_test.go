//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/conformance/golden"
)

// A page of docs/book is followed by a test from its first block to its last, in a folder of
// its own:
//
//	```console          a terminal: $ and a command, then what it shows. Behind
//	                    $ gremlind console stand prompts; gremlind serve and gremlind demo go
//	                    on running until a line ^C; a block that begins with neither is what
//	                    they show next
//	```yaml NAME        a file of that name (csv, go, python, ...)
//
// What is shown is compared; ... stands for what differs from run to run, within a line or for
// lines. localhost:8182 and :8183 are the server that runs, wherever it does. -rewrite writes anew
// what does not fit.

// bookFolder is where the pages are.
const bookFolder = "../../docs/book"

// lookedAt are commands that a test does not run, by how they begin.
var lookedAt = map[string]string{
	"pip install": "fetches; the test runs the program where the driver is",
	"python3 ":    "the test of the drivers runs it, with theirs",
	"go mod init": "the test has this repository's modules",
	"go get":      "fetches",
	"make run":    "builds; the test has a binary",
	"git clone":   "fetches",
}

// TestBook follows the pages.
func TestBook(t *testing.T) {
	pages, err := filepath.Glob(bookFolder + "/*.md")
	if err != nil || len(pages) < 2 {
		t.Fatalf("%v: %v", pages, err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) { followPage(t, page) })
	}
}

var block = regexp.MustCompile("(?ms)^```([a-z]+)(?: ([\\w.-]+))?\n(.*?)^```$")

func followPage(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = filepath.Abs(file); err != nil {
		t.Fatal(err)
	}
	r := newReader(t)
	if bytes.Contains(text, []byte("$ gremlind demo")) {
		leavesOutAirRoutes(t)
	}
	got := block.ReplaceAllStringFunc(string(text), func(b string) string {
		m := block.FindStringSubmatch(b)
		switch language, name, body := m[1], m[2], m[3]; {
		case language == "console":
			return "```console\n" + r.follow(body) + "```"
		case name == "":
			t.Errorf("a block of %s is neither a terminal nor a file with a name:\n%s", language, body)
		case !strings.Contains(string(text), "`"+name+"`"):
			t.Errorf("who reads the page is not told that a block is %s", name)
		default:
			r.save(name, body)
		}
		return b
	})
	golden.Write(t, file, got)
}

// leavesOutAirRoutes skips what loads them where the race detector watches, for the time it takes.
func leavesOutAirRoutes(t *testing.T) {
	t.Helper()
	if len(buildFlags) > 0 {
		t.Skip("loads 57,000 edges, under the race detector for 15 s")
	}
}

// pageReader does what a page says.
type pageReader struct {
	t      *testing.T
	dir    string
	server *shownProcess // nil: none runs
}

func newReader(t *testing.T) *pageReader {
	r := &pageReader{t: t, dir: t.TempDir()}
	if err := os.Symlink(binary, filepath.Join(r.dir, "gremlind")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		r.save(name, string(b))
	}
	t.Setenv("PATH", r.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w") // what a page runs, nobody debugs
	t.Setenv("GREMLIN_YAML", "")
	t.Setenv("GREMLIND_DISKRESERVE", "0")
	r.leave()
	t.Chdir(r.dir)
	t.Cleanup(func() {
		if r.server != nil {
			r.server.kill()
		}
	})
	return r
}

// leave has the next server take free ports.
func (r *pageReader) leave() {
	r.server = nil
	r.t.Setenv("GREMLIND_PORT", "0")
	r.t.Setenv("GREMLIND_ADMIN", "127.0.0.1:0")
}

func (r *pageReader) save(name, text string) {
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// follow runs the commands of a block, and returns the block with what they show.
func (r *pageReader) follow(body string) string {
	r.t.Helper()
	var out strings.Builder
	if !strings.HasPrefix(body, "$ ") && !strings.HasPrefix(body, "^C\n") {
		return r.compare("the server", body, r.shows(body))
	}
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && strings.HasSuffix(lines[n-1], "\\") { // the command goes on
			n++
		}
		command := strings.Join(lines[:n], "\n")
		end := n
		for end < len(lines) && !strings.HasPrefix(lines[end], "$ ") && lines[end] != "^C" {
			end++
		}
		want := join(lines[n:end])
		got := r.act(command, want)
		out.WriteString(command + "\n" + r.compare(command, want, got))
		lines = lines[end:]
	}
	return out.String()
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// act does one thing and returns what it shows.
func (r *pageReader) act(line, want string) string {
	r.t.Helper()
	command := strings.TrimPrefix(line, "$ ")
	switch {
	case line == "^C":
		return r.interrupt()
	case slices.ContainsFunc(keysOf(lookedAt), func(begin string) bool { return strings.HasPrefix(command, begin) }):
		return want
	case staysUp.MatchString(command):
		return r.serve(command, want)
	case strings.HasPrefix(command, "gremlind console"):
		return r.console(command, want)
	}
	return r.run(command, want)
}

// staysUp are commands of servers, but where more is typed behind.
var staysUp = regexp.MustCompile(`^gremlind (serve|demo)[^;]*$`)

func keysOf(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// run runs a command to its end. One that fails has to be shown to.
func (r *pageReader) run(command, want string) string {
	r.t.Helper()
	cmd := exec.Command("sh", "-c", r.moved(command))
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(want, "gremlind: ") && !golden.Rewriting() {
		r.t.Errorf("%s: %v\n%s", command, err, out)
	}
	return r.there(string(out))
}

// console types what stands behind the prompts.
func (r *pageReader) console(command, want string) string {
	r.t.Helper()
	const width = 120
	p := inTerminal(r.t, width, sessionRows, r.dir, exec.Command("sh", "-c", "exec "+r.moved(command)))
	lines := strings.Split(want, "\n")
	for _, line := range lines {
		if promptLine.MatchString(line) && render.Width(line) >= width {
			r.t.Fatalf("what wraps cannot be told from what it is answered with: %s", line)
		}
	}
	p.follows(lines)
	<-p.ended
	return r.there(strings.TrimRight(p.screen.String(), "\n") + "\n")
}

// serve starts what goes on running, and waits until it shows what it should.
func (r *pageReader) serve(command, want string) string {
	r.t.Helper()
	if r.server != nil {
		r.t.Fatalf("%s: another server runs on the page", command)
	}
	r.server = startShown(r.t, exec.Command("sh", "-c", "exec "+command))
	r.server.waitShows("explorer", regexp.MustCompile(`http://localhost:(\d+)/`))
	m := regexp.MustCompile(`http://localhost:(\d+)/`).FindStringSubmatch(r.server.shown())
	r.t.Setenv("GREMLIND_PORT", m[1])
	if admin := regexp.MustCompile(`admin\W+address\W+([\d.]+:\d+)`).FindStringSubmatch(r.server.shown()); admin != nil {
		r.t.Setenv("GREMLIND_ADMIN", admin[1])
	}
	return r.shows(want)
}

// shows waits until the server shows what it should, and returns what it does.
func (r *pageReader) shows(want string) string {
	r.t.Helper()
	if r.server == nil {
		r.t.Fatalf("nothing runs that could show\n%s", want)
	}
	shown := r.there(r.server.shown())
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(5 * time.Second); !shows(want, shown) && time.Now().Before(until); <-tick.C {
		shown = r.there(r.server.shown())
	}
	r.server.forget()
	return shown
}

// interrupt is Ctrl-C, which ends the server.
func (r *pageReader) interrupt() string {
	r.t.Helper()
	if r.server == nil {
		r.t.Fatal("nothing runs that ^C could end")
	}
	r.server.end(syscall.SIGINT)
	shown := r.there(r.server.shown())
	r.leave()
	return shown
}

// moved is a command with the ports of the server that runs.
func (r *pageReader) moved(command string) string {
	if r.server == nil {
		return command
	}
	return strings.NewReplacer("localhost:8182", "localhost:"+os.Getenv("GREMLIND_PORT"), "localhost:8183", os.Getenv("GREMLIND_ADMIN")).Replace(command)
}

// there is what was shown, with the ports of the page.
func (r *pageReader) there(text string) string {
	if r.server != nil {
		port, admin := os.Getenv("GREMLIND_PORT"), os.Getenv("GREMLIND_ADMIN")
		text = strings.NewReplacer("localhost:"+port, "localhost:8182", "127.0.0.1:"+port, "127.0.0.1:8182", "[::1]:"+port, "[::1]:8182", admin, "127.0.0.1:8183").Replace(text)
	}
	text = strings.ReplaceAll(text, r.dir, "/home/ann/book")
	return regexp.MustCompile(`(?m)[ \r]+$`).ReplaceAllString(text, "")
}

// compare returns what the page is to show.
func (r *pageReader) compare(command, want, got string) string {
	r.t.Helper()
	if shows(want, got) {
		return want
	}
	if !golden.Rewriting() {
		r.t.Errorf("%s: the page shows\n%s\nand shown is\n%s", command, want, got)
	}
	for _, r := range varies {
		got = r.from.ReplaceAllString(got, r.to)
	}
	got = withoutBeginning(want, got)
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	return got
}

// withoutBeginning leaves out of what was shown what the page leaves out.
func withoutBeginning(page, text string) string {
	rest, ok := strings.CutPrefix(page, "...\n")
	first, _, _ := strings.Cut(rest, "\n")
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if ok && shows(first+"\n", line) {
			return "...\n" + strings.Join(lines[i:], "")
		}
	}
	return text
}

// varies is what differs from run to run, as -rewrite writes it.
var varies = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`(?m)^time=\S+ `), "time=... "},
	{regexp.MustCompile(`\bversion=\S+`), "version=..."},
	{regexp.MustCompile(`\d+ records/s`), "... records/s"},
	{regexp.MustCompile(`\b(ms|waitedMs|evaluatedMs|commitMs|request|remote)=\S+`), "$1=..."},
	{regexp.MustCompile(` *\b\d+(\.\d+)?(e[+-]\d+)? ?(µs|ms|s)\b`), " ..."},
	{regexp.MustCompile(` *\d+\.\d+%( [█▏▎▍▌▋▊▉]+)?`), " ..."},
}

// spaces are as many as a table needs, which has times in it.
var spaces = regexp.MustCompile(` {2,}`)

// shows reports whether a text is what a page shows, however wide the columns of its tables are.
func shows(page, text string) bool {
	page, text = spaces.ReplaceAllString(page, " "), spaces.ReplaceAllString(text, " ")
	var b strings.Builder
	for _, line := range strings.SplitAfter(page, "\n") {
		if line == "...\n" {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, "\n")), `\.\.\.`, `.*?`))
		if strings.HasSuffix(line, "\n") {
			b.WriteString("\n")
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return regexp.MustCompile("^" + b.String() + "$").MatchString(text)
}

// TestBook_Shows: a text is what a page shows, and a little else is not.
func TestBook_Shows(t *testing.T) {
	for _, tc := range []struct {
		page, text string
		want       bool
	}{
		{"", "", true}, {"", "x\n", false}, {"x\n", "", false},
		{"a\nb\n", "a\nb\n", true}, {"a\nb\n", "a\nb", true}, {"a\n", "a\nb\n", false},
		{"a ... c\n", "a b c\n", true}, {"a ... c\n", "a b\nc\n", false}, {"a ... c\n", "a b d\n", false},
		{"a\n...\nd\n", "a\nb\nc\nd\n", true}, {"a\n...\nd\n", "a\nd\n", true}, {"a\n...\n", "b\n", false},
		{"a   b\n", "a  b\n", true}, {"a b\n", "ab\n", false},
		{"v[1]\n", "v[1]\n", true}, {"v[1]\n", "v1\n", false},
	} {
		if got := shows(tc.page, tc.text); got != tc.want {
			t.Errorf("page %q, text %q: %t", tc.page, tc.text, got)
		}
	}
}

// shownProcess is a command that goes on running, with all that it shows.
type shownProcess struct {
	t    testing.TB
	cmd  *exec.Cmd
	mu   sync.Mutex
	text bytes.Buffer
	done chan struct{}
}

// Write takes what it shows.
func (p *shownProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func startShown(t testing.TB, cmd *exec.Cmd) *shownProcess {
	t.Helper()
	p := &shownProcess{t: t, cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p, p
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = cmd.Wait()
	}()
	return p
}

func (p *shownProcess) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// forget begins anew: what was shown was looked at.
func (p *shownProcess) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Reset()
}

// waitShows waits until it shows something, or ends.
func (p *shownProcess) waitShows(what string, as *regexp.Regexp) {
	p.t.Helper()
	waitFor(p.t, fmt.Sprintf("%s of %v", what, p.cmd.Args), func() bool {
		select {
		case <-p.done:
			p.t.Fatalf("%v ended: %s", p.cmd.Args, p.shown())
		default:
		}
		return as.MatchString(p.shown())
	})
}

// end sends a signal and waits for the end.
func (p *shownProcess) end(sig syscall.Signal) {
	p.t.Helper()
	signalGroup(p.cmd, sig)
	select {
	case <-p.done:
	case <-time.After(40 * time.Second):
		p.t.Errorf("%v did not end: %s", p.cmd.Args, p.shown())
		p.kill()
	}
	if strings.Contains(p.shown(), "WARNING: DATA RACE") {
		p.t.Errorf("a race in gremlind:\n%s", p.shown())
	}
}

func (p *shownProcess) kill() {
	select {
	case <-p.done:
	default:
		signalGroup(p.cmd, syscall.SIGKILL)
		<-p.done
	}
}

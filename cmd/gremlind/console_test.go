//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestConsole_Newcomer goes from nothing to a profiled query in less than two minutes, and
// types only what was printed before.
func TestConsole_Newcomer(t *testing.T) {
	began := time.Now()
	printed := func(p *typist, form string) string {
		t.Helper()
		var found string
		waitFor(t, form, func() bool {
			found = regexp.MustCompile(form).FindString(p.screen.String())
			return found != ""
		})
		return found
	}
	p := terminalAt(t, 80, 60)
	p.ends(exitDone)
	first := printed(p, `gremlind console( --?\w+)*( \w+)?`)
	p = terminalAt(t, 80, 60, "console")
	p.ends(exitUnreached) // nothing runs here, but it says what would
	printed(p, `--sample modern`)
	p = terminalAt(t, 80, 60, strings.Fields(first)[1:]...)
	p.sees("gremlin>")
	for _, form := range []string{`g\.V\(\)\.limit\(5\)`, `:profile g\S+\)`, `:help`, `:help out`} {
		p.asks(printed(p, form))
	}
	p.sees("5 results, ", " id │ label    │ name   │ age │ lang", "share", "█", "total", ":explain QUERY", "Walks along edges")
	p.types(printed(p, `:quit`) + "\r")
	p.ends(exitDone)
	if took := time.Since(began); took > 2*time.Minute {
		t.Errorf("it took %s", took)
	}
}

func TestConsole_Commands(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	p.asks(":explain g.V().has('name', 'marko').count()", "original", "final", "→ ")
	p.asks(":index", "0 results")
	p.asks(":index create vertex name", "0 results")
	p.asks(":index", "vertex", "name", "ACTIVE")
	p.asks(":index drop vertex name", "0 results")
	p.asks(":index make", "error: :index lists the indexes")
	p.asks(":schema", "vertex labels: person, software", "edge labels: created, knows", "property keys: age, lang, name, weight", "traversal sources: g", "gremlind.names")
	p.asks(":source", "g is the traversal source g")
	p.asks(":source nobody", "error:", "nobody")
	p.asks(":source g")
	p.asks(":kill", "out of reach")
	p.asks(":tx", "no transaction is open")
	p.asks(":tx commit", "error: no transaction")
	p.asks(":nonsense", "error: there is no command :nonsense")
	p.asks(":profil g.V()", "did you mean :profile?")
	p.asks(":help outt", "did you mean out?")
	p.asks(":help :tx", "begins a transaction")
	p.asks(":help within", "P.within(a, b, ...): equal to one of them.")
	p.asks(":help Order", "asc, desc, shuffle")
	p.asks(":help HopCountStep", "as :explain shows")
	p.asks(":help tinker.search", "g.call('tinker.search')", ".with('search', ...)")
	p.asks(":help tinker.serch", "did you mean tinker.search?")
	p.asks(":help wihtin", "did you mean within?")
	p.asks(":explain", "error: :explain takes one query")
	p.asks(":> g.V().count()", "6", "1 result")
	p.asks("x = g.V(1).next(); g.V(x).out('knows').count()", "2")
	p.asks("g.V(x).values('name')", "marko")
	p.asks("g.V(1).outE().inV().path()", "v[1] -knows-> v[2]")
	p.asks("g.V(1).out('knows').out().tree().by('name')", "marko", "└─ josh", "   ├─ ripple", "   └─ lop")
	p.asks("g.V().groupCount().by(label)", "key", "software │     2")
	p.types("\x04")
	p.ends(exitDone)
}

// TestConsole_Errors shows where a query is wrong.
func TestConsole_Errors(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	p.asks("g.V().outt()", "No signature of method", "  g.V().outt()\n        ^")
	p.asks("g.V().has('日本', ))", "  g.V().has('日本', ))\n                     ^")
	p.asks("g.V().has(\r 'name',\r  nobody)", "error: No such property: nobody", "    nobody)\n    ^")
	p.asks("1/0", "error: Division by zero")
}

// TestConsole_Unknown names labels and keys that nothing in the graph has.
func TestConsole_Unknown(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	p.asks("g.V().hasLabel('persn').out('knws').values('nme')", "0 results",
		"Nothing in the graph has the vertex label persn; did you mean person?",
		"Nothing in the graph has the edge label knws; did you mean knows?",
		"Nothing in the graph has the property key nme; did you mean name?")
	p.asks(":explain g.V().hasLabel('persn')", "final", "Nothing in the graph has the vertex label persn; did you mean person?")
	p.asks("x = 'sofware'", "sofware")
	p.asks("g.V().has(T.label, x)", "0 results", "the vertex label sofware; did you mean software?")
	p.asks("g.V(1).out('knows').has('age', gt(100))", "0 results")
	p.asks("g.addV('robot').property('model', 1).iterate()", "0 results")
	if shown := p.screen.String(); strings.Contains(shown, "robot;") || strings.Contains(shown, "model;") || strings.Contains(shown, "age;") {
		t.Errorf("there is nothing to remark:\n%s", shown)
	}
}

// TestConsole_Transaction commits, and rolls back what is open at the end.
func TestConsole_Transaction(t *testing.T) {
	dir := t.TempDir()
	p := consoleOf(t, "--data-dir", dir)
	p.asks(":tx begin", "gremlin(tx)>")
	p.asks("g.addV('person').property('name', 'marko').iterate()", "0 results")
	p.asks("g.V().count()", "1")
	p.asks(":tx rollback", "rolled back", "gremlin>")
	p.asks("g.V().count()", "0")
	p.asks(":tx begin", "gremlin(tx)>")
	p.asks("v = g.addV('person').next()", "1 result")
	p.asks("g.V(v).property('name', 'josh').iterate()", "0 results")
	p.asks(":tx commit", "committed")
	p.asks(":kill", "no request")
	// Another command finds the directory in use, by this console's socket.
	if out, errs, code := run(t, "query", "--data-dir", dir, "g.V().values('name')"); code != exitDone || out != "josh\n" {
		t.Errorf("beside the console: %d %q %s", code, out, errs)
	}
	p.asks(":tx begin", "gremlin(tx)>")
	p.asks("g.addV('person').iterate()", "0 results")
	p.types("\x04")
	p.ends(exitDone)
	if !strings.Contains(p.screen.String(), "the open transaction is rolled back") {
		t.Errorf("nothing is said of the transaction:\n%s", p.screen.String())
	}
	if out, errs, _ := run(t, "query", "--data-dir", dir, "g.V().count()"); out != "1\n" {
		t.Errorf("after the console: %q %s", out, errs)
	}
}

// TestConsole_Load runs a file, as far as its first failure.
func TestConsole_Load(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	good := writeFile(t, "good", "// people\ng.V().hasLabel('person')\n  .count()\n\n:help out\n")
	bad := writeFile(t, "bad", "g.V().count()\ng.V().outt()\ng.E().count()\n")
	p.asks(":load "+good, "4", "Walks along edges")
	p.asks(":load "+bad, "6", "No signature", ", line 2: what comes behind it was not run")
	p.asks(":load nowhere", "no such file")
	self := filepath.Join(t.TempDir(), "self")
	if err := os.WriteFile(self, []byte(":load "+self), 0o600); err != nil {
		t.Fatal(err)
	}
	p.asks(":load "+self, "files load each other without end")
}

// TestConsole_Lines types over several lines, edits, and finds it in the history.
func TestConsole_Lines(t *testing.T) {
	dir := t.TempDir()
	history := filepath.Join(dir, "state", "history")
	p := consoleOf(t, "--sample", "modern", "--history", history)
	p.types("g.V().hasLabel(\r")
	p.sees("......")
	p.asks("'person').count()", "4")
	p.asks("g.V().count", "error:")
	p.types("\x1b[A") // up, and mend it
	p.sees("\ngremlin> g.V().count\nerror", "\ngremlin> g.V().count")
	p.asks("()", "6")
	p.types("never mind\x03")
	p.sees("(Ctrl-D or :quit leaves)")
	p.types("\x04")
	p.ends(exitDone)
	if b, err := os.ReadFile(history); err != nil || !strings.Contains(string(b), `"g.V().count()"`) || strings.Contains(string(b), "never mind") {
		t.Errorf("the history is %q, %v", b, err)
	}
	if info, err := os.Stat(history); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	p = consoleOf(t, "--sample", "modern", "--history", history)
	p.types("\x1b[A")
	p.sees("gremlin> g.V().count()")
}

// TestConsole_Completion proposes by the tabulator whatever may stand there.
func TestConsole_Completion(t *testing.T) {
	p := consoleOf(t, queryURL(serve(t, "testdata/sessions/two.yaml")))
	p.asks(":schema", "person") // what is proposed is there
	for _, x := range []struct{ what, typed, whole string }{
		{"a step", "g.V().hasLa", "g.V().hasLabel"},
		{"a step of a source", "g.addV('x').iter", "g.addV('x').iterate"},
		{"a nested step", "g.V().where(__.outE", "g.V().where(__.outE"},
		{"a predicate", "g.V().has('age', with", "g.V().has('age', within"},
		{"a predicate of a class", "g.V().has('name', TextP.startingW", "g.V().has('name', TextP.startingWith"},
		{"a constant", "g.V().order().by('age', Order.des", "g.V().order().by('age', Order.desc"},
		{"a vertex label", "g.V().hasLabel('soft", "g.V().hasLabel('software"},
		{"an edge label", "g.V().out('know", "g.V().out('knows"},
		{"a key", "g.V().values('la", "g.V().values('lang"},
		{"a source", "gcr", "gcrew"},
		{"a service", "g.call('tinker.se", "g.call('tinker.search"},
		{"a command", ":prof", ":profile"},
		{"a source behind a command", ":source gcr", ":source gcrew"},
		{"a step to explain", ":help coales", ":help coalesce"},
		{"a step to profile", ":profile g.V().valueM", ":profile g.V().valueMap"},
	} {
		p.types(x.typed + "\t")
		p.shows(x.what, "gremlin> "+x.whole)
		p.types("\x15") // which empties the line
		p.shows(x.what, "gremlin>")
	}
	p.types("g.V().out('\t")
	p.sees("created", "knows")
	p.types("\x15")
	p.shows("nothing", "gremlin>")
	p.types("g.V().hasLabel('soft\t")
	p.shows("a label", "gremlin> g.V().hasLabel('software")
	p.asks("').values('name')", "ripple", "lop")
}

// TestConsole_Paging stops at each screen.
func TestConsole_Paging(t *testing.T) {
	p := consoleAt(t, 80, 12, "--sample", "modern")
	p.sees("gremlin>")
	p.types("g.inject(*(1..100))\r")
	p.sees("\n11\n-- more")
	p.types(" ")
	p.sees("\n22\n-- more")
	p.types("\r")
	p.sees("\n23\n-- more")
	p.asks("q", "results, ")
	if strings.Contains(p.screen.String(), "\n30\n") {
		t.Errorf("it went on:\n%s", p.screen.String())
	}
	p.asks("g.V().count()", "6")
}

// TestConsole_Narrow has a terminal of 40 columns.
func TestConsole_Narrow(t *testing.T) {
	p := consoleAt(t, 40, 60, "--sample", "modern")
	p.sees("gremlin>")
	p.asks("g.E(7, 8)", " id │ label │ out  │ in   │ weight")
	p.asks("g.V(1, 3).project('a rather long name', 'yet another long name').by('name').by(label)",
		"─ 1 ─\na rather long name    │ marko\nyet another long name │ person\n─ 2 ─\na rather long name    │ lop")
	p.asks("g.V().values('name').order().limit(2)", "josh\nlop\n")
	p.asks("g.V().has('name', within('marko', 'vadas')).count()", "2")
	p.asks(":profile g.V().count()", "total")
	for _, line := range strings.Split(p.screen.String(), "\n") {
		if n := len([]rune(line)); n > 40 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestConsole_NarrowEditing edits a line that wraps, finds it again, and sees where it is
// wrong.
func TestConsole_NarrowEditing(t *testing.T) {
	p := consoleAt(t, 40, 60, "--sample", "modern")
	p.sees("Type a query, as g.V().limit(5) or\n:profile g.V().out().count()", "gremlin>")
	const long = "g.V().has('name', within('marko', 'vadas', 'peter')).values('name')"
	p.types(long)
	p.sees("gremlin> g.V().has('name', within('marko\n', 'vadas', 'peter')).values('name')")
	p.types("\x01\x05" + strings.Repeat("\x1b[D", len("r')).values('name')")) + "\x7f")
	p.sees("\n', 'vadas', 'petr')).values('name')")
	p.types("e\x05")
	p.sees("\n', 'vadas', 'peter')).values('name')")
	p.asks("", "peter")
	p.types("\x1b[A")
	p.sees("gremlin> g.V().has('name', within('marko")
	p.types("\x03")
	p.sees("(Ctrl-D or :quit leaves)")
	p.asks(strings.Replace(long, "values", "valuees", 1), "did you\nmean values()?", "…")
	lines := strings.Split(p.screen.String(), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "^" && !strings.HasPrefix(string([]rune(lines[i-1])[len([]rune(line))-1:]), "valuees") {
			t.Errorf("the caret is elsewhere:\n%s\n%s", lines[i-1], line)
		}
	}
	p.asks(":help out", "Walks along edges")
	p.types("g.V().hasLabel('person').has('age', gt(\r") // a line that wraps, and another
	p.sees("hasLabel('person').has('a\nge', gt(")
	p.asks("30)).count()", "2")

	// A wide character that the edge would cut moves neither the cursor nor what follows.
	p.types("g.inject('" + strings.Repeat("日本語", 6) + "').count()")
	p.sees(".count()")
	p.types(strings.Repeat("\x1b[D", 8) + "x")
	p.sees("')x.count()")
	p.types("\x7f")
	p.asks("", "1 result")
}

// TestConsole_Wide types and shows wide and combining characters.
func TestConsole_Wide(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	p.asks("g.addV('人').property('名前', '日本語').property('né', 'e\u0301té').iterate()", "0 results")
	p.asks("g.inject('日本', 'ab', 'привет').project('文字', 'n').by().by(constant(1))",
		" 文字   │ n\n────────┼───\n 日本   │ 1\n ab     │ 1\n привет │ 1")
	p.asks("g.V().hasLabel('人').values('名前')", "日本語")
	p.types("g.inject('日本\x1b[D\x1b[D語") // the cursor goes back over two characters, not columns
	p.sees("gremlin> g.inject('語日本")
	p.asks("\x05')", "語日本")
	p.asks("g.inject('\\u001b[2J\\u0007')", `\u001b[2J\u0007`)
}

// TestConsole_Interrupt stops a query by Ctrl-C and goes on, with and without the
// administration of the server in reach.
func TestConsole_Interrupt(t *testing.T) {
	dir := t.TempDir()
	server := serve(t, "--data-dir", dir, "--admin", "off")
	for name, args := range map[string][]string{"socket": {"--data-dir", dir}, "URL": {queryURL(server)}} {
		t.Run(name, func(t *testing.T) {
			p := consoleOf(t, args...)
			p.asks("x = 5", "5")
			if name == "socket" {
				p.asks(":tx begin", "(tx)>")
				p.asks("g.addV().iterate()", "0 results")
			}
			p.types("g.inject(1).repeat(__.identity()).times(2000000000)\r")
			waitFor(t, "the query runs", func() bool {
				out, _, _ := run(t, "status", "--data-dir", dir)
				return strings.Contains(out, "running") && strings.Contains(out, "repeat")
			})
			p.types("\x03")
			p.sees("cancelled")
			if name == "URL" {
				p.sees("the connection was given up, and the variables of its session with it")
			}
			waitFor(t, "the server has given it up", func() bool {
				out, _, _ := run(t, "status", "--data-dir", dir)
				return !strings.Contains(out, "repeat")
			})
			if name == "socket" { // the session is as it was
				p.asks("x + g.V().count().next()", "6")
				p.asks(":tx rollback", "rolled back")
			}
			p.asks("g.V().count()", "0", "1 result")
			p.types(endless + "\r")
			p.sees("-- more")
			p.asks("q", "results")
			p.asks("g.V().count()", "0", "1 result")
		})
	}
}

// TestConsole_InterruptTwice leaves by a second Ctrl-C in an empty line, and at once while
// no connection comes about.
func TestConsole_InterruptTwice(t *testing.T) {
	p := consoleOf(t, "--sample", "modern")
	p.types("abc\x03")
	p.sees("(Ctrl-D or :quit leaves)")
	p.types("\x03")
	p.sees("(Ctrl-C again, Ctrl-D or :quit leaves)")
	p.asks("g.V().count()", "6") // which begins anew
	p.types("\x03")
	waitFor(t, "the second remark", func() bool { return strings.Count(p.screen.String(), "Ctrl-C again") == 2 })
	p.types("\x03")
	p.ends(exitDone)

	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	p = consoleAt(t, 80, 24, "ws://"+deaf.Addr().String(), "--connect-timeout", "10m")
	if c, err := deaf.Accept(); err != nil { // the console waits for its answer now
		t.Fatal(err)
	} else {
		defer c.Close()
	}
	p.types("\x03")
	p.ends(exitInterrupted)
}

// TestConsole_Kill stops the query of another.
func TestConsole_Kill(t *testing.T) {
	dir := t.TempDir()
	serve(t, "--data-dir", dir)
	other := consoleOf(t, "--data-dir", dir)
	other.types("g.inject(1).repeat(__.identity()).times(2000000000)\r")
	p := consoleOf(t, "--data-dir", dir)
	waitFor(t, "the query runs", func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return strings.Contains(out, "running") && strings.Contains(out, "repeat")
	})
	p.asks(":kill", "running", "repeat")
	out, _, _ := run(t, "status", "--data-dir", dir)
	lines := strings.Split(out, "\n")
	p.asks(":kill "+strings.Fields(lines[1])[0], "1 stopped")
	other.sees("error: ")
	p.asks(":kill nobody", "no request nobody is running")
}

// TestConsole_LostConnection goes on when the server is there again.
func TestConsole_LostConnection(t *testing.T) {
	dir := t.TempDir()
	server := serve(t, "--data-dir", dir)
	port := portOf(server.addr)
	p := consoleOf(t, queryURL(server))
	p.asks(":tx begin", "(tx)>")
	p.asks("g.addV().iterate()", "0 results")
	server.stop(syscall.SIGKILL)
	p.asks("g.V().count()", "the open transaction with it") // whether its end was seen before or while that was sent
	p.asks("g.V().count()", "cannot connect")
	serveWith(t, binary, "serve", "--port", port, "--data-dir", dir)
	p.asks("g.V().count()", "0", "1 result")
	p.types("\x04")
	p.ends(exitDone)
}

// TestConsole_Refused ends at once where there is no server, or no way in.
func TestConsole_Refused(t *testing.T) {
	dir := t.TempDir()
	if out, code := pipe(t, "a password\n", "user", "add", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	server := serve(t, "--data-dir", dir, "--auth")
	p := consoleAt(t, 80, 24, "ws://127.0.0.1:1")
	p.sees("cannot connect to ws://127.0.0.1:1/gremlin")
	p.ends(exitUnreached)
	p = consoleAt(t, 80, 24, "--port", "1")
	p.sees("--sample modern")
	p.ends(exitUnreached)
	p = consoleAt(t, 80, 24, queryURL(server))
	p.sees("--user")
	p.ends(exitDenied)
	p = consoleAt(t, 80, 24, queryURL(server), "--user", "stephen")
	p.sees("password of stephen:")
	p.hides()
	p.types("wrong\r")
	p.sees("Username and/or password are incorrect")
	p.ends(exitDenied)
	p = consoleAt(t, 80, 24, queryURL(server), "--user", "stephen")
	p.sees("password of stephen:")
	p.hides()
	p.types("a password\r")
	p.sees("gremlin>")
	if strings.Contains(p.screen.String(), "a password") {
		t.Error("the password is on the screen")
	}
	p.asks("g.V().count()", "0")
	// A change of users leaves alone who came through the socket.
	socket := consoleOf(t, "--data-dir", dir)
	if out, code := pipe(t, "", "user", "rm", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	waitFor(t, "the user is gone", func() bool {
		p.asks("g.V().count()")
		return strings.Contains(p.screen.String(), "error:")
	})
	socket.asks("g.V().count()", "0")
}

// TestConsole_Piped reads statements from what is no terminal, and ends with the first
// that fails.
func TestConsole_Piped(t *testing.T) {
	if out, code := pipe(t, "g.V().hasLabel(\n'person').count()\n:source\n", "console", "--sample", "modern"); code != exitDone || out != "4\ng is the traversal source g; there are g\n" {
		t.Errorf("%d %q", code, out)
	}
	if out, code := pipe(t, "g.V().outt()\ng.V().count()\n", "console", "--sample", "modern"); code != exitFailed || strings.Contains(out, "6") {
		t.Errorf("%d %q", code, out)
	}
}

// TestConsole_Terminated gives the terminal back as it was.
func TestConsole_Terminated(t *testing.T) {
	p := consoleOf(t, "--data-dir", t.TempDir())
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.ends(exitDone)
}

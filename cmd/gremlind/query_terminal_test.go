//go:build unix

package main

import (
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestTerminal_Head is a pipe that closes: the query is stopped, and nothing is said.
func TestTerminal_Head(t *testing.T) {
	p := inTerminal(t, 80, 24, t.TempDir(), exec.Command("sh", "-c",
		`{ "$0" query --sample modern --timeout 1m --format csv "$1"; echo "code $?" >&2; } | head -3`, binary, endless))
	p.sees("value\na line that", "code 141")
	p.ends(0)
	if lines := strings.Split(strings.TrimSpace(p.screen.String()), "\n"); len(lines) > 8 || strings.Contains(p.screen.String(), "gremlind:") {
		t.Errorf("more is said than that:\n%s", p.screen.String())
	}
}

// TestTerminal_Query shows a table, and stops by Ctrl-C.
func TestTerminal_Query(t *testing.T) {
	p := terminalAt(t, 80, 24, "query", "--sample", "modern", "g.V().hasLabel('software').elementMap()")
	p.ends(exitDone)
	p.sees(" id │ label    │ name   │ lang", "  3 │ software │ lop    │ java")

	dir := t.TempDir()
	serve(t, "--data-dir", dir)
	p = terminalAt(t, 80, 24, "query", "--data-dir", dir, "--timeout", "10m", "g.inject(1).repeat(__.identity()).times(2000000000)")
	waitFor(t, "the query runs", func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return strings.Contains(out, "running") && strings.Contains(out, "repeat")
	})
	p.types("\x03")
	p.ends(exitInterrupted)
	waitFor(t, "the server has given it up", func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return !strings.Contains(out, "repeat")
	})
}

// TestTerminal_Password asks for a password where there is a terminal to ask.
func TestTerminal_Password(t *testing.T) {
	dir := t.TempDir()
	if out, code := pipe(t, "a password\n", "user", "add", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	server := queryURL(serve(t, "--data-dir", dir, "--auth"))
	for _, x := range []struct {
		typed, want string
		code        int
	}{{"wrong", "Username and/or password are incorrect", exitDenied}, {"a password", "\n0", exitDone}} {
		p := terminalAt(t, 80, 24, "query", server, "--user", "stephen", "g.V().count()")
		p.sees("password of stephen:")
		p.hides()
		p.types(x.typed + "\r")
		p.sees(x.want)
		p.ends(x.code)
	}
}

// TestTerminal_NewPassword types the password of a new user, which does not show.
func TestTerminal_NewPassword(t *testing.T) {
	dir := t.TempDir()
	for _, x := range []struct {
		again, want string
		code        int
	}{{"another password", "the two passwords differ", exitUsage}, {"a password", "again:", exitDone}} {
		p := terminalAt(t, 80, 24, "user", "add", "stephen", "--data-dir", dir)
		p.sees("password:")
		p.hides()
		p.types("a password\r")
		p.sees("again:")
		p.hides()
		p.types(x.again + "\r")
		p.sees(x.want)
		p.ends(x.code)
		if shown := p.screen.String(); strings.Contains(shown, "a password") || strings.Contains(shown, x.again) {
			t.Errorf("the password shows:\n%s", shown)
		}
	}
}

// TestTerminal_WrongServer meets what is no Gremlin server, or one that goes away while
// somebody asks.
func TestTerminal_WrongServer(t *testing.T) {
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	web := listen()
	go http.Serve(web, http.NotFoundHandler())
	mute := listen()
	go func() {
		for {
			c, err := mute.Accept()
			if err != nil {
				return
			}
			c.Write([]byte("SSH-2.0-nobody\r\n"))
			c.Close()
		}
	}()
	for url, want := range map[string]string{
		"ws://" + web.Addr().String():            "is no Gremlin server",
		"ws://" + mute.Addr().String():           "does not speak HTTP",
		"wss://" + web.Addr().String():           "it does not speak TLS",
		"ws://nobody.invalid":                    "cannot connect to ws://nobody.invalid:8182/gremlin",
		"ws://" + web.Addr().String() + "/other": "answered 404",
	} {
		for _, command := range []string{"console", "query"} {
			args := []string{command, url}
			if command == "query" {
				args = append(args, "g.V()")
			}
			p := terminalAt(t, 160, 24, args...)
			p.ends(exitUnreached)
			p.sees(want)
		}
	}
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	q := terminalAt(t, 160, 24, "query", "--timeout", "10m", queryURL(p), "g.inject(1).repeat(__.identity()).times(2000000000)")
	waitFor(t, "the query runs", func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return strings.Contains(out, "running") && strings.Contains(out, "repeat")
	})
	p.stop(syscall.SIGKILL)
	q.ends(exitUnreached)
	q.sees("connection lost")
}

//go:build unix

package main

import (
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/screen"
)

// waitMax is how long a person waits for the screen.
const waitMax = 30 * time.Second

// typist is a person at a terminal in which gremlind console runs.
type typist struct {
	t      testing.TB
	cmd    *exec.Cmd
	tty    *os.File
	screen *screen.Screen
	ended  chan struct{}
}

// consoleAt starts gremlind console in a terminal of a size.
func consoleAt(t testing.TB, width, height int, args ...string) *typist {
	t.Helper()
	return terminalAt(t, width, height, append([]string{"console"}, args...)...)
}

// terminalAt starts a command of gremlind in a terminal of a size.
func terminalAt(t testing.TB, width, height int, args ...string) *typist {
	t.Helper()
	return inTerminal(t, width, height, t.TempDir(), exec.Command(binary, args...))
}

// inTerminal starts a program in a terminal.
func inTerminal(t testing.TB, width, height int, home string, cmd *exec.Cmd) *typist {
	t.Helper()
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "GREMLIN_YAML=", "TERM=xterm", "HOME="+home, "XDG_STATE_HOME=", "INPUTRC="+os.DevNull)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	p := &typist{t, cmd, tty, screen.New(width, height), make(chan struct{})}
	p.screen.Answer = tty
	go func() {
		defer close(p.ended)
		buf := make([]byte, 4<<10)
		for {
			n, err := tty.Read(buf)
			if n > 0 {
				p.screen.Write(buf[:n])
			}
			if err != nil { // of a terminal that nobody writes to any more
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		tty.Close()
	})
	return p
}

// consoleOf starts one of the usual size and waits until it is ready.
func consoleOf(t *testing.T, args ...string) *typist {
	t.Helper()
	p := consoleAt(t, 160, 50, args...)
	p.sees("gremlin>")
	return p
}

// hides waits until the terminal does not show keys by itself, which a question for a
// password turns off behind its text.
func (p *typist) hides() {
	p.t.Helper()
	fresh, other, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	defer fresh.Close()
	defer other.Close()
	state := func(f *os.File) *term.State {
		s, err := term.GetState(int(f.Fd()))
		if err != nil {
			p.t.Fatal(err)
		}
		return s
	}
	shown := state(fresh)
	waitFor(p.t, "keys are hidden", func() bool { return !reflect.DeepEqual(state(p.tty), shown) })
}

// types sends keys.
func (p *typist) types(keys string) {
	p.t.Helper()
	if _, err := p.tty.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// sees waits until the screen shows all the texts.
func (p *typist) sees(texts ...string) {
	p.t.Helper()
	until := time.Now().Add(waitMax)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for _, text := range texts {
		for !strings.Contains(p.screen.String(), text) {
			if time.Now().After(until) {
				p.t.Fatalf("%q is not on the screen:\n%s", text, p.screen.String())
			}
			<-tick.C
		}
	}
}

// soon waits as sees does, and looks all the time.
func (p *typist) soon(text string) {
	p.t.Helper()
	until := time.Now().Add(waitMax)
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for ; !strings.Contains(p.screen.String(), text); <-tick.C {
		if time.Now().After(until) {
			p.t.Fatalf("%q is not on the screen:\n%s", text, p.screen.String())
		}
	}
}

// shows waits until the line of the cursor begins so: what was proposed may stand behind
// it with its brackets.
func (p *typist) shows(what, line string) {
	p.t.Helper()
	waitFor(p.t, what+": "+line, func() bool {
		return strings.HasPrefix(p.screen.Line(), line) && (line != "gremlin>" || p.screen.Line() == line)
	})
}

// asks types a line, and waits until it is answered and the prompt is there again.
func (p *typist) asks(line string, want ...string) {
	p.t.Helper()
	at := strings.Count(p.screen.String(), "\n") // the line of the prompt
	p.types(line + "\r")
	until := time.Now().Add(waitMax)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var lines []string
	for {
		lines = strings.Split(p.screen.String(), "\n")
		last := lines[len(lines)-1]
		if len(lines)-1 > at && strings.HasPrefix(last, "gremlin") && strings.HasSuffix(last, ">") {
			break
		}
		if time.Now().After(until) {
			p.t.Fatalf("%q has no answer:\n%s", line, p.screen.String())
		}
		<-tick.C
	}
	answer := strings.Join(lines[at:], "\n") + "\n"
	for _, w := range want {
		if !strings.Contains(answer, w) {
			p.t.Errorf("%q: %q is not in\n%s", line, w, answer)
		}
	}
}

// continues waits until another line of the same statement is asked for.
func (p *typist) continues() {
	p.t.Helper()
	waitFor(p.t, "another line", func() bool { return strings.HasPrefix(p.screen.Line(), "......") })
}

// ends waits for the end and its exit code.
func (p *typist) ends(code int) {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		p.t.Fatalf("the console does not end:\n%s", p.screen.String())
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("ended with %d, not %d:\n%s", got, code, p.screen.String())
	}
}

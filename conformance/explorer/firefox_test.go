//go:build explorer

package explorer

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestFirefox: the page works in the other browser too: it loads, draws, asks and complains of
// nothing. All else is looked at in Chromium.
func TestFirefox(t *testing.T) {
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		if path, err = exec.LookPath("firefox"); err != nil {
			t.Skip("there is no Firefox here (Debian: firefox-esr)")
		}
	}
	f := startFirefox(t, path)
	f.call("browsingContext.navigate", map[string]any{"context": f.tab, "url": start(t, "--sample", "modern"), "wait": "complete"}, nil)
	f.await(`document.querySelector('.picture .note')?.innerText.includes('6 vertices, 6 edges')`)
	f.await(`document.querySelector('.stage')?.dataset.resting === 'true'`)
	colours := `(() => { const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
		for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size })()`
	if n, err := strconv.Atoi(f.evaluate(colours)); err != nil || n < 10 { // soft edges have many
		t.Errorf("the picture has %d colours: %v", n, err)
	}
	f.save("firefox")
	f.evaluate(`(() => { const a = document.querySelector('#editor'); a.focus(); a.value = "g.V().has('name', 'marko').out('knows').values('name')";
		a.setSelectionRange(a.value.length, a.value.length); a.dispatchEvent(new Event('input')); document.querySelector('.status').textContent = '' })()`)
	key := func(kind, value string) map[string]string { return map[string]string{"type": kind, "value": value} }
	const control, enter = "\ue009", "\ue007"
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{"type": "key", "id": "keys",
		"actions": []any{key("keyDown", control), key("keyDown", enter), key("keyUp", enter), key("keyUp", control)}}}}, nil)
	f.await(`/2 results/.test(document.querySelector('.status').textContent)`)
	f.await(`/vadas[^]*josh/.test(document.body.innerText)`)
	f.evaluate(`console.error('heard')`) // so that silence means something
	if said := strings.Join(f.said, "\n"); said != "heard" {
		t.Errorf("the page says:\n%s", said)
	}
}

// firefox is a browser that is driven by WebDriver BiDi.
type firefox struct {
	t    *testing.T
	conn *websocket.Conn
	id   int
	tab  string
	said []string // errors and warnings of the page
}

var bidiLine = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

func startFirefox(t *testing.T, path string) *firefox {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(path, "--headless", "--remote-debugging-port", "0", "--profile", home, "--no-remote", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home, "MOZ_DISABLE_AUTO_SAFE_MODE=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if m := bidiLine.FindStringSubmatch(lines.Text()); m != nil {
				url <- m[1]
			}
		}
		_ = cmd.Wait()
	}()
	f := &firefox{t: t}
	t.Cleanup(func() { f.leave(cmd, ended) })
	select {
	case at := <-url:
		if f.conn, _, err = websocket.DefaultDialer.Dial(at+"/session", nil); err != nil {
			t.Fatal(err)
		}
	case <-ended:
		t.Fatal("Firefox ended at once")
	case <-time.After(2 * patience):
		t.Fatal("Firefox does not listen")
	}
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{}, &tree)
	f.tab = tree.Contexts[0].Context
	f.call("browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]int{"width": 1280, "height": 800}}, nil)
	return f
}

// leave closes the browser, by itself so that nothing of it writes to its folder any more.
func (f *firefox) leave(cmd *exec.Cmd, ended <-chan struct{}) {
	if f.conn == nil {
		_ = cmd.Process.Kill()
		<-ended
		return
	}
	defer f.conn.Close()
	_ = f.conn.WriteJSON(map[string]any{"id": f.id + 1, "method": "browser.close", "params": map[string]any{}})
	select {
	case <-ended:
	case <-time.After(patience):
		f.t.Error("Firefox does not end")
		_ = cmd.Process.Kill()
		<-ended
	}
}

// call sends a command and waits for its result; what the page says meanwhile is kept.
func (f *firefox) call(method string, params map[string]any, result any) {
	f.t.Helper()
	f.id++
	if err := f.conn.WriteJSON(map[string]any{"id": f.id, "method": method, "params": params}); err != nil {
		f.t.Fatal(err)
	}
	if err := f.conn.SetReadDeadline(time.Now().Add(2 * patience)); err != nil {
		f.t.Fatal(err)
	}
	for {
		var m struct {
			ID      int
			Type    string
			Method  string
			Result  json.RawMessage
			Params  struct{ Level, Text string }
			Message string
		}
		if err := f.conn.ReadJSON(&m); err != nil {
			f.t.Fatalf("%s: %v", method, err)
		}
		switch {
		case m.Method == "log.entryAdded" && (m.Params.Level == "error" || m.Params.Level == "warn"):
			f.said = append(f.said, m.Params.Text)
		case m.Type == "error" && m.ID == f.id:
			f.t.Fatalf("%s: %s", method, m.Message)
		case m.Type == "success" && m.ID == f.id:
			if result == nil {
				return
			}
			if err := json.Unmarshal(m.Result, result); err != nil {
				f.t.Fatal(err)
			}
			return
		}
	}
}

// evaluate returns the value of an expression in the page, as JSON.
func (f *firefox) evaluate(expression string) string {
	f.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate", map[string]any{"expression": expression, "target": map[string]string{"context": f.tab}, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails.Text != "" {
		f.t.Fatalf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	return string(answer.Result.Value)
}

// await waits until an expression is true.
func (f *firefox) await(expression string) {
	f.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); f.evaluate("Boolean("+expression+")") != "true"; {
		select {
		case <-tick.C:
		case <-late:
			f.save("failed")
			f.t.Fatalf("%s does not come\nthe page: %.1000s\n%s", expression, f.evaluate("document.body.innerText"), strings.Join(f.said, "\n"))
		}
	}
}

// save keeps a picture of what is seen, where that is asked for.
func (f *firefox) save(name string) {
	f.t.Helper()
	if *pictures == "" {
		return
	}
	var shot struct{ Data string }
	f.call("browsingContext.captureScreenshot", map[string]any{"context": f.tab}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, fmt.Sprintf("%s.png", name)), png, 0o644); err != nil {
		f.t.Fatal(err)
	}
}

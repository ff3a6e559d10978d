//go:build explorer

package explorer

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gremlind/gremlind/conformance/server"
)

var (
	binary   = flag.String("binary", "", "a built gremlind; empty builds one")
	pictures = flag.String("pictures", "", "a folder for a PNG of each view")
)

const (
	root = "../.."
	// patience is how long a busy machine may take for what comes at once on a quiet one.
	patience = 30 * time.Second
)

// built is the binary under test.
var built = sync.OnceValues(func() (string, error) {
	if *binary != "" {
		return *binary, nil
	}
	return server.Build(context.Background(), root)
})

// start serves with further arguments until the test ends, and returns the address of the page.
func start(t *testing.T, args ...string) string {
	t.Helper()
	return startIn(t, "", args...)
}

// startIn is start on a data directory.
func startIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(context.Background(), server.Options{Root: root, Binary: path, DataDir: dir, NoFiles: true, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return fmt.Sprintf("http://localhost:%d/", s.Port)
}

// visitor is a browser of its own with one tab. Errors of the page fail the test.
type visitor struct {
	t   *testing.T
	ctx context.Context
}

// visit opens a page and waits until it has asked what the server is. first runs in the
// page before anything else.
func visit(t *testing.T, url string, first ...string) *visitor {
	t.Helper()
	ctx := browse(t)
	v := &visitor{t: t, ctx: ctx}
	v.watch()
	for _, script := range first {
		if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
			t.Fatal(err)
		}
	}
	v.do(chromedp.Navigate(url))
	return v
}

// browse starts a browser that asks nobody but the server.
func browse(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Fatal("there is no Chromium: install one (Debian: chromium)")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 800)}
	for _, name := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-extensions", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(name, true))
	}
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 6*patience)
	t.Cleanup(cancel)
	return ctx
}

// watch fails the test for exceptions of the page and what its policy refuses.
func (v *visitor) watch() {
	if err := chromedp.Listen(v.ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			v.t.Errorf("the page fails: %s", describe(e.ExceptionDetails))
		case *log.EventEntryAdded:
			if e.Entry.Source == log.EntrySourceSecurity {
				v.t.Errorf("the browser refuses: %s", e.Entry.Text)
			}
		}
	}); err != nil {
		v.t.Fatal(err)
	}
}

func (v *visitor) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatalf("%v\nthe page: %s", err, v.text("body"))
	}
}

// eval evaluates an expression in the page.
func eval[T any](v *visitor, expression string) T {
	v.t.Helper()
	x, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		v.t.Fatalf("%s: %v", expression, err)
	}
	return x
}

func (v *visitor) js(expression string) {
	v.t.Helper()
	eval[chromedp.Void](v, expression)
}

// await waits until an expression is true. It asks again and again: a predicate in the page
// would need what its policy forbids.
func (v *visitor) await(expression string) {
	v.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); ; {
		if ok, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && ok {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			v.save("failed")
			v.t.Fatalf("%s does not come\nthe page: %.1000s", expression, v.text("body"))
		}
	}
}

// wait lets some milliseconds pass, by the clock of the page.
func (v *visitor) wait(ms int) {
	v.t.Helper()
	v.await(fmt.Sprintf("Date.now() > %d", eval[int64](v, "Date.now()")+int64(ms)))
}

// text is what is seen in the elements that a selector finds.
func (v *visitor) text(selector string) string {
	s, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](fmt.Sprintf("[...document.querySelectorAll(%q)].map((e) => e.innerText).join('\\n')", selector)))
	if err != nil {
		return err.Error()
	}
	return s
}

// has waits until elements show a text.
func (v *visitor) has(selector, text string) {
	v.t.Helper()
	v.await(fmt.Sprintf("[...document.querySelectorAll(%q)].some((e) => e.checkVisibility() && e.innerText.includes(%q))", selector, text))
}

// click presses the first button that is seen with a name.
func (v *visitor) click(name string) {
	v.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll('button')].find((b) => b.checkVisibility() && (b.innerText === %q || b.ariaLabel === %q))", name, name)
	v.await(find)
	v.js(find + ".click()")
}

// run puts a script in the editor and runs it by its key; it waits for the answer.
func (v *visitor) run(script string) {
	v.t.Helper()
	v.put(script)
	v.js("document.querySelector('.status').textContent = ''")
	v.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.await("/result|failed/.test(document.querySelector('.status').textContent)")
}

func (v *visitor) put(script string) {
	v.t.Helper()
	v.await("!document.querySelector('#source').matches(':empty')")
	v.js(fmt.Sprintf("(() => { const a = document.querySelector('#editor'); a.focus(); a.value = %q; a.setSelectionRange(a.value.length, a.value.length); a.dispatchEvent(new Event('input')); })()", script))
}

// save keeps a picture of what is seen, where that is asked for.
func (v *visitor) save(name string) {
	v.t.Helper()
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), png, 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// settle waits until the picture rests.
func (v *visitor) settle() {
	v.t.Helper()
	v.await("document.querySelector('.stage')?.dataset.resting === 'true'")
}

func lines(s string) []string { return strings.Split(strings.TrimSpace(s), "\n") }

func describe(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	return e.Text
}

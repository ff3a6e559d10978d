//go:build explorer

package explorer

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestLogin: where the server asks who one is, so does the page; the password is nowhere
// but in its memory, and what is asked stays no longer than the tab.
func TestLogin(t *testing.T) {
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	add := exec.Command(path, "user", "add", "ann", "--data-dir", dir, "--role", "write")
	add.Stdin = strings.NewReader("secret-of-ann\n")
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	v := visit(t, startIn(t, dir, "--auth", "--sample", "modern"))
	v.has("dialog.login", "who you are")
	v.save("login")
	v.logIn("ann", "wrong")
	v.has("dialog.login", "not taken")
	v.logIn("ann", "secret-of-ann")
	v.has(".picture .note", "6 vertices")
	v.has("header", "log out ann")
	kept := eval[string](v, "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
	if contains(kept, "secret") || !contains(kept, `[{}`) {
		t.Errorf("the browser keeps %s", kept)
	}
	v.click("Running")
	v.has("#running", "cannot be seen here: Failed to authorize")
	if v.text("dialog") != "" {
		t.Error("who may not is asked who he is")
	}
	v.click("log out ann")
	v.has("dialog.login", "who you are")
	kept = eval[string](v, "JSON.stringify({...sessionStorage})")
	if contains(kept, "g.V") {
		t.Errorf("after logging out the browser keeps %s", kept)
	}
}

// TestSeeAs: an administrator sees what another user does, and is told so all the while; who
// is none is not asked.
func TestSeeAs(t *testing.T) {
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{
		{"role", "add", "clerk", "--allow", "write", "--deny-keys", "age", "--deny-vertex-labels", "software"},
		{"user", "add", "root", "--role", "admin"}, {"user", "add", "bob", "--role", "clerk"},
	} {
		add := exec.Command(path, append(args, "--data-dir", dir)...)
		add.Stdin = strings.NewReader("a password\n")
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	v := visit(t, startIn(t, dir, "--auth", "--sample", "modern"))
	v.logIn("root", "a password")
	v.has(".picture .note", "6 vertices")
	v.has("header", "see as")
	v.choose("#seeas", "bob")
	v.has("#seeing", "You see what bob sees")
	if got := v.text(".result"); contains(got, "vertices") {
		t.Errorf("what root saw stays: %s", got)
	}
	v.run("g.V()")
	v.has(".picture .note", "4 vertices, 2 edges")
	v.settle()
	v.save("seeas")
	v.run("g.V(1).valueMap()")
	v.click("Table")
	v.has(".result table", "marko")
	if got := v.text(".result table"); contains(got, "29") {
		t.Errorf("bob sees no age: %s", got)
	}
	v.run("g.addV('x')")
	v.has(".error", "user bob (seen by root) may not write")
	v.click("Schema")
	v.has("#schema", "person")
	if got := v.text("#schema"); contains(got, "software") {
		t.Errorf("bob sees no software: %s", got)
	}
	v.click("see as myself")
	v.has("#schema", "software")
	v.await("document.querySelector('#seeing').hidden")
	v.click("log out root")
	v.logIn("bob", "a password")
	v.has("header", "log out bob")
	v.run("g.inject(1)")
	if eval[bool](v, "document.querySelector('#sight').checkVisibility()") {
		t.Error("bob may see as others")
	}
}

// choose takes an entry of a list, as one does with a mouse.
func (v *visitor) choose(selector, value string) {
	v.t.Helper()
	v.await(fmt.Sprintf("[...document.querySelector(%q).options].some((o) => o.value === %q)", selector, value))
	v.js(fmt.Sprintf("(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event('change')); })()", selector, value))
}

func (v *visitor) logIn(user, password string) {
	v.t.Helper()
	v.await("document.querySelectorAll('dialog.login').length === 1")
	v.do(chromedp.SetValue("dialog.login input[name=user]", user), chromedp.SetValue("dialog.login input[name=secret]", password))
	v.js("document.querySelector('dialog.login button.main').click()")
}

// TestKeyboard: everything is reached by the tabulator, and has a name.
func TestKeyboard(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.click("Help: keys")
	v.has("dialog", "Ctrl Enter")
	v.save("help")
	v.do(chromedp.KeyEvent(kb.Escape))
	v.await("!document.querySelector('dialog')")
	nameless := eval[[]string](v, `[...document.querySelectorAll('button, select, textarea, input, canvas, [role=tabpanel], [role=region]')].filter((e) => e.checkVisibility()
	  && !(e.ariaLabel || e.innerText?.trim() || e.labels?.length)).map((e) => e.outerHTML)`)
	for _, e := range nameless {
		t.Errorf("it has no name: %s", e)
	}
	lost := eval[[]string](v, `[...document.querySelectorAll('button, select, textarea, input, canvas')].filter((e) => e.checkVisibility() && e.tabIndex < 0 && e.role !== 'tab').map((e) => e.outerHTML)`)
	for _, e := range lost {
		t.Errorf("no key gets there: %s", e)
	}
}

// TestDark: the switch turns the page, and is remembered.
func TestDark(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.settle()
	v.click("Light or dark")
	v.await("getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 28)'")
	v.settle()
	v.save("dark")
	v.do(chromedp.Reload())
	v.await("getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 28)'")
}

// TestOff: the setting leaves Gremlin over HTTP as it is, and no page.
func TestOff(t *testing.T) {
	v := visit(t, start(t, "--set", "explorer=false", "--sample", "modern"))
	v.has("body", "no gremlin script supplied")
}

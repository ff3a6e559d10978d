//go:build explorer

package explorer

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFirstVisit: who opens the page of a new server sees his graph without a word typed.
func TestFirstVisit(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices, 6 edges")
	v.settle()
	v.has(".legend", "person")
	v.save("first")
	v.js("document.querySelector('canvas').focus({focusVisible: false})")
	v.do(chromedp.KeyEvent(kb.ArrowDown))
	v.has(".inspect .edges", "created")
	v.save("explorer")
}

// TestViews: the same results as a table, a tree and GraphSON; values without elements have
// no picture.
func TestViews(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.run("g.V().hasLabel('person').order().by('name').elementMap()")
	v.has(".result table", "josh")
	if got := lines(v.text(".result thead"))[0]; strings.Join(strings.Fields(got), " ") != "# id label name age" {
		t.Errorf("the table has the columns %q", got)
	}
	v.save("table")
	v.run("g.V().has('name', 'marko').repeat(out()).emit().path().by('name')")
	v.click("Tree")
	v.has(".tree", "ripple")
	v.save("tree")
	v.click("JSON")
	v.has(".json", `"@type": "g:Path"`)
	v.save("json")
	v.run("g.V().count()")
	v.click("Table")
	v.has(".result td", "6")
	v.run("g.V().foo()")
	v.has(".error", "foo")
	v.save("error")
	v.run("g.inject(9007199254740993L)")
	v.has(".result td", "9007199254740993")
}

// TestCompletion: the editor proposes steps of the server, and labels and keys of the graph.
func TestCompletion(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.put("g.V().hasL")
	v.has("#proposals", "hasLabel")
	v.save("completion")
	v.do(chromedp.KeyEvent(kb.Tab))
	v.put("g.V().hasLabel('s")
	v.has("#proposals", "software")
	if got := v.text("#proposals"); strings.Contains(got, "weight") {
		t.Errorf("a key is proposed for a label: %s", got)
	}
	v.put("g.V().has('person', 'a")
	v.has("#proposals", "age")
	v.put("g.V().order().by(Order.d")
	v.has("#proposals", "desc")
	v.do(chromedp.KeyEvent(kb.Tab))
	text := eval[string](v, "document.querySelector('#editor').value")
	if text != "g.V().order().by(Order.desc" {
		t.Errorf("Tab took %q", text)
	}
}

// TestHistory: what was asked comes back by keys, in the list, and after the page was loaded again.
func TestHistory(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.run("g.V(1)")
	v.run("g.V(2)")
	v.do(chromedp.KeyEvent(kb.ArrowUp, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.do(chromedp.Reload())
	v.await("document.querySelector('#editor')?.value === 'g.V(2)'")
	v.click("History")
	v.has("dialog .recall", "g.V(1)")
	v.save("history")
	v.click("g.V(1)")
	v.await("document.querySelector('#editor').value === 'g.V(1)'")
	v.click("History")
	v.click("forget all")
	kept := eval[string](v, "localStorage.getItem('gremlind.history')")
	if kept != "[]" {
		t.Errorf("forgotten, and there is %s", kept)
	}
}

// TestStop: a request that the visitor stops ends.
func TestStop(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.put("g.inject(1).until(is(0)).repeat(identity())")
	v.click("Run")
	v.click("Stop")
	v.has(".status", "stopped")
}

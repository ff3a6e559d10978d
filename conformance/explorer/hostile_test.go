//go:build explorer

package explorer

import (
	"fmt"
	"strings"
	"testing"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// hostile are names that would be markup, script or style in a careless page.
var hostile = []string{
	`<img src=x onerror=alert(1)>`, `</title><script>alert(1)</script>`, `" onmouseover="alert(1)`, `javascript:alert(1)`, `__proto__`, `constructor`,
	`<svg/onload=alert(1)>`, `]]><script>alert(1)</script>`, `${alert(1)}`, "'; alert(1); '", `<style>*{display:none}</style>`, "\u202ereversed",
}

// TestHostileNames: whatever labels, keys, values and errors are, they are texts: nothing of
// them runs, and all of them are shown as they are.
func TestHostileNames(t *testing.T) {
	v := visit(t, start(t, "--memory"), "window.alert = () => { window.attacked_ = true; }")
	v.await("document.querySelector('#source')?.value === 'g'")
	for _, name := range hostile {
		text := quoted(name)
		v.run(fmt.Sprintf("g.addV(%s).property(%s, %s).as('a').addE(%s).to('a').property(%s, %s)", text, text, text, text, text, text))
		if s := v.text(".status"); contains(s, "failed") {
			t.Errorf("%s: %s", name, v.text(".error"))
		}
	}
	v.run("g.V()")
	v.has(".picture .note", fmt.Sprintf("%d vertices, %d edges", len(hostile), len(hostile)))
	v.settle()
	v.save("hostile")
	v.js(saving)
	v.click("Save as SVG")
	v.await("window.saved_.length === 1")
	svg := eval[string](v, "window.saved_[0]")
	if contains(svg, "<script") || contains(svg, "<img") {
		t.Errorf("the SVG has markup of a name:\n%s", svg)
	}
	for _, view := range []string{"Table", "Tree", "JSON"} {
		v.click(view)
		v.has(".result", "onerror")
	}
	v.run("g.V().hasLabel(" + quoted(hostile[0]) + ").fail('<img src=x onerror=alert(1)>')")
	v.has(".error", "<img src=x")
	v.click("History")
	v.has("dialog .recall", "onerror")
	v.click("close")
	v.click("Schema")
	v.has("#schema", "<img src=x onerror=alert(1)>")
	v.save("hostile-schema")
	attacked := eval[bool](v, "Boolean(window.attacked_) || document.querySelectorAll('main img, main script, main style').length > 0")
	if attacked {
		t.Error("a name was taken for markup")
	}
}

// quoted is a text as Gremlin writes it.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, `$`, `\$`).Replace(s) + "'"
}

//go:build explorer

package explorer

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gremlind/gremlind/conformance/golden"
)

// TestLayout: where the parts of the page are, wide and narrow, to 8 pixels. After a change
// -rewrite draws the plan anew; look at the pictures, too.
func TestLayout(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.js("document.querySelector('#editor').blur()")
	var plan strings.Builder
	for _, w := range []struct {
		name       string
		wide, high int64
	}{{"wide", 1280, 800}, {"narrow", 390, 800}} {
		v.do(chromedp.EmulateViewport(w.wide, w.high))
		v.settle()
		v.save(w.name)
		boxes := eval[string](v, `['header', '#pages', '#source', '.editor', '.result', '.views', '.picture > .bar', 'canvas', '.legend', '.zoom'].map((s) => {
		  const r = document.querySelector(s).getBoundingClientRect(), f = (n) => Math.round(n / 8) * 8;
		  return s + ': ' + [r.left, r.top, r.right, r.bottom].map(f).join(' ');
		}).concat('overflow: ' + (document.documentElement.scrollWidth - innerWidth)).join('\n')`)
		plan.WriteString("# " + w.name + ": left top right bottom\n" + boxes + "\n\n")
	}
	golden.Check(t, "testdata/layout", plan.String())
}

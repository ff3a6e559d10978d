package console

import (
	"strings"
	"unicode/utf8"

	"github.com/reeflective/readline"
	"github.com/rivo/uniseg"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

// takeCharacters has the editor take what is typed as it is. By itself it takes the first
// code point alone of a character that has several (with its accents), and writes ^[i for
// a letter of Latin-1.
func takeCharacters(rl *readline.Shell) {
	plain := rl.Keymap.Commands()["self-insert"]
	rl.Keymap.Register(map[string]func(){"self-insert": func() {
		keys := rl.Keys.Caller()
		if len(keys) == 0 || keys[0] < ' ' || len(keys) == 1 && keys[0] < utf8.RuneSelf {
			plain()
			return
		}
		rl.History.SkipSave()
		rl.Cursor().InsertAt(keys...)
	}})
}

// atEdge stands for a wide character that the right edge of the terminal would cut.
const atEdge = "\x1b[2m><\x1b[22m"

// wraps reports whether a line of a text is wider than the terminal.
func wraps(text string, indent, width int) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if indent+render.Width(line) >= width {
			return true
		}
	}
	return false
}

// evenly is a line as the editor shows it. A terminal takes a wide character that no longer
// fits to the next line whole, and the editor, which counts columns, would be one behind from
// there on: the cursor in the wrong place, and the last character gone. So two narrow ones
// stand for it. indent is where the text begins in the first line and those behind it.
func evenly(line string, indent, width int) string {
	if width < 2 || render.Width(line) == len(line) {
		return line
	}
	var b strings.Builder
	at := indent
	g := uniseg.NewGraphemes(line)
	for g.Next() {
		text, w := g.Str(), g.Width()
		switch {
		case text == "\n":
			at, w = indent, 0
		case w == 2 && at%width == width-1:
			text = atEdge
		}
		b.WriteString(text)
		at += w
	}
	return b.String()
}

package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/complete"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/statement"
	"github.com/gremlind/gremlind/traversal/lang"
)

// editor reads what is to be evaluated: io.EOF at the end, perhaps beside the last text,
// and errCancelled for what was given up.
type editor interface {
	read(prompt string) (string, error)
}

func (c *Console) newEditor() editor {
	if c.terminal == nil {
		return &lineReader{r: bufio.NewReader(c.o.In)}
	}
	return c.newTerminalEditor()
}

// lineReader reads from what is no terminal.
type lineReader struct{ r *bufio.Reader }

func (l *lineReader) read(string) (string, error) {
	var b strings.Builder
	for {
		line, err := l.r.ReadString('\n')
		b.WriteString(line)
		if err != nil || whole(b.String()) {
			return b.String(), err
		}
	}
}

// whole reports whether a text can be evaluated: commands end with their line.
func whole(text string) bool {
	t := strings.TrimSpace(text)
	if strings.HasPrefix(t, ":") && !strings.HasPrefix(t, ":explain") && !strings.HasPrefix(t, ":profile") && !strings.HasPrefix(t, ":>") {
		return true
	}
	return statement.Complete(text)
}

// continued stands in front of what goes on in another line.
const continued = "......"

// terminalEditor is the line editor.
type terminalEditor struct {
	shell  *readline.Shell
	out    *os.File
	prompt string
}

// reserved is how many lines are kept free beneath what is typed.
const reserved = 5

// reserve scrolls until there are lines free beneath the cursor's: the editor moves down
// there, and the last line of a terminal lets nobody further down.
func (e *terminalEditor) reserve(lines int) {
	_, height, err := term.GetSize(int(e.out.Fd()))
	if lines = min(lines, height-1); err != nil || lines < 1 {
		return
	}
	fmt.Fprintf(e.out, "%s\x1b[%dA", strings.Repeat("\n", lines), lines)
}

func (c *Console) newTerminalEditor() *terminalEditor {
	e := &terminalEditor{shell: readline.NewShell(), out: c.terminal}
	rl := e.shell
	for name, v := range map[string]any{
		// Asked where the cursor is, the terminal answers between the keys, and the editor
		// loses those that come with the answer. reserve stands in for it.
		"cursor-position-probe": false,
		"convert-meta":          false, // or a letter of Latin-1 would be an Alt and a key
		"multiline-column":      false, "multiline-column-custom": continued,
		"bell-style": "none", "echo-control-characters": false, "usage-hint-always": false,
	} {
		_ = rl.Config.Set(name, v) // a setting that is unknown is not needed
	}
	takeCharacters(rl)
	rl.Prompt.Primary(func() string { return e.prompt })
	rl.Prompt.Secondary(func() string { return continued })
	rl.AcceptMultiline = func(line []rune) bool {
		text := string(line)
		if whole(text) {
			return true
		}
		e.reserve(strings.Count(text, "\n") + reserved)
		return false
	}
	rl.SyntaxHighlighter = func(line []rune) string {
		text, indent, width := string(line), render.Width(e.prompt), c.width()
		dots := continued
		if wraps(text, indent, width) {
			dots = "" // the editor would write them over the line that wraps
		}
		_ = rl.Config.Set("multiline-column-custom", dots)
		return evenly(text, indent, width)
	}
	rl.PasteTransformer = func(text string) string {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		e.reserve(strings.Count(text, "\n") + reserved)
		return text
	}
	rl.Completer = c.completions
	if h, err := newHistory(c.o.History); err == nil {
		rl.History.Add("gremlin", h)
	} else if c.o.History != "" {
		c.say("no history: %v", err)
	}
	return e
}

func (e *terminalEditor) read(prompt string) (string, error) {
	e.prompt = prompt
	e.reserve(reserved)
	text, err := e.shell.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return text, errCancelled
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the terminal: %w", err)
	}
	return text, err
}

// completions proposes what may stand at the cursor.
func (c *Console) completions(line []rune, cursor int) readline.Completions {
	text := string(line[:min(cursor, len(line))])
	p := c.propose(text)
	from := anchor(text, p.From)
	if from < 0 || len(p.Candidates) == 0 {
		return readline.CompleteMessage("nothing is known that may stand here")
	}
	list := make([]readline.Completion, len(p.Candidates))
	for i, x := range p.Candidates {
		list[i] = readline.Completion{Value: text[from:p.From] + x.Text, Display: x.Text, Description: x.Doc, Tag: x.Kind}
	}
	out := readline.CompleteRaw(list)
	out.PREFIX = text[from:]
	return out
}

// anchor is where the text begins that the editor replaces: at from, or at a character
// before it, for the editor wants one at least. It counts bytes where it means characters,
// so there must be none of several bytes; -1 when that cannot be.
func anchor(text string, from int) int {
	if from == len(text) && from > 0 {
		from--
	}
	for i := from; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return -1
		}
	}
	return from
}

// propose is what may stand behind a text: of a command, or of a query.
func (c *Console) propose(text string) complete.Proposal {
	if !strings.HasPrefix(text, ":") {
		return c.proposer.Propose(text, c.cache.Schema())
	}
	name, rest, spaced := strings.Cut(text, " ")
	if !spaced {
		return complete.Proposal{Candidates: commandCandidates(name)}
	}
	head := len(text) - len(rest)
	p := complete.Proposal{From: head}
	switch name {
	case ":explain", ":profile", ":>":
		p = c.proposer.Propose(rest, c.cache.Schema())
		p.From += head
	case ":source":
		p.Candidates = words("sources", c.cache.Schema().Sources, rest)
	case ":tx":
		p.Candidates = words("ends", []string{"begin", "commit", "rollback"}, rest)
	case ":index":
		p.Candidates = words("actions", []string{"create", "drop"}, rest)
	case ":help":
		p.Candidates = slices.Concat(words("commands", commandNames(), rest), words("steps", stepNames(), rest),
			words("predicates", lang.PredicateNames(""), rest), words("classes", lang.ClassNames(), rest), words("services", c.cache.Schema().Services, rest))
	}
	return p
}

func words(kind string, list []string, prefix string) []complete.Candidate {
	var out []complete.Candidate
	for _, w := range list {
		if strings.HasPrefix(w, prefix) {
			out = append(out, complete.Candidate{Text: w, Kind: kind})
		}
	}
	return out
}

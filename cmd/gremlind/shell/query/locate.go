package query

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

// LocatedError is a server's error with the line of the query that it speaks of, and a
// caret beneath the place.
type LocatedError struct {
	*client.ServerError
	Line, Column int // from 1, in characters
	Message      string
	Source       string // the line
}

// Error shows the message, the line and the caret.
func (e *LocatedError) Error() string { return e.Within(0) }

// Within is Error for a terminal of so many columns: of a longer line it shows what stands
// around the place, for a caret under lines that wrap points nowhere. 0 is for no end.
func (e *LocatedError) Within(width int) string {
	line := []rune(strings.ReplaceAll(e.Source, "\t", " "))
	at := min(e.Column-1, len(line))
	before, after := render.Clean(string(line[:at])), render.Clean(string(line[at:]))
	const margin = 2
	if room := width - margin; width > 0 && render.Width(before)+render.Width(after) > room {
		before = render.ClipFront(before, max(room-render.Width(after), room/2))
		after = render.Clip(after, max(room-render.Width(before), 1))
	}
	return e.Message + "\n  " + before + after + "\n  " + strings.Repeat(" ", render.Width(before)) + "^"
}

// Unwrap is the server's error.
func (e *LocatedError) Unwrap() error { return e.ServerError }

// places are how servers say where in a query an error is; line and column from 1 but for
// the reference's gremlin-lang, which counts columns from 0.
var places = []struct {
	form *regexp.Regexp
	from int
}{
	{regexp.MustCompile(`^Failed to interpret Gremlin query: (\d+):(\d+): `), 1},
	{regexp.MustCompile(`@ line (\d+), column (\d+)\.?`), 1},
	{regexp.MustCompile(`\(line (\d+), column (\d+)\)`), 1},
	{regexp.MustCompile(`at line (\d+), character position at (\d+)`), 0},
}

// names are how servers name what they do not know without saying where.
var names = []*regexp.Regexp{
	regexp.MustCompile(`^No such property: (\w+) for class`),
	regexp.MustCompile(`^No signature of method: [\w.$]*?\.?(\w+)\(\)`),
	regexp.MustCompile(`^Could not locate method: [\w.$]*?\.?(\w+)\(`),
	regexp.MustCompile(`^No variable found for (\w+)`),
}

// noise is what the messages of compilers say around what is wrong.
var noise = []*regexp.Regexp{
	regexp.MustCompile(`^startup failed:\s*\n\w+\.groovy: \d+: `),
	regexp.MustCompile(`(?s)\s*@ line \d+, column \d+\.?(\n.*)?$`),
	regexp.MustCompile(`^Failed to interpret Gremlin query: \d+:\d+: `),
	regexp.MustCompile(`\s*\(line \d+, column \d+\)`),
}

// Located adds to an error of a server where in the query it is, as far as the server
// says that.
func Located(text string, err error) error {
	var e *client.ServerError
	if !errors.As(err, &e) {
		return err
	}
	line, column := place(text, e.Message)
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) || column < 1 || column > utf8.RuneCountInString(lines[line-1])+1 {
		return err
	}
	message := e.Message
	for _, n := range noise {
		message = n.ReplaceAllString(message, "")
	}
	// gremlind's own messages end in the line and a caret.
	if i := strings.Index(message, "\n  "); i >= 0 && strings.HasSuffix(strings.TrimRight(message, " "), "^") {
		message = message[:i]
	}
	return &LocatedError{ServerError: e, Line: line, Column: column, Message: strings.TrimSpace(message), Source: lines[line-1]}
}

func place(text, message string) (line, column int) {
	for _, p := range places {
		m := p.form.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		line, _ = strconv.Atoi(m[1])
		column, _ = strconv.Atoi(m[2])
		return line, column + 1 - p.from
	}
	for _, n := range names {
		m := n.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		word := regexp.MustCompile(`\b` + m[1] + `\b`).FindStringIndex(text)
		if word == nil {
			return 0, 0
		}
		before := text[:word[0]]
		start := strings.LastIndexByte(before, '\n') + 1
		return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])
	}
	return 0, 0
}

package console

import (
	"context"
	"fmt"
	"strings"

	pages "github.com/gremlind/gremlind/docs/steps"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

func stepNames() []string { return steps.Registry().Names() }

const queries = `
A query goes on while a bracket is open; several in a line have semicolons between them.
Variables stay:  x = g.V(1).next()  and then  g.V(x).out().
:help STEP explains a step with examples, as  :help out.
`

// help shows the commands, one of them, or the page of a step.
func (c *Console) help(_ context.Context, args string) error {
	w := c.newPager()
	var b strings.Builder
	name := strings.TrimSuffix(strings.TrimPrefix(args, "."), "()")
	if name == "" {
		for _, x := range commands() {
			fmt.Fprintf(&b, "%-34s %s\n", x.name+" "+x.args, x.doc)
		}
		b.WriteString(queries)
		return paged(w, b.String())
	}
	for _, x := range commands() {
		if x.name == name || x.name == ":"+name && !isStep(name) {
			return paged(w, x.name+" "+x.args+"\n  "+x.doc+"\n")
		}
	}
	page, err := pages.Files.ReadFile(name + ".md")
	if err != nil || !isStep(name) {
		return c.refuse("there is no step and no command %q%s", name, traversal.Suggestion(name, "", append(stepNames(), commandNames()...)))
	}
	return paged(w, plain(string(page)))
}

func isStep(name string) bool {
	_, ok := steps.Registry().Lookup(name)
	return ok
}

// paged writes a text a page at a time.
func paged(w *pager, text string) error {
	if _, err := w.Write([]byte(text)); err != nil && err != errEnough {
		return err
	}
	return nil
}

// plain makes Markdown of a step's page readable without more.
func plain(page string) string {
	var b strings.Builder
	code := ""
	for _, line := range strings.Split(strings.TrimSpace(page), "\n") {
		if fence, ok := strings.CutPrefix(line, "```"); ok {
			code = fence
			continue
		}
		switch {
		case code == "groovy":
			line = "  gremlin> " + line
		case code != "":
			line = "  " + line
		case line == "| | |" || strings.HasPrefix(line, "|---"):
			continue
		case strings.HasPrefix(line, "| "):
			key, v, _ := strings.Cut(strings.Trim(line, "| "), " | ")
			line = "  " + key + ": " + v
		}
		line = strings.TrimLeft(line, "#")
		b.WriteString(strings.TrimRight(strings.ReplaceAll(line, "`", ""), " ") + "\n")
	}
	return strings.TrimLeft(b.String(), " ")
}

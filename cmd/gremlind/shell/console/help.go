package console

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/complete"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	pages "github.com/gremlind/gremlind/docs/steps"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// stepNames are those of the steps that a query may name.
func stepNames() []string { return steps.Registry().Names() }

const queries = `
A query goes on while a bracket is open; several in a line have semicolons
between them. Variables stay:  x = g.V(1).next()  and then  g.V(x).out().

:help STEP explains a step with examples, as  :help out;  a predicate, an
enumeration or a service has a few lines, as  :help within,  :help Order.
`

// help shows the commands, one of them, or what there is to know of a name.
func (c *Console) help(ctx context.Context, args string) error {
	w := c.newPager()
	name := strings.TrimSuffix(strings.TrimPrefix(args, "."), "()")
	if name == "" {
		return paged(w, commandList(w.width)+queries)
	}
	text := commandHelp(name)
	for _, find := range []func(string) string{stepHelp, predicateHelp, constantsHelp} {
		text += find(name) // not() is a step and a predicate
	}
	if text != "" {
		return paged(w, text)
	}
	if text = c.serviceHelp(ctx, name); text != "" {
		return paged(w, text)
	}
	return c.refuse("nothing is known of %q: no command, step, predicate, enumeration or service%s", name, traversal.Suggestion(name, "", c.helped()))
}

// commandList has a line for each command; beneath it, in a narrow terminal, what it does.
func commandList(width int) string {
	least := 0
	for _, x := range commands() {
		least = max(least, len(x.name+" "+x.args)+2)
	}
	var b strings.Builder
	for _, x := range commands() {
		usage, doc := x.name+" "+x.args, x.doc
		if width > 0 && width < 2*least {
			b.WriteString(usage + "\n  " + doc + "\n")
			continue
		}
		if width > 0 {
			doc = render.Fold(doc, width-least)
		}
		for line := range strings.SplitSeq(doc, "\n") {
			fmt.Fprintf(&b, "%-*s%s\n", least, usage, line)
			usage = ""
		}
	}
	return b.String()
}

// helped are the names that help knows, but for the steps of strategies.
func (c *Console) helped() []string {
	out := slices.Concat(commandNames(), stepNames(), lang.PredicateNames(""), lang.ClassNames())
	if c.cache != nil {
		out = append(out, c.cache.Schema().Services...)
	}
	return out
}

// commandHelp is for a command, with its colon, or without where no step is called so.
func commandHelp(name string) string {
	if full := shortNames[name]; full != "" {
		name = full
	}
	for _, x := range commands() {
		if x.name == name || x.name == ":"+name && !isStep(name) {
			return strings.TrimSpace(x.name+" "+x.args) + "\n  " + x.doc + "\n"
		}
	}
	return ""
}

// stepHelp is the page of a step. The steps that strategies put into a plan have a line,
// and are found by the name that :explain shows, too.
func stepHelp(name string) string {
	if page, err := pages.Files.ReadFile(name + ".md"); err == nil && isStep(name) {
		return plain(string(page))
	}
	for _, s := range internalSteps() {
		if s.Name == name || s.Class == name {
			return s.Class + "\n  " + s.Doc + "\n  Strategies put this step into a plan, as :explain shows; no query names it.\n"
		}
	}
	return ""
}

// internalSteps are those that only strategies make.
func internalSteps() []*traversal.Spec {
	all := steps.Registry().Map(func(s *traversal.Spec) *traversal.Spec { return s })
	return slices.DeleteFunc(all, func(s *traversal.Spec) bool { return s.Name[0] != '~' })
}

func predicateHelp(name string) string {
	if class, doc := complete.Predicate(name[strings.LastIndexByte(name, '.')+1:]); class != "" {
		return class + "." + doc + "\n  g.V().has('name', " + doc[:strings.IndexByte(doc, ':')] + ")\n"
	}
	return ""
}

// constantsHelp lists an enumeration.
func constantsHelp(name string) string {
	list := lang.ConstantNames(name)
	if name == "P" || name == "TextP" {
		list = lang.PredicateNames(name)
	}
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return name + "\n  " + strings.Join(list, ", ") + "\n"
}

// serviceHelp is what the server says of a service.
func (c *Console) serviceHelp(ctx context.Context, name string) string {
	if c.cache == nil || !slices.Contains(c.names(ctx).Services, name) {
		return ""
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, hintTimeout)
	defer cancel()
	rows, err := c.o.Conn.Submit(ctx, c.request(`g.call("--list").with("service", `+literal(name)+`).with("verbose", true)`))
	if err != nil {
		return ""
	}
	defer rows.Close()
	values, err := rows.Next()
	var s struct {
		Params map[string]string
		Kinds  map[string]any `json:"type:[requirements]:"`
	}
	if err != nil || json.Unmarshal([]byte(values[0].Str()), &s) != nil {
		return ""
	}
	text := render.Clean(name) + "\n"
	if _, start := s.Kinds["Start"]; start {
		text += "  g.call(" + render.Clean(literal(name)) + ")\n"
	}
	if _, inside := s.Kinds["Streaming"]; inside {
		text += "  g.V().call(" + render.Clean(literal(name)) + ")\n"
	}
	for _, p := range slices.Sorted(maps.Keys(s.Params)) {
		text += "  .with(" + render.Clean(literal(p)) + ", ...)  " + render.Clean(s.Params[p]) + "\n"
	}
	return text
}

func isStep(name string) bool {
	_, ok := steps.Registry().Lookup(name)
	return ok && name[0] != '~'
}

// paged writes a text a page at a time.
func paged(w *pager, text string) error {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "  gremlin> ") {
			lines[i] = render.Fold(line, w.width)
		}
	}
	if _, err := w.Write([]byte(strings.Join(lines, "\n"))); err != nil && err != errEnough {
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

package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/complete"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/statement"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// command is what begins with a colon.
type command struct {
	name, args, doc string
	run             func(c *Console, ctx context.Context, args string) error
}

// commands returns them in the order in which :help lists them.
func commands() []command {
	return []command{
		{":help", "[NAME]", "explains a step, command, predicate, enumeration or service; lists the commands without", (*Console).help},
		{":explain", "QUERY", "shows the plan and each strategy that changes it", (*Console).explain},
		{":profile", "QUERY", "runs a query and shows where its time goes", (*Console).profile},
		{":schema", "", "lists the labels and property keys of the graph", (*Console).schema},
		{":index", "[create|drop CLASS KEY]", "lists, makes or drops key indexes; CLASS is vertex or edge", (*Console).index},
		{":tx", "begin|commit|rollback", "begins a transaction of several statements, or ends it", (*Console).transaction},
		{":source", "[NAME]", "says or changes the traversal source that g stands for", (*Console).useSource},
		{":load", "FILE", "runs the statements of a file", (*Console).load},
		{":kill", "[ID]", "lists the requests that the server runs, or stops one", (*Console).killRequest},
		{":quit", "", "leaves, as :exit, :q and Ctrl-D do", func(*Console, context.Context, string) error { return errQuit }},
	}
}

// shortNames are those that other consoles have taught people.
var shortNames = map[string]string{":q": ":quit", ":exit": ":quit", ":x": ":quit", ":h": ":help", ":?": ":help", ":l": ":load"}

func commandNames() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

func commandCandidates(prefix string) []complete.Candidate {
	var out []complete.Candidate
	for _, c := range commands() {
		if strings.HasPrefix(c.name, prefix) {
			out = append(out, complete.Candidate{Text: c.name, Doc: c.doc, Kind: "commands"})
		}
	}
	return out
}

// command runs a command.
func (c *Console) command(ctx context.Context, text string) error {
	name, args := text, ""
	if i := strings.IndexAny(text, " \t\n"); i >= 0 {
		name, args = text[:i], strings.TrimSpace(text[i:])
	}
	if full := shortNames[name]; full != "" {
		name = full
	}
	for _, known := range commands() {
		if known.name == name {
			return known.run(c, ctx, args)
		}
	}
	return c.refuse("there is no command %s%s (:help lists them)", render.Clean(name), traversal.Suggestion(name, "", commandNames()))
}

// refuse shows why a command cannot be followed.
func (c *Console) refuse(format string, args ...any) error {
	c.say("error: " + fmt.Sprintf(format, args...))
	return errFailed
}

// step appends a step to a query.
func (c *Console) step(ctx context.Context, args, name string) error {
	list := statement.Split(args)
	if len(list) != 1 {
		return c.refuse(":%s takes one query, as :%s g.V().out().count()", name, name)
	}
	text := list[0].Text
	if call := "." + name + "()"; !strings.HasSuffix(text, call) {
		text += call
	}
	return c.evaluate(ctx, text)
}

func (c *Console) explain(ctx context.Context, args string) error {
	return c.step(ctx, args, "explain")
}

func (c *Console) profile(ctx context.Context, args string) error {
	return c.step(ctx, args, "profile")
}

// schema lists what completion knows, asked for anew.
func (c *Console) schema(ctx context.Context, _ string) error {
	s := c.names(ctx)
	for _, part := range []struct {
		title string
		list  []string
	}{{"vertex labels", s.VertexLabels}, {"edge labels", s.EdgeLabels}, {"property keys", s.Keys}, {"traversal sources", s.Sources}, {"services", s.Services}} {
		shown := "none is known"
		if len(part.list) > 0 {
			shown = render.Clean(strings.Join(part.list, ", "))
		}
		fmt.Fprintln(c.o.Out, render.Fold(part.title+": "+shown, c.width()))
	}
	return nil
}

// names waits for what is known of the graph, but not behind a Ctrl-C.
func (c *Console) names(ctx context.Context) complete.Schema {
	ctx, stop := c.interruptible(ctx)
	defer stop()
	return c.cache.Now(ctx)
}

func (c *Console) index(ctx context.Context, args string) error {
	f := strings.Fields(args)
	switch {
	case len(f) == 0:
		c.say("key indexes:")
		if err := c.evaluate(ctx, "g.call('gremlind.index.keys')"); err != nil {
			c.say("(:index is for the indexes of gremlind; other servers have ways of their own)")
			return err
		}
		c.say("named indexes:")
		return c.evaluate(ctx, "g.call('gremlind.index.list')")
	case len(f) == 3 && (f[0] == "create" || f[0] == "drop") && (f[1] == "vertex" || f[1] == "edge"):
		return c.evaluate(ctx, fmt.Sprintf("g.call('gremlind.index.%sKey', [class: '%s', key: %s])", f[0], f[1], literal(f[2])))
	}
	return c.refuse(":index lists the indexes; :index create vertex name makes one, :index drop vertex name drops it")
}

// literal writes a text as Gremlin.
func literal(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}

func (c *Console) transaction(ctx context.Context, args string) error {
	c.lost()
	switch args {
	case "":
		if c.tx {
			c.say("a transaction is open: :tx commit or :tx rollback ends it")
		} else {
			c.say("no transaction is open: each statement commits itself; :tx begin opens one")
		}
		return nil
	case "begin":
		if c.tx {
			return c.refuse("a transaction is open already: :tx commit or :tx rollback ends it")
		}
		c.tx = true
		c.say("statements are committed together by :tx commit, or forgotten by :tx rollback")
		return nil
	case "commit", "rollback":
		if !c.tx {
			return c.refuse("no transaction is open: :tx begin opens one")
		}
		return c.end(ctx, args)
	}
	return c.refuse(":tx takes begin, commit or rollback")
}

// end commits or rolls back.
func (c *Console) end(ctx context.Context, how string) error {
	q := c.request("")
	q.End = how
	_, _, err := c.run(ctx, q, c.newPager())
	c.tx = false
	if err != nil {
		c.fail(err)
		return errFailed
	}
	c.say(map[string]string{"commit": "committed", "rollback": "rolled back"}[how])
	return nil
}

func (c *Console) useSource(ctx context.Context, args string) error {
	if args == "" {
		name := c.o.Source
		if name == "" {
			name = "g"
		}
		fmt.Fprintf(c.o.Out, "g is the traversal source %s", name)
		if known := c.names(ctx).Sources; len(known) > 0 {
			fmt.Fprintf(c.o.Out, "; there are %s", render.Clean(strings.Join(known, ", ")))
		}
		fmt.Fprintln(c.o.Out)
		return nil
	}
	if c.tx {
		return c.refuse("a transaction is open: :tx commit or :tx rollback ends it first")
	}
	if err := c.check(ctx, args); err != nil {
		c.fail(err)
		return errFailed
	}
	c.o.Source = args
	c.cache.Use(args)
	return nil
}

// loadsMax is how deep files may load files.
const loadsMax = 16

func (c *Console) load(ctx context.Context, args string) error {
	if args == "" {
		return c.refuse(":load takes the name of a file")
	}
	if c.depth >= loadsMax {
		return c.refuse("files load each other without end: %s", args)
	}
	b, err := os.ReadFile(args)
	if err != nil {
		return c.refuse("%v", err)
	}
	c.depth++
	defer func() { c.depth-- }()
	for _, s := range statement.Split(strings.TrimPrefix(string(b), "\ufeff")) {
		if err := c.do(ctx, s.Text); errors.Is(err, errFailed) {
			return c.refuse("%s, line %d: what comes behind it was not run", args, s.Line)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// running is a request in the list of the server.
type running struct {
	ID, User, Remote, State, Query string
	Seconds                        float64
}

// outOfReach says why nothing can be stopped.
const outOfReach = "the administration of this server is out of reach: it is gremlind's own, on the machine of the server; Ctrl-C stops your own query"

func (c *Console) killRequest(ctx context.Context, args string) error {
	if c.o.Ask == nil {
		return c.refuse(outOfReach)
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	if args != "" {
		var answer struct{ Stopped int }
		if err := c.o.Ask(ctx, http.MethodPost, "/kill?id="+url.QueryEscape(args), &answer); err != nil {
			return c.refuse("not stopped: %v", err)
		}
		c.say("%d stopped", answer.Stopped)
		return nil
	}
	var list []running
	if err := c.o.Ask(ctx, http.MethodGet, "/status", &list); errors.Is(err, syscall.ECONNREFUSED) {
		return c.refuse(outOfReach)
	} else if err != nil {
		return c.refuse("the administration of the server is out of reach, or not for this user: %v", err)
	}
	rows := make([]value.Value, len(list))
	for i, r := range list {
		m := value.NewMap()
		m.PutString("id", value.String(r.ID))
		m.PutString("state", value.String(r.State))
		m.PutString("seconds", value.Double(float64(int(r.Seconds*10))/10))
		m.PutString("user", value.String(r.User))
		m.PutString("remote", value.String(r.Remote))
		m.PutString("query", value.String(r.Query))
		rows[i] = m.Value()
	}
	if len(rows) == 0 {
		c.say("the server runs no request")
		return nil
	}
	out := render.New(render.Table, c.newPager(), render.Options{Width: c.width()})
	if err := errors.Join(out.Write(rows), out.Flush()); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	c.say(":kill ID stops one; the first characters of the id will do")
	return nil
}

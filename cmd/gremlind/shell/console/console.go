package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/complete"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/statement"
)

// Options say what a console talks to and how it looks.
type Options struct {
	Conn *client.Conn
	// Names is a connection of its own, for what is proposed.
	Names *client.Conn
	// Place says where the server is, Version who asks.
	Place, Version string
	// Source and Language are those of client.Request; Timeout too.
	Source, Language string
	Timeout          time.Duration
	// Session keeps variables from statement to statement.
	Session bool
	// Ask reaches the administration of the server; nil where it is out of reach.
	Ask func(ctx context.Context, method, path string, answer any) error
	// Interrupts gets a value with each Ctrl-C that reaches the process.
	Interrupts <-chan os.Signal
	// History is the file that keeps what was typed; "" for none.
	History string
	// In and Out are the terminal, or what stands in for it. Err gets what is no result.
	In       *os.File
	Out, Err io.Writer
}

// Console is a running console.
type Console struct {
	o        Options
	terminal *os.File // the output, when people look at it
	cache    *complete.Cache
	proposer *complete.Completer
	sessions bool   // the server has them, as far as is known
	session  string // "" until it is needed
	tx       bool   // a transaction is open
	failed   bool   // the last statement was
	depth    int    // of files that load files
	input    editor
}

// errQuit ends the console.
var errQuit = errors.New("quit")

// ErrInterrupted is returned when a Ctrl-C ended the connecting.
var ErrInterrupted = errors.New("interrupted")

// errFailed says that a statement failed, which has been shown.
var errFailed = errors.New("a statement failed")

// Run reads and evaluates until the input ends. Without a terminal the first failure ends
// it, and is its error.
func Run(ctx context.Context, o Options) error {
	c := &Console{o: o, proposer: complete.New(), sessions: o.Session}
	if f, ok := o.Out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && term.IsTerminal(int(o.In.Fd())) {
		c.terminal = f
	}
	if state, err := term.GetState(int(o.In.Fd())); err == nil {
		defer func() { _ = term.Restore(int(o.In.Fd()), state) }() // whatever was going on
	}
	if err := c.greet(ctx); errors.Is(err, errCancelled) {
		return ErrInterrupted
	} else if err != nil {
		return err
	}
	c.cache = complete.NewCache(o.Names)
	defer c.cache.Close()
	if c.terminal != nil {
		c.cache.Use(o.Source)
	}
	c.input = c.newEditor()
	defer c.leave()
	interrupted := false // on an empty line
	for {
		text, err := c.read(ctx)
		empty, again := strings.TrimSpace(text) == "", interrupted
		interrupted = errors.Is(err, errCancelled) && empty
		switch {
		case errors.Is(err, io.EOF) && empty, interrupted && again:
			return nil
		case interrupted:
			c.say("(Ctrl-C again, Ctrl-D or :quit leaves)")
			continue
		case errors.Is(err, errCancelled):
			c.say("(Ctrl-D or :quit leaves)")
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		err = c.do(ctx, text)
		switch {
		case errors.Is(err, errQuit):
			return nil
		case err != nil && c.terminal == nil:
			return err
		}
	}
}

// read reads what is to be evaluated next. A process that is told to end does not wait
// for it.
func (c *Console) read(ctx context.Context) (text string, err error) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		text, err = c.input.read(c.prompt())
	}()
	select {
	case <-read:
		return text, err
	case <-ctx.Done():
		return "", io.EOF
	}
}

// greet connects, so that a wrong server or password shows before anything is typed.
func (c *Console) greet(ctx context.Context) error {
	if err := c.check(ctx, c.o.Source); err != nil {
		return err
	}
	if c.terminal == nil {
		return nil
	}
	for _, line := range []string{
		"gremlind " + c.o.Version + ", connected to " + c.o.Place,
		"Type a query, as  g.V().limit(5)  or  :profile g.V().out().count()",
		"Tab proposes what may stand there, :help explains, Ctrl-C stops a query, :quit leaves.",
	} {
		c.say("%s", line)
	}
	return nil
}

// check asks the server for nothing of a source.
func (c *Console) check(ctx context.Context, source string) error {
	ctx, stop := c.interruptible(ctx)
	defer stop()
	if err := c.nothing(ctx, source); err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errCancelled) {
			return cause
		}
		return err
	}
	return nil
}

func (c *Console) nothing(ctx context.Context, source string) error {
	text := "g.inject(0).limit(0)"
	rows, err := c.o.Conn.Submit(ctx, &client.Request{Gremlin: text, Source: source, Language: c.o.Language})
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		if _, err := rows.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// leave says what becomes of what is open.
func (c *Console) leave() {
	if c.tx {
		c.say("the open transaction is rolled back")
	}
	if c.session != "" {
		c.o.Conn.CloseSession(c.session)
	}
}

// do evaluates what was read: a command, or statements.
func (c *Console) do(ctx context.Context, text string) error {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, ":>"); ok { // the Gremlin Console's way to send
		text = strings.TrimSpace(rest)
	}
	if strings.HasPrefix(text, ":") {
		return c.command(ctx, text)
	}
	for _, s := range statement.Split(text) {
		if err := c.evaluate(ctx, s.Text); err != nil {
			return err
		}
	}
	return nil
}

// say shows a line that is no result.
func (c *Console) say(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	fmt.Fprintln(c.o.Err, render.Fold(format, c.width()))
}

// prompt says which source g is and whether a transaction is open.
func (c *Console) prompt() string {
	p := "gremlin"
	if c.o.Source != "" && c.o.Source != "g" {
		p += "[" + c.o.Source + "]"
	}
	if c.tx {
		p += "(tx)"
	}
	return p + "> "
}

// request is a statement for the server.
func (c *Console) request(text string) *client.Request {
	q := &client.Request{Gremlin: text, Source: c.o.Source, Language: c.o.Language, Timeout: c.o.Timeout}
	if c.sessions || c.tx {
		if c.session == "" {
			c.session = uuid.NewString()
		}
		q.Session, q.Managed = c.session, !c.tx
	}
	return q
}

// lost takes note of a connection that has ended, and what it took along.
// It reports whether variables went with it.
func (c *Console) lost() bool {
	if !c.o.Conn.Lost() {
		return false
	}
	had := c.session != "" && !c.tx
	if c.tx {
		c.say("the connection was lost, and the open transaction with it: it is rolled back")
	}
	c.tx, c.session = false, ""
	return had
}

// width is how many columns the terminal has; 0 without one.
func (c *Console) width() int {
	if c.terminal == nil {
		return 0
	}
	w, _, err := term.GetSize(int(c.terminal.Fd()))
	if err != nil {
		return 80
	}
	return w
}

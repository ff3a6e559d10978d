package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/query"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

// errCancelled is returned for what the user has stopped.
var errCancelled = errors.New("cancelled")

const (
	// patience is how long the results of a slow query are kept back for the columns.
	patience = 300 * time.Millisecond
	// grace is how long a query that was told to stop may take to do so.
	grace = 2 * time.Second
)

// evaluate sends a statement and shows its results, or its error.
func (c *Console) evaluate(ctx context.Context, text string) error {
	c.lost()
	c.drain()
	page := c.newPager()
	began := time.Now()
	n, warnings, err := c.run(ctx, c.request(text), page)
	if c.withoutSessions(err) {
		n, warnings, err = c.run(ctx, c.request(text), page)
	}
	took := time.Since(began) - page.waited
	for _, w := range warnings {
		c.say("warning: %s", render.Clean(w))
	}
	if err != nil {
		c.fail(query.Located(text, err))
		return errFailed
	}
	if c.terminal != nil {
		c.say("%s, %s", counted(n), short(took))
		if n == 0 {
			c.hint(ctx, text)
		}
	}
	return nil
}

// withoutSessions reports whether a statement is to be sent again because the server has
// no sessions.
func (c *Console) withoutSessions(err error) bool {
	var e *client.ServerError
	if c.tx || !c.sessions || !errors.As(err, &e) || !strings.Contains(e.Message, "Invalid OpProcessor") {
		return false
	}
	c.sessions, c.session = false, ""
	return true
}

// run sends a request and writes its results.
func (c *Console) run(ctx context.Context, q *client.Request, w *pager) (n int64, warnings []string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	q.ID = uuid.New()
	watch := c.watch(q.ID.String(), cancel)
	rows, err := c.o.Conn.Submit(ctx, q)
	if err != nil {
		if watch.end() {
			err = errCancelled
		}
		return 0, nil, err
	}
	n, err = show(rows, render.New(render.Table, w, render.Options{Width: c.width()}), watch)
	if stopped := watch.end(); stopped {
		err = errCancelled
	}
	if errors.Is(err, errEnough) {
		err = nil
		c.giveUp(rows)
	}
	rows.Close()
	return n, rows.Warnings(), err
}

// show writes results as they come.
func show(rows *client.Rows, out render.Writer, watch *watch) (n int64, err error) {
	kept := time.Now()
	for {
		values, err := rows.Next()
		switch {
		case watch.stopped():
			return n, errCancelled
		case err == io.EOF:
			return n, out.Close()
		case err != nil:
			return n, errors.Join(out.Close(), err)
		}
		if n == 0 {
			kept = time.Now()
		}
		n += int64(len(values))
		if err := out.Write(values); err != nil {
			return n, err
		}
		if time.Since(kept) > patience {
			if err := out.Flush(); err != nil {
				return n, err
			}
			kept = time.Now()
		}
	}
}

// giveUp ends a request whose further results nobody wants to see, with its connection
// only when nothing else helps.
func (c *Console) giveUp(rows *client.Rows) {
	c.kill(rows.ID())
	over := time.Now().Add(grace)
	for time.Now().Before(over) {
		if _, err := rows.Next(); err != nil {
			return
		}
	}
}

// fail shows an error.
func (c *Console) fail(err error) {
	var e *client.ServerError
	switch {
	case errors.Is(err, errCancelled):
		c.say("cancelled")
		if c.lost() {
			c.say("This server cannot be told to stop one query: the connection was given up, and the variables of its session with it.")
		}
		return
	case errors.As(err, &e) && (strings.Contains(e.Message, "no longer accepting requests") || strings.Contains(e.Message, "is not bound to")):
		c.session, c.tx = "", false
		c.say("error: %s", render.Clean(e.Message))
		c.say("The server had ended the session: its variables are gone. A new one begins with the next statement.")
		return
	}
	text := err.Error()
	var located *query.LocatedError
	if errors.As(err, &located) {
		text = located.Within(c.width())
	}
	lines := strings.Split(strings.TrimRight("error: "+text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = render.Clean(line)
	}
	c.say("%s", strings.Join(lines, "\n"))
	if errors.Is(err, client.ErrLost) || errors.Is(err, client.ErrConnect) {
		c.lost()
		c.say("What was not answered may have been done. The next statement connects again.")
	}
}

func counted(n int64) string {
	if n == 1 {
		return "1 result"
	}
	return fmt.Sprint(n) + " results"
}

// short is a duration as a person reads it.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

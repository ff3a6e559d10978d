// Package query runs statements for scripts: one after the other, their results written
// as they come.
//
// Several statements run in one session, so that variables go on; each commits itself. In
// one transaction they are committed together behind the last, or not at all.
package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/statement"
	"github.com/gremlind/gremlind/storage/value"
)

// batch is how many results travel in one frame unless the user says otherwise: enough
// that a frame costs little beside what it carries.
const batch = 1000

// patience is how long results of a slow query are kept back for the columns of a table.
const patience = 300 * time.Millisecond

// Options say how statements are run and their results written.
type Options struct {
	Source, Language string
	Bindings         *value.Map
	Timeout          time.Duration
	// Batch is how many results travel in one frame; 0 for the default.
	Batch int
	// Session keeps variables from statement to statement.
	Session bool
	// Tx runs all statements in one transaction.
	Tx     bool
	Format render.Format
	Render render.Options
	// Warn gets what servers remark.
	Warn io.Writer
}

// Run runs the statements of a text and writes their results to w. The first statement
// that fails ends it.
func Run(ctx context.Context, c *client.Conn, text string, o Options, w io.Writer) error {
	list := statement.Split(text)
	if len(list) == 0 {
		return errNothing
	}
	if o.Batch == 0 {
		o.Batch = batch
	}
	r := &runner{conn: c, o: o, w: w}
	if o.Tx || o.Session && len(list) > 1 {
		r.session = uuid.NewString()
		defer c.CloseSession(r.session)
	}
	for i, s := range list {
		if err := r.run(ctx, s); err != nil {
			if len(list) > 1 {
				err = fmt.Errorf("statement %d, line %d: %w", i+1, s.Line, err)
			}
			if o.Tx {
				err = errors.Join(err, r.rollback())
			}
			return err
		}
	}
	if o.Tx {
		return r.end(ctx, "commit")
	}
	return nil
}

var errNothing = errors.New("there is no query: what was read is empty")

// runner runs statements.
type runner struct {
	conn    *client.Conn
	o       Options
	w       io.Writer
	session string
	some    bool // a statement had results
}

func (r *runner) request(text string) *client.Request {
	return &client.Request{
		Gremlin: text, Bindings: r.o.Bindings, Source: r.o.Source, Language: r.o.Language, Timeout: r.o.Timeout, Batch: r.o.Batch,
		Session: r.session, Managed: r.session != "" && !r.o.Tx,
	}
}

func (r *runner) run(ctx context.Context, s statement.Statement) error {
	rows, err := r.conn.Submit(ctx, r.request(s.Text))
	if err != nil {
		return err
	}
	defer rows.Close()
	out := render.New(r.o.Format, r.w, r.o.Render)
	if err := r.copy(rows, out); err != nil {
		return Located(s.Text, err)
	}
	if err := out.Close(); err != nil {
		return err
	}
	for _, warning := range rows.Warnings() {
		fmt.Fprintf(r.o.Warn, "warning: %s\n", render.Clean(warning))
	}
	return nil
}

func (r *runner) copy(rows *client.Rows, out render.Writer) error {
	first := true
	kept := time.Now()
	for {
		values, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			// What came before the error was an answer: it is shown, the error behind it.
			return errors.Join(out.Close(), err)
		}
		if first && r.some && (r.o.Format == render.Table || r.o.Format == render.CSV) {
			if _, err := io.WriteString(r.w, "\n"); err != nil {
				return err
			}
		}
		if first {
			kept = time.Now()
		}
		first, r.some = false, true
		if err := out.Write(values); err != nil {
			return err
		}
		if time.Since(kept) > patience {
			if err := out.Flush(); err != nil {
				return err
			}
			kept = time.Now()
		}
	}
}

// rollback ends the transaction as well as it can: a connection that was lost has taken
// it along.
func (r *runner) rollback() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if r.conn.Lost() {
		return nil
	}
	if err := r.end(ctx, "rollback"); err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}

func (r *runner) end(ctx context.Context, how string) error {
	q := r.request("")
	q.End = how
	rows, err := r.conn.Submit(ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		if _, err := rows.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(how), err)
		}
	}
}

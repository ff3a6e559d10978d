package console

import (
	"context"
	"io"
	"time"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// hintTimeout bounds the asking for a hint: nobody waits for one long.
const hintTimeout = 2 * time.Second

// hint says which labels and keys of a query without results nothing in the graph has.
// The server knows them: its plan says so, and nothing is run for it. Other servers than
// gremlind say nothing.
func (c *Console) hint(ctx context.Context, text string) {
	if c.tx || c.depth > 0 || !explainable(text) {
		return
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, hintTimeout)
	defer cancel()
	q := c.request(text + ".explain()")
	q.Timeout = hintTimeout
	rows, err := c.o.Conn.Submit(ctx, q)
	if err != nil {
		return
	}
	defer rows.Close()
	for _, remark := range remarks(rows) {
		c.say("%s", render.Clean(remark))
	}
}

// explainable reports whether a text is one traversal, which explain() may follow.
func explainable(text string) bool {
	q, err := lang.Parse(text, lang.Options{
		Sources:   func(string) bool { return true },
		Variables: func(string) (value.Value, bool) { return value.String(""), true },
	})
	if err != nil || len(q.Statements) != 1 {
		return false
	}
	s := q.Last()
	return s.Terminal == "" && !s.ToString && s.Bytecode != nil && len(s.Bytecode.Steps) > 0
}

// remarks are those of an explanation; none of whatever else was answered.
func remarks(rows *client.Rows) []string {
	var out []string
	for {
		values, err := rows.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			return nil
		}
		for _, v := range values {
			out = append(out, render.Unknown(v.Map())...)
		}
	}
}

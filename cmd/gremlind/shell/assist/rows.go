package assist

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// connections is how many calls run at once; more wait.
const connections = 4

// pool is connections that take turns.
type pool struct {
	free chan *client.Conn
	all  []*client.Conn
}

func newPool(o client.Options) *pool {
	p := &pool{free: make(chan *client.Conn, connections)}
	for range connections {
		c := client.New(o)
		p.all = append(p.all, c)
		p.free <- c
	}
	return p
}

// get waits for a connection that nobody uses.
func (p *pool) get(ctx context.Context) (*client.Conn, error) {
	select {
	case c := <-p.free:
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) put(c *client.Conn) { p.free <- c }

func (p *pool) close() {
	for _, c := range p.all {
		c.Close()
	}
}

// results are the first ones of a query, as many as may be shown.
type results struct {
	values []value.Value
	lines  []string // of JSON, one a value
	notes  []string
}

// json is an array with a result a line.
func (r *results) json() string {
	if len(r.lines) == 0 {
		return "[]"
	}
	return "[\n" + strings.Join(r.lines, ",\n") + "\n]"
}

var untyped = graphson.Codec{Version: 3, Untyped: true}

// collect runs a request and takes its first results. What is more is given up, and with
// it the connection that it comes by.
func (s *Server) collect(ctx context.Context, q *client.Request, most, bytes int) (*results, error) {
	c, err := s.conns.get(ctx)
	if err != nil {
		return nil, err
	}
	defer s.conns.put(c)
	q.Batch = min(most+1, 1000) // one more tells whether there are more
	rows, err := c.Submit(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := &results{}
	for left := bytes; ; {
		values, err := rows.Next()
		if err == io.EOF {
			out.notes = append(out.notes, rows.Warnings()...)
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			if len(out.values) == most {
				out.cut(fmt.Sprintf("Only the first %d results are shown, there are more: ask for less (limit(), count(), has()), or for the next ones with range().", most))
				return out, nil
			}
			line, err := untyped.AppendValue(nil, v, nil)
			if err != nil {
				return nil, err
			}
			if left -= len(line) + 2; left < 0 {
				out.cut(fmt.Sprintf("Only %d results are shown: with the next one, of %d bytes, there are more than %d bytes: ask for less of each (values(), valueMap('name'), count()).",
					len(out.values), len(line), bytes))
				return out, nil
			}
			out.values, out.lines = append(out.values, v), append(out.lines, string(line))
		}
	}
}

func (r *results) cut(note string) { r.notes = append(r.notes, note) }

// ownBytes bounds the results of what the server asks for itself.
const ownBytes = 4 << 20

// ask is for queries of the server's own.
func (s *Server) ask(ctx context.Context, text string, most int) ([]value.Value, error) {
	return s.askWith(ctx, text, nil, most)
}

func (s *Server) askWith(ctx context.Context, text string, bindings *value.Map, most int) ([]value.Value, error) {
	r, err := s.collect(ctx, &client.Request{Gremlin: text, Bindings: bindings, Source: s.o.Source, Timeout: s.o.Timeout}, most, ownBytes)
	if err != nil {
		return nil, err
	}
	return r.values, nil
}

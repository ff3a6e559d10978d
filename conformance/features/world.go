package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// world is what scenarios share: the connection and the names of elements.
type world struct {
	conn *client.Conn
	url  string
	// toys holds the graphs that no scenario changes.
	toys map[string]*toyGraph
	asOf map[string]string // see suite
}

func newWorld(ctx context.Context, url string) (*world, error) {
	w := &world{url: url, toys: map[string]*toyGraph{}}
	return w, w.reconnect(ctx)
}

// reconnect replaces a connection that a scenario lost.
func (w *world) reconnect(ctx context.Context) error {
	if w.conn != nil {
		w.conn.Close()
	}
	var err error
	w.conn, err = client.Dial(ctx, w.url)
	return err
}

// source names the traversal source of a graph.
func source(graph string, nulls bool) string {
	switch {
	case graph != "empty":
		return "g" + graph
	case nulls:
		return "gnull"
	}
	return "ggraph"
}

// names returns the elements of a graph by name. The empty graph is read afresh
// each time, for scenarios fill it.
func (w *world) names(ctx context.Context, src string) (*toyGraph, error) {
	if t := w.toys[src]; t != nil {
		return t, nil
	}
	vertices, err := w.conn.Text(ctx, src, textLanguage, w.reading(src)+"V()", nil)
	if err != nil {
		return nil, fmt.Errorf("read vertices of %s: %w", src, err)
	}
	edges, err := w.conn.Text(ctx, src, textLanguage, w.reading(src)+"E()", nil)
	if err != nil {
		return nil, fmt.Errorf("read edges of %s: %w", src, err)
	}
	t := newToyGraph(vertices, edges)
	if src != "ggraph" && src != "gnull" {
		w.toys[src] = t
	}
	return t, nil
}

// reading begins a traversal that reads a graph.
func (w *world) reading(src string) string {
	if v := w.asOf[src]; v != "" {
		return fmt.Sprintf("g.with('asOf', '%s').", v)
	}
	return "g."
}

func (w *world) clear(ctx context.Context, src string) error {
	if _, err := w.conn.Text(ctx, src, textLanguage, "g.V().drop()", nil); err != nil {
		return fmt.Errorf("empty the graph: %w", err)
	}
	return nil
}

// lost reports whether the connection cannot be used any more.
func lost(err error) bool { return errors.Is(err, client.ErrConnection) }

// A form sends a scenario's traversal in one way: as text, or as bytecode.
type form struct {
	name string
	send func(ctx context.Context, w *world, r *request) ([]value.Value, error)
}

// request is a traversal as a scenario gives it.
type request struct {
	scenario    string
	source      string
	traversal   string
	parameters  *value.Map
	sideEffects *value.Map
	computer    bool
	asOf        string // the version that is read, "" for what is now
}

package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
)

// ReadGraphSON streams a GraphSON 3 file: one vertex a line, each with both sides of
// its edges; or the same as {"vertices": [...]}. Edges are taken from the outgoing
// side and held back until all vertices came. The file is taken apart ahead of the sink.
func ReadGraphSON(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	var edges heldEdges
	edges.list.Options = h.Held
	defer edges.list.Close()
	n := 0 // vertices met
	err := inOrder(ctx, func(first *graphSONBatch, next func() *graphSONBatch) error {
		g := &graphSON{ctx: ctx, in: &jsonStream{r: r}, to: first.begin(), next: next}
		return g.run()
	}, (*graphSONBatch).parse, func(b *graphSONBatch) error {
		for i := range b.stars {
			n++
			if err := b.push(i, n, &edges, sink, h); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return edges.push(ctx, graphSONVertex, sink, h, true)
}

const graphSONVertex = "graphson vertex"

// graphSON is a file being read: the texts of its vertices go to batches.
type graphSON struct {
	ctx  context.Context
	in   *jsonStream
	n    int // vertices met
	to   *graphSONBatch
	next func() *graphSONBatch
}

// run reads to the end of the file.
func (g *graphSON) run() error {
	for {
		if err := g.vertex(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// failed says where the file cannot be taken apart.
func (g *graphSON) failed(err error) error {
	return fmt.Errorf("graphson at byte %d, vertex %d: %w", g.in.offset(), g.n+1, err)
}

// vertex takes a vertex, or several in one object; io.EOF at the end.
func (g *graphSON) vertex() error {
	c, err := g.in.next()
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return g.failed(err)
	case c != '{':
		return g.failed(fmt.Errorf("a vertex is expected to begin with '{', not with %q", c))
	}
	if g.n > 0 || !slices.Contains(g.in.keys(), "vertices") {
		err = g.star()
	} else {
		err = g.list()
	}
	if err != nil {
		return g.failed(err)
	}
	return g.ctx.Err()
}

// list takes the vertices of {"vertices": [...]}.
func (g *graphSON) list() error {
	if err := g.in.enter('{', "the graph"); err != nil {
		return err
	}
	return g.in.each('}', func() error {
		key, err := g.in.key()
		if err != nil {
			return err
		}
		if key != "vertices" {
			_, err := g.in.value()
			return err
		}
		if err := g.in.enter('[', "the vertices"); err != nil {
			return err
		}
		return g.in.each(']', g.star)
	})
}

// star hands the text of a vertex on. A batch that nobody wants any more is an error.
func (g *graphSON) star() error {
	text, err := g.in.value()
	if err != nil {
		return err
	}
	g.n++
	if g.to.add(text); len(g.to.texts) < aheadBytes {
		return nil
	}
	b := g.next()
	if b == nil {
		return context.Canceled
	}
	g.to = b.begin()
	return nil
}

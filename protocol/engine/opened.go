package engine

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Graphs that scripts open. They belong to their request or session, which alone can
// name them: nobody else's rights are touched. What scripts see of their elements are
// copies that know their graph.

// opened are the transactions of such graphs by number, and the number of the last.
type opened struct {
	txs  map[int]*blueprints.Tx
	last int
}

var _ host.Graphs = (*scriptHost)(nil)

// openedName is what texts call such a graph.
const openedName = "graph"

// Open makes an empty graph.
func (h *scriptHost) Open(ctx context.Context, o blueprints.Options) (host.Global, error) {
	w := (*work)(h)
	tx, err := w.e.o.Database.Scratch(ctx, o, w.account())
	if err != nil {
		return host.Global{}, err
	}
	if w.opened.txs == nil {
		w.opened.txs = map[int]*blueprints.Tx{}
	}
	w.opened.last++
	w.opened.txs[w.opened.last] = tx
	return host.Global{Kind: host.GraphGlobal, Name: openedName, Opened: w.opened.last}, nil
}

// HasOpened reports whether a graph is open.
func (h *scriptHost) HasOpened() bool { return len(h.opened.txs) > 0 }

// Forget closes the graphs that keep does not want.
func (h *scriptHost) Forget(keep func(host.Global) bool) {
	w := (*work)(h)
	for n, tx := range w.opened.txs {
		if !keep(host.Global{Kind: host.GraphGlobal, Name: openedName, Opened: n}) {
			_ = tx.Close() // nothing of it was to last
			delete(w.opened.txs, n)
		}
	}
}

// close ends what a script opened.
func (o *opened) close() {
	for _, tx := range o.txs {
		_ = tx.Close() // nothing of it was to last
	}
	o.txs = nil
}

// of returns the transaction on g when g is such a graph.
func (o *opened) of(g *blueprints.Graph) *blueprints.Tx {
	if len(o.txs) == 0 { // as mostly
		return nil
	}
	for _, tx := range o.txs {
		if tx.Graph() == g {
			return tx
		}
	}
	return nil
}

// source is what a script's graph is to traversals.
func (o *opened) source(g host.Global) (*source, error) {
	tx, ok := o.txs[g.Opened]
	if !ok {
		return nil, fmt.Errorf("the graph %d of this session is closed: no variable had it any more", g.Opened)
	}
	return &source{name: g.Name, graph: tx.Graph()}, nil
}

// writer returns the transaction in which a script changes a graph as a whole.
func (h *scriptHost) writer(ctx context.Context, g host.Global) (*blueprints.Tx, error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return nil, err
	}
	if err := src.whole(); err != nil {
		return nil, err
	}
	tx, err := w.tx(ctx, src.graph, true)
	if err == nil && w.seen(tx) != traversal.Seen(tx) {
		return nil, w.refusal("fill, of which something is denied to him,", src.graph)
	}
	return tx, err
}

// whole returns the error of what goes around traversals, on a source with strategies that
// a request cannot remove.
func (s *source) whole() error {
	if len(s.fixed) == 0 {
		return nil
	}
	return &message.StatusError{Code: 597, Class: classUnsupported,
		Message: "the traversal source " + s.name + " of this server has strategies: its graph is changed by its traversals alone"}
}

// sampleBytes is what the largest sample takes beside the graph while it is read.
const sampleBytes = 32 << 20

// Fill adds a sample to a graph.
func (h *scriptHost) Fill(ctx context.Context, g host.Global, name string) error {
	tx, err := h.writer(ctx, g)
	if err != nil {
		return err
	}
	if err := h.q.Account.Charge(sampleBytes); err != nil {
		return err
	}
	defer h.q.Account.Release(sampleBytes)
	return sample.Fill(ctx, tx, name)
}

// Copy adds copies of elements to a graph.
func (h *scriptHost) Copy(ctx context.Context, g host.Global, s *value.Subgraph) error {
	tx, err := h.writer(ctx, g)
	if err != nil {
		return err
	}
	for i, v := range s.Vertices {
		if err := polled(ctx, i); err != nil {
			return err
		}
		if err := copyVertex(tx, v.Detached()); err != nil {
			return err
		}
	}
	for i, v := range s.Edges {
		if err := polled(ctx, i); err != nil {
			return err
		}
		if err := copyEdge(tx, v.Detached()); err != nil {
			return err
		}
	}
	return nil
}

// polled looks at the context now and then.
func polled(ctx context.Context, i int) error {
	if i%256 == 0 {
		return ctx.Err()
	}
	return nil
}

func copyVertex(tx *blueprints.Tx, e *value.Element) error {
	id, err := tx.AddVertex(e.Label, e.ID)
	if err != nil {
		return err
	}
	for _, v := range e.Properties {
		p := v.VertexProperty()
		if _, err := tx.SetVertexProperty(id, "list", p.Key, p.Value, p.ID, p.Meta); err != nil {
			return err
		}
	}
	return nil
}

func copyEdge(tx *blueprints.Tx, e *value.Element) error {
	var ends [2]blueprints.VertexID
	for i, v := range [2]value.Value{e.Out, e.In} {
		var found bool
		var err error
		if ends[i], found, err = tx.FindVertex(v.Detached().ID); err != nil {
			return err
		}
		if !found {
			return &message.StatusError{Code: 597, Class: "java.lang.IllegalStateException",
				Message: fmt.Sprintf("the vertex %s of an edge is not among those that are copied", v.Detached().ID.Brief())}
		}
	}
	id, err := tx.AddEdge(e.Label, ends[0], ends[1], e.ID)
	if err != nil {
		return err
	}
	for _, v := range e.Properties {
		if err := tx.SetEdgeProperty(id, v.Property().Key, v.Property().Value); err != nil {
			return err
		}
	}
	return nil
}

// Detach returns a copy of a stored element of the primary graph.
func (h *scriptHost) Detach(v value.Value) (value.Value, error) {
	tx := (*work)(h).reader()
	if tx == nil {
		return v, nil
	}
	return detacher{from: tx}.value(v)
}

// Outward copies the elements of another graph than the primary one for a closure.
func (h *scriptHost) Outward(v value.Value) (value.Value, error) {
	if h.under == nil {
		return v, nil
	}
	return h.under.copy.value(v)
}

// Inward finds the elements that such copies, or any, are of.
func (h *scriptHost) Inward(v value.Value) value.Value {
	if h.under == nil {
		return v
	}
	return traversal.AttachValue(v, h.under.r.View)
}

// Options are those of a graph.
func (h *scriptHost) Options(g host.Global) (blueprints.Options, error) {
	src, err := (*work)(h).global(g)
	if err != nil {
		return blueprints.Options{}, err
	}
	if w := (*work)(h); w.opened.of(src.graph) == nil {
		if _, err := w.may(src.graph, false); err != nil {
			return blueprints.Options{}, err
		}
	}
	return src.graph.Options(), nil
}

// Variables are those of a graph, as they are now: they are no part of the request's
// transaction.
func (h *scriptHost) Variables(ctx context.Context, g host.Global) (all *value.Map, err error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return nil, err
	}
	if tx := w.opened.of(src.graph); tx != nil {
		return tx.Variables()
	}
	if !src.readOnly {
		if err := src.whole(); err != nil {
			return nil, err
		}
	}
	if _, err := w.may(src.graph, false); err != nil {
		return nil, err
	}
	err = src.graph.View(ctx, func(tx *blueprints.Tx) error {
		all, err = tx.Variables()
		return err
	})
	return all, err
}

// SetVariable sets or removes a variable in a transaction of its own.
func (h *scriptHost) SetVariable(ctx context.Context, g host.Global, key string, v value.Value) error {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return err
	}
	set := func(tx *blueprints.Tx) error { return tx.SetVariable(key, v) }
	if tx := w.opened.of(src.graph); tx != nil {
		return set(tx)
	}
	if err := src.whole(); err != nil {
		return err
	}
	if _, err := w.may(src.graph, true); err != nil {
		return err
	}
	return src.graph.Update(ctx, set)
}

// Attach finds an element, or the one of a property, of the graph that it was copied
// from.
func (h *scriptHost) Attach(ctx context.Context, g host.Global, v value.Value) (value.Value, host.Elements, error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return v, nil, err
	}
	tx, err := w.tx(ctx, src.graph, false)
	if err != nil {
		return v, nil, err
	}
	seen := w.seen(tx)
	r := &traversal.Run{Env: traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: seen}}
	return traversal.AttachValue(v, seen), &copying{r, detacher{from: seen, home: g, w: w}}, nil
}

// copying reads elements of a graph that is not the primary one, and hands out copies.
type copying struct {
	*traversal.Run
	copy detacher
}

// Properties appends copies of properties.
func (c *copying) Properties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error) {
	from := len(dst)
	dst, err := c.Run.Properties(dst, v, keys)
	for i := from; i < len(dst) && err == nil; i++ {
		dst[i], err = c.copy.value(dst[i])
	}
	return dst, err
}

// Endpoints returns copies of the vertices of an edge.
func (c *copying) Endpoints(edge value.Value) (out, in value.Value, err error) {
	out, in, err = c.Run.Endpoints(edge)
	if err == nil {
		out, err = c.copy.value(out)
	}
	if err == nil {
		in, err = c.copy.value(in)
	}
	return out, in, err
}

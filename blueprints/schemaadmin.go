package blueprints

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// schemaState is what a graph keeps of its schema beside the definitions.
type schemaState struct {
	turn chan struct{} // held by the one who changes it
	// checking are rules that hold already, while somebody looks whether the elements that
	// are there fit. Only this process writes to the store, and what it enforces needs no
	// cell: a process that dies meanwhile has changed nothing.
	checking atomic.Pointer[Rules]
}

// take waits for the turn to change the schema.
func (s *schemaState) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *schemaState) give() { <-s.turn }

// enforced are the rules that a transaction has to keep to, given those of its snapshot.
func (g *Graph) enforced(own []*Rules) []*Rules {
	if c := g.schema.checking.Load(); c != nil {
		return append(own[:len(own):len(own)], c)
	}
	return own
}

// SchemaChange makes a schema of another.
type SchemaChange func(old *schema.Schema) (*schema.Schema, error)

// Unfit is an element, or a label, that does not fit a schema.
type Unfit struct {
	Class   ElementClass
	ID      value.Value // Null for a label as a whole
	Label   string
	Problem *schema.Misfit
}

// String says what does not fit, and where.
func (u Unfit) String() string {
	if u.ID.IsNull() {
		return u.Problem.Error()
	}
	return u.Problem.At(u.Class == EdgeClass, u.ID).Error()
}

// Schema returns the rules of the graph as the transaction sees them, version 0 when it
// has none. The caller must not change them.
func (t *Tx) Schema() (*schema.Schema, error) {
	if _, err := t.definitions(); err != nil {
		return nil, err
	}
	for _, r := range t.rules {
		if !r.checking {
			return r.schema, nil
		}
	}
	return &schema.Schema{}, nil
}

// Schema returns the rules of the graph, version 0 when it has none.
func (g *Graph) Schema(ctx context.Context) (s *schema.Schema, err error) {
	err = g.View(ctx, func(tx *Tx) error {
		s, err = tx.Schema()
		return err
	})
	return s, err
}

// ChangeSchema gives the graph the schema that change makes of the one it has, and returns
// it; the same rules keep their version. Rules that what is there may break are checked
// first, while they hold for writers already: when an element does not fit, or ctx ends,
// all is as before. Transactions that are open when a change begins or ends lose their
// commit to it.
func (g *Graph) ChangeSchema(ctx context.Context, change SchemaChange) (*schema.Schema, error) {
	if g.scratch != nil {
		return nil, errScratch
	}
	if err := g.schema.take(ctx); err != nil {
		return nil, err
	}
	defer g.schema.give()
	old, next, err := g.changed(ctx, change)
	if err != nil || next == old {
		return old, err
	}
	text, err := next.Encode()
	if err != nil {
		return nil, err
	}
	if next, err = schema.Decode(text); err != nil { // what holds is what is stored
		return nil, err
	}
	if err := g.internAll(ctx, next.Names()); err != nil {
		return nil, err
	}
	if err := g.View(ctx, func(tx *Tx) error { return g.countersFit(tx.tx, next) }); err != nil {
		return nil, err
	}
	if err := g.tighten(ctx, old, next); err != nil {
		return nil, err
	}
	defer g.schema.checking.Store(nil)
	return next, g.putSchema(ctx, old.Version, next, text)
}

// changed returns the schema that there is and the one that it becomes, twice the same when
// nothing changes.
func (g *Graph) changed(ctx context.Context, change SchemaChange) (old, next *schema.Schema, err error) {
	if old, err = g.Schema(ctx); err != nil {
		return nil, nil, err
	}
	if next, err = change(old); err != nil {
		return nil, nil, err
	}
	if next.Same(old) {
		return old, old, nil
	}
	next.Version = old.Version + 1
	return old, next, nil
}

// internAll makes names durable.
func (g *Graph) internAll(ctx context.Context, names []string) error {
	for _, name := range names {
		if _, err := g.intern(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// tighten has writers keep to the next schema from now on, until checking is cleared, when
// what is there may not fit it, and looks whether it does.
func (g *Graph) tighten(ctx context.Context, old, next *schema.Schema) error {
	labels, closes := next.Tightened(old)
	if len(labels) == 0 && !closes {
		return nil
	}
	r, err := compile(next, g.ruledName, g.symbols.name)
	if err != nil {
		return err
	}
	r.checking = true
	g.schema.checking.Store(r)
	// Transactions that do not know of it yet depend on the version.
	err = g.define(ctx, func(tx storage.Tx) error { return g.touchVersion(tx) })
	if err == nil {
		s := &unfitSearch{g: g, ctx: ctx, rules: r, max: 1}
		if err = s.run(labels, closes); err == nil && s.total > 0 {
			u := s.found[0]
			err = u.Problem
			if !u.ID.IsNull() {
				err = u.Problem.Among(u.Class == EdgeClass, u.ID, s.total-1)
			}
		}
	}
	if err != nil {
		g.schema.checking.Store(nil)
	}
	return err
}

// putSchema writes a schema in place of that of a version.
func (g *Graph) putSchema(ctx context.Context, before int64, next *schema.Schema, text []byte) error {
	if err := g.gain(SchemaFeature); err != nil {
		return err
	}
	key := schemaKey(g.number)
	return g.define(ctx, func(tx storage.Tx) error {
		s, err := readSchema(tx, g.number)
		switch {
		case err != nil:
			return err
		case s != nil && s.Version != before, s == nil && before != 0:
			return fmt.Errorf("somebody else has changed the schema of graph %s: try again", g.name)
		}
		if err := g.countersFit(tx, next); err != nil { // some may have come meanwhile
			return err
		}
		if err := tx.Set(key, text); err != nil {
			return err
		}
		return g.touchVersion(tx)
	})
}

// touchVersion makes writers lose that began before.
func (g *Graph) touchVersion(tx storage.Tx) error {
	return tx.Set(keyindex.VersionKey(g.number), storage.AppendCount(nil, int64(tx.Seq())))
}

// TrySchema says what ChangeSchema would do: the schema that would hold, and the first
// elements, max at most, that do not fit it. It changes nothing.
func (g *Graph) TrySchema(ctx context.Context, change SchemaChange, max int) (*schema.Schema, []Unfit, error) {
	if g.scratch != nil {
		return nil, nil, errScratch
	}
	old, next, err := g.changed(ctx, change)
	if err != nil || next == old {
		return old, nil, err
	}
	text, err := next.Encode()
	if err != nil {
		return nil, nil, err
	}
	if next, err = schema.Decode(text); err != nil {
		return nil, nil, err
	}
	if err := g.View(ctx, func(tx *Tx) error { return g.countersFit(tx.tx, next) }); err != nil {
		return nil, nil, err
	}
	r, err := compile(next, g.knownName(), g.symbols.name)
	if err != nil {
		return nil, nil, err
	}
	labels, closes := next.Tightened(old)
	s := &unfitSearch{g: g, ctx: ctx, rules: r, max: max, some: true}
	err = s.run(labels, closes)
	return next, s.found, err
}

// dropSchema takes all rules away, and then the feature.
func (g *Graph) dropSchema(ctx context.Context) error {
	if err := g.schema.take(ctx); err != nil {
		return err
	}
	defer g.schema.give()
	err := g.define(ctx, func(tx storage.Tx) error {
		if err := tx.Delete(schemaKey(g.number)); err != nil {
			return err
		}
		return g.touchVersion(tx)
	})
	if err != nil {
		return err
	}
	return g.db.setFeature(g, SchemaFeature, false)
}

// schemaKept says what dropSchema takes away.
func (g *Graph) schemaKept(ctx context.Context) (string, error) {
	s, err := g.Schema(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the schema, at version %d (labels with rules: %d)", s.Version, len(s.Labels())), nil
}

package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// pasts are the transactions of a work that read graphs as they were: one for each graph and
// time. What the work writes they do not see, and nobody reads through them but traversals that
// ask for that time. In a session those of a transactional graph stay until its transaction ends:
// what they read stays the same over its requests, whatever is forgotten meanwhile.
type pasts []*blueprints.Tx

// pastsMax bounds those of one work. Each keeps a state of the store. Of more in a session the one
// that was opened first goes.
const pastsMax = 16

// past returns the transaction that a plan reads the past with.
func (w *work) past(ctx context.Context, g *blueprints.Graph, plan *traversal.Plan, at storage.Stamp) (*blueprints.Tx, error) {
	if w.primary == nil {
		w.primary = g
	}
	if _, err := w.may(g, false); err != nil {
		return nil, err
	}
	if err := w.mayReadPast(g); err != nil {
		return nil, err
	}
	if name := plan.Writer(); name != "" {
		return nil, blueprints.IllegalArgument("asOf reads the past, which cannot be changed: %s() writes", name)
	}
	if b := g.Bounds(); b != nil {
		if err := w.enter(b); err != nil {
			return nil, err
		}
	}
	for _, t := range w.pasts {
		if t.Graph() == g && t.AsOf() == at {
			t.SetContext(ctx)
			return t, nil
		}
	}
	if len(w.pasts) >= pastsMax && !w.dropPast() {
		return nil, fmt.Errorf("a request, or a session whose traversals go on, reads %d times of the past at once, and no more", pastsMax)
	}
	t, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at, Account: w.account()})
	if err != nil {
		return nil, err
	}
	w.pasts, w.limited = append(w.pasts, t), limited{}
	return t, nil
}

// dropPast ends the oldest that a session keeps and no traversal reads.
func (w *work) dropPast() bool {
	for i, t := range w.pasts {
		if w.o.Session && !w.live.of(t) {
			_ = t.Close() // it wrote nothing
			w.pasts = slices.Delete(w.pasts, i, i+1)
			return true
		}
	}
	return false
}

// endPasts ends those of the chosen transactions that no traversal of a session reads any more.
func (w *work) endPasts(choose func(*blueprints.Tx) bool) {
	if len(w.pasts) == 0 { // as mostly
		return
	}
	w.pasts = slices.DeleteFunc(w.pasts, func(t *blueprints.Tx) bool {
		if w.o.Session && (w.live.of(t) || !choose(t)) {
			return false
		}
		_ = t.Close()
		return true
	})
}

// closePasts ends all.
func (w *work) closePasts() {
	for _, t := range w.pasts {
		_ = t.Close()
	}
	w.pasts = nil
}

// within is a traversal that a closure starts: under one that reads the past it does too, unless
// it says otherwise itself.
func (w *work) within(src *source, b *traversal.Bytecode) *traversal.Bytecode {
	if w.guarded == nil {
		return b
	}
	tx := whole(w.guarded.View)
	if tx == nil || tx.AsOf() == 0 || tx.Graph() != src.graph {
		return b
	}
	then := *b
	at := traversal.Instruction{Name: "with", Args: []value.Value{value.String("asOf"), value.Long(int64(tx.AsOf()))}}
	then.Source = append([]traversal.Instruction{at}, b.Source...)
	return &then
}

// whole is the transaction that a view reads, nil for another kind of view.
func whole(v blueprints.View) *blueprints.Tx {
	switch v := v.(type) {
	case *blueprints.Tx:
		return v
	case *blueprints.Restricted:
		return v.Tx()
	}
	return nil
}

package engine

import (
	"errors"
	"slices"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/traversal"
)

// What is here is about graphs with limits. Requests to others come by at most one look at
// a pointer.

// changes reports whether a plan with these effects changes g. What changes something else,
// as the administration of graphs does, may be asked of a graph that takes no writes.
func (w *work) changes(g *blueprints.Graph, e traversal.Effects) bool {
	if e&writing == 0 || g.Bounds() == nil || g.Writable() == nil {
		return e&writing != 0
	}
	elsewhere := e&writing == traversal.External || e&traversal.Administers != 0
	return !elsewhere || !w.o.Identity.MayWrite(g.Name())
}

// mayChange is may for a graph with limits, of a user who may.
func (w *work) mayChange(g *blueprints.Graph, write, writes bool) (bool, error) {
	err := g.Writable()
	if err != nil && !write {
		return false, nil
	}
	return writes && err == nil, err
}

// reach has a query counted, or refused, by the graph that it is about before anything is made of it.
// Who may not read the graph is told that when it is known what he asks.
func (w *work) reach(g *blueprints.Graph) error {
	b := g.Bounds()
	if b == nil || !w.o.Identity.MayRead(g.Name()) {
		return nil
	}
	return w.enter(b)
}

// enter has the query count among those of a graph with limits, and keep to them.
func (w *work) enter(b *blueprints.Bounds) error {
	if w.q == nil || slices.Contains(w.entered, b) {
		return nil // the server's own, or counted
	}
	if err := b.Enter(slices.Contains(w.q.Counted, b)); err != nil {
		if tooMany := (*blueprints.TooManyError)(nil); errors.As(err, &tooMany) {
			return message.TooMuch(err)
		}
		return err
	}
	w.entered = append(w.entered, b)
	w.q.Counted = append(w.q.Counted, b)
	if err := w.q.Account.Join(b.Memory()); err != nil {
		return err
	}
	if err := w.account().Join(b.Memory()); err != nil {
		return err
	}
	now := b.Limits()
	if now.Timeout > 0 {
		w.shorten(time.Duration(now.Timeout)*time.Millisecond, blueprints.OptionTimeout+" of graph "+b.Graph().Name())
	}
	if now.RequestMemory > 0 {
		return w.q.Account.Lower(blueprints.OptionRequestMemory+" of graph "+b.Graph().Name(), now.RequestMemory)
	}
	return nil
}

// shorten lets the query take no longer than d, for the sake of a setting.
func (w *work) shorten(d time.Duration, setting string) {
	if s, ok := w.ctx.(contract.Shortener); ok {
		s.Shorten(d, setting)
	}
}

// leave has the query count no longer.
func (w *work) leave() {
	for _, b := range w.entered {
		b.Leave()
	}
	w.entered = nil
}

// bounded are the results of a query that counts until they are closed.
func (w *work) bounded(res contract.Results, err error) (contract.Results, error) {
	if err != nil {
		w.leave()
		return nil, err
	}
	return &boundedResults{res, w}, nil
}

type boundedResults struct {
	contract.Results
	w *work
}

// Close ends the query.
func (r *boundedResults) Close() {
	r.Results.Close()
	r.w.leave()
}

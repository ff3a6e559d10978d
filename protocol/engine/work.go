package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// work is what the engine has of one request, or of one session for all of its requests
// (contract.Work): the transactions that are open, and the interpreter of its scripts.
type work struct {
	e *Engine
	o contract.WorkOptions
	// txs are the open transactions, one for each graph: nearly always there is one.
	txs []*blueprints.Tx
	// primary is the graph that was touched first. An element that a script holds is a
	// reference into it; elements of other graphs are copied when a script takes them.
	primary *blueprints.Graph
	through string // the source whose traversal did so, "" for none
	// lingering transactions were ended by their request, and are kept open because a
	// traversal of the session still has results to give from them.
	lingering []*blueprints.Tx
	pasts     pasts
	live      liveRuns             // the traversals that have
	entered   []*blueprints.Bounds // of limited graphs that the query has reached, nil for most

	by blueprints.Author // who asked last

	// The query under way.
	ctx     context.Context
	q       *contract.Query
	writes  bool // every transaction that is opened can write: a script may do so later
	session *script.Session
	guarded *traversal.Run   // the run under way, when it hides parts of the graph
	defined machine.Scope    // functions that scripts of the session defined
	opened  opened           // graphs that its scripts opened
	started *started         // traversals that the script under way began
	under   *foreignRun      // the run under way, when it is on another graph than primary
	limited limited          // what the query sees of the transaction that it looked at last
	hook    host.StartupHost // of the server's own scripts, nil for clients

	// Memory for what most requests need once. A session has it made each time, for its
	// traversals and transactions may outlive the request that opened them.
	oneTx [1]*blueprints.Tx // the array of txs
	query *plancache.Query
	// reading is of the text under way; query has a Meter for each statement in it.
	reading traversal.Meter
	run     run
	first   *blueprints.Tx // the first that was opened, whose memory is used again
	kept    *kept          // nil in a session, and once nothing is evaluated any more
}

// kept is memory that a request leaves to a later one.
type kept struct {
	batch traversal.Batch
	steps traversal.Memory // of run
	plans plancache.Memory
	query plancache.Query
}

// works are those of requests that are over, to be used again; keeps is what those that were
// evaluated have left: many may wait for their commits, of which none needs it.
var (
	works = sync.Pool{New: func() any { return &work{} }}
	keeps = sync.Pool{New: func() any { return &kept{} }}
)

// keep has the work use what an earlier one left.
func (w *work) keep() {
	w.kept = keeps.Get().(*kept)
	w.query = &w.kept.query
	w.query.Memory = &w.kept.plans
}

// letGo leaves that to others.
func (w *work) letGo() {
	k := w.kept
	if k == nil {
		return
	}
	w.run.batch.Release(batchKept)
	k.batch = w.run.batch
	k.steps.Release()
	k.plans.Release()
	k.query.Forget()
	w.kept, w.query, w.run = nil, nil, run{}
	keeps.Put(k)
}

// tx returns the transaction on g, opening it when there is none. One that was opened
// for reading only is replaced when something writes: nothing depends on what it read
// in an auto-commit request, because only its first traversal can have opened it so.
// Whatever reads or changes a graph comes through here or through end, and nowhere else
// is decided whether it may.
func (w *work) tx(ctx context.Context, g *blueprints.Graph, write bool) (*blueprints.Tx, error) {
	if t := w.opened.of(g); t != nil {
		t.SetContext(ctx)
		return t, nil
	}
	if w.primary == nil {
		w.primary = g
	}
	mayWrite, err := w.may(g, write)
	if err != nil {
		return nil, err
	}
	if b := g.Bounds(); b != nil {
		if err := w.enter(b); err != nil {
			return nil, err
		}
	}
	for _, t := range w.txs {
		if t.Graph() == g {
			t.SetContext(ctx)
			return t, nil
		}
	}
	readOnly := !mayWrite || !write && !w.writes && !w.keeps(g)
	t, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: readOnly, Alone: w.o.Alone && !readOnly, Account: w.account(), Author: &w.by})
	if err != nil {
		return nil, err
	}
	if w.txs == nil {
		w.txs = w.oneTx[:0]
	}
	w.txs, w.limited = append(w.txs, t), limited{} // t may be the memory of one that is over
	if w.first == nil {
		w.first = t
	}
	return t, nil
}

// may reports whether who asks may write to a graph of the server, with the error of who
// may not do what he wants there.
func (w *work) may(g *blueprints.Graph, write bool) (writes bool, err error) {
	writes = w.o.Identity.MayWrite(g.Name())
	switch {
	case write && !writes:
		err = w.refusal("write to", g)
	case !writes && !w.o.Identity.MayRead(g.Name()):
		err = w.refusal("read", g)
	case g.Bounds() != nil:
		return w.mayChange(g, write, writes)
	}
	return writes, err
}

// author takes note of who makes the commits from now on.
func (w *work) author(q *contract.Query) {
	w.by = blueprints.Author{User: w.o.Identity.User(), Request: q.Request}
}

// account is what a transaction is charged to: a session's outlives the query.
func (w *work) account() *account.Account {
	if w.o.Session {
		return w.o.Account
	}
	return w.q.Account
}

func (w *work) refusal(what string, g *blueprints.Graph) error {
	return fmt.Errorf("%w: user %s may not %s graph %s", contract.ErrUnauthorized, w.o.Identity.User(), what, g.Name())
}

// refresh has the transactions that a session left open read what was committed since,
// where their graphs want that.
func (w *work) refresh(ctx context.Context) error {
	for _, t := range w.txs {
		if err := t.Refresh(ctx); err != nil {
			return err
		}
	}
	return nil
}

// keeps reports whether a transaction on g outlives the query that opens it.
func (w *work) keeps(g *blueprints.Graph) bool {
	return w.o.Session && g.Options().Transactional
}

// GraphOp commits or rolls back the transaction of one source.
func (w *work) GraphOp(ctx context.Context, q *contract.Query, op string) error {
	w.author(q)
	s, err := w.e.source(w.o.Identity, q.Source)
	if err != nil {
		return err
	}
	return w.graphOp(ctx, s.graph, op)
}

func (w *work) graphOp(ctx context.Context, g *blueprints.Graph, op string) error {
	if !g.Options().Transactional {
		return contract.ErrNoTransactions
	}
	commit := op == "commit"
	if !commit && op != "rollback" {
		return &message.StatusError{Code: 499, Message: fmt.Sprintf("unknown transaction operation [%.40s]", op)}
	}
	return w.end(ctx, commit, func(t *blueprints.Tx) bool { return t.Graph() == g })
}

// Commit commits what Engine promises.
func (w *work) Commit(ctx context.Context, all bool) error {
	return w.end(ctx, true, func(t *blueprints.Tx) bool { return all || !t.Graph().Options().Transactional })
}

// CommitAsync commits all transactions without waiting.
func (w *work) CommitAsync(ctx context.Context, done func(error)) {
	w.letGo()
	if len(w.txs) == 1 && w.o.Identity.MayWrite(w.txs[0].Graph().Name()) {
		w.txs[0].CommitAsync(ctx, done)
		return
	}
	go func() { done(w.Commit(ctx, true)) }()
}

// Rollback rolls back in the same manner.
func (w *work) Rollback(all bool) {
	// Nothing can be done about a transaction that cannot even be given up.
	_ = w.end(context.Background(), false, func(t *blueprints.Tx) bool { return all || !t.Graph().Options().Transactional })
}

// end commits or rolls back the chosen transactions, each whatever befalls the others.
func (w *work) end(ctx context.Context, commit bool, choose func(*blueprints.Tx) bool) error {
	var first error
	w.endPasts(choose)
	kept := w.txs[:0]
	for _, t := range w.txs {
		if !choose(t) {
			kept = append(kept, t)
			continue
		}
		if commit && first == nil && w.linger(t) {
			continue
		}
		err := error(nil)
		switch {
		case !commit || first != nil || t.ReadOnly(): // closing it is all that there is to do
		case t.Pending() && !w.o.Identity.MayWrite(t.Graph().Name()): // no longer
			err = w.refusal("write to", t.Graph())
		default:
			err = t.Commit(ctx)
		}
		if cerr := t.Close(); err == nil {
			err = cerr
		}
		if first == nil {
			first = err
		}
	}
	w.txs = kept
	return first
}

// Rest forgets what only the query needed that has ended.
func (w *work) Rest() {
	for _, list := range [][]*blueprints.Tx{w.txs, w.lingering, w.pasts} {
		for _, t := range list {
			t.Rest()
		}
	}
	for _, t := range w.opened.txs {
		t.Rest()
	}
	w.live.rest(w.o.Account)
	w.ctx, w.q, w.started, w.guarded, w.under = nil, nil, nil, nil, nil
	w.reading = traversal.Meter{}
	w.query.Forget()
}

// Pending reports whether any open transaction has written.
func (w *work) Pending() bool {
	for _, t := range w.txs {
		if t.Pending() {
			return true
		}
	}
	return false
}

// Open reports whether any transaction is open.
func (w *work) Open() bool { return len(w.txs)+len(w.pasts) > 0 }

// lingeringMax bounds the transactions that a session's unfinished traversals keep.
const lingeringMax = 16

// linger keeps a transaction that wrote nothing open for the traversals that a script
// of the session took some results of and may take more.
func (w *work) linger(t *blueprints.Tx) bool {
	if !w.o.Session || t.Pending() || len(w.lingering) >= lingeringMax {
		return false
	}
	if w.live.of(t) {
		w.lingering = append(w.lingering, t)
		return true
	}
	return false
}

// Close rolls back what is open.
func (w *work) Close() {
	if w.Open() {
		w.Rollback(true)
		w.closePasts()
	}
	w.leave()
	w.opened.close()
	for _, t := range w.lingering {
		_ = t.Close() // it wrote nothing
	}
	w.lingering, w.live, w.session = nil, liveRuns{}, nil
	if w.o.Session {
		w.defined.Forget()
		return
	}
	if w.first != nil {
		w.first.Recycle()
	}
	w.letGo()
	*w = work{}
	works.Put(w)
}

// batchKept is the number of traversers that a request leaves room for.
const batchKept = 64

package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// Run starts a query.
func (w *work) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	res, err := w.start(ctx, q)
	if w.entered != nil {
		return w.bounded(res, err)
	}
	return res, err
}

// begin turns to a query.
func (w *work) begin(ctx context.Context, q *contract.Query) {
	w.ctx, w.q, w.started, w.limited = ctx, q, nil, limited{}
	w.author(q)
}

func (w *work) start(ctx context.Context, q *contract.Query) (contract.Results, error) {
	w.begin(ctx, q)
	if w.o.Session {
		if err := w.refresh(ctx); err != nil {
			return nil, err
		}
	}
	if !q.IsBytecode() {
		return w.eval(ctx, q)
	}
	src, err := w.e.source(w.o.Identity, q.Source)
	if err != nil {
		return nil, err
	}
	if w.o.Identity.On(src.graph.Name()).LimitsSteps() {
		return w.traverse(ctx, src, q.Code(), q.Account)
	}
	if q.Form == nil || w.e.o.NoOptimization || len(src.config) > 0 {
		return w.traverse(ctx, src, q.Code(), q.Account)
	}
	if err := w.reach(src.graph); err != nil {
		return nil, err
	}
	w.query.Meter = traversal.Meter{Ctx: ctx, Account: q.Account}
	if err := w.query.OpenForm(w.e.plans, q.Form, q.Constants); err != nil {
		return nil, err
	}
	plan, tx, err := w.planned(ctx, src.graph)
	if err != nil {
		return nil, err
	}
	return w.open(ctx, src, plan, tx, q.Account)
}

// meter bounds what reading and compiling take of a query.
func meter(ctx context.Context, q *contract.Query) *traversal.Meter {
	return &traversal.Meter{Ctx: ctx, Account: q.Account}
}

// writing are the effects that need a transaction that can write.
const writing = traversal.WritesGraph | traversal.Opaque | traversal.External

// traverse compiles bytecode and opens its run on the work's transaction.
func (w *work) traverse(ctx context.Context, src *source, b *traversal.Bytecode, memory *account.Account) (*run, error) {
	sent := b
	if err := w.permitted(src.graph, b); err != nil {
		return nil, err
	}
	if err := w.reach(src.graph); err != nil {
		return nil, err
	}
	b, err := src.configured(b)
	if err != nil {
		return nil, err
	}
	// Which indexes there are is read in the same transaction; bytecode that does not
	// compile opens none.
	w.query.Meter = traversal.Meter{Ctx: ctx, Account: memory}
	plan, tx, err := w.prepare(ctx, src.graph, b)
	if err != nil {
		return nil, err
	}
	r, err := w.open(ctx, src, plan, tx, memory)
	if r != nil {
		r.code = sent
	}
	return r, err
}

// open opens the run of a plan.
func (w *work) open(ctx context.Context, src *source, plan *traversal.Plan, tx *blueprints.Tx, memory *account.Account) (*run, error) {
	if err := plan.Options.Admit(tx); err != nil {
		return nil, err
	}
	if src.timeout > 0 {
		w.shorten(src.timeout, "evaluationTimeout of the source "+src.name)
	}
	if w.through == "" && src.graph == w.primary {
		w.through = src.name
	}
	view := w.seen(tx)
	env := w.env(ctx, view, memory)
	if !tx.ReadOnly() && !src.readOnly {
		env.Mutator = view
	}
	s := &w.run
	if w.o.Session || s.tx != nil {
		s = &run{}
	} else {
		s.batch, env.Memory = w.kept.batch, &w.kept.steps
	}
	s.q, s.code, s.charge = w.q, nil, nil
	s.slow, w.q.Ran = &w.e.slow, s
	env.Measure = w.q.Measure || s.slow.wants(plan)
	s.tx, s.writes, s.guarded = tx, plan.Effects()&writing != 0, nil
	if len(plan.Guards) > 0 || tx.AsOf() != 0 { // closures see no more than the run, and the same
		s.guarded = w
	}
	return s, s.r.Open(plan, env)
}

// env is what a run may reach, but for writing.
func (w *work) env(ctx context.Context, view blueprints.View, memory *account.Account) traversal.Env {
	return traversal.Env{
		Ctx: ctx, Registry: steps.Registry(), View: view, Host: w.e.o.Host, Account: memory,
		Identity: w.o.Identity, BatchMax: w.e.o.BatchMax, Closures: closures{w},
	}
}

func (w *work) prepare(ctx context.Context, g *blueprints.Graph, b *traversal.Bytecode) (*traversal.Plan, *blueprints.Tx, error) {
	if w.e.o.NoOptimization {
		return w.prepareAsWritten(ctx, g, b)
	}
	if err := w.query.Open(w.e.plans, b); err != nil {
		return nil, nil, err
	}
	return w.planned(ctx, g)
}

// planned makes the plan of the open query in the transaction that it needs.
func (w *work) planned(ctx context.Context, g *blueprints.Graph) (*traversal.Plan, *blueprints.Tx, error) {
	tx, err := w.forPlan(ctx, g, w.query.Compiled(), w.query.Effects())
	if err != nil {
		return nil, nil, err
	}
	plan, err := w.query.Plan(w.seen(tx))
	if b := w.query.Elements(); b != nil && err == nil {
		plan, err = w.attached(ctx, b, plan, tx, func(b *traversal.Bytecode) (*traversal.Plan, error) {
			if err := w.query.Open(w.e.plans, b); err != nil {
				return nil, err
			}
			return w.query.Plan(w.seen(tx))
		})
	}
	return plan, tx, err
}

// attached is the plan of b with the stored elements that its arguments name; compile
// makes a plan of other bytecode.
func (w *work) attached(ctx context.Context, b *traversal.Bytecode, plan *traversal.Plan, tx *blueprints.Tx, compile func(*traversal.Bytecode) (*traversal.Plan, error)) (_ *traversal.Plan, err error) {
	if s := traversal.AttachStrategies(b, w.seen(tx)); s != b {
		if plan, err = compile(s); err != nil {
			return nil, err
		}
		b = s
	}
	whole, err := traversal.Attach(b, plan, w.env(ctx, w.seen(tx), w.query.Meter.Account))
	if err != nil || whole == b {
		return plan, err
	}
	return compile(whole)
}

// prepareAsWritten leaves out the strategies that only make things faster.
func (w *work) prepareAsWritten(ctx context.Context, g *blueprints.Graph, b *traversal.Bytecode) (*traversal.Plan, *blueprints.Tx, error) {
	plan, err := traversal.Compile(&w.query.Meter, steps.Registry(), b)
	if err != nil {
		return nil, nil, err
	}
	tx, err := w.forPlan(ctx, g, plan, plan.Effects())
	if err != nil {
		return nil, nil, err
	}
	asWritten := func(b *traversal.Bytecode) (*traversal.Plan, error) {
		plan, err := traversal.Compile(&w.query.Meter, steps.Registry(), b)
		if err != nil {
			return nil, err
		}
		strategy.SwitchOff(plan.Options)
		return strategy.Apply(&w.query.Meter, steps.Registry(), plan, w.seen(tx))
	}
	if plan, err = asWritten(b); err != nil {
		return nil, nil, err
	}
	plan, err = w.attached(ctx, b, plan, tx, asWritten)
	return plan, tx, err
}

// run is the results of one traversal.
type run struct {
	r      traversal.Run
	w      *work // of a script, whose traversals may outlive the request
	tx     *blueprints.Tx
	batch  traversal.Batch
	err    error // found behind the results of the last Next
	q      *contract.Query
	code   *traversal.Bytecode // nil for that of q
	writes bool
	// guarded is the work when the plan hides parts of the graph, from its closures too.
	guarded *work
	foreign *foreignRun // around this run of a script, nil for none
	charge  *running    // of a script
	slow    *slow
}

// Next appends up to max results.
func (s *run) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	if s.err != nil {
		return dst, s.err
	}
	if s.w == nil && s.guarded == nil {
		return s.next(dst, max)
	}
	if s.w != nil {
		s.r.Ctx = s.w.ctx
		outer := s.w.under
		s.w.under = s.foreign
		defer func() { s.w.under = outer }()
	}
	if s.guarded != nil {
		outer := s.guarded.guarded
		s.guarded.guarded = &s.r
		defer func() { s.guarded.guarded = outer }()
	}
	return s.next(dst, max)
}

func (s *run) next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	s.batch.Clear()
	s.err = s.located(s.r.Next(&s.batch, s.r.Demand(max)))
	s.r.ReadsWhole(s.batch.Objects) // who encodes them does
	dst = slices.Grow(dst, s.batch.Len())
	for i, v := range s.batch.Objects {
		dst = append(dst, value.Bulked{Bulk: s.batch.Bulk(i), Value: v})
	}
	if s.batch.Len() > 0 {
		return dst, nil
	}
	return dst, s.err
}

// located tells a fail() where in the bytecode it stands.
func (s *run) located(err error) error {
	if err == nil {
		return nil // nothing is made for what As would fill in
	}
	if f := (*steps.Failure)(nil); errors.As(err, &f) {
		code := s.code
		if code == nil {
			code = s.q.Code()
		}
		f.Locate(code)
	}
	return err
}

// Resolver finds stored elements as the run sees them.
func (s *run) Resolver() value.Resolver { return s.r.Resolver() }

// Writes reports whether the traversal may write.
func (s *run) Writes() bool { return s.writes }

// Close forgets the run; the transaction closes what reads it.
func (s *run) Close() {
	s.charge.end()
}

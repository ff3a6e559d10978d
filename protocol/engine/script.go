package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// evalScript evaluates Groovy. What is also gremlin-lang, as most scripts are, takes
// the shorter way: it parses faster, and is known to read only when it does.
func (w *work) evalScript(ctx context.Context, q *contract.Query) (contract.Results, error) {
	// Double-quoted text may hold variables, which gremlin-lang does not know.
	if !strings.ContainsRune(q.Script, '$') {
		query, err := w.parse(ctx, q, true)
		if err == nil {
			if err := w.bind(ctx, q); err != nil {
				return nil, err
			}
			return w.statements(ctx, q, query)
		}
		if w.e.o.NoClosures || !isParseError(err) {
			return nil, err
		}
	}
	if w.e.o.NoClosures {
		return nil, &message.StatusError{Code: 597, Class: classUnsupported, Message: "scripts beyond gremlin-lang are switched off on this server (closures)"}
	}
	w.writes = true
	result, err := w.scripts().Eval(ctx, q.Script, w.bindings(ctx, q))
	if err != nil {
		return nil, err
	}
	if k := result.Value.Kind(); result.Traversal == nil && (k == value.KindMap || k == value.KindTree) {
		return &scriptResults{w: w, it: &values{list: iterated(result.Value)}}, nil
	}
	it, err := result.Results(ctx, (*scriptHost)(w))
	if err != nil {
		return nil, err
	}
	return &scriptResults{w: w, it: it}, nil
}

const classUnsupported = "java.lang.UnsupportedOperationException"

// isParseError tells a text that is no gremlin-lang from one that failed to run.
func isParseError(err error) bool {
	var p *lang.Error
	return errors.As(err, &p)
}

// bind keeps the bindings of a request as variables of its session.
func (w *work) bind(ctx context.Context, q *contract.Query) error {
	if !w.o.Session || q.Bindings == nil || q.Bindings.Len() == 0 {
		return nil
	}
	bindings := w.bindings(ctx, q)
	for i := range bindings.Len() {
		k, v := bindings.Entry(i)
		w.scripts().SetVariable(k.Str(), v)
	}
	return w.scripts().Settle()
}

// alias keeps the aliases of a request as variables of its session: they hold until
// another request or a script gives their names another meaning.
func (w *work) alias(q *contract.Query) error {
	if !w.o.Session || len(q.Aliases) == 0 {
		return nil
	}
	for name := range q.Aliases {
		if g, ok := (*scriptHost)(w).Lookup(name); ok {
			w.scripts().SetGlobal(name, g)
		}
	}
	return w.scripts().Settle()
}

// bindings are those of the request, with the stored elements that they name: what the
// script itself compares them with is stored. They are looked for in the primary graph,
// or in the one that g means.
func (w *work) bindings(ctx context.Context, q *contract.Query) *value.Map {
	if q.Bindings == nil || !traversal.HasCopies(q.Bindings.Value()) {
		return q.Bindings
	}
	tx := w.home(ctx)
	if tx == nil {
		return q.Bindings // the script will say so, should it use the graph
	}
	return traversal.AttachValue(q.Bindings.Value(), tx).Map()
}

// home is reader; where no graph was touched yet, the one that g means is touched.
func (w *work) home(ctx context.Context) traversal.Seen {
	if src := w.source(w.q, "g"); w.primary == nil && src != nil {
		return w.readerOf(ctx, src.graph)
	}
	return w.reader()
}

// scripts returns the interpreter of this request or session.
func (w *work) scripts() *script.Session {
	if w.session == nil {
		o := machine.Options{Functions: w.functions(), Steps: isStep, Print: w.e.o.Print}
		if w.o.Session {
			o.Kept = w.o.Account
		}
		if w.hook != nil {
			o.Startup = w.hook
		}
		w.session = script.NewSession((*scriptHost)(w), o)
		w.session.Programs, w.session.Once = w.e.programs, !w.o.Session
	}
	if w.q != nil {
		w.session.Charge(w.q.Account)
	}
	return w.session
}

// functions are those that the server has and those of who asks: of the session, or of
// the user. Nobody else sees them, so that what is called has the rights of who wrote it.
func (w *work) functions() machine.Scope {
	owner := w.o.Identity.Owner()
	if !w.o.Session {
		return w.e.o.Functions.Of(owner)
	}
	if w.defined == (machine.Scope{}) {
		w.defined = w.e.o.Functions.Session(owner)
	}
	return w.defined
}

func isStep(name string) bool {
	_, ok := steps.Registry().Lookup(name)
	return ok
}

// closures compiles the lambdas of bytecode, with an interpreter made when the first
// one comes.
type closures struct{ w *work }

// Compile reads a lambda. One that cannot be read is the sender's error (597), unlike
// one that fails when it runs.
func (c closures) Compile(v value.Value) (traversal.Closure, error) {
	if c.w.e.o.NoClosures {
		return nil, &message.StatusError{Code: 597, Class: classUnsupported, Message: "closures are switched off on this server (closures)"}
	}
	f, err := script.NewClosures(c.w.scripts()).Compile(v)
	var bad *machine.Error
	if errors.As(err, &bad) {
		return nil, &message.StatusError{Code: 597, Class: bad.Class, Message: bad.Message}
	}
	return f, err
}

// Wrap makes what a closure sees as its traverser.
func (c closures) Wrap(r *traversal.Run, t *traversal.Traverser) value.Value {
	return script.NewClosures(c.w.scripts()).Wrap(r, t)
}

// scriptHost is what scripts reach of a work.
type scriptHost work

var _ host.Host = (*scriptHost)(nil)

// Lookup resolves a global name through the aliases of the request.
func (h *scriptHost) Lookup(name string) (host.Global, bool) {
	if h.q != nil {
		name = h.q.Resolve(name)
	}
	if h.hook != nil {
		_, err := h.e.o.Database.Graph(name)
		return host.Global{Kind: host.GraphGlobal, Name: name}, err == nil
	}
	switch h.e.Lookup(h.o.Identity, name) {
	case contract.SourceName:
		return host.Global{Kind: host.SourceGlobal, Name: name}, true
	case contract.GraphName:
		return host.Global{Kind: host.GraphGlobal, Name: name}, true
	}
	return host.Global{}, false
}

// GlobalNames are the names of all sources and graphs, and the aliases of the request.
func (h *scriptHost) GlobalNames() []string {
	names := h.e.globalNames(h.o.Identity)
	if h.q != nil {
		names = slices.AppendSeq(names, maps.Keys(h.q.Aliases))
	}
	return names
}

// Here is the primary graph. It is not where the script or its request was last: an
// element of it may be met in a closure, or behind a traversal over another graph.
func (h *scriptHost) Here() (host.Global, bool) {
	g, ok := h.Lookup("g")
	switch {
	case h.primary == nil:
		return g, ok
	case h.through != "":
		return host.Global{Kind: host.SourceGlobal, Name: h.through}, true
	}
	if src, err := (*work)(h).global(g); ok && err == nil && src.graph == h.primary {
		return g, true
	}
	return host.Global{Kind: host.GraphGlobal, Name: h.primary.Name()}, true
}

// Execute starts a traversal of a script.
func (h *scriptHost) Execute(ctx context.Context, g host.Global, b *traversal.Bytecode) (host.Iterator, error) {
	w := (*work)(h)
	if g == (host.Global{}) {
		return w.anonymous(ctx, b)
	}
	src, err := w.global(g)
	if err != nil {
		return nil, err
	}
	if from := w.primary; from != nil && src.graph != from {
		if tx := w.reader(); tx != nil {
			b = traversal.Detach(b, tx) // what refers to elements of the primary graph
		}
	}
	charge, err := w.starts(b)
	if err != nil {
		return nil, err
	}
	b = w.within(src, b)
	r, err := w.traverse(ctx, src, b, w.holds(charge))
	if err != nil {
		charge.end()
		return nil, err
	}
	r.w = w
	w.watch(r, charge)
	if src.graph == w.primary && r.guarded == nil {
		return r, nil
	}
	f := &foreignRun{run: r, copy: detacher{from: r.Resolver(), w: w, hidden: r.guarded != nil, home: g}}
	r.foreign = f
	return f, nil
}

// anonymous starts a traversal without a source. It reads elements of the primary graph
// that the script has, or that its closures give it.
func (w *work) anonymous(ctx context.Context, b *traversal.Bytecode) (host.Iterator, error) {
	if err := w.permitted(w.primary, b); err != nil {
		return nil, err
	}
	var charge *running
	if w.o.Session { // else nothing outlives the query
		charge = w.starting(0)
	}
	env := w.env(ctx, nil, w.holds(charge))
	if w.guarded != nil {
		return w.hidden(b, env, charge)
	}
	tx := w.reader()
	if !quick(b) {
		tx = w.home(ctx)
	}
	if tx != nil {
		env.View = tx
	}
	r := &run{w: w, code: b}
	w.watch(r, charge)
	return r, steps.OpenAnonymous(&r.r, b, env)
}

// hidden is anonymous in a closure of a traversal from which something is hidden: it
// takes copies of elements, reads what is not hidden of them, and gives copies.
func (w *work) hidden(b *traversal.Bytecode, env traversal.Env, charge *running) (host.Iterator, error) {
	env.View = w.guarded.View
	b, err := traversal.Attach(b, &traversal.Plan{}, env)
	if err != nil {
		return nil, err
	}
	r := &run{w: w, code: b}
	w.watch(r, charge)
	if err := steps.OpenAnonymous(&r.r, b, env); err != nil {
		return nil, err
	}
	return &foreignRun{run: r, copy: detacher{from: r.Resolver(), w: w}}, nil
}

// Explain returns what explain() shows.
func (h *scriptHost) Explain(ctx context.Context, g host.Global, b *traversal.Bytecode) (value.Value, error) {
	w := (*work)(h)
	if g == (host.Global{}) {
		x, err := steps.ExplainAnonymous(meter(ctx, w.q), b)
		return value.Object(value.KindExplanation, x), err
	}
	src, err := w.global(g)
	if err != nil {
		return value.Null, err
	}
	x, err := w.explanation(ctx, src, b)
	if err != nil {
		return value.Null, err
	}
	return value.Object(value.KindExplanation, x), nil
}

// Steps returns the texts of a traversal's steps.
func (h *scriptHost) Steps(ctx context.Context, g host.Global, b *traversal.Bytecode, applied bool) ([]string, error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return nil, err
	}
	return w.stepTexts(ctx, src, b, applied)
}

// Describe returns what the reference prints of a graph.
func (h *scriptHost) Describe(ctx context.Context, g host.Global) (string, error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return "", err
	}
	return w.graphText(ctx, src.graph)
}

// Tx does what a script asks of a transaction.
func (h *scriptHost) Tx(ctx context.Context, g host.Global, op string) (value.Value, error) {
	w := (*work)(h)
	src, err := w.global(g)
	if err != nil {
		return value.Null, err
	}
	graph := src.graph
	if !graph.Options().Transactional {
		return value.Null, &message.StatusError{Code: 597, Class: classUnsupported, Message: contract.ErrNoTransactions.Error()}
	}
	switch op {
	case "commit", "rollback":
		return value.Null, w.graphOp(context.WithoutCancel(ctx), graph, op)
	case "begin", "open":
		_, err := w.tx(ctx, graph, true)
		return value.Null, err
	case "close":
		return value.Null, w.graphOp(context.WithoutCancel(ctx), graph, "rollback")
	case "isOpen":
		return value.Bool(w.has(graph)), nil
	}
	return value.Null, fmt.Errorf("unknown transaction operation %s", op)
}

func (w *work) has(g *blueprints.Graph) bool {
	for _, t := range w.txs {
		if t.Graph() == g {
			return true
		}
	}
	return false
}

// Elements reads elements of the primary graph as its transaction sees them.
func (h *scriptHost) Elements() host.Elements {
	w := (*work)(h)
	if w.guarded != nil {
		return w.guarded
	}
	tx := w.reader()
	if tx == nil {
		return &traversal.Run{}
	}
	return &traversal.Run{Env: traversal.Env{Ctx: h.ctx, Registry: steps.Registry(), View: tx}}
}

// reader is what who asks sees of the primary graph, nil when no graph was touched.
func (w *work) reader() traversal.Seen {
	if w.primary == nil {
		return nil
	}
	return w.readerOf(w.ctx, w.primary)
}

func (w *work) readerOf(ctx context.Context, g *blueprints.Graph) traversal.Seen {
	tx, err := w.tx(ctx, g, false)
	if err != nil {
		return nil
	}
	return w.seen(tx)
}

// scriptResults are what a script evaluates to.
type scriptResults struct {
	w  *work
	it host.Iterator
}

// Next appends up to max results.
func (r *scriptResults) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	return r.it.Next(dst, max)
}

// Resolver finds elements of the primary graph.
func (r *scriptResults) Resolver() value.Resolver {
	if tx := r.w.reader(); tx != nil {
		return tx
	}
	return nil
}

// Writes reports true: a script may have written anywhere.
func (r *scriptResults) Writes() bool { return true }

// Close ends a traversal that was not drained.
func (r *scriptResults) Close() { r.it.Close() }

// foreignRun copies the elements of a graph that is not the primary one, or that is
// shown in part only.
type foreignRun struct {
	*run
	copy detacher
}

// Next appends up to max results, detached.
func (r *foreignRun) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	from := len(dst)
	dst, err := r.run.Next(dst, max)
	for i := from; i < len(dst); i++ {
		v, derr := r.copy.value(dst[i].Value)
		if derr != nil {
			return dst[:i], derr
		}
		dst[i].Value = v
	}
	return dst, err
}

// SideEffects returns those of the traversal, copied.
func (r *foreignRun) SideEffects() (*value.Map, error) {
	all, err := r.run.SideEffects()
	if err != nil {
		return nil, err
	}
	v, err := r.copy.value(all.Value())
	return v.Map(), err
}

// SideEffects returns those of the traversal as they are now.
func (s *run) SideEffects() (*value.Map, error) {
	all := value.NewMap()
	if s.r.SideEffects == nil {
		return all, nil
	}
	for _, key := range s.r.SideEffects.Keys() {
		v, err := s.r.SideEffects.Get(key)
		if err != nil {
			return nil, err
		}
		all.PutString(key, v)
	}
	return all, nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/graphs"
)

// Languages of scripts.
const (
	languageLang   = "gremlin-lang"
	languageGroovy = "gremlin-groovy"
)

func (w *work) eval(ctx context.Context, q *contract.Query) (contract.Results, error) {
	if err := w.alias(q); err != nil {
		return nil, err
	}
	switch q.Language {
	case languageLang:
		return w.evalLang(ctx, q)
	case languageGroovy:
		return w.evalScript(ctx, q)
	}
	return nil, &message.StatusError{Code: 597, Class: "java.lang.IllegalArgumentException",
		Message: fmt.Sprintf("%.60s is not an available GremlinScriptEngine: gremlin-lang and gremlin-groovy are", q.Language)}
}

// evalLang evaluates gremlin-lang.
func (w *work) evalLang(ctx context.Context, q *contract.Query) (contract.Results, error) {
	query, err := w.parse(ctx, q, false)
	if err != nil {
		return nil, err
	}
	return w.statements(ctx, q, query)
}

// parse reads the text as gremlin-lang; groovy makes its literals Groovy's.
func (w *work) parse(ctx context.Context, q *contract.Query, groovy bool) (*lang.Query, error) {
	w.reading = traversal.Meter{Ctx: ctx, Account: q.Account}
	e, who := w.e, w.o.Identity // an error asks for names when the work is another's
	return lang.Parse(q.Script, lang.Options{
		Groovy:      groovy,
		Meter:       &w.reading,
		Variables:   func(name string) (value.Value, bool) { return w.variable(q, name) },
		Sources:     func(name string) bool { return w.source(q, name) != nil },
		SourceNames: func() []string { return e.globalNames(who) },
		Evaluate: func(s *lang.Statement) (value.Value, error) {
			w.writes = true // what comes behind it may write
			res, err := w.statement(ctx, q, s)
			if err != nil {
				return value.Null, err
			}
			return first(res)
		},
	})
}

// statements runs a text. Statements before the last one run only when they end in a
// terminal; the last one's result is the text's.
func (w *work) statements(ctx context.Context, q *contract.Query, query *lang.Query) (contract.Results, error) {
	w.writes = w.writes || len(query.Statements) > 1
	for i := range query.Statements[:len(query.Statements)-1] {
		s := &query.Statements[i]
		if s.Terminal == "" && s.Tx == "" {
			continue
		}
		res, err := w.statement(ctx, q, s)
		if err == nil {
			err = drain(res)
		}
		if err != nil {
			return nil, err
		}
	}
	return w.statement(ctx, q, query.Last())
}

// variable finds a binding of the request, or a variable of the session.
func (w *work) variable(q *contract.Query, name string) (value.Value, bool) {
	if q.Bindings != nil {
		if v, ok := q.Bindings.Get(value.String(name)); ok {
			return v, true
		}
	}
	if w.session == nil {
		return value.Null, false
	}
	return w.session.Variable(name)
}

// source returns what a name means that traverses in this request, nil for none.
func (w *work) source(q *contract.Query, name string) *source {
	means := q.Resolve(name)
	if w.o.Session && w.session != nil && !q.IsBytecode() {
		if g, ok := w.session.Source(name); ok {
			if g.Opened > 0 {
				s, _ := w.opened.source(g)
				return s
			}
			means = g.Name
		}
	}
	if w.e.Lookup(w.o.Identity, means) != contract.SourceName {
		return nil
	}
	s, _ := w.e.source(w.o.Identity, means)
	return s
}

// statement starts one statement.
func (w *work) statement(ctx context.Context, q *contract.Query, s *lang.Statement) (contract.Results, error) {
	if s.Empty {
		return single(value.String("")), nil
	}
	src := w.source(q, s.Source)
	if src == nil {
		if _, err := w.e.source(w.o.Identity, q.Resolve(s.Source)); err != nil && !errors.Is(err, blueprints.ErrNoGraph) {
			return nil, err // it is there, and cannot be opened
		}
		return nil, &message.StatusError{Code: 597, Class: "org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException",
			Message: fmt.Sprintf("no traversal source %s: aliases or traversalSources name one", s.Source)}
	}
	g := src.graph
	switch {
	case s.Tx != "":
		if !g.Options().Transactional {
			return nil, &message.StatusError{Code: 597, Class: "java.lang.UnsupportedOperationException", Message: contract.ErrNoTransactions.Error()}
		}
		if s.Tx == "begin" {
			return single(value.Null), nil // the first read or write does
		}
		return single(value.Null), w.graphOp(context.WithoutCancel(ctx), g, s.Tx)
	case len(s.Bytecode.Steps) == 0:
		return w.bareSource(ctx, g, s)
	case s.ToString && s.Terminal == "":
		return w.planText(ctx, src, s)
	case s.Terminal == "explain":
		return w.explain(ctx, src, s.Bytecode, s.ToString)
	}
	r, err := w.traverse(ctx, src, s.Bytecode, q.Account)
	if err != nil {
		return nil, err
	}
	res, err := terminate(r, s)
	if err == nil && s.ToString && s.Terminal == "iterate" {
		return w.planText(ctx, src, s)
	}
	return res, err
}

// bareSource answers a source without steps: only its text can be sent.
func (w *work) bareSource(ctx context.Context, g *blueprints.Graph, s *lang.Statement) (contract.Results, error) {
	text, err := w.graphText(ctx, g)
	if err != nil {
		return nil, err
	}
	source := graphs.SourceShown(text, s.Bytecode.Source)
	if s.ToString {
		return single(value.String(source.Text)), nil
	}
	return single(value.Object(value.KindForeign, source)), nil
}

// graphText is the Java text of a graph.
func (w *work) graphText(ctx context.Context, g *blueprints.Graph) (string, error) {
	tx, err := w.tx(ctx, g, false)
	if err != nil {
		return "", err
	}
	all := w.seen(tx)
	v, err := all.VertexCount()
	if err != nil {
		return "", err
	}
	e, err := all.EdgeCount()
	return fmt.Sprintf("tinkergraph[vertices:%d edges:%d]", v, e), err
}

// stepTexts lists the steps of a traversal as it was built, or as strategies left it.
func (w *work) stepTexts(ctx context.Context, src *source, b *traversal.Bytecode, applied bool) ([]string, error) {
	if applied {
		x, err := w.explanation(ctx, src, b)
		if err != nil {
			return nil, err
		}
		return x.Final, nil
	}
	b, err := src.configured(b)
	if err != nil {
		return nil, err
	}
	p, err := traversal.Compile(meter(ctx, w.q), steps.Registry(), b)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		texts[i] = n.Original()
	}
	return texts, nil
}

// planText is the text of a traversal, or of what iterate() made of it.
func (w *work) planText(ctx context.Context, src *source, s *lang.Statement) (contract.Results, error) {
	b := *s.Bytecode
	if s.Terminal == "iterate" {
		b.Steps = append(b.Steps[:len(b.Steps):len(b.Steps)], traversal.Instruction{Name: "discard"})
	}
	texts, err := w.stepTexts(ctx, src, &b, s.Terminal == "iterate")
	return single(value.String("[" + strings.Join(texts, ", ") + "]")), err
}

// explain answers with the plan after each strategy, or with its text.
func (w *work) explain(ctx context.Context, src *source, b *traversal.Bytecode, text bool) (contract.Results, error) {
	x, err := w.explanation(ctx, src, b)
	if err != nil {
		return nil, err
	}
	if text {
		return single(value.String(x.JavaString())), nil
	}
	return single(value.Object(value.KindExplanation, x)), nil
}

// explains is a transaction in which a plan is only looked at.
func (w *work) explains(ctx context.Context, g *blueprints.Graph, p *traversal.Plan) (*blueprints.Tx, error) {
	if at, err := p.Options.AsOf(); at != 0 || err != nil {
		if err != nil {
			return nil, err
		}
		return w.past(ctx, g, p, at)
	}
	return w.tx(ctx, g, false)
}

// explanation is what explain() shows of bytecode.
func (w *work) explanation(ctx context.Context, src *source, b *traversal.Bytecode) (*traversal.Explanation, error) {
	if err := w.permitted(src.graph, b); err != nil {
		return nil, err
	}
	b, err := src.configured(b)
	if err != nil {
		return nil, err
	}
	p, err := traversal.Compile(meter(ctx, w.q), steps.Registry(), b)
	if err != nil {
		return nil, err
	}
	tx, err := w.explains(ctx, src.graph, p)
	if err == nil {
		err = w.mayDo(src.graph, p.Effects())
	}
	if err == nil {
		err = p.Options.Admit(tx)
	}
	if err != nil {
		return nil, err
	}
	return steps.Explain(meter(ctx, w.q), p, w.seen(tx))
}

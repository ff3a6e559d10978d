package differential_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

// outcome is what a traversal gave, and what it left of the graph; or its error.
type outcome struct {
	results []result
	files   []string
	left    string
	failure string
}

// result is a result and how often it came one after the other.
type result struct {
	text string
	n    int64
}

func (o *outcome) add(text string, n int64) {
	if last := len(o.results) - 1; last >= 0 && o.results[last].text == text {
		o.results[last].n += n
		return
	}
	o.results = append(o.results, result{text, n})
}

// sort puts results that come in no defined order into one.
func (o *outcome) sort() {
	slices.SortFunc(o.results, func(a, b result) int { return strings.Compare(a.text, b.text) })
	unsorted := o.results
	o.results = nil
	for _, r := range unsorted {
		o.add(r.text, r.n)
	}
}

func (o outcome) String() string {
	if o.failure != "" {
		return "error: " + o.failure
	}
	var parts []string
	for _, r := range o.results {
		parts = append(parts, fmt.Sprintf("%d %s", r.n, r.text))
	}
	return strings.Join(append(append(parts, o.files...), o.left), "; ")
}

const (
	// traversalMax is how long one traversal may take, and resultsMax how many results it
	// may have; those that exceed it are left out.
	traversalMax = 2 * time.Second
	resultsMax   = 20_000
)

// run runs a traversal in a transaction that is thrown away.
func (s state) run(ctx context.Context, q query, w way) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, traversalMax)
	defer cancel()
	tx, err := s.begin(ctx)
	if err != nil {
		return outcome{}, err
	}
	defer tx.Close()
	o := outcome{}
	err = o.evaluate(ctx, s.seen(tx), q, w, s.old)
	if errors.Is(err, traversal.ErrTimeout) || err != nil && ctx.Err() != nil {
		return outcome{}, err
	}
	if err != nil {
		return outcome{failure: class(err)}, nil
	}
	if !q.Ordered {
		o.sort()
	}
	if s.anew {
		o.files = nil
	}
	return o, nil
}

func class(err error) string {
	var j interface{ JavaClass() string }
	if errors.As(err, &j) {
		return j.JavaClass()
	}
	return "an error"
}

func (o *outcome) evaluate(ctx context.Context, tx seen, q query, w way, old oldIDs) error {
	p, err := w.plan(q.code, tx)
	if err != nil {
		return err
	}
	h := newHost()
	r, err := traversal.Open(p, traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx, Mutator: tx, Host: h, BatchMax: w.batch})
	if err != nil {
		return err
	}
	var batch traversal.Batch
	for n := 0; ; n += batch.Len() {
		batch.Clear()
		if err := r.Next(&batch, 64); err != nil {
			return err
		}
		if batch.Len() == 0 {
			o.files = h.written()
			return o.leave(r.View)
		}
		if n > resultsMax {
			return traversal.ErrTimeout
		}
		print := differential.Printer{Resolver: r.Resolver(), AnyOrder: q.Gathers(), New: old.isNew}
		for i := range batch.Len() {
			t := batch.At(i)
			o.add(t.Kind().String()+" "+print.Value(t.Value), t.Bulk)
		}
	}
}

// seen is a transaction, or what is seen of one.
type seen interface {
	blueprints.View
	blueprints.Mutator
}

// leave adds what the traversal sees of the graph.
func (o *outcome) leave(tx blueprints.View) error {
	vs, err := tx.VertexCount()
	if err != nil {
		return err
	}
	es, err := tx.EdgeCount()
	o.left = fmt.Sprintf("left %d vertices, %d edges", vs, es)
	return err
}

package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// dedup() keeps the first traverser of each object and drops the others.
//
//	dedup()              by the object
//	dedup().by("name")   by what by() gives; nothing given drops the traverser
//	dedup("a", "b")      by what the labels stand for
//	dedup(Scope.local)   each collection becomes the set of its members
//
// What it lets through has bulk 1. Identity counts: 1 and 1L are two. Memory is one
// key per distinct object, a bit for a vertex or an edge.
var dedupSpec = traversal.Spec{
	Name: "dedup", Class: "DedupGlobalStep", Kind: traversal.FilterStep, MaxBy: -1,
	NeedsOf: func(n *traversal.Node) traversal.Needs {
		if d := n.Data.(dedupArgs); len(d.labels) > 0 {
			return traversal.NeedLabelledPath
		}
		return 0
	},
	Scope: func(n *traversal.Node) ([]string, bool) {
		d := n.Data.(dedupArgs)
		return d.labels, !d.local
	},
	Doc:     "Keeps the first traverser of each object.",
	Prepare: prepareDedup, Open: openDedup,
}

type dedupArgs struct {
	local  bool
	labels []string
}

func prepareDedup(n *traversal.Node) error {
	d := dedupArgs{}
	for i, a := range n.Args {
		if i == 0 && a.Value.Kind() == value.KindScope {
			d.local = a.Value.Str() == "local"
			continue
		}
		if a.Value.Kind() != value.KindString {
			return fmt.Errorf("dedup() takes labels of type String, not %s", a.Value.Brief())
		}
		d.labels = append(d.labels, a.Value.Str())
	}
	n.Data = d
	return step.OneBy(n, "Dedup")
}

func openDedup(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	d := n.Data.(dedupArgs)
	if d.local {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) { return dedupLocal(r, t) }), nil
	}
	by, err := step.OpenBy(n, r)
	if err != nil {
		return nil, err
	}
	s := &dedup{r: r, n: n, labels: d.labels, by: by, plain: len(d.labels) == 0 && len(n.By) == 0, seen: newSeen(r)}
	s.Source = r.Transform(up, s.keep)
	return s, nil
}

type dedup struct {
	traversal.Source
	r      *traversal.Run
	n      *traversal.Node
	labels []string
	by     traversal.Func
	plain  bool
	seen   seen
	one    step.Single
}

func (s *dedup) keep(t *traversal.Traverser) (traversal.Traverser, bool, error) {
	if s.plain {
		return s.first(t, t.Value)
	}
	key, ok, err := s.key(t)
	if err != nil || !ok {
		return *t, false, err
	}
	return s.first(t, key)
}

func (s *dedup) first(t *traversal.Traverser, key value.Value) (traversal.Traverser, bool, error) {
	isNew, err := s.seen.add(key)
	if !isNew || err != nil {
		return *t, false, err
	}
	return t.WithBulk(1), true, nil
}

func (s *dedup) key(t *traversal.Traverser) (value.Value, bool, error) {
	if len(s.labels) == 0 {
		return s.by(s.one.Of(t))
	}
	keys := make([]value.Value, len(s.labels))
	for i, l := range s.labels {
		v, err := step.SafeScopeValue(s.r, s.n, t, l)
		if err != nil {
			return v, false, err
		}
		var ok bool
		if keys[i], ok, err = step.Projected(s.r, s.by, v); !ok || err != nil {
			return v, false, err
		}
	}
	return value.List(keys), true, nil
}

func (s *dedup) Reset() {
	s.seen.forget()
	s.Source.Reset()
}

func dedupLocal(r *traversal.Run, t *traversal.Traverser) (value.Value, bool, error) {
	set := value.NewSet()
	err := step.Members(r, t.Value, func(v value.Value) error { set.Add(v); return nil })
	if t.Value.IsNull() { // its own member here
		set.Add(value.Null)
	}
	return set.Value(), err == nil, err
}

package steps

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// order() sorts traversers, or the members of each collection.
//
//	order()                              by the objects, ascending
//	order().by("age", desc).by("name")   by several keys in turn
//	order().by(shuffle)                  at random
//	order(Scope.local).by(values)        the members of a collection or map
//
// Values of any types have an order (value.Order). Equal keys keep their order. What a
// by() gives nothing for is dropped.
var orderSpec = traversal.Spec{
	Name: "order", Class: "OrderGlobalStep", Kind: traversal.BarrierStep, MaxBy: -1,
	EffectsOf: func(n *traversal.Node) traversal.Effects {
		for _, m := range n.By {
			if m.Order == "shuffle" {
				return traversal.Randomised
			}
		}
		return 0
	},
	Doc:     "Sorts traversers, or with Scope.local the members of each collection.",
	Prepare: step.PrepareScoped, Open: openOrder, Print: printOrder,
}

func printOrder(n *traversal.Node) string {
	name := "OrderGlobalStep"
	if n.Data.(step.Scoped).Local {
		name = "OrderLocalStep"
	}
	var parts []string
	if len(n.By) > 0 {
		parts = append(parts, step.PrintBy(n)[1:])
	}
	if l := limitOf(n); l > 0 {
		parts = append(parts, fmt.Sprintf("limit=%d", l))
	}
	if len(parts) == 0 {
		return name
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}

// sorter compares by the by() modulators of order().
type sorter struct {
	r       *traversal.Run
	by      []traversal.Func
	column  *traversal.ByBatch // the only one, where it projects many vertices at once
	compare []func(a, b value.Value) int
	from    int  // modulators before the last shuffle do not count
	shuffle bool // the last modulator shuffles
	random  *traversal.Random
	err     error // of a comparator closure
	one     step.Single
}

func newSorter(n *traversal.Node, r *traversal.Run) (*sorter, error) {
	s := &sorter{r: r, random: r.NewRandom()}
	mods := n.By
	if len(mods) == 0 {
		mods = []*traversal.Modulator{{}}
	}
	for i, m := range mods {
		f, err := r.ByFunc(m)
		if err != nil {
			return nil, err
		}
		cmp, err := s.comparator(m)
		if err != nil {
			return nil, err
		}
		s.by, s.compare = append(s.by, f), append(s.compare, cmp)
		if s.shuffle = m.Order == "shuffle"; s.shuffle {
			s.from = i + 1
		}
	}
	if len(mods) == 1 {
		if c := r.ByBatch(mods[0], s.by[0]); c.Columnar() {
			s.column = c
		}
	}
	return s, nil
}

func (s *sorter) comparator(m *traversal.Modulator) (func(a, b value.Value) int, error) {
	res, _ := s.r.View.(value.Resolver)
	if !m.Comparator.IsNull() {
		f, err := s.r.BinaryFunc(m.Comparator)
		return func(a, b value.Value) int {
			v, err := f(a, b)
			if err != nil && s.err == nil {
				s.err = err
			}
			return int(v.Int64())
		}, err
	}
	if m.Order == "desc" {
		return func(a, b value.Value) int { return value.OrderWith(b, a, res) }, nil
	}
	return func(a, b value.Value) int { return value.OrderWith(a, b, res) }, nil
}

// keys evaluates all modulators; false when one gives nothing.
func (s *sorter) keys(dst []value.Value, t *traversal.Traverser) ([]value.Value, bool, error) {
	u := s.one.Of(t)
	for _, f := range s.by {
		k, ok, err := f(u)
		if err != nil || !ok {
			return dst, false, err
		}
		dst = append(dst, sortKey(k))
	}
	return dst, true, nil
}

func sortKey(k value.Value) value.Value {
	if k.Kind().IsEnum() {
		return value.String(k.Str()) // T.id among the names of a map's keys
	}
	return k
}

// permutation sorts items by their keys (len(by) of them each) and returns the
// positions in order.
func (s *sorter) permutation(n int, keys []value.Value) ([]int32, error) {
	at := make([]int32, n)
	for i := range at {
		at[i] = int32(i)
	}
	if s.shuffle {
		s.random.Shuffle(n, func(i, j int) { at[i], at[j] = at[j], at[i] })
		return at, nil
	}
	w := len(s.by)
	m := merging[int32]{less: func(i, j int32) (bool, error) {
		c, err := s.compared(keys[int(i)*w:], keys[int(j)*w:])
		return c < 0, err
	}}
	return m.sort(at, make([]int32, n))
}

func openOrder(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s, err := newSorter(n, r)
	if err != nil {
		return nil, err
	}
	if n.Data.(step.Scoped).Local {
		return r.Map(up, s.local), nil
	}
	if l := limitOf(n); l > 0 {
		return newTop(s, up, l), nil
	}
	return r.Barrier(up, false, s.global), nil
}

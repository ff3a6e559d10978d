package main

import (
	"iter"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// naiveTraverser is one object at one step: a new one is made for each.
type naiveTraverser struct{ object any }

type naiveFlow = iter.Seq[*naiveTraverser]

// traverse chains the steps; its errors are those of unknown ones.
func (g *naiveGraph) traverse(flow naiveFlow, steps []traversal.Instruction) (naiveFlow, error) {
	for i, s := range steps {
		var modulator value.Value
		if i+1 < len(steps) && len(steps[i+1].Args) == 1 {
			modulator = steps[i+1].Args[0]
		}
		switch s.Name {
		case "V":
			flow = g.start(s.Args)
		case "E":
			flow = each(g.edges)
		case "has":
			flow = naiveHas(flow, s.Args)
		case "hasLabel":
			flow = filter(flow, func(v *naiveVertex) bool { return v.label == s.Args[0].Str() })
		case "out":
			flow = naiveOut(flow, s.Args)
		case "values":
			flow = mapped(flow, func(v *naiveVertex) any { return v.properties[s.Args[0].Str()] })
		case "dedup":
			flow = naiveDedup(flow)
		case "limit":
			flow = naiveLimit(flow, s.Args[0].Int64())
		case "count":
			flow = folded(flow, value.Long(0), func(n value.Value, _ any) value.Value { return value.Long(n.Int64() + 1) })
		case "sum":
			flow = folded(flow, value.Long(0), func(n value.Value, o any) value.Value { return value.Long(n.Int64() + o.(value.Value).Int64()) })
		case "groupCount":
			flow = naiveGroupCount(flow, modulator)
		case "order":
			flow = naiveOrder(flow, modulator)
		case "repeat":
			body, ok := s.Args[0].Object().(*traversal.Bytecode)
			if !ok || modulator.Kind() != value.KindInt {
				return nil, errNaiveStep(s.Name)
			}
			for range modulator.Int64() {
				var err error
				if flow, err = g.traverse(flow, body.Steps); err != nil {
					return nil, err
				}
			}
		case "by", "times": // taken by the step before
		default:
			return nil, errNaiveStep(s.Name)
		}
	}
	return flow, nil
}

func each[K comparable, O any](objects map[K]O) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		for _, o := range objects {
			if !yield(&naiveTraverser{o}) {
				return
			}
		}
	}
}

func (g *naiveGraph) start(ids []value.Value) naiveFlow {
	if len(ids) == 0 {
		return each(g.vertices)
	}
	return func(yield func(*naiveTraverser) bool) {
		for _, id := range ids {
			if v := g.vertices[int32(id.Int64())]; v != nil && !yield(&naiveTraverser{v}) {
				return
			}
		}
	}
}

func naiveOut(in naiveFlow, labels []value.Value) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		for t := range in {
			for label, edges := range t.object.(*naiveVertex).out {
				if len(labels) > 0 && labels[0].Str() != label {
					continue
				}
				for _, e := range edges {
					if !yield(&naiveTraverser{e.in}) {
						return
					}
				}
			}
		}
	}
}

func filter(in naiveFlow, keep func(*naiveVertex) bool) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		for t := range in {
			if keep(t.object.(*naiveVertex)) && !yield(t) {
				return
			}
		}
	}
}

// naiveHas compares with one value, or with those of within.
func naiveHas(in naiveFlow, args []value.Value) naiveFlow {
	wanted := args[1:]
	if p, ok := args[1].Object().(*traversal.P); ok {
		wanted = p.Args
		if len(wanted) == 1 && wanted[0].Elems() != nil {
			wanted = wanted[0].Elems()
		}
	}
	return filter(in, func(v *naiveVertex) bool {
		p := v.properties[args[0].Str()]
		return slices.ContainsFunc(wanted, func(w value.Value) bool { return value.Equal(p, w) })
	})
}

func mapped(in naiveFlow, f func(*naiveVertex) any) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		for t := range in {
			if !yield(&naiveTraverser{f(t.object.(*naiveVertex))}) {
				return
			}
		}
	}
}

func naiveDedup(in naiveFlow) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		seen := map[any]bool{}
		for t := range in {
			if !seen[t.object] {
				seen[t.object] = true
				if !yield(t) {
					return
				}
			}
		}
	}
}

func naiveLimit(in naiveFlow, n int64) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		left := n
		for t := range in {
			if left--; left < 0 || !yield(t) {
				return
			}
		}
	}
}

// folded makes one result of all traversers.
func folded(in naiveFlow, from value.Value, add func(sum value.Value, object any) value.Value) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		sum := from
		for t := range in {
			sum = add(sum, t.object)
		}
		yield(&naiveTraverser{sum})
	}
}

func naiveGroupCount(in naiveFlow, by value.Value) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		counts := value.NewMap()
		for t := range in {
			k := t.object.(*naiveVertex).property(by)
			n, _ := counts.Get(k)
			counts.Put(k, value.Long(value.AsInt64(n)+1))
		}
		yield(&naiveTraverser{counts.Value()})
	}
}

func naiveOrder(in naiveFlow, by value.Value) naiveFlow {
	return func(yield func(*naiveTraverser) bool) {
		sorted := slices.SortedFunc(in, func(a, b *naiveTraverser) int {
			return value.Order(a.object.(*naiveVertex).property(by), b.object.(*naiveVertex).property(by))
		})
		for _, t := range sorted {
			if !yield(t) {
				return
			}
		}
	}
}

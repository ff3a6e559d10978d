package step

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// lazyBarrierMax is the size that LazyBarrierStrategy gives the barriers it inserts.
const lazyBarrierMax = 2500

// HasBarrier reports whether a step of p, or of a traversal below it, gathers
// traversers before it gives any. Barriers inserted by a strategy count when lazy is
// set.
func HasBarrier(p *traversal.Plan, lazy bool) bool {
	found := false
	p.Walk(func(n *traversal.Node) {
		found = found || IsBarrier(n) && (lazy || !IsLazyBarrier(n))
	})
	return found
}

// IsLazyBarrier knows the barriers that LazyBarrierStrategy inserts.
func IsLazyBarrier(n *traversal.Node) bool {
	return n.Name() == "barrier" && len(n.Args) == 1 && n.Args[0].Value.Int64() == lazyBarrierMax
}

// IsBarrier knows the steps that TinkerPop marks as Barrier.
func IsBarrier(n *traversal.Node) bool {
	for _, a := range n.Args {
		if a.Value.Kind() == value.KindScope && a.Value.Str() == "local" {
			return false
		}
	}
	switch n.Name() {
	case "aggregate", "barrier", "cap", "count", "dedup", "fold", "group", "groupCount", "limit", "max", "mean", "min",
		"order", "range", "sample", "skip", "subgraph", "sum", "tail", "tree":
		return true
	}
	return n.Spec.Kind == traversal.BarrierStep || n.Spec.Kind == traversal.ReduceStep
}

// IsLocalBarrier knows the barriers that let their input through: TinkerPop's
// LocalBarrier.
func IsLocalBarrier(n *traversal.Node) bool {
	switch n.Name() {
	case "aggregate", "barrier", "subgraph":
		return len(n.Args) == 0 || n.Args[0].Value.Kind() != value.KindBarrier && !IsLambda(n.Args[0].Value)
	case "group", "groupCount", "tree":
		return len(n.Args) > 0
	}
	return false
}

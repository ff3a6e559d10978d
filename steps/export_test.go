package steps

import "github.com/gremlind/gremlind/traversal"

// Sort is what order() sorts with.
func Sort[T any](list []T, less func(a, b T) (bool, error)) ([]T, error) {
	m := merging[T]{less: less}
	return m.sort(list, make([]T, len(list)))
}

// Counting returns a registry like Registry's in which visit is called whenever somebody
// looks at what a node is, does, needs or refers to.
func Counting(visit func()) *traversal.Registry {
	return traversal.NewRegistry(registry.Map(func(s *traversal.Spec) *traversal.Spec {
		c := *s
		c.EffectsOf = func(n *traversal.Node) traversal.Effects {
			visit()
			if s.EffectsOf == nil {
				return 0
			}
			return s.EffectsOf(n)
		}
		c.NeedsOf = func(n *traversal.Node) traversal.Needs {
			visit()
			if s.NeedsOf == nil {
				return 0
			}
			return s.NeedsOf(n)
		}
		if s.Scope != nil {
			c.Scope = func(n *traversal.Node) ([]string, bool) {
				visit()
				return s.Scope(n)
			}
		}
		if s.Prepare != nil {
			c.Prepare = func(n *traversal.Node) error {
				visit()
				return s.Prepare(n)
			}
		}
		return &c
	})...)
}

package steps

import (
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// inject() adds objects to the stream, ahead of what comes in.
//
//	inject(1, 2, [3, 4])  three objects; equal ones come together
//	V(1).inject(7)        7, then the vertex
//	V().local(inject(7))  the first vertex, 7, the other vertices
var injectSpec = traversal.Spec{
	Name: "inject", Class: "InjectStep", Kind: traversal.SideEffectStep, Start: true,
	Doc: "Adds objects to the stream.",
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return openInject(n, r, up, false), nil
	},
	OpenFirst: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return openInject(n, r, up, true), nil
	},
	Print: func(n *traversal.Node) string {
		parts := make([]string, len(n.Args))
		for i, a := range n.Args {
			parts[i] = step.ArgText(a)
		}
		return "InjectStep([" + strings.Join(parts, ", ") + "])"
	},
}

type injection struct {
	r   *traversal.Run
	n   *traversal.Node
	up  traversal.Source // nil at the start
	set traversal.TraverserSet
	// after is set at the head of a child traversal, where the start comes first.
	after bool
}

func openInject(n *traversal.Node, r *traversal.Run, up traversal.Source, after bool) *injection {
	s := &injection{r: r, n: n, up: up, after: after}
	s.fill()
	return s
}

func (s *injection) fill() {
	s.set = s.r.NewSet()
	for _, a := range s.n.Args {
		s.set.Add(s.r.Generate(a.Value))
	}
}

func (s *injection) Next(b *traversal.Batch, max int) error {
	if err := s.r.Poll(); err != nil {
		return err
	}
	if s.after {
		from := b.Len()
		if err := s.up.Next(b, max); err != nil || b.Len() > from {
			return err
		}
	}
	if s.set.Pop(b, max) > 0 || s.up == nil {
		return nil
	}
	return s.up.Next(b, max)
}

// Reset does not bring back what was injected: the reference injects once for each
// place in a query, however often the child traversal there runs.
func (s *injection) Reset() {
	if s.up != nil {
		s.up.Reset()
	}
}

package step

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// OneBy refuses a second by() in the reference's words; step is the name it has there.
func OneBy(n *traversal.Node, step string) error {
	if len(n.By) > 1 {
		return fmt.Errorf("%s step can only have one by modulator", step)
	}
	return nil
}

// OpenBy opens the only by() of a node; identity when there is none.
func OpenBy(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	if len(n.By) == 0 {
		return r.ByFunc(nil)
	}
	return r.ByFunc(n.By[0])
}

// PrintBy prints the by() modulators behind other arguments.
func PrintBy(n *traversal.Node) string {
	if len(n.By) == 0 {
		return ""
	}
	parts := make([]string, len(n.By))
	for i, m := range n.By {
		parts[i] = m.String()
	}
	return ",[" + strings.Join(parts, ", ") + "]"
}

// JoinComma prints a list as Java does.
func JoinComma(list []string) string { return "[" + strings.Join(list, ", ") + "]" }

// Single lends a traverser with bulk 1 to a projection, without an allocation for each.
type Single struct{ t traversal.Traverser }

// Of returns t, or a copy with bulk 1 that lasts until the next call.
func (s *Single) Of(t *traversal.Traverser) *traversal.Traverser {
	if t.Bulk == 1 {
		return t
	}
	s.t = t.WithBulk(1)
	return &s.t
}

// Ring hands out by() modulators in turn; without any it is identity.
type Ring []traversal.Func

// At returns the i-th modulator; behind the last comes the first again.
func (g Ring) At(i int) traversal.Func {
	if len(g) == 0 {
		return func(t *traversal.Traverser) (value.Value, bool, error) { return t.Value, true, nil }
	}
	return g[i%len(g)]
}

// OpenRing opens the by() modulators of a node.
func OpenRing(n *traversal.Node, r *traversal.Run) (Ring, error) {
	fs, err := r.ByFuncs(n)
	return Ring(fs), err
}

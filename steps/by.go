package steps

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/traversal"
)

// oneBy refuses a second by() in the reference's words; step is the name it has there.
func oneBy(n *traversal.Node, step string) error {
	if len(n.By) > 1 {
		return fmt.Errorf("%s step can only have one by modulator", step)
	}
	return nil
}

// openBy opens the only by() of a node; identity when there is none.
func openBy(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	if len(n.By) == 0 {
		return r.ByFunc(nil)
	}
	return r.ByFunc(n.By[0])
}

// printBy prints the by() modulators behind other arguments.
func printBy(n *traversal.Node) string {
	if len(n.By) == 0 {
		return ""
	}
	parts := make([]string, len(n.By))
	for i, m := range n.By {
		parts[i] = m.String()
	}
	return ",[" + strings.Join(parts, ", ") + "]"
}

func joinComma(list []string) string { return "[" + strings.Join(list, ", ") + "]" }

// single lends a traverser with bulk 1 to a projection, without an allocation for each.
type single struct{ t traversal.Traverser }

func (s *single) of(t *traversal.Traverser) *traversal.Traverser {
	if t.Bulk == 1 {
		return t
	}
	s.t = t.WithBulk(1)
	return &s.t
}

package traversal

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// stepName is the text of a step in profile(): that of the node, with the elements that
// are among its arguments under the ids that users know.
func (r *Run) stepName(n *Node) string {
	name := n.String()
	if !strings.Contains(name, "[") { // as every element is written
		return name
	}
	var names []string
	a := attacher{stored: func(v value.Value) { names = append(names, v.JavaString(), r.Text(v)) }}
	visit := func(n *Node) {
		for _, arg := range n.Args {
			a.value(arg.Value)
		}
		for _, m := range n.Mods {
			for _, arg := range m.Args {
				a.value(arg.Value)
			}
		}
		if g, ok := n.Data.(*GraphStart); ok {
			for _, h := range g.Has {
				a.value(h.P.Value())
			}
		}
	}
	visit(n)
	n.Children(func(p *Plan) { p.Walk(visit) })
	return strings.NewReplacer(names...).Replace(name)
}

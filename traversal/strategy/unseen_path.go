package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// unseenPath drops a path() that is only counted: it gives one object for one.
//
//	V().out().path().count()             => V().out().count()
//	V().out().path().limit(5).count()    => V().out().limit(5).count()
//	V().out().path().by("name").count()  => V().out().path().by("name").count()
//	V().as("a").path().from("a").count() => V().as("a").path().from("a").count()
//	V().as("a").path().count()           => V().as("a").count()
//	V().as("a").path().as("p").count()   => V().as("a").path().as("p").count()
//
// Tolerates: effects and side effects of steps before it, which still run for each
// traverser. A by(), which may be unproductive, a from() or to(), whose label may be missing,
// and a label on path() or on a range behind it keep it.
var unseenPath = Strategy{Name: "UnseenPathStrategy", On: []string{"path"}, Category: Optimization, Default: true, Rewrite: rewriteUnseenPath}

func rewriteUnseenPath(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	for i, n := range p.Nodes {
		if n.Name() != "path" || len(n.By) > 0 || len(n.Mods) > 0 || n.HasLabels() {
			continue
		}
		end := i + 1
		for end < len(p.Nodes) && globalRange(p.Nodes[end]) != nil && !p.Nodes[end].HasLabels() {
			end++
		}
		if end < len(p.Nodes) && p.Nodes[end].Name() == "count" && !isLocal(p.Nodes[end]) {
			return p.With(slices.Delete(slices.Clone(p.Nodes), i, i+1)), nil
		}
	}
	return p, nil
}

package strategy

import "github.com/gremlind/gremlind/traversal"

// rootFacts are what strategies ask of the whole traversal for each of its plans. They
// are found out once: to look at everything for every child would take the square of
// the time.
type rootFacts struct {
	plan    *traversal.Plan
	known   bool
	effects traversal.Effects
	needs   traversal.Needs
	// conflicts is set when traversers go one at a time.
	conflicts bool
	shown     bool // a step shows what traversers passed
	profiled  bool // each step is measured
}

func (f *rootFacts) find() *rootFacts {
	if f.known {
		return f
	}
	f.known = true
	f.effects, f.needs, f.conflicts = f.plan.Effects(), f.plan.Needs(), f.plan.Conflicts()
	f.plan.Walk(func(n *traversal.Node) {
		switch n.Name() {
		case "path", "simplePath", "cyclicPath", "tree":
			f.shown = true
		case "profile":
			f.profiled = true
		}
	})
	return f
}

// needsPath reports whether the root's traversers carry their whole path.
func (c *Context) needsPath() bool {
	return c.root.find().needs&traversal.NeedFullPath != 0 || c.Options != nil && c.Options.Path
}

// showsPath reports whether the edges of paths can be seen.
func (c *Context) showsPath() bool {
	f := c.root.find()
	return f.shown || f.effects&traversal.Opaque != 0 || c.Options != nil && c.Options.Path
}

package check

import (
	"context"
	"hash/maphash"

	"github.com/gremlind/gremlind/blueprints"
)

// AddUp checks a graph by the pass that adds up promises; settled means that it is
// enough.
func AddUp(ctx context.Context, g *blueprints.Graph) (r Report, settled bool, err error) {
	return onePass(ctx, g, &sum{seed: maphash.MakeSeed()})
}

// LookUp checks a graph by the one that looks everything up.
func LookUp(ctx context.Context, g *blueprints.Graph) (Report, error) {
	r, _, err := onePass(ctx, g, nil)
	return r, err
}

func onePass(ctx context.Context, g *blueprints.Graph, s *sum) (Report, bool, error) {
	snap, err := g.Store().Snapshot()
	if err != nil {
		return Report{}, false, err
	}
	defer snap.Close()
	c := checker{snap: snap, graph: g.Number(), options: g.Options(), sum: s}
	return c.pass(ctx, g.Name())
}

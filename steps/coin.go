package steps

import (
	"fmt"
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// coin() keeps each traverser with a probability.
//
//	V().coin(0.5)
//
// Of a bulk below 100 each is tossed for; of a larger one the expected share stays.
var coinSpec = traversal.Spec{
	Name: "coin", Class: "CoinStep", Kind: traversal.FilterStep, Effects: traversal.Randomised,
	Doc: "Keeps each traverser with a probability.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 1 || !n.Value(0).Kind().IsNumber() {
			return fmt.Errorf("coin() takes a probability")
		}
		return nil
	},
	Open: openCoin,
}

const tossMax = 100 // bulk from which coin() computes instead of tossing

func openCoin(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	random, p := r.NewRandom(), value.AsFloat64(n.Value(0))
	return r.Transform(up, func(t *traversal.Traverser) (traversal.Traverser, bool, error) {
		bulk := int64(math.Floor(p*float64(t.Bulk) + 0.5))
		if t.Bulk < tossMax {
			bulk = 0
			for range t.Bulk {
				if p >= random.Float64() {
					bulk++
				}
			}
		}
		return t.WithBulk(bulk), bulk != 0, nil
	}), nil
}

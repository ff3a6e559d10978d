package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// range(), limit() and skip() keep traversers by their position, counted with bulk.
//
//	range(1, 3)           the second and the third
//	limit(2)  skip(2)     the first two; all but those
//	limit(Scope.local, 2) the first two members of each collection
//
// Inside repeat() positions are counted anew for every pass.
var (
	rangeSpec = rangeStep("range", "Keeps the traversers between two positions.")
	limitSpec = rangeStep("limit", "Keeps the first traversers.")
	skipSpec  = rangeStep("skip", "Drops the first traversers.")
)

func rangeStep(name, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: "RangeGlobalStep", Kind: traversal.FilterStep,
		Doc: doc, Prepare: prepareRange, Open: openRange, Print: printRange,
	}
}

// bounds takes the scope and the numbers of range(), limit(), skip(), tail() and
// sample() apart.
func bounds(n *traversal.Node) (local bool, numbers []int64, err error) {
	for i, a := range n.Args {
		switch k := a.Value.Kind(); {
		case i == 0 && k == value.KindScope:
			local = a.Value.Str() == "local"
		case k == value.KindInt || k == value.KindLong || k == value.KindShort || k == value.KindByte:
			numbers = append(numbers, a.Value.Int64())
		default:
			return false, nil, fmt.Errorf("%s() takes numbers, not %s", n.Name(), a.Value.Brief())
		}
	}
	return local, numbers, nil
}

func prepareRange(n *traversal.Node) error {
	local, nums, err := bounds(n)
	if err != nil {
		return err
	}
	g := &traversal.Range{High: -1, Local: local}
	switch {
	case n.Name() == "range" && len(nums) == 2:
		g.Low, g.High = nums[0], nums[1]
	case n.Name() == "limit" && len(nums) == 1:
		g.High = nums[0]
	case n.Name() == "skip" && len(nums) == 1:
		g.Low = nums[0]
	default:
		return fmt.Errorf("%s() does not take %d numbers", n.Name(), len(nums))
	}
	if g.Low != -1 && g.High != -1 && g.Low > g.High {
		return fmt.Errorf("Not a legal range: [%d, %d]", g.Low, g.High)
	}
	n.Data = g
	return nil
}

func printRange(n *traversal.Node) string {
	g := n.Data.(*traversal.Range)
	if g.Local {
		return fmt.Sprintf("RangeLocalStep(%d,%d)", g.Low, g.High)
	}
	return fmt.Sprintf("RangeGlobalStep(%d,%d)", g.Low, g.High)
}

func openRange(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := n.Data.(*traversal.Range)
	if g.Local {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
			v, err := cut(r, t.Value, g.Low, g.High)
			return v, err == nil, err
		}), nil
	}
	return &ranger{r: r, in: r.Input(up), g: g}, nil
}

// cut keeps the members of a collection from position low to high, -1 for no bound.
func cut(r *traversal.Run, v value.Value, low, high int64) (value.Value, error) {
	at := int64(-1)
	in := func() bool { at++; return at >= low && (high == -1 || at < high) }
	switch v = step.AsMap(v); v.Kind() {
	case value.KindMap:
		m := value.NewMap()
		for i := range v.Map().Len() {
			if err := r.Poll(); err != nil {
				return value.Null, err
			}
			if in() {
				m.Put(v.Map().Entry(i))
			}
		}
		return m.Value(), nil
	case value.KindSet, value.KindBulkSet: // Java's BulkSet is a Set too
		s := value.NewSet()
		err := step.Members(r, v, func(e value.Value) error {
			if in() {
				s.Add(e)
			}
			return nil
		})
		return s.Value(), err
	case value.KindList, value.KindPath:
		var list []value.Value
		err := step.Members(r, v, func(e value.Value) error {
			if in() {
				list = append(list, e)
			}
			return nil
		})
		return value.List(list), err
	}
	return v, nil
}

package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// sample() keeps a number of traversers, or of members of each collection, at random.
//
//	sample(2)               each as likely
//	sample(2).by("weight")  likely by weight; nothing given drops the traverser
//	sample(Scope.local, 2)
//
// Under SeedStrategy it draws the numbers of java.util.Random in the reference's order.
var sampleSpec = traversal.Spec{
	Name: "sample", Class: "SampleGlobalStep", Kind: traversal.BarrierStep, MaxBy: -1, Effects: traversal.Randomised,
	Doc:     "Keeps a number of traversers at random.",
	Prepare: prepareSample, Open: openSample,
	Print: func(n *traversal.Node) string {
		g := n.Data.(sampleArgs)
		if g.local {
			return fmt.Sprintf("SampleLocalStep(%d)", g.amount)
		}
		return fmt.Sprintf("SampleGlobalStep(%d%s)", g.amount, step.PrintBy(n))
	},
}

type sampleArgs struct {
	amount int64
	local  bool
}

func prepareSample(n *traversal.Node) error {
	local, nums, err := bounds(n)
	if err != nil {
		return err
	}
	if len(nums) != 1 {
		return fmt.Errorf("sample() takes one number")
	}
	n.Data = sampleArgs{amount: nums[0], local: local}
	return step.OneBy(n, "Sample")
}

func openSample(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := n.Data.(sampleArgs)
	s := &sampler{r: r, n: n, amount: g.amount, random: r.NewRandom()}
	if g.local {
		return r.Map(up, s.local), nil
	}
	if len(n.By) > 0 {
		var err error
		if s.by, err = step.OpenBy(n, r); err != nil {
			return nil, err
		}
	}
	return r.Barrier(up, false, s.global), nil
}

type sampler struct {
	r      *traversal.Run
	n      *traversal.Node
	amount int64
	by     traversal.Func // nil: weight 1
	random *traversal.Random
	one    step.Single
}

// global draws traversers one after the other: for each draw it goes through all that
// are left and takes one with the probability of its share of the remaining weight.
func (s *sampler) global(all []traversal.Traverser) ([]traversal.Traverser, error) {
	set := s.r.NewSet()
	for i := range all {
		set.Add(all[i])
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	all = set.Rest()
	kept, err := account.Grow(s.r.Account, []traversal.Traverser(nil), len(all))
	if err != nil {
		return nil, err
	}
	var weights []float64
	total, bulk := 0.0, int64(0)
	for i := range all {
		w, ok, err := s.weight(&all[i])
		if err != nil {
			return nil, err
		}
		if ok {
			kept, weights = append(kept, all[i]), append(weights, w)
			total += w * float64(all[i].Bulk)
			bulk += all[i].Bulk
		}
	}
	if bulk <= s.amount {
		return kept, nil
	}
	taken := make([]int64, len(kept))
	var order []int
	for n := int64(0); n < s.amount; {
		i, err := s.draw(kept, weights, taken, total)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			continue // rounding left nobody; the reference draws again too
		}
		if taken[i]++; taken[i] == 1 {
			order = append(order, i)
		}
		n++
	}
	out := make([]traversal.Traverser, len(order))
	for k, i := range order {
		out[k] = kept[i].WithBulk(taken[i])
	}
	return out, nil
}

func (s *sampler) weight(t *traversal.Traverser) (float64, bool, error) {
	if s.by == nil {
		return 1, true, nil
	}
	v, ok, err := s.by(s.one.Of(t))
	if err != nil || !ok {
		return 0, false, err
	}
	if !v.Kind().IsNumber() {
		return 0, false, fmt.Errorf("Traverser %s does not evaluate to a number with %s", s.r.Text(t.Value), traversal.Brief(s.n.By[0]))
	}
	return value.AsFloat64(v), true, nil
}

// draw returns the position of one traverser, -1 when chance passed over all.
func (s *sampler) draw(all []traversal.Traverser, weights []float64, taken []int64, running float64) (int, error) {
	for i := range all {
		for k := int64(0); k < all[i].Bulk-taken[i]; k++ {
			if err := s.r.Poll(); err != nil {
				return -1, err
			}
			if s.random.Float64() <= weights[i]/running {
				return i, nil
			}
			running -= weights[i]
		}
	}
	return -1, nil
}

// local draws members without putting them back.
func (s *sampler) local(t *traversal.Traverser) (value.Value, bool, error) {
	object := step.AsMap(t.Value)
	if !object.Kind().IsCollection() && object.Kind() != value.KindMap {
		return t.Value, true, nil
	}
	rest, err := step.MemberList(s.r, object)
	if err != nil {
		return value.Null, false, err
	}
	if int64(len(rest)) <= s.amount {
		return t.Value, true, nil
	}
	var drawn []value.Value
	for int64(len(drawn)) < s.amount {
		if err := s.r.PollNow(); err != nil { // each turn moves the rest
			return value.Null, false, err
		}
		i := int(s.random.Intn(int32(len(rest))))
		drawn = append(drawn, rest[i])
		rest = append(rest[:i], rest[i+1:]...)
	}
	if object.Kind() != value.KindMap {
		return value.List(drawn), true, nil
	}
	m := value.NewMap()
	for _, e := range drawn {
		m.Put(e.MapEntry().Key, e.MapEntry().Value)
	}
	return m.Value(), true, nil
}

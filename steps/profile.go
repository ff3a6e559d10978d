package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// profile() measures the steps before it.
//
//	V().out().profile()              the measurements in place of the results
//	V().out().profile("m").cap("m")  into a side effect; the traversers go on
var profileSpec = traversal.Spec{
	Name: "profile", Class: "ProfileSideEffectStep", Kind: traversal.SideEffectStep, EffectsOf: keyedEffects,
	Doc:     "Measures the steps before it.",
	Prepare: prepareKeyed, Open: openProfile,
}

func openProfile(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	state := &profileState{r.Profile}
	if r.Profile == nil {
		state.p = &traversal.Profiler{} // inside a child: nothing is measured
	}
	key := string(n.Data.(sideKey))
	if key == "" {
		return r.Reduce(up, func() traversal.Reducer { return state }), nil
	}
	e := r.SideEffects.Register(key, func() *traversal.SideEffect { return &traversal.SideEffect{} })
	if e.State != nil {
		return nil, fmt.Errorf("the side effect %s is taken", key)
	}
	e.State = state
	return up, nil
}

// profileState gives the measurements as they are when somebody looks.
type profileState struct{ p *traversal.Profiler }

func (s *profileState) AddBatch(*traversal.Batch) error { return nil }

func (s *profileState) Result() (value.Value, bool, error) {
	v, err := s.Value()
	return v, true, err
}

func (s *profileState) Value() (value.Value, error) {
	return value.Object(value.KindTraversalMetrics, s.p.Metrics()), nil
}

package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// cap() lets all traversers come and gives side effects in their place.
//
//	V().aggregate("x").cap("x")  the side effect
//	cap("x", "y")                a map of several
var capSpec = traversal.Spec{
	Name: "cap", Class: "SideEffectCapStep", Kind: traversal.BarrierStep, Effects: traversal.ReadsSideEffect,
	Doc: "Gives side effects in place of all traversers.",
	Prepare: func(n *traversal.Node) error {
		keys := make([]string, len(n.Args))
		for i := range n.Args {
			var err error
			if keys[i], err = step.TextArg(n, i); err != nil {
				return err
			}
		}
		if len(keys) == 0 {
			return fmt.Errorf("cap() takes the keys of side effects")
		}
		n.Data = keys
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return r.Reduce(up, func() traversal.Reducer { return &capped{r, n.Data.([]string)} }), nil
	},
	Print: func(n *traversal.Node) string { return "SideEffectCapStep(" + step.JoinComma(n.Data.([]string)) + ")" },
}

type capped struct {
	r    *traversal.Run
	keys []string
}

func (s *capped) AddBatch(*traversal.Batch) error { return nil }

func (s *capped) Result() (value.Value, bool, error) {
	if len(s.keys) == 1 {
		v, err := s.r.SideEffects.Get(s.keys[0])
		return v, err == nil, err
	}
	m := value.NewMap()
	for _, k := range s.keys {
		e, ok := s.r.SideEffects.Lookup(k)
		if !ok {
			continue
		}
		v, err := e.Get()
		if err != nil {
			return value.Null, false, err
		}
		m.Put(value.String(k), v)
	}
	return m.Value(), true, nil
}

package steps

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// timeLimit() ends its traversal when the milliseconds since its first traverser are
// over.
//
//	V().repeat(both()).timeLimit(10)
var timeLimitSpec = traversal.Spec{
	Name: "timeLimit", Class: "TimeLimitStep", Kind: traversal.FilterStep,
	Doc: "Ends its traversal after a number of milliseconds.",
	Prepare: func(n *traversal.Node) error {
		if k := n.Value(0).Kind(); len(n.Args) != 1 || k != value.KindInt && k != value.KindLong {
			return fmt.Errorf("timeLimit() takes a number of milliseconds")
		}
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return &timeLimit{r: r, in: r.Input(up), max: time.Duration(n.Value(0).Int64()) * time.Millisecond}, nil
	},
}

type timeLimit struct {
	r     *traversal.Run
	in    traversal.Input
	max   time.Duration
	begin time.Time
}

// Next asks for one traverser at a time, so that none waits behind a slow one.
func (s *timeLimit) Next(b *traversal.Batch, _ int) error {
	t, ok, err := s.in.Take(1)
	if !ok || err != nil {
		return err
	}
	if s.begin.IsZero() {
		s.begin = time.Now()
	}
	if time.Since(s.begin) < s.max {
		b.Add(t)
	}
	return s.r.Poll()
}

func (s *timeLimit) Reset() { s.in.Reset() }

package step

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Once gives the one traverser without a past that begins a traversal. Its object is
// replaced by the step behind it, so the path begins there.
func Once(r *traversal.Run, object value.Value) traversal.Source {
	o := traversal.Make[origin](r)
	o.r, o.object = r, object
	return o
}

type origin struct {
	r      *traversal.Run
	object value.Value
	done   bool
}

func (o *origin) Next(b *traversal.Batch, _ int) error {
	if !o.done {
		o.done = true
		b.Add(o.r.Origin(o.object))
	}
	return nil
}

func (o *origin) Reset() { o.done = false }

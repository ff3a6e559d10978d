package traversal

import "context"

// Idler is the context of an evaluation that others may run beside while it waits.
type Idler interface {
	context.Context
	// Idle calls wait, which takes no processor, and lets others evaluate meanwhile.
	Idle(wait func())
}

// Idle calls wait, which takes no processor: sleep() does nothing else.
func Idle(ctx context.Context, wait func()) {
	if i, ok := ctx.(Idler); ok {
		i.Idle(wait)
		return
	}
	wait()
}

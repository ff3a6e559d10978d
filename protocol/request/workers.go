package request

import "time"

// Workers run requests on goroutines that are kept for a while: evaluation calls deep,
// and a fresh goroutine would grow its small stack step by step for every request.
type Workers struct {
	hand chan func() // unbuffered: a send succeeds only when a worker waits
	stop chan struct{}
}

// workerIdle is how long a worker waits for its next request.
const workerIdle = 5 * time.Second

func newWorkers(stop chan struct{}) *Workers {
	return &Workers{hand: make(chan func()), stop: stop}
}

// Run calls fn soon, on a worker that waits or on a new one; it never blocks.
func (w *Workers) Run(fn func()) {
	select {
	case w.hand <- fn:
	default:
		go w.work(fn)
	}
}

func (w *Workers) work(fn func()) {
	idle := time.NewTimer(workerIdle)
	defer idle.Stop()
	for {
		fn()
		idle.Reset(workerIdle)
		select {
		case fn = <-w.hand:
		case <-idle.C:
			return
		case <-w.stop:
			return
		}
	}
}

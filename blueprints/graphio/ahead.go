package graphio

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

const (
	// aheadWorkers is how many goroutines work on batches at most.
	aheadWorkers = 4
	// aheadBytes is about how much of a file a batch has.
	aheadBytes = 256 << 10
)

// inOrder reads ahead: fill makes batches on a goroutine of its own, several work on them,
// and take gets them where inOrder was called, in the order in which fill made them. fill
// calls next for each batch that it is done with, which returns the one to be filled next,
// as it was left behind, or nil when nobody wants more; what it leaves unsent is taken too.
// An error of fill comes behind its batches. The goroutines have ended when inOrder returns.
func inOrder[B any](ctx context.Context, fill func(first *B, next func() *B) error, work func(*B), take func(*B) error) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := min(runtime.GOMAXPROCS(0), aheadWorkers)
	a := &ahead[B]{
		ctx:  ctx,
		todo: make(chan *aheadSlot[B], workers+2),
		out:  make(chan *aheadSlot[B], workers+2),
		free: make(chan *aheadSlot[B], workers+4),
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { a.fill(fill) })
	for range workers {
		running.Go(func() { a.work(work) })
	}
	for s := range a.out {
		select {
		case <-s.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		mustBeSound(s.fault)
		if err := take(&s.batch); err != nil {
			return err
		}
		select {
		case a.free <- s:
		default:
		}
	}
	mustBeSound(a.fault)
	return firstError(a.err, ctx.Err())
}

// ahead is one call of inOrder.
type ahead[B any] struct {
	ctx             context.Context
	todo, out, free chan *aheadSlot[B]
	err             error // of fill, once out is closed
	fault           any   // with which fill panicked
}

// aheadSlot is a batch on its way.
type aheadSlot[B any] struct {
	batch B
	done  chan struct{} // gets one when it was worked on
	fault any           // with which that panicked
}

func (a *ahead[B]) slot() *aheadSlot[B] {
	select {
	case s := <-a.free:
		return s
	default:
		return &aheadSlot[B]{done: make(chan struct{}, 1)}
	}
}

func (a *ahead[B]) fill(fill func(first *B, next func() *B) error) {
	defer close(a.out)
	defer close(a.todo)
	cur := a.slot()
	send := func() bool {
		for _, c := range []chan *aheadSlot[B]{a.out, a.todo} {
			select {
			case c <- cur:
			case <-a.ctx.Done():
				return false
			}
		}
		return true
	}
	a.fault = faultOf(func() {
		a.err = fill(&cur.batch, func() *B {
			if !send() {
				return nil
			}
			cur = a.slot()
			return &cur.batch
		})
	})
	if a.ctx.Err() == nil {
		send()
	}
}

func (a *ahead[B]) work(work func(*B)) {
	for s := range a.todo {
		s.fault = faultOf(func() { work(&s.batch) })
		s.done <- struct{}{}
	}
}

// mustBeSound panics with a fault of another goroutine.
func mustBeSound(fault any) {
	if fault != nil {
		panic(fault)
	}
}

// faultOf returns with what fn panicked: the caller of inOrder can catch that, on another
// goroutine nobody could.
func faultOf(fn func()) (fault any) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	fn()
	return nil
}

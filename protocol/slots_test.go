package protocol

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
)

// Many take slots, wait for them and give up waiting: never do more than max run, and
// in the end all slots are free.
func TestSlots(t *testing.T) {
	const max, takers, turns = 3, 16, 2000
	var s slots
	s.init(max)
	var running, ran, gaveUp atomic.Int64
	run := func() {
		if n := running.Add(1); n > max {
			t.Errorf("%d run", n)
		}
		ran.Add(1)
		runtime.Gosched()
		running.Add(-1)
		s.give()
	}
	var wg sync.WaitGroup
	for i := range takers {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(i)))
			for range turns {
				switch ctx, cancel := context.WithCancel(context.Background()); rnd.IntN(4) {
				case 0:
					if s.tryTake() {
						run()
					}
					cancel()
				case 1:
					go cancel()
					if s.take(ctx) {
						run()
					} else {
						gaveUp.Add(1)
					}
				default:
					if !s.take(ctx) {
						t.Error("no slot though nothing ended")
					}
					run()
					cancel()
				}
			}
		})
	}
	wg.Wait()
	if s.held.Load() != 0 || len(s.hand) != 0 {
		t.Fatalf("%d held, %d on their way", s.held.Load(), len(s.hand))
	}
	for range max {
		if !s.tryTake() {
			t.Fatal("a slot is lost")
		}
	}
	if s.tryTake() {
		t.Fatal("a slot too many")
	}
	if ran.Load() == 0 || gaveUp.Load() == 0 {
		t.Errorf("%d ran, %d gave up: nothing was tried", ran.Load(), gaveUp.Load())
	}
}

func TestSlots_EndedContext(t *testing.T) {
	var s slots
	s.init(1)
	ctx, cancel := contextDone()
	defer cancel()
	if !s.take(ctx) {
		t.Fatal("the free slot was refused")
	}
	if s.take(ctx) {
		t.Fatal("a slot that is held")
	}
	s.give()
	if !s.tryTake() {
		t.Fatal("the slot is lost")
	}
}

// TestSleepersNeedNoSlot has more requests sleep than may evaluate.
func TestSleepersNeedNoSlot(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.Running = 2 })
	asleep := h.dial()
	var ids []*message.Request
	for range 10 {
		r := eval("sleep", "evaluationTimeout", 600_000)
		asleep.send(r)
		ids = append(ids, r)
	}
	other := h.dial()
	for range 20 {
		other.healthy()
	}
	for _, r := range ids {
		eventually(t, "woken", func() bool { return h.srv.Kill(r.ID.String()) == 1 })
	}
	for range ids {
		if a := asleep.next(); a.Code != statusTimeout {
			t.Errorf("got %d %s", a.Code, a.Message)
		}
	}
	other.healthy()
}

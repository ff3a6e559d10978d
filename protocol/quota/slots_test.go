package quota

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Many take slots, wait for them and give up waiting: never do more than max run, and
// in the end all slots are free.
func TestSlots(t *testing.T) {
	const max, takers, turns = 3, 16, 2000
	var s Slots
	s.Init(max)
	var running, ran, gaveUp atomic.Int64
	run := func() {
		if n := running.Add(1); n > max {
			t.Errorf("%d run", n)
		}
		ran.Add(1)
		runtime.Gosched()
		running.Add(-1)
		s.Give()
	}
	var wg sync.WaitGroup
	for i := range takers {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(i)))
			for range turns {
				switch ctx, cancel := context.WithCancel(context.Background()); rnd.IntN(4) {
				case 0:
					if s.TryTake() {
						run()
					}
					cancel()
				case 1:
					go cancel()
					if s.Take(ctx) {
						run()
					} else {
						gaveUp.Add(1)
					}
				default:
					if !s.Take(ctx) {
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
		if !s.TryTake() {
			t.Fatal("a slot is lost")
		}
	}
	if s.TryTake() {
		t.Fatal("a slot too many")
	}
	if ran.Load() == 0 || gaveUp.Load() == 0 {
		t.Errorf("%d ran, %d gave up: nothing was tried", ran.Load(), gaveUp.Load())
	}
}

func TestSlots_EndedContext(t *testing.T) {
	var s Slots
	s.Init(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if !s.Take(ctx) {
		t.Fatal("the free slot was refused")
	}
	if s.Take(ctx) {
		t.Fatal("a slot that is held")
	}
	s.Give()
	if !s.TryTake() {
		t.Fatal("the slot is lost")
	}
}

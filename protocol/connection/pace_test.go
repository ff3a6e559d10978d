package connection

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	var p pace
	evals := uint64(0)
	answer := func(n int) bool {
		evals += 2 * uint64(n)
		return p.single(evals)
	}
	for i := 1; i <= 2*oneByOne; i++ {
		if got := answer(1); got != (i >= oneByOne && i%keepsOneOf != 0) {
			t.Fatalf("after %d single answers: %v", i, got)
		}
	}
	for i := range oneByOne {
		if answer(1 + (i+1)%2) {
			t.Fatalf("single although answer %d was one of two", i)
		}
	}
}

func TestWatch_Busy(t *testing.T) {
	w := watch{timer: time.AfterFunc(time.Hour, func() {})} // the test looks
	for range 3 {
		w.add(&Conn{})
	}
	if got := w.busy.Load(); got != 3 {
		t.Errorf("3 connections were added, %d are busy", got)
	}
	w.look() // none of them evaluates
	if got := w.busy.Load(); got != 0 {
		t.Errorf("none has evaluated since the last look, %d are busy", got)
	}
}

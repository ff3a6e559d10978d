package client

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// TestRows_Ahead: frames are taken in as long as there is room for them, or nothing waits, and
// who brings one more waits until somebody reads.
func TestRows_Ahead(t *testing.T) {
	r := newRows(t.Context(), &link{}, uuid.New(), &Options{ReadAhead: 100})
	frame := func(n int) rowsFrame { return rowsFrame{values: []value.Value{value.Of(n)}, bytes: n} }
	r.add(frame(200)) // more than there is room for, and the only one
	added := make(chan struct{})
	go func() {
		defer close(added)
		r.add(frame(60))
		r.add(frame(40))
	}()
	select {
	case <-added:
		t.Fatal("it does not wait")
	case <-time.After(20 * time.Millisecond):
	}
	for _, want := range []int64{200, 60, 40} {
		got, err := r.Next()
		if err != nil || len(got) != 1 || got[0].Int64() != want {
			t.Fatalf("%v, %v, want %d", got, err, want)
		}
		if want == 200 {
			<-added // both have room now
		}
	}
	r.end(io.EOF)
	r.add(frame(1)) // nobody wants it
	if got, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %v, %v", got, err)
	}
}

// TestRows_Given: who has given up is told why, and not what came meanwhile.
func TestRows_Given(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := newRows(ctx, &link{}, uuid.New(), &Options{ReadAhead: 100})
	r.add(rowsFrame{values: []value.Value{value.Of(1)}, bytes: 1})
	cancel(why)
	r.end(io.EOF)
	if got, err := r.Next(); !errors.Is(err, why) {
		t.Errorf("%v, %v", got, err)
	}
}

package occ_test

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/table"
)

// TestCommitGivenUp: what a commit writes that was given up while it was held up is not
// written over by others, for the committer compares it until nobody is alone where it writes.
// Under the race detector it was seen to be.
func TestCommitGivenUp(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout})
	defer closeStore(t, s)
	alone := func(within string) storage.Tx {
		tx, err := s.Begin(t.Context(), storage.TxOptions{Alone: true, Within: []byte(within)})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	for range 100 {
		first, second := alone("a"), alone("b")
		late, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := late.Set([]byte("a1"), []byte("late")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended, over := make(chan error), make(chan bool)
		go func() {
			_, err := late.Commit(ctx)
			late.Recycle()
			ended <- err
		}()
		put(t, s, "c", "behind it") // or in front of it: then it is withdrawn from the queue
		cancel()
		if err := <-ended; err == nil {
			t.Error("it was not held up")
		}
		go func() {
			for i := range 4 {
				if err := tryPut(t.Context(), s, string(rune('d'+i)), "another"); err != nil {
					t.Error(err)
				}
			}
			close(over)
		}()
		for _, tx := range []storage.Tx{first, second} {
			if err := tx.Close(); err != nil {
				t.Error(err)
			}
		}
		<-over
	}
}

package blueprints_test

import (
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// TestRecycle reads on transactions whose memory other ones had before, beside a writer:
// each must see the state it began at, twice the same, with its own options.
func TestRecycle(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	const readers, rounds = 4, 200
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			last := int64(-1)
			for range rounds {
				tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true})
				if err != nil {
					t.Error(err)
					return
				}
				first, err1 := tx.VertexCount()
				it := tx.Vertices()
				var n int64
				var buf [8]blueprints.VertexID
				for k := it.Next(buf[:]); k > 0; k = it.Next(buf[:]) {
					n += int64(k)
				}
				_, err2 := tx.AddVertex("v", value.Null)
				if err1 != nil || it.Err() != nil || first != n || n < last || err2 == nil || !tx.ReadOnly() || tx.Pending() {
					t.Errorf("%d vertices counted, %d found, %d before: %v %v %v", first, n, last, err1, it.Err(), err2)
				}
				last = n
				tx.Close() // with the iterator open
				tx.Recycle()
			}
		})
	}
	for range rounds / 4 {
		update(t, g, func(tx *blueprints.Tx) error {
			_, err := tx.AddVertex("v", value.Null)
			return err
		})
	}
	all.Wait()
}

// TestRecycleOpen leaves a transaction that is still open, or that could write, as it is.
func TestRecycleOpen(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	for _, readOnly := range []bool{true, false} {
		tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		tx.Recycle()
		if tx.Graph() != g || tx.ReadOnly() != readOnly {
			t.Error("an open transaction was recycled")
		}
		if tx.Close(); !readOnly {
			tx.Recycle()
			if tx.Graph() != g {
				t.Error("a transaction that could write was recycled")
			}
		}
	}
}

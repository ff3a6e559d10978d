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
	for i := range rounds / 4 {
		writeAndRecycle(t, g, i%2 == 0)
	}
	all.Wait()
}

// writeAndRecycle is a transaction that must not see what the one before it wrote and,
// every other time, gave up.
func writeAndRecycle(t *testing.T, g *blueprints.Graph, commit bool) {
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := tx.VertexCount()
	if err != nil || tx.Pending() {
		t.Fatalf("pending %v, %v", tx.Pending(), err)
	}
	v := addVertex(t, tx, "v", "name", "x")
	e, err := tx.AddEdge("e", v, v, value.Null)
	if err != nil {
		t.Fatal(err)
	}
	if commit {
		err = tx.Commit(ctx)
	}
	if cerr := tx.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	tx.Recycle()
	check, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer check.Close()
	vertex, err1 := check.VertexExists(v)
	edge, err2 := check.EdgeExists(e)
	after, err3 := check.VertexCount()
	if vertex != commit || edge != commit || after > before != commit || err1 != nil || err2 != nil || err3 != nil {
		t.Errorf("committed %v: vertex %v, edge %v, %d vertices after %d: %v %v %v", commit, vertex, edge, after, before, err1, err2, err3)
	}
}

// TestRecycleOpen leaves a transaction that is still open as it is.
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
		tx.Close()
	}
}

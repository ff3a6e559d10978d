package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// begun is a transaction whose commit has begun.
type begun struct {
	tx   *blueprints.Tx
	done chan error
}

// commitAsync adds a vertex, having counted them when it reads, and begins the commit.
func commitAsync(t *testing.T, g *blueprints.Graph, o blueprints.TxOptions, reads bool) begun {
	t.Helper()
	tx, err := g.Begin(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if reads {
		if _, err := tx.VertexCount(); err != nil {
			t.Fatal(err)
		}
	}
	if !o.ReadOnly {
		addVertex(t, tx, "v", "name", "x")
	}
	b := begun{tx, make(chan error, 2)}
	tx.CommitAsync(ctx, func(err error) { b.done <- err })
	return b
}

// end waits for the outcome and closes the transaction.
func (b begun) end(t *testing.T, want error) {
	t.Helper()
	if err := <-b.done; !errors.Is(err, want) {
		t.Errorf("the commit ended with %v, want %v", err, want)
	}
	if err := b.tx.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-b.done:
		t.Error("the commit ended twice")
	default:
	}
}

func TestCommitAsync(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	var all []begun
	for range 20 {
		all = append(all, commitAsync(t, g, blueprints.TxOptions{}, false))
	}
	for _, b := range all {
		b.end(t, nil)
		b.tx.Recycle()
	}
	commitAsync(t, g, blueprints.TxOptions{ReadOnly: true}, true).end(t, nil)
	alone := commitAsync(t, g, blueprints.TxOptions{Alone: true}, true)
	alone.end(t, nil)
	alone.tx.CommitAsync(ctx, func(err error) { alone.done <- err })
	alone.end(t, storage.ErrClosed)

	loser, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := loser.VertexCount()
	if err != nil || n != 21 {
		t.Errorf("%d vertices, %v", n, err)
	}
	commitAsync(t, g, blueprints.TxOptions{}, false).end(t, nil)
	if _, err := loser.AddVertex("v", value.Null); err != nil {
		t.Fatal(err)
	}
	lost := begun{loser, make(chan error, 2)}
	loser.CommitAsync(ctx, func(err error) { lost.done <- err })
	lost.end(t, storage.ErrConflict)
}

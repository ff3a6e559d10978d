package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
)

// TestCounters_Off: a graph that loses its counters has their sums, as properties, and is
// written as if there had been none; who counts meanwhile is told.
func TestCounters_Off(t *testing.T) {
	g, v, e := counted(t, blueprints.Options{})
	var many []blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 600 {
			w := addVertex(t, tx, "person")
			many = append(many, w)
			increment(t, tx, w, "views", int64(i))
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := tx.Increment(blueprints.VertexClass, uint64(v), "views", 7, blueprints.Day.At(at)); err != nil {
			return err
		}
		return tx.Increment(blueprints.EdgeClass, uint64(e), "hits", -1)
	})
	if !g.Uses(blueprints.Counters) {
		t.Fatal("no feature")
	}
	late := begin(t, g)
	increment(t, late, v, "views", 1)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range 50 {
				err := g.Update(ctx, func(tx *blueprints.Tx) error {
					return tx.Increment(blueprints.VertexClass, uint64(many[(i*50+k)%len(many)]), "views", 0)
				})
				if err != nil {
					return // some are told that there are no counters, or that this is none
				}
			}
		})
	}
	if err := g.Lose(ctx, blueprints.Counters); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if err := late.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("one that began before: %v", err)
	}
	view(t, g, func(tx *blueprints.Tx) {
		hits, _ := tx.Symbol("hits")
		val, _, _ := tx.EdgeValue(e, hits)
		if got := valueOf(t, tx, v, "views"); got != "7L" || javaText(val) != "-1L" {
			t.Error(got, val)
		}
		for i, w := range many {
			if got := valueOf(t, tx, w, "views"); got != fmt.Sprint(i, "L") {
				t.Fatal(i, got)
			}
		}
	})
	wantSound(t, g)
	if slices.Contains(g.Options().Features(), blueprints.Counters) {
		return // somebody has made one since
	}
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "views"); err != nil {
		t.Error(err)
	}
	tx := begin(t, g)
	if err := tx.Increment(blueprints.VertexClass, uint64(v), "views", 1); err == nil {
		t.Error("an ordinary property counts")
	}
}

// dying is a context that ends when it was asked so often.
type dying struct {
	context.Context
	left *atomic.Int64
}

// Err implements context.Context.
func (d dying) Err() error {
	if d.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCounters_OffInPieces: what is interrupted while it turns counters off leaves each of them
// what it was or a property with its sum, and is done when it is called again.
func TestCounters_OffInPieces(t *testing.T) {
	g, _, _ := counted(t, blueprints.Options{})
	var many []blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 1000 {
			many = append(many, addVertex(t, tx, "person"))
			increment(t, tx, many[i], "views", int64(i))
			increment(t, tx, many[i], "likes", 1)
		}
		return nil
	})
	interrupted := 0
	for asks := int64(0); g.Uses(blueprints.Counters); asks++ {
		left := &atomic.Int64{}
		left.Store(asks)
		if err := g.Lose(dying{ctx, left}, blueprints.Counters); err != nil {
			interrupted++
		}
		wantSound(t, g)
		view(t, g, func(tx *blueprints.Tx) {
			for _, i := range []int{0, 255, 256, 511, 999} {
				if got := valueOf(t, tx, many[i], "views"); got != fmt.Sprint(i, "L") {
					t.Fatal(asks, i, got)
				}
			}
		})
		if g.Uses(blueprints.Counters) { // until then others go on counting
			update(t, g, func(tx *blueprints.Tx) error { increment(t, tx, addVertex(t, tx, "person"), "views", 1); return nil })
		}
	}
	if interrupted < 3 {
		t.Errorf("interrupted %d times", interrupted)
	}
}

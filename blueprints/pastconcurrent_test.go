package blueprints_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestTime_Concurrent: while others write, and history is turned on among them, a time of the
// past shows all of a commit or nothing of it, and the same whenever it is asked for, also one that
// is now.
func TestTime_Concurrent(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		t.Run(fmt.Sprint(level), func(t *testing.T) { pastOfPairs(t, level) })
	}
}

func pastOfPairs(t *testing.T, level storage.Isolation) {
	const pairs, rounds = 4, 60
	g := newGraph(t, blueprints.Options{Isolation: level})
	var vs [2 * pairs]blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range vs {
			vs[i] = addVertex(t, tx, "person")
			if _, err := tx.SetVertexProperty(vs[i], "single", "n", value.Long(0), value.Null, nil); err != nil {
				return err
			}
		}
		return nil
	})
	var stop atomic.Bool
	var wg sync.WaitGroup
	for p := range pairs {
		wg.Go(func() {
			for n := int64(1); !stop.Load(); n++ {
				err := g.Update(ctx, func(tx *blueprints.Tx) error {
					for _, v := range vs[2*p : 2*p+2] {
						if _, err := tx.SetVertexProperty(v, "single", "n", value.Long(n), value.Null, nil); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	defer wg.Wait()
	defer stop.Store(true)
	if err := g.KeepHistory(ctx, blueprints.Forever); err != nil {
		t.Fatal(err)
	}
	begun := time.Now().Add(2 * time.Millisecond)
	<-time.After(4 * time.Millisecond)
	was := map[storage.Stamp]string{}
	for round := range rounds {
		at := storage.LastOf(begun.Add(time.Since(begun) * time.Duration(round%4+1) / 4))
		got := pairsAsOf(t, g, at, vs[:])
		if before, again := was[at]; again && before != got {
			t.Fatalf("as of %s: %s, then %s", blueprints.TimeText(at), before, got)
		}
		was[at] = got
	}
	for at, before := range was {
		if got := pairsAsOf(t, g, at, vs[:]); got != before {
			t.Fatalf("as of %s: %s, then %s", blueprints.TimeText(at), before, got)
		}
	}
}

// pairsAsOf reads the values of vertices, each pair of which has the same one at any time.
func pairsAsOf(t *testing.T, g *blueprints.Graph, at storage.Stamp, vs []blueprints.VertexID) string {
	t.Helper()
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	key, _ := tx.Symbol("n")
	vals, _, err := tx.VertexValues(nil, nil, vs, key)
	if err != nil || len(vals) != len(vs) {
		t.Fatal(vals, err)
	}
	for i := 0; i < len(vals); i += 2 {
		if !value.Equal(vals[i], vals[i+1]) {
			t.Fatalf("as of %s: half of a commit: %v", blueprints.TimeText(at), vals)
		}
	}
	return fmt.Sprint(vals)
}

// TestTime_Switch: a transaction that began before history did commits nothing behind its
// beginning, nor one that keeps something behind its end.
func TestTime_Switch(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	for _, keep := range []blueprints.Retention{blueprints.Forever, blueprints.NoHistory} {
		late := begin(t, g)
		addVertex(t, late, "late")
		if err := g.KeepHistory(ctx, keep); err != nil {
			t.Fatal(err)
		}
		if err := late.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: one that began before: %v", keep, err)
		}
		if got := g.Options().History; got != keep {
			t.Errorf("%s: %s", keep, got)
		}
	}
	wantSound(t, g)
	_, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: storage.LastOf(time.Now())})
	wantText(t, err, "graph g keeps no history (setting: history)")
}

// TestParseRetention: what it takes is what String gives.
func TestParseRetention(t *testing.T) {
	for _, text := range []string{"none", "forever", "30d", "12h", "90m", "45s"} {
		if r, err := blueprints.ParseRetention(text); err != nil || r.String() != text {
			t.Errorf("%s: %s, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "0d", "-1d", "30", "d", "1.5h", "99999999999d", "30 d"} {
		if r, err := blueprints.ParseRetention(text); err == nil {
			t.Errorf("%q: %s", text, r)
		}
	}
}

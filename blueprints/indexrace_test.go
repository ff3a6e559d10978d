package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/indexhost"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestDeclareIndex_Races: indexes of every kind, of keys too, are made, hidden, shown and dropped beside
// transactions that write; whoever reads meanwhile, also what it has written itself, finds by
// every index that it sees what a scan finds.
func TestDeclareIndex_Races(t *testing.T) {
	for name, level := range isolations {
		t.Run(name, func(t *testing.T) {
			g := newGraph(t, blueprints.Options{Isolation: level})
			var vs []blueprints.VertexID
			update(t, g, func(tx *blueprints.Tx) error {
				vs = vs[:0]
				for i := range 12 {
					vs = append(vs, addVertex(t, tx, []string{"p", "q"}[i%2], "a", i%3))
				}
				return nil
			})
			done, cancel := context.WithCancel(ctx)
			defer cancel()
			var wg sync.WaitGroup
			looked, keys := make([]int, 3), make([]int, 3)
			for n := range looked {
				r := rand.New(rand.NewPCG(uint64(n), uint64(level)))
				wg.Go(func() {
					for done.Err() == nil {
						raceWrite(t, g, r, vs)
						err := g.View(ctx, func(tx *blueprints.Tx) error {
							looked[n] += len(tx.DeclaredIndexes(blueprints.VertexClass))
							keys[n] += len(tx.VertexIndexes()) + len(tx.EdgeIndexes())
							return indexhost.Agree(tx)
						})
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			r := rand.New(rand.NewPCG(9, uint64(level)))
			for range raced.Times(raced.Part(200, 3), 4) { // by number, for a busy machine declares few in a time
				raceDeclare(t, g, r)
			}
			cancel()
			wg.Wait()
			if looked[0]+looked[1]+looked[2] == 0 || keys[0]+keys[1]+keys[2] == 0 {
				t.Error("nobody saw an index", looked, keys)
			}
			wantSound(t, g)
		})
	}
}

// raceKeys are what raceDeclare makes key indexes of: vertices have the first ones, edges the last.
var raceKeys = []string{"a", "u", "w"}

// raceDeclare changes which indexes there are.
func raceDeclare(t *testing.T, g *blueprints.Graph, r *rand.Rand) {
	n := r.IntN(len(indexhost.EveryKind) + len(raceKeys))
	if n >= len(indexhost.EveryKind) {
		raceKey(t, g, r, raceKeys[n-len(indexhost.EveryKind)])
		return
	}
	s := indexhost.EveryKind[n]
	var err error
	switch r.IntN(6) {
	default:
		_, err = g.DeclareIndex(ctx, ctx, s)
	case 0:
		err = g.DropIndex(ctx, s.Name)
	case 1:
		_, err = g.HideIndex(ctx, s.Name, r.IntN(2) == 0)
	}
	if err != nil && !strings.Contains(err.Error(), "more than once") && !strings.Contains(err.Error(), "there is no complete index") {
		t.Error(s.Name, err)
	}
}

// raceKey makes a key index, or drops it.
func raceKey(t *testing.T, g *blueprints.Graph, r *rand.Rand, key string) {
	class, change := blueprints.VertexClass, g.CreateKeyIndex
	if key == "w" {
		class = blueprints.EdgeClass
	}
	if r.IntN(2) == 0 {
		change = g.DropKeyIndex
	}
	if err := change(ctx, class, key); err != nil {
		t.Error(key, err)
	}
}

// raceWrite changes elements in a transaction, which may lose, and looks at them.
func raceWrite(t *testing.T, g *blueprints.Graph, r *rand.Rand, vs []blueprints.VertexID) {
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		for range 3 {
			if err := raceChange(tx, r, vs[r.IntN(len(vs))], vs[r.IntN(len(vs))]); err != nil {
				return err
			}
		}
		if r.IntN(4) > 0 {
			return nil
		}
		if err := indexhost.Agree(tx); err != nil {
			return fmt.Errorf("among own changes: %w", err)
		}
		return nil
	})
	if err != nil && !errors.Is(err, storage.ErrConflict) && !strings.Contains(err.Error(), "another vertex") &&
		!strings.Contains(err.Error(), "combinations") {
		t.Error(err)
	}
}

func raceChange(tx *blueprints.Tx, r *rand.Rand, v, w blueprints.VertexID) error {
	sample := indexhost.SampleValues[r.IntN(len(indexhost.SampleValues))]
	switch r.IntN(6) {
	case 0:
		return raceEdges(tx, r, v, w, sample)
	case 1:
		props, err := tx.VertexProperties(nil, v, nil)
		if err != nil || len(props) == 0 {
			return err
		}
		return tx.RemoveVertexProperty(v, props[r.IntN(len(props))])
	case 2:
		at := value.List([]value.Value{value.Int(int32(r.IntN(90))), value.Int(1)})
		_, err := tx.SetVertexProperty(v, "single", "at", at, value.Null, nil)
		return err
	case 3:
		_, err := tx.SetVertexProperty(v, "single", "u", value.Int(int32(r.IntN(30))), value.Null, nil)
		return err
	}
	_, err := tx.SetVertexProperty(v, []string{"single", "list", "set"}[r.IntN(3)], []string{"a", "b"}[r.IntN(2)], sample, value.Null, nil)
	return err
}

// raceEdges adds an edge between two vertices, and removes some when there are many.
func raceEdges(tx *blueprints.Tx, r *rand.Rand, v, w blueprints.VertexID, sample value.Value) error {
	e, err := tx.AddEdge([]string{"e", "f"}[r.IntN(2)], v, w, value.Null)
	if err == nil {
		err = tx.SetEdgeProperty(e, "w", sample)
	}
	if err != nil {
		return err
	}
	all := tx.Edges()
	defer all.Close()
	buf := make([]blueprints.EdgeID, 30)
	n := all.Next(buf)
	for _, e := range buf[:n/15*10] {
		if err := tx.RemoveEdge(e); err != nil {
			return err
		}
	}
	return all.Err()
}

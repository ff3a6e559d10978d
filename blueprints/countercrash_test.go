package blueprints_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestCounters_OffCrashes: a crash in front of any commit of turning counters off leaves every
// element its sum, as a counter or as a property, and nothing that check finds fault with. It can
// be done again then, as it can be counted on; in a graph where every key has an index what were
// counters has one.
func TestCounters_OffCrashes(t *testing.T) {
	for i, every := range []bool{true, false} {
		if raced.Skips(i, 2) {
			continue
		}
		k := int64(0)
		for ended := false; !ended; k++ {
			t.Run(fmt.Sprintf("autoIndex=%v/%d", every, k), func(t *testing.T) { ended = crashInOff(t, every, k) })
			if t.Failed() {
				return
			}
		}
		// a piece more than once, a label of vertices and one of edges, the definitions and the catalog
		if k < 6 {
			t.Errorf("all was done in %d writes", k-1)
		}
	}
}

func crashInOff(t *testing.T, every bool, k int64) (ended bool) {
	fs, s, db, g := stoppableGraph(t)
	vs, es := countMany(t, g)
	if every {
		if err := g.IndexEveryKey(ctx); err != nil {
			t.Fatal(err)
		}
	}
	s.left.Store(k)
	ended = g.Lose(ctx, blueprints.Counters) == nil
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	s.left.Store(1 << 40)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer db.Close()
	g, err := db.Graph("g")
	if err != nil {
		t.Fatal(err)
	}
	if g.Uses(blueprints.Counters) == ended {
		t.Errorf("ended %v, and it uses %v", ended, g.Options().Features())
	}
	wantSums(t, g, vs, es)
	wantSound(t, g)
	if !ended { // until then others go on counting
		update(t, g, func(tx *blueprints.Tx) error { increment(t, tx, addVertex(t, tx, "person"), "likes", 1); return nil })
	}
	if err := g.Lose(ctx, blueprints.Counters); err != nil {
		t.Fatal(err)
	}
	wantSums(t, g, vs, es)
	createKeyIndex(t, g, blueprints.VertexClass, "views") // waits, where there is one already
	view(t, g, func(tx *blueprints.Tx) {
		it := tx.LookupVertices("views", blueprints.ValueRange{Min: value.Long(0), Max: value.Long(0), HasMin: true, HasMax: true})
		defer it.Close()
		buf := make([]blueprints.VertexID, 8)
		if n := it.Next(buf); n != 1 || buf[0] != vs[0] {
			t.Errorf("the index finds %v", buf[:n])
		}
	})
	wantSound(t, g)
	return ended
}

// countMany makes vertices of which the i-th has i views, of this minute too, and edges of which
// the i-th has as many hits.
func countMany(t *testing.T, g *blueprints.Graph) (vs []blueprints.VertexID, es []blueprints.EdgeID) {
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 600 {
			vs = append(vs, addVertex(t, tx, "person"))
			if err := tx.Increment(blueprints.VertexClass, uint64(vs[i]), "views", int64(i), blueprints.Minute.At(time.Now())); err != nil {
				return err
			}
		}
		for i := range 10 {
			e, err := tx.AddEdge("knows", vs[i], vs[i+1], value.Null)
			if err == nil {
				err = tx.Increment(blueprints.EdgeClass, uint64(e), "hits", int64(i))
			}
			if err != nil {
				return err
			}
			es = append(es, e)
		}
		return nil
	})
	return vs, es
}

func wantSums(t *testing.T, g *blueprints.Graph, vs []blueprints.VertexID, es []blueprints.EdgeID) {
	t.Helper()
	view(t, g, func(tx *blueprints.Tx) {
		for i, v := range vs {
			if got := valueOf(t, tx, v, "views"); got != fmt.Sprint(i, "L") {
				t.Fatalf("vertex %d has %s views", i, got)
			}
		}
		hits, _ := tx.Symbol("hits")
		for i, e := range es {
			if val, _, err := tx.EdgeValue(e, hits); err != nil || javaText(val) != fmt.Sprint(i, "L") {
				t.Fatalf("edge %d has %v hits, %v", i, val, err)
			}
		}
	})
}

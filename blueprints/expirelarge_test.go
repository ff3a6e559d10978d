package blueprints_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// smallCommits is a graph of whose store a commit takes so many bytes.
func smallCommits(t *testing.T, bytes int64, o blueprints.Options) *blueprints.Graph {
	t.Helper()
	s := must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, Limits: pebble.Limits{WriteSetBytes: bytes}}))
	db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	t.Cleanup(func() { db.Close() })
	return must[*blueprints.Graph](t)(db.CreateGraph("g", o))
}

// hub adds a vertex with so many edges to another and from it, in commits of fifty, each edge
// with a property of so many bytes.
func hub(t *testing.T, g *blueprints.Graph, edges, bytes int) (v blueprints.VertexID) {
	t.Helper()
	var w blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v, w = addVertex(t, tx, "hub", "name", "h"), addVertex(t, tx, "p")
		return nil
	})
	for n := 0; n < edges; {
		update(t, g, func(tx *blueprints.Tx) error {
			for range min(50, edges-n) {
				ends := [2]blueprints.VertexID{v, []blueprints.VertexID{w, v}[n%2]}
				e, err := tx.AddEdge("e", ends[n/2%2], ends[1-n/2%2], value.Null)
				if err != nil {
					return err
				}
				if err := tx.SetEdgeProperty(e, "text", value.String(strings.Repeat("x", bytes))); err != nil {
					return err
				}
				n++
			}
			return nil
		})
	}
	return v
}

// TestExpiry_Hub: a vertex with more edges than one commit takes goes in several, as does what is
// due beside it; history and indexes are right.
func TestExpiry_Hub(t *testing.T) {
	for name, o := range map[string]blueprints.Options{"plain": {TTL: true}, "history": {TTL: true, Stamps: true, History: blueprints.Forever}} {
		t.Run(name, func(t *testing.T) {
			g := smallCommits(t, 1<<17, o)
			if err := g.CreateKeyIndex(ctx, blueprints.EdgeClass, "text"); err != nil {
				t.Fatal(err)
			}
			soon := time.Now().Add(time.Hour)
			v := hub(t, g, 1500, 20)
			update(t, g, func(tx *blueprints.Tx) error {
				for _, id := range []blueprints.VertexID{v, addVertex(t, tx, "p"), addVertex(t, tx, "p")} {
					if err := tx.Expire(blueprints.VertexClass, uint64(id), soon); err != nil {
						return err
					}
				}
				return nil
			})
			if n, err := g.DropExpired(ctx, soon.Add(time.Second)); n != 3 || err != nil {
				t.Errorf("%d went, %v", n, err)
			}
			wantCounts(t, g, 1, 0)
			wantSound(t, g)
		})
	}
}

// TestExpiry_Stuck: what cannot go is not tried again before a minute is over, is told once, and
// holds up nothing that is due later; when the clock is set back the search begins anew.
func TestExpiry_Stuck(t *testing.T) {
	g := newGraph(t, blueprints.Options{TTL: true, Limits: blueprints.Limits{Vertices: 1000}})
	g.RestExpirer() // whose clock would be one that was set back
	now := time.Now().Add(time.Hour)
	expiring := func(at time.Time, n int) {
		t.Helper()
		update(t, g, func(tx *blueprints.Tx) error {
			for range n {
				v := addVertex(t, tx, "p")
				p, err := tx.SetVertexProperty(v, "single", "name", value.String("x"), value.Null, nil)
				if err != nil {
					return err
				}
				if err := tx.ExpireVertexProperty(v, p, at); err != nil {
					return err
				}
			}
			return nil
		})
	}
	dropped := func(at time.Time, want int, left string) {
		t.Helper()
		n, err := g.DropExpired(ctx, at)
		if n != want || (err == nil) != (left == "") || err != nil && !strings.HasPrefix(err.Error(), left+" of what is due did not go, for the first of it: ") {
			t.Errorf("%d went, %v; want %d, and %q left", n, err, want, left)
		}
	}
	expiring(now, 100)
	required := map[string]any{"vertex": "p", "keys": map[string]any{"name": map[string]any{"required": true}}}
	_, err := g.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) { return old.With(value.Of(required)) })
	if err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 3 {
			if err := tx.Expire(blueprints.VertexClass, uint64(addVertex(t, tx, "q")), now.Add(time.Duration(i)*30*time.Second)); err != nil {
				return err
			}
		}
		return nil
	})
	dropped(now.Add(time.Second), 1, "100")
	dropped(now.Add(2*time.Second), 0, "")
	dropped(now.Add(31*time.Second), 1, "")
	dropped(now.Add(62*time.Second), 1, "100")
	dropped(now.Add(63*time.Second), 0, "")
	dropped(now, 0, "100")
	wantSound(t, g)
}

// TestExpiry_Denied: who is denied a key, an element or the hidden key is not told when a property
// ends.
func TestExpiry_Denied(t *testing.T) {
	g := newGraph(t, blueprints.Options{TTL: true, History: blueprints.Forever})
	soon := time.Now().Add(time.Hour)
	var v blueprints.VertexID
	var e blueprints.EdgeID
	update(t, g, func(tx *blueprints.Tx) (err error) {
		v = addVertex(t, tx, "p")
		if e, err = tx.AddEdge("e", v, v, value.Null); err != nil {
			return err
		}
		p, err := tx.SetVertexProperty(v, "single", "k", value.Int(1), value.Null, nil)
		return errors.Join(err, tx.SetEdgeProperty(e, "k", value.Int(1)), tx.ExpireVertexProperty(v, p, soon), tx.ExpireEdgeProperty(e, "k", soon))
	})
	view(t, g, func(tx *blueprints.Tx) {
		key := symbolOf(tx, "k")
		for _, row := range []struct {
			denied     blueprints.Denied
			of, ofEdge bool
		}{
			{blueprints.Denied{Keys: []string{"other"}}, true, true},
			{blueprints.Denied{Keys: []string{"k"}}, false, false},
			{blueprints.Denied{Keys: []string{"~expires"}}, false, false},
			{blueprints.Denied{VertexLabels: []string{"p"}}, false, false},
			{blueprints.Denied{EdgeLabels: []string{"e"}}, true, false},
		} {
			r := tx.Restrict(&blueprints.Restriction{Denied: row.denied})
			for class, want := range map[blueprints.ElementClass]bool{blueprints.VertexClass: row.of, blueprints.EdgeClass: row.ofEdge} {
				p := blueprints.PropertyEntry{Key: key, Ordinal: blueprints.SlotSingle}
				end, ok, err := r.PropertyHidden(class, map[bool]uint64{true: uint64(v), false: uint64(e)}[class == blueprints.VertexClass], p, symbolOf(tx, "~expires"))
				if ok != want || err != nil || ok && !end.Time().Equal(soon.Truncate(time.Millisecond)) {
					t.Errorf("%+v: a property of %s ends %v, %v, %v", row.denied, class, end, ok, err)
				}
			}
		}
	})
	past, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: versionsOf(t, g)[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	_, _, err = past.PropertyHidden(blueprints.VertexClass, uint64(v), blueprints.PropertyEntry{Key: symbolOf(past, "k"), Ordinal: blueprints.SlotSingle}, symbolOf(past, "~expires"))
	wantText(t, err, "~expires is not kept in history: ask for it now")
}

// TestExpiry_Elsewhere: what ends is dropped in a graph that was restored from an archive, too; in one
// that is read-only it stays until that is over; a graph that is dropped meanwhile, and a clock that
// is set back, are no matter.
func TestExpiry_Elsewhere(t *testing.T) {
	g := newGraph(t, blueprints.Options{TTL: true, History: blueprints.Forever})
	soon := time.Now().Add(time.Hour)
	update(t, g, func(tx *blueprints.Tx) error {
		v := addVertex(t, tx, "p")
		p, err := tx.SetVertexProperty(v, "single", "k", value.Int(1), value.Null, nil)
		return errors.Join(err, tx.ExpireVertexProperty(v, p, soon), tx.Expire(blueprints.VertexClass, uint64(addVertex(t, tx, "p")), soon))
	})
	if err := g.SetLabelTTL(ctx, blueprints.VertexClass, "p", time.Hour); err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := g.Archive(ctx, &archive); err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t)
	if err := db.RestoreGraph(ctx, "copy", &archive); err != nil {
		t.Fatal(err)
	}
	again := must[*blueprints.Graph](t)(db.Graph("copy"))
	if ttls, err := again.LabelTTLs(ctx, blueprints.VertexClass); err != nil || ttls["p"] != time.Hour {
		t.Error(ttls, err)
	}
	for _, g := range []*blueprints.Graph{g, again} {
		limit(t, g, blueprints.Limits{ReadOnly: true})
		if n, err := g.DropExpired(ctx, soon.Add(time.Second)); n != 0 || err != nil {
			t.Errorf("of a graph that is read-only %d went, %v", n, err)
		}
		limit(t, g, blueprints.Limits{})
		for _, row := range []struct {
			at   time.Duration
			want int
		}{{-2 * time.Hour, 0}, {time.Second, 2}, {-time.Hour, 0}} {
			if n, err := g.DropExpired(ctx, soon.Add(row.at)); n != row.want || err != nil {
				t.Errorf("%v: %d went, %v", row.at, n, err)
			}
		}
		wantSound(t, g)
	}
	update(t, again, func(tx *blueprints.Tx) error {
		return tx.Expire(blueprints.VertexClass, uint64(addVertex(t, tx, "p")), soon)
	})
	if err := db.DropGraph("copy"); err != nil {
		t.Fatal(err)
	}
	if n, err := again.DropExpired(ctx, soon.Add(time.Second)); n != 0 || err != nil && !errors.Is(err, blueprints.ErrGraphDropped) {
		t.Errorf("of a graph that was dropped %d went, %v", n, err)
	}
}

// TestExpiry_Large: an element whose own properties are more than one commit takes goes in several, too,
// as does a vertex of whose edges one is such; a property that the schema asks for stays to the end.
func TestExpiry_Large(t *testing.T) {
	for name, o := range map[string]blueprints.Options{"plain": {TTL: true}, "history": {TTL: true, Stamps: true, History: blueprints.Forever}} {
		t.Run(name, func(t *testing.T) {
			g := smallCommits(t, 1<<16, o)
			if err := errors.Join(g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"), g.CreateKeyIndex(ctx, blueprints.EdgeClass, "key 5")); err != nil {
				t.Fatal(err)
			}
			required := map[string]any{"vertex": "large", "keys": map[string]any{"name": map[string]any{"required": true}}}
			_, err := g.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) { return old.With(value.Of(required)) })
			if err != nil {
				t.Fatal(err)
			}
			soon := time.Now().Add(time.Hour)
			v, w := large(t, g, 1200), blueprints.VertexID(0)
			e := largeEdge(t, g, v, 800)
			update(t, g, func(tx *blueprints.Tx) error {
				w = addVertex(t, tx, "p")
				return errors.Join(tx.Expire(blueprints.VertexClass, uint64(v), soon), tx.Expire(blueprints.VertexClass, uint64(w), soon.Add(time.Second)))
			})
			if n, err := g.DropExpired(ctx, soon.Add(2*time.Second)); n != 2 || err != nil {
				t.Errorf("%d went, %v", n, err)
			}
			wantCounts(t, g, 1, 0)
			wantSound(t, g)

			v = large(t, g, 1)
			e = largeEdge(t, g, v, 800)
			update(t, g, func(tx *blueprints.Tx) error { return tx.Expire(blueprints.EdgeClass, uint64(e), soon) })
			if n, err := g.DropExpired(ctx, soon.Add(time.Hour)); n != 1 || err != nil {
				t.Errorf("%d went, %v", n, err)
			}
			wantCounts(t, g, 3, 0)
			wantSound(t, g)
		})
	}
}

// large adds a vertex with so many names, of which every other one ends later, in commits of a
// hundred.
func large(t *testing.T, g *blueprints.Graph, names int) (v blueprints.VertexID) {
	t.Helper()
	for n := 0; n < names; {
		update(t, g, func(tx *blueprints.Tx) (err error) {
			if n == 0 {
				if v, err = tx.AddVertex("large", value.Null); err != nil {
					return err
				}
			}
			for end := min(n+100, names); n < end && err == nil; n++ {
				var p blueprints.PropertyEntry
				p, err = tx.SetVertexProperty(v, "list", []string{"name", "nick"}[n%2], value.String(strings.Repeat("x", 90)), value.Null, nil)
				if err == nil && n%2 == 1 {
					err = tx.ExpireVertexProperty(v, p, time.Now().Add(5*time.Hour))
				}
			}
			return err
		})
	}
	return v
}

// largeEdge adds a vertex and an edge to it with so many properties, in commits of a hundred.
func largeEdge(t *testing.T, g *blueprints.Graph, v blueprints.VertexID, keys int) (e blueprints.EdgeID) {
	t.Helper()
	for n := 0; n < keys; {
		update(t, g, func(tx *blueprints.Tx) (err error) {
			if n == 0 {
				if e, err = tx.AddEdge("e", v, addVertex(t, tx, "other"), value.Null); err != nil {
					return err
				}
			}
			for end := min(n+100, keys); n < end && err == nil; n++ {
				err = tx.SetEdgeProperty(e, fmt.Sprint("key ", n), value.String(strings.Repeat("x", 90)))
			}
			return err
		})
	}
	return e
}

// TestExpiry_Piece: what goes in one commit is little, also where the edges of a few vertices are
// much; each vertex goes with its edges.
func TestExpiry_Piece(t *testing.T) {
	g := smallCommits(t, 1<<20, blueprints.Options{TTL: true, History: blueprints.Forever})
	soon := time.Now().Add(time.Hour)
	var from storage.Stamp
	update(t, g, func(tx *blueprints.Tx) (err error) {
		for range 20 {
			v, w := addVertex(t, tx, "p"), addVertex(t, tx, "q")
			for range 30 {
				_, aerr := tx.AddEdge("e", v, w, value.Null)
				err = errors.Join(err, aerr)
			}
			err = errors.Join(err, tx.Expire(blueprints.VertexClass, uint64(v), soon))
		}
		return err
	})
	from = versionsOf(t, g)[0]
	if n, err := g.DropExpired(ctx, soon.Add(time.Second)); n != 20 || err != nil {
		t.Errorf("%d went, %v", n, err)
	}
	view(t, g, func(tx *blueprints.Tx) {
		err := tx.EachCommit(from, ^storage.Stamp(0), false, func(c *blueprints.Commit) (bool, error) {
			n, edges := 0, 0
			err := c.Changes(func(ch *blueprints.Change) (bool, error) {
				if n++; ch.Class == blueprints.EdgeClass {
					edges++
				}
				return true, nil
			})
			if n > 62 || edges != 30*(n-edges) {
				t.Errorf("a commit dropped %d elements, %d edges", n, edges)
			}
			return true, err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

package blueprints_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

func declareIndex(t *testing.T, g *blueprints.Graph, s blueprints.IndexSpec) {
	t.Helper()
	if i, err := g.DeclareIndex(ctx, ctx, s); err != nil || i.State != "ACTIVE" {
		t.Fatalf("%s: %+v, %v", s.Name, i, err)
	}
}

func sound(t *testing.T, g *blueprints.Graph, name string) blueprints.IndexReport {
	t.Helper()
	rep, err := g.VerifyIndex(ctx, name)
	if err != nil || rep.Missing != 0 || rep.Stale != 0 {
		t.Errorf("%s: %+v, %v", name, rep, err)
	}
	return rep
}

// TestDeclareIndex_Agrees: whatever changes, every index says what the elements do.
func TestDeclareIndex_Agrees(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		rnd := rand.New(rand.NewPCG(1, uint64(level)))
		var vs []blueprints.VertexID
		var es []blueprints.EdgeID
		change := func(tx *blueprints.Tx) error {
			for range 40 {
				v := vs[rnd.IntN(len(vs))]
				key := []string{"city", "age", "x"}[rnd.IntN(3)]
				card := []string{"single", "list", "set"}[rnd.IntN(3)]
				if _, err := tx.SetVertexProperty(v, card, key, value.Int(int32(rnd.IntN(4))), value.Null, nil); err != nil && !strings.Contains(err.Error(), "combinations") {
					return err
				}
				if props, err := tx.VertexProperties(nil, v, nil); err != nil {
					return err
				} else if len(props) > 4 {
					for _, p := range props[:3] {
						if err := tx.RemoveVertexProperty(v, p); err != nil {
							return err
						}
					}
				}
				e, err := tx.AddEdge("rated", v, vs[rnd.IntN(len(vs))], value.Null)
				if err != nil {
					return err
				}
				if err := tx.SetEdgeProperty(e, "stars", value.Int(int32(rnd.IntN(5)))); err != nil {
					return err
				}
				if es = append(es, e); rnd.IntN(3) == 0 {
					if err := tx.RemoveEdge(es[rnd.IntN(len(es))]); err != nil {
						return err
					}
				}
			}
			return nil
		}
		update(t, g, func(tx *blueprints.Tx) error {
			for i := range 30 {
				vs = append(vs, addVertex(t, tx, []string{"person", "dog"}[i%2]))
			}
			return change(tx)
		})
		declareIndex(t, g, blueprints.IndexSpec{Name: "ca", Class: blueprints.VertexClass, Label: "person", Keys: []string{"city", "age"}})
		declareIndex(t, g, blueprints.IndexSpec{Name: "x", Class: blueprints.VertexClass, Keys: []string{"x"}})
		declareIndex(t, g, blueprints.IndexSpec{Name: "w", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "BOTH"})
		for range 20 {
			update(t, g, change)
		}
		update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(vs[3]) })
		for _, name := range []string{"ca", "x", "w"} {
			if rep := sound(t, g, name); rep.Entries == 0 {
				t.Errorf("%s is empty", name)
			}
		}
		for _, name := range []string{"ca", "x", "w"} {
			if err := g.DropIndex(ctx, name); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDeclareIndex_Unique: no two elements of the label have one value, and an index over
// elements that do is not made.
func TestDeclareIndex_Unique(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		var a, b, c blueprints.VertexID
		update(t, g, func(tx *blueprints.Tx) error {
			a, b = addVertex(t, tx, "person", "email", "b@x"), addVertex(t, tx, "person")
			c = addVertex(t, tx, "software", "email", "b@x")
			return nil
		})
		email := blueprints.IndexSpec{Name: "email", Class: blueprints.VertexClass, Label: "person", Keys: []string{"email"}, Unique: true}
		declareIndex(t, g, email)
		set := func(v blueprints.VertexID, to string) func(tx *blueprints.Tx) error {
			return func(tx *blueprints.Tx) error {
				_, err := tx.SetVertexProperty(v, "single", "email", value.String(to), value.Null, nil)
				return err
			}
		}
		wantText(t, g.Update(ctx, set(b, "b@x")), "Index email: another vertex of label person has [b@x]")
		update(t, g, set(a, "c@x"))
		update(t, g, set(b, "b@x"))
		update(t, g, set(c, "c@x"))
		sound(t, g, "email")
		// one of two that race loses
		var txs [2]*blueprints.Tx
		for i, v := range []blueprints.VertexID{a, b} {
			txs[i] = must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{}))
			defer txs[i].Close()
			if err := set(v, "d@x")(txs[i]); err != nil {
				t.Fatal(err)
			}
		}
		if first, second := txs[0].Commit(ctx), txs[1].Commit(ctx); first != nil || second == nil {
			t.Errorf("%v, %v", first, second)
		}
		sound(t, g, "email")
		every := email
		every.Name, every.Label = "all", ""
		update(t, g, set(c, "b@x"))
		_, err := g.DeclareIndex(ctx, ctx, every)
		wantText(t, err, fmt.Sprintf("Index all: 1 value occurs more than once, among them [b@x] (vertices %s, %s)", idOf(t, g, b), idOf(t, g, c)))
		if infos := must[[]blueprints.IndexInfo](t)(g.DeclaredIndexes()); len(infos) != 1 {
			t.Errorf("left behind: %+v", infos)
		}
	}
}

func idOf(t *testing.T, g *blueprints.Graph, v blueprints.VertexID) (id string) {
	t.Helper()
	err := g.View(ctx, func(tx *blueprints.Tx) error {
		x, err := tx.VertexUserID(v)
		id = x.JavaString()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestDeclareIndex_Lost: a graph that loses the feature is without the indexes, beside somebody
// who declares one again and again: it has the feature as long as it has one.
func TestDeclareIndex_Lost(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
	s := blueprints.IndexSpec{Name: "k", Class: blueprints.VertexClass, Keys: []string{"k"}}
	declareIndex(t, g, s)
	if keeps := must[string](t)(g.Keeps(ctx, blueprints.CompositeIndexes)); keeps != "1 composite indexes: k" {
		t.Error(keeps)
	}
	done := make(chan error, 1)
	go func() {
		for range 20 {
			if _, err := g.DeclareIndex(ctx, ctx, s); err != nil && !strings.Contains(err.Error(), "was dropped while it was built") {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for range 20 {
		if err := g.Lose(ctx, blueprints.CompositeIndexes); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	infos := must[[]blueprints.IndexInfo](t)(g.DeclaredIndexes())
	if len(infos) > 0 && !g.Uses(blueprints.CompositeIndexes) {
		t.Errorf("%+v without the feature", infos)
	}
	if err := g.Lose(ctx, blueprints.CompositeIndexes); err != nil || g.Uses(blueprints.CompositeIndexes) {
		t.Error(err)
	}
	wantSound(t, g)
}

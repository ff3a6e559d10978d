package indexhost

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// testAgrees: whatever changes, every index says what the elements do.
func testAgrees(t *testing.T) {
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
		Declare(t, g, blueprints.IndexSpec{Name: "ca", Class: blueprints.VertexClass, Label: "person", Keys: []string{"city", "age"}})
		Declare(t, g, blueprints.IndexSpec{Name: "x", Class: blueprints.VertexClass, Keys: []string{"x"}})
		Declare(t, g, blueprints.IndexSpec{Name: "w", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "BOTH"})
		for range 20 {
			update(t, g, change)
		}
		update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(vs[3]) })
		for _, name := range []string{"ca", "x", "w"} {
			if rep := Verified(t, g, name); rep.Entries == 0 {
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

// testUnique: no two elements of the label have one value, and an index over
// elements that do is not made.
func testUnique(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		var a, b, c blueprints.VertexID
		update(t, g, func(tx *blueprints.Tx) error {
			a, b = addVertex(t, tx, "person", "email", "b@x"), addVertex(t, tx, "person")
			c = addVertex(t, tx, "software", "email", "b@x")
			return nil
		})
		email := blueprints.IndexSpec{Name: "email", Class: blueprints.VertexClass, Label: "person", Keys: []string{"email"}, Unique: true}
		Declare(t, g, email)
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
		Verified(t, g, "email")
		// one of two that race loses
		var txs [2]*blueprints.Tx
		for i, v := range []blueprints.VertexID{a, b} {
			txs[i] = begin(t, g)
			if err := set(v, "d@x")(txs[i]); err != nil {
				t.Fatal(err)
			}
		}
		if first, second := txs[0].Commit(ctx), txs[1].Commit(ctx); first != nil || second == nil {
			t.Errorf("%v, %v", first, second)
		}
		Verified(t, g, "email")
		every := email
		every.Name, every.Label = "all", ""
		update(t, g, set(c, "b@x"))
		_, err := g.DeclareIndex(ctx, ctx, every)
		wantText(t, err, fmt.Sprintf("Index all: 1 value occurs more than once, among them [b@x] (vertices %s, %s)", idOf(t, g, b), idOf(t, g, c)))
		if infos, err := g.DeclaredIndexes(); err != nil || len(infos) != 1 {
			t.Errorf("left behind: %+v, %v", infos, err)
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

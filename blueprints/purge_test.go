package blueprints_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// purge purges an id. As of all that was written down the graph is then what it was, but for the
// elements that had the id and edges of theirs.
func (r *replay) purge() {
	r.Helper()
	class, id := []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass}[r.IntN(2)], r.id()
	was := make([]followed, len(r.states))
	for i, s := range r.states {
		was[i] = r.followedAt(s.at)
	}
	var n blueprints.Purged
	err := r.g.Update(ctx, func(tx *blueprints.Tx) (err error) {
		n, err = tx.Purge(class, id)
		return err
	})
	if r.refused(err); err != nil {
		return
	}
	gone := map[string]bool{}
	for i := range r.states {
		is := r.followedAt(r.states[i].at)
		for name, one := range was[i] {
			if is[name] == nil {
				gone[name] = true
				if class == blueprints.EdgeClass && !strings.HasPrefix(name, "edge") {
					r.Fatalf("with edge %s went %s %v", id.Brief(), name, one)
				}
			}
		}
		for name := range gone {
			delete(was[i], name)
		}
		if !maps.EqualFunc(is, was[i], maps.Equal) {
			r.Fatalf("without %v, version %d was\n%v\nand is\n%v", gone, r.states[i].at, was[i], is)
		}
		tx, err := r.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: r.states[i].at})
		r.must(err)
		_, there, err := tx.FindPast(class, id)
		if r.must(err); there {
			r.Fatalf("%s %s is there as of version %d", class, id.Brief(), r.states[i].at)
		}
		r.states[i].text = r.text(tx)
		r.must(tx.Close())
	}
	if len(gone) > int(n.Vertices+n.Edges) {
		r.Fatalf("%v went, and %v was said", gone, n)
	}
}

// TestPurge: nothing in the store has what a purged element had, and other elements have their
// history.
func TestPurge(t *testing.T) {
	o := blueprints.NewOptions()
	o.History = blueprints.Forever
	g := newGraph(t, o)
	const secret = "verysecret"
	declare := func(s blueprints.IndexSpec) {
		if _, err := g.DeclareIndex(ctx, ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	declare(blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true})
	declare(blueprints.IndexSpec{Name: "c", Class: blueprints.VertexClass, Keys: []string{"name", "age"}})
	declare(blueprints.IndexSpec{Name: "t", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "words"})
	add := func(tx *blueprints.Tx, id, name string) blueprints.VertexID {
		v, err := tx.AddVertex("person", value.String(id))
		if err != nil {
			t.Fatal(err)
		}
		_, err = tx.SetVertexProperty(v, "single", "name", value.String(name), value.Null, []value.Property{{Key: "m", Value: value.String(name)}})
		_, err2 := tx.SetVertexProperty(v, "single", "age", value.Int(7), value.Null, nil)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return v
	}
	var v, w blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v, w = add(tx, secret+"1", secret), add(tx, "w", "willie")
		e, err := tx.AddEdge("knows", v, w, value.String(secret+"2"))
		return errors.Join(err, tx.SetEdgeProperty(e, "note", value.String(secret)))
	})
	update(t, g, func(tx *blueprints.Tx) error {
		_, err := tx.SetVertexProperty(v, "single", "name", value.String(secret+"3"), value.Null, nil)
		return err
	})
	update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(v) })
	// Another takes value and id, and goes, too.
	update(t, g, func(tx *blueprints.Tx) error { add(tx, secret+"1", secret); return nil })
	if held(t, g, secret) == "" {
		t.Fatal("nothing is held before")
	}
	update(t, g, func(tx *blueprints.Tx) error {
		n, err := tx.Purge(blueprints.VertexClass, value.String(secret+"1"))
		if n.Vertices != 2 || n.Edges != 1 || n.Rows == 0 {
			t.Errorf("purged %+v", n)
		}
		return err
	})
	if h := held(t, g, secret); h != "" {
		t.Error(h)
	}
	if report, err := check.Run(ctx, g); err != nil || !report.OK() {
		t.Error(err, report)
	}
	view(t, g, func(tx *blueprints.Tx) {
		text := changesText(t, tx, 0, 0)
		if strings.Contains(text, secret) || strings.Count(text, "purge") != 6 || strings.Count(text, "willie") != 2 {
			t.Error(text)
		}
	})
	for _, again := range []func(tx *blueprints.Tx) error{
		func(tx *blueprints.Tx) error {
			_, err := tx.Purge(blueprints.VertexClass, value.String(secret+"1"))
			return err
		},
		func(tx *blueprints.Tx) error {
			_, err := tx.Restore(blueprints.VertexClass, value.String(secret+"1"))
			return err
		},
	} {
		if err := g.Update(ctx, again); err == nil || !strings.Contains(err.Error(), "there was no vertex "+secret+"1 in the history of graph g") {
			t.Error(err)
		}
	}
}

// TestPurge_ManyEdges: a vertex takes along all edges that it ever had, also very many of them.
func TestPurge_ManyEdges(t *testing.T) {
	const n = 300 // the history of so many is not read at once
	g := newGraph(t, blueprints.Options{History: blueprints.Forever})
	var v blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v = must[blueprints.VertexID](t)(tx.AddVertex("p", value.Long(1)))
		w := must[blueprints.VertexID](t)(tx.AddVertex("p", value.Long(2)))
		for i := range n {
			must[blueprints.EdgeID](t)(tx.AddEdge("e", []blueprints.VertexID{v, w}[i%2], []blueprints.VertexID{w, v}[i%2], value.Null))
		}
		return nil
	})
	update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(v) })
	update(t, g, func(tx *blueprints.Tx) error {
		purged, err := tx.Purge(blueprints.VertexClass, value.Long(1))
		if purged.Vertices != 1 || purged.Edges != n {
			t.Errorf("purged %+v", purged)
		}
		return err
	})
	wantSound(t, g)
}

// TestPurge_BesideForgetting: what is being forgotten, and is forgotten by half, is purged as all
// else, and check finds nothing wrong with it.
func TestPurge_BesideForgetting(t *testing.T) {
	const n, secret = 4500, "verysecret" // more than one commit forgets
	g := newGraph(t, blueprints.Options{History: blueprints.Retention(time.Hour)})
	var vs []blueprints.VertexID
	for i := range 3 {
		update(t, g, func(tx *blueprints.Tx) error {
			for k := range n {
				if i == 0 {
					v, err := tx.AddVertex("p", value.Long(int64(k+1)))
					if err != nil {
						return err
					}
					vs = append(vs, v)
				}
				setProperty(t, tx, vs[k], "name", fmt.Sprint(secret, k, "of", i))
			}
			return nil
		})
	}
	rows, next, err := past.Shorten(ctx, g.Store(), g.Number(), past.Place{}, versionsOf(t, g)[1])
	if err != nil || rows >= n || next == (past.Place{}) {
		t.Fatal(rows, next, err)
	}
	wantSound(t, g)
	for _, id := range []int64{1, n} {
		update(t, g, func(tx *blueprints.Tx) error {
			_, err := tx.Purge(blueprints.VertexClass, value.Long(id))
			return err
		})
		if h := held(t, g, fmt.Sprint(secret, id-1, "of")); h != "" {
			t.Error(h)
		}
	}
	wantSound(t, g)
	if _, err := g.ForgetHistory(ctx, time.Now().Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	wantSound(t, g)
	if h := held(t, g, "of1"); h != "" {
		t.Error(h)
	}
}

// held lists the cells of a graph that hold a text.
func held(t *testing.T, g *blueprints.Graph, text string) string {
	t.Helper()
	snap := must[storage.Snapshot](t)(g.Store().Snapshot())
	defer snap.Close()
	from := table.AppendGraph(nil, g.Number())
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	var b strings.Builder
	for it.Next() {
		if bytes.Contains(it.Key(), []byte(text)) || bytes.Contains(it.Value(), []byte(text)) {
			fmt.Fprintf(&b, "%s: %x\n", table.Describe(it.Key()), it.Value())
		}
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	return b.String()
}

// TestPurge_WithoutHistory: where nothing is kept nothing is purged, nor removed.
func TestPurge_WithoutHistory(t *testing.T) {
	g := newGraph(t, blueprints.NewOptions())
	update(t, g, func(tx *blueprints.Tx) error { _, err := tx.AddVertex("p", value.Long(1)); return err })
	update(t, g, func(tx *blueprints.Tx) error {
		if n, err := tx.Purge(blueprints.VertexClass, value.Long(1)); err == nil || n.Vertices != 0 || !strings.Contains(err.Error(), "keeps no history (setting: history)") {
			t.Errorf("%+v, %v", n, err)
		}
		return nil
	})
	wantCounts(t, g, 1, 0)
}

// TestPurge_ByHand: what an element was put into an index with by hand, and what was taken out again,
// goes with it, and what others have there stays.
func TestPurge_ByHand(t *testing.T) {
	const secret, other = "verysecret", "wellknown"
	g := newGraph(t, blueprints.Options{History: blueprints.Forever})
	if err := g.CreateIndex(ctx, "hand", blueprints.VertexClass); err != nil {
		t.Fatal(err)
	}
	var v, w blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) (err error) {
		v = must[blueprints.VertexID](t)(tx.AddVertex("p", value.Long(1)))
		w, err = tx.AddVertex("p", value.Long(2))
		return err
	})
	for _, write := range []func(x *blueprints.Index) error{
		func(x *blueprints.Index) error {
			return errors.Join(x.Put("k", value.String(secret), uint64(v)), x.Put("k", value.String(other), uint64(w)))
		},
		func(x *blueprints.Index) error {
			return errors.Join(x.Remove("k", value.String(secret), uint64(v)), x.Remove("k", value.String(other), uint64(w)))
		},
		func(x *blueprints.Index) error { return x.Put("k", value.String(secret+"2"), uint64(v)) },
	} {
		update(t, g, func(tx *blueprints.Tx) error { return write(must[*blueprints.Index](t)(tx.Index("hand", 0))) })
	}
	if held(t, g, secret) == "" {
		t.Fatal("nothing is held before")
	}
	update(t, g, func(tx *blueprints.Tx) error {
		_, err := tx.Purge(blueprints.VertexClass, value.Long(1))
		return err
	})
	if h := held(t, g, secret); h != "" || held(t, g, other) == "" {
		t.Error(h)
	}
	wantSound(t, g)
}

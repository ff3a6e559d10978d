package blueprints_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// versionsOf lists the commits of a graph.
func versionsOf(t *testing.T, g *blueprints.Graph) (all []storage.Stamp) {
	t.Helper()
	view(t, g, func(tx *blueprints.Tx) {
		if err := tx.EachCommit(0, 0, false, func(c *blueprints.Commit) (bool, error) {
			all = append(all, c.Version)
			return true, nil
		}); err != nil {
			t.Fatal(err)
		}
	})
	return all
}

// undone runs fn in a transaction and returns what it says, or its error without versions.
func undone(t *testing.T, g *blueprints.Graph, fn func(tx *blueprints.Tx) (blueprints.Undone, error)) string {
	t.Helper()
	var n blueprints.Undone
	err := g.Update(ctx, func(tx *blueprints.Tx) (err error) {
		n, err = fn(tx)
		return err
	})
	if err == nil {
		report, err := check.Run(ctx, g)
		if err != nil || !report.OK() {
			t.Error(err, report)
		}
		return fmt.Sprintf("%d vertices, %d edges, %d properties, %d skipped", n.Vertices, n.Edges, n.Properties, n.Skipped)
	}
	text := err.Error()
	for i, v := range versionsOf(t, g) {
		text = strings.ReplaceAll(text, fmt.Sprint(v), fmt.Sprint("v", i))
	}
	return text
}

func undo(v storage.Stamp, force bool) func(tx *blueprints.Tx) (blueprints.Undone, error) {
	return func(tx *blueprints.Tx) (blueprints.Undone, error) { return tx.Undo(v, force) }
}

func restore(c blueprints.ElementClass, id int64) func(tx *blueprints.Tx) (blueprints.Undone, error) {
	return func(tx *blueprints.Tx) (blueprints.Undone, error) { return tx.Restore(c, value.Long(id)) }
}

// TestUndo: of two people, the commits 0 to 3 of socialHistory.
func TestUndo(t *testing.T) {
	g, floor := socialHistory(t)
	all := versionsOf(t, g)
	for i, row := range []struct {
		do   func(tx *blueprints.Tx) (blueprints.Undone, error)
		want string
	}{
		{undo(floor, false), fmt.Sprintf("version %d is no longer kept, or was none (history: forever)", floor)},
		{undo(all[3]+1, false), fmt.Sprintf("version %d is no commit of graph g", all[3]+1)},
		{undo(all[1], false), "version v1 cannot be undone: vertex[1] age was changed since, at version v2 (force: true overrides)"},
		{undo(all[3], false), "1 vertices, 1 edges, 1 properties, 0 skipped"},
		{undo(all[3], false), "version v3 cannot be undone: vertex[2] was changed since, at version v4 (force: true overrides)"},
		{undo(all[2], false), "0 vertices, 0 edges, 1 properties, 0 skipped"},
		{undo(all[0], false), "version v0 cannot be undone: vertex[1] was changed since, at version v1 (force: true overrides)"},
		{undo(all[1], true), "0 vertices, 0 edges, 2 properties, 0 skipped"},
		{undo(all[0], true), "2 vertices, 1 edges, 3 properties, 0 skipped"},
		{restore(blueprints.EdgeClass, 3), "edge 3 cannot come back: a vertex that it joined is gone: restore that"},
		{restore(blueprints.VertexClass, 1), "1 vertices, 0 edges, 2 properties, 1 skipped"},
		{restore(blueprints.VertexClass, 1), "vertex 1 exists"},
		{restore(blueprints.VertexClass, 2), "1 vertices, 1 edges, 1 properties, 0 skipped"},
		{restore(blueprints.EdgeClass, 3), "edge 3 exists"},
		{restore(blueprints.EdgeClass, 4), "there was no edge 4 in the history of graph g"},
	} {
		if got := undone(t, g, row.do); got != row.want {
			t.Errorf("%d: %s, want %s", i, got, row.want)
		}
	}
	// What the transaction itself has dropped comes back with a rollback alone.
	last := versionsOf(t, g)
	tx := begin(t, g)
	v, _, _ := tx.FindVertex(value.Long(2))
	if err := tx.RemoveVertex(v); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Restore(blueprints.VertexClass, value.Long(2)); err == nil || !strings.Contains(err.Error(), "comes back with a rollback") {
		t.Error(err)
	}
	if _, err := tx.Undo(last[3], true); err == nil || !strings.Contains(err.Error(), "comes back with a rollback") {
		t.Error(err)
	}
}

// TestUndo_TakenAgain: an id that another has by now keeps an element away, and an edge is left
// out of what comes with a vertex.
func TestUndo_TakenAgain(t *testing.T) {
	g, _ := socialHistory(t)
	update(t, g, func(tx *blueprints.Tx) error {
		v, _, _ := tx.FindVertex(value.Long(1))
		w, err := tx.AddVertex("person", value.Long(2))
		if err != nil {
			return err
		}
		_, err = tx.AddEdge("knows", v, w, value.Long(3))
		return err
	})
	dropped := versionsOf(t, g)[3]
	if got := undone(t, g, undo(dropped, true)); got != "vertex 2 exists" {
		t.Error(got)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		w, _, _ := tx.FindVertex(value.Long(2))
		e, _, _ := tx.FindEdge(value.Long(3))
		if err := tx.RemoveEdge(e); err != nil {
			return err
		}
		if err := tx.RemoveVertex(w); err != nil {
			return err
		}
		v, _, _ := tx.FindVertex(value.Long(1))
		_, err := tx.AddEdge("knows", v, v, value.Long(3))
		return err
	})
	if got := undone(t, g, undo(dropped, false)); got != "edge 3 exists" {
		t.Error(got)
	}
}

// TestUndo_Rules: what comes back has to fit the schema and the indexes that there are now.
func TestUndo_Rules(t *testing.T) {
	g, _ := socialHistory(t)
	if _, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "age", Class: blueprints.VertexClass, Label: "person", Keys: []string{"age"}, Unique: true}); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		v, _, _ := tx.FindVertex(value.Long(1))
		if err := tx.RemoveVertex(v); err != nil {
			return err
		}
		w, err := tx.AddVertex("person", value.Long(5))
		if err != nil {
			return err
		}
		_, err = tx.SetVertexProperty(w, "single", "age", value.Long(30), value.Null, nil)
		return err
	})
	if got := undone(t, g, restore(blueprints.VertexClass, 1)); !strings.HasPrefix(got, "Index age: another vertex of label person has [30]") {
		t.Error(got)
	}
}

// TestUndo_Hub: what is more than one transaction takes says so, and what to do; a vertex whose edges
// were purged or dropped one by one goes all the same.
func TestUndo_Hub(t *testing.T) {
	g := smallCommits(t, 1<<17, blueprints.Options{History: blueprints.Forever})
	v := hub(t, g, 300, 20)
	var id value.Value
	var edges []value.Value
	view(t, g, func(tx *blueprints.Tx) {
		id = must[value.Value](t)(tx.VertexUserID(v))
		for _, e := range edgeList(t, tx) {
			edges = append(edges, must[value.Value](t)(tx.EdgeUserID(e)))
		}
	})
	const hint = " in one transaction: raise transactionBytes for it"
	purging := func(c blueprints.ElementClass, id value.Value) error {
		return g.Update(ctx, func(tx *blueprints.Tx) error { _, err := tx.Purge(c, id); return err })
	}
	if err := purging(blueprints.VertexClass, id); !errors.Is(err, storage.ErrTooLarge) || !strings.HasPrefix(err.Error(), "vertex "+id.Brief()+" cannot be purged"+hint+", or purge its edges first: ") {
		t.Error(err)
	}
	wantCounts(t, g, 2, 300)
	for _, e := range edges {
		if err := purging(blueprints.EdgeClass, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := purging(blueprints.VertexClass, id); err != nil {
		t.Error(err)
	}
	wantSound(t, g)
}

// TestPast_Denied: what is denied is not found among what is gone either, nor told of what is there.
func TestPast_Denied(t *testing.T) {
	g, floor := socialHistory(t)
	view(t, g, func(tx *blueprints.Tx) {
		r := tx.Restrict(&blueprints.Restriction{Denied: blueprints.Denied{Keys: []string{"ssn"}, VertexLabels: []string{"secret"}}})
		for _, row := range []struct {
			class     blueprints.ElementClass
			id        int64
			all, less bool
		}{{blueprints.VertexClass, 1, true, true}, {blueprints.VertexClass, 2, true, false}, {blueprints.EdgeClass, 3, true, false}, {blueprints.EdgeClass, 4, false, false}} {
			n, all, err := tx.FindPast(row.class, value.Long(row.id))
			_, less, err2 := r.FindPast(row.class, value.Long(row.id))
			if err != nil || err2 != nil || all != row.all || less != row.less {
				t.Error(row, all, less, err, err2)
			}
			told := 0
			err = r.EachCommitOf(row.class, n, 0, 0, func(c *blueprints.Commit) (bool, error) {
				return true, c.Changes(func(ch *blueprints.Change) (bool, error) {
					told++
					return true, nil
				})
			})
			if err != nil || (told == 3) != row.less || !row.less && all && told > 0 { // of 1: it came, and had an age and another
				t.Error(row, told, err)
			}
		}
		var ops []string
		if err := r.Diff(floor, 0, func(ch *blueprints.Change) (bool, error) {
			ops = append(ops, fmt.Sprint(ch.Op, ch.ID.Brief(), r.Name(ch.Key)))
			return true, nil
		}); err != nil || strings.Join(ops, " ") != "add1 set1age" {
			t.Error(ops, err)
		}
	})
}

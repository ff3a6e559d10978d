package blueprints_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

var uniqueName = blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true}

// uniqueChange is what somebody does while the tables of a unique index are made of vertices of
// different names.
type uniqueChange struct {
	name   string
	change func(tx *blueprints.Tx, all []blueprints.VertexID) error
	twice  bool // there is a name twice then
	apart  bool // it has nothing to do with the tables
	same   bool // it leaves the entries as they are
}

var uniqueChanges = []uniqueChange{
	{name: "a new name is added", apart: true, change: func(tx *blueprints.Tx, _ []blueprints.VertexID) error {
		return addCalled(tx, "free")
	}},
	{name: "a name is added", twice: true, change: func(tx *blueprints.Tx, _ []blueprints.VertexID) error {
		return addCalled(tx, "p4000")
	}},
	{name: "a vertex takes a new name", change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return setText(tx, all[4000], "name", "free")
	}},
	{name: "a vertex takes the name of another", twice: true, change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return setText(tx, all[4000], "name", "p5000")
	}},
	{name: "a vertex takes the name that another leaves", change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		if err := setText(tx, all[5000], "name", "free"); err != nil {
			return err
		}
		return setText(tx, all[4000], "name", "p5000")
	}},
	{name: "a vertex takes its name again", same: true, change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return setText(tx, all[4000], "name", "p4000")
	}},
	{name: "a vertex goes and another takes its name", change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		if err := tx.RemoveVertex(all[4000]); err != nil {
			return err
		}
		return addCalled(tx, "p4000")
	}},
	{name: "a vertex goes", change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return tx.RemoveVertex(all[4000])
	}},
	{name: "a vertex loses its name", change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return unname(tx, all[4000])
	}},
	{name: "another property is set", apart: true, change: func(tx *blueprints.Tx, all []blueprints.VertexID) error {
		return setText(tx, all[4000], "other", "p5000")
	}},
}

func addCalled(tx *blueprints.Tx, name string) error {
	v, err := tx.AddVertex("a", value.Null)
	if err != nil {
		return err
	}
	return setText(tx, v, "name", name)
}

func setText(tx *blueprints.Tx, v blueprints.VertexID, key, text string) error {
	_, err := tx.SetVertexProperty(v, "single", key, value.String(text), value.Null, nil)
	return err
}

func unname(tx *blueprints.Tx, v blueprints.VertexID) error {
	name, _ := tx.Symbol("name")
	had, err := tx.VertexProperties(nil, v, []blueprints.Symbol{name})
	for _, p := range had {
		if err == nil {
			err = tx.RemoveVertexProperty(v, p)
		}
	}
	return err
}

// TestUniqueTables_Beside has somebody change elements before tables of a unique index are taken in,
// behind that, and from before to behind it, at each isolation. No name is ever there twice, and who
// stands in the way of another is told: the builder of what was there before, a writer otherwise.
func TestUniqueTables_Beside(t *testing.T) {
	for h, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		for i, when := range []string{"before", "after", "around"} {
			for j, c := range uniqueChanges {
				if raced.Skips(i+j+8*h, 16) {
					continue
				}
				t.Run(fmt.Sprint(level)+"/"+when+"/"+c.name, func(t *testing.T) { uniqueBeside(t, level, when, &c) })
			}
		}
	}
}

func uniqueBeside(t *testing.T, level storage.Isolation, when string, c *uniqueChange) {
	g, store := openLoaded(t, blueprints.Options{Isolation: level}, func(sink blueprints.RecordSink) error {
		for i := range 5500 {
			name := blueprints.PropertyRecord{Key: "name", Value: value.String(fmt.Sprintf("p%d", i))}
			if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "a", Properties: []blueprints.PropertyRecord{name}}); err != nil {
				return err
			}
		}
		return nil
	})
	var all []blueprints.VertexID
	view(t, g, func(tx *blueprints.Tx) { all = vertices(t, tx.Vertices()) })
	var refused error
	whole := func() {
		refused = g.Update(ctx, func(tx *blueprints.Tx) error { return c.change(tx, all) })
	}
	switch when {
	case "before":
		store.before = whole
	case "after":
		store.after = whole
	case "around":
		store.before = func() {
			tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{}))
			if err := c.change(tx, all); err != nil {
				t.Error(err)
			}
			store.after = func() {
				if refused = tx.Commit(ctx); errors.Is(refused, storage.ErrConflict) {
					whole()
				} else if refused == nil && !c.apart && !c.same {
					t.Error("it has not seen the tables, and is committed")
				}
			}
		}
	}
	_, err := g.DeclareIndex(ctx, ctx, uniqueName)
	switch {
	case !c.twice && (err != nil || refused != nil):
		t.Errorf("built: %v; changed: %v", err, refused)
	case c.twice && when == "before" && (err == nil || refused != nil || !strings.Contains(err.Error(), "1 value occurs more than once, among them")):
		t.Errorf("built: %v; changed: %v", err, refused)
	case c.twice && when != "before" && (err != nil || refused == nil || !strings.Contains(refused.Error(), "another vertex has")):
		t.Errorf("built: %v; changed: %v", err, refused)
	}
	if c.apart && store.began != 1 {
		t.Errorf("tables were made %d times, of which others have changed nothing", store.began)
	}
	if err == nil {
		sound(t, g, "u")
	}
	wantSound(t, g)
}

// TestUniqueTables_Twice: names that several vertices have are found in tables, across them and
// in front of them, and named as without tables. Nothing of the index is left.
func TestUniqueTables_Twice(t *testing.T) {
	for name, pairs := range map[string][][2]int{
		"side by side":        {{5000, 5001}},
		"far apart":           {{2000, 8500}},
		"in front of tables":  {{10, 5000}},
		"the last one":        {{3, tabledElements - 1}},
		"more than are named": {{2000, 2001}, {2002, 2003}, {2004, 2005}, {2006, 2007}, {2008, 2009}, {2010, 2011}, {2012, 2013}, {2014, 2015}, {2016, 2017}, {2018, 2019}, {2020, 2021}},
	} {
		t.Run(name, func(t *testing.T) {
			g, _ := openTabled(t, tabledElements, blueprints.Options{})
			update(t, g, func(tx *blueprints.Tx) (err error) {
				all := vertices(t, tx.Vertices())
				for i, p := range pairs {
					name := fmt.Sprintf("twice %d", i)
					err = errors.Join(err, setText(tx, all[p[0]], "name", name), setText(tx, all[p[1]], "name", name))
				}
				return err
			})
			_, err := g.DeclareIndex(ctx, ctx, uniqueName)
			want := "1 value occurs"
			if len(pairs) > 1 {
				want = fmt.Sprintf("%d values occur", len(pairs))
			}
			if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "(vertices ") != min(len(pairs), 10) {
				t.Errorf("%v, want %d", err, len(pairs))
			}
			wantSound(t, g)
			declareIndex(t, g, blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Keys: []string{"name"}})
		})
	}
}

// TestUniqueTables: names that differ are entered by tables, and vertices that have none have no entry.
func TestUniqueTables(t *testing.T) {
	g, store := openTabled(t, tabledElements, blueprints.Options{DefaultCardinality: "list"})
	update(t, g, func(tx *blueprints.Tx) error {
		all := vertices(t, tx.Vertices())
		for _, v := range all[5000:5010] {
			if err := unname(tx, v); err != nil {
				return err
			}
		}
		for range 2 { // a name twice is one entry
			if _, err := tx.SetVertexProperty(all[6000], "list", "name", value.String("often"), value.Null, nil); err != nil {
				return err
			}
		}
		return nil
	})
	declareIndex(t, g, uniqueName)
	if n := sound(t, g, "u").Entries; n != tabledElements-10+1 || store.commits != 1 {
		t.Errorf("%d entries, tables were committed %d times", n, store.commits)
	}
	wantSound(t, g)
}

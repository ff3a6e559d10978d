package blueprints_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestSearchWords_Refused: what is no query of words is said to be none.
func TestSearchWords_Refused(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	declareIndex(t, g, blueprints.IndexSpec{Name: "w", Class: blueprints.VertexClass, Keys: []string{"text"}, Analyzer: "words"})
	view(t, g, func(tx *blueprints.Tx) {
		for query, want := range map[string]string{
			"":                            "a query has 1 to ",
			strings.Repeat("word ", 9999): "a query has 1 to ",
		} {
			_, found, release, err := tx.SearchWords(nil, "w", query)
			release()
			if err == nil || !strings.Contains(err.Error(), want) || len(found) > 0 {
				t.Errorf("%.20q: %v, %v", query, found, err)
			}
		}
		if _, _, _, err := tx.SearchWords(nil, "none", "word"); err == nil || !strings.Contains(err.Error(), "none") {
			t.Error(err)
		}
	})
}

// TestDeclareCounter_Fails: a counter that the catalog could not take note of is none, and is said not to be.
func TestDeclareCounter_Fails(t *testing.T) {
	s := &tabled{Store: must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))}
	db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	defer db.Close()
	g, v, _ := countedIn(t, db, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error { // and so has its names
		setProperty(t, tx, v, "hits", 1)
		return nil
	})
	declare := func(tx *blueprints.Tx) error { return tx.DeclareCounter(blueprints.VertexClass, "person", "hits") }
	err := g.Update(ctx, func(tx *blueprints.Tx) error { s.fail.Store(true); return declare(tx) })
	if !errors.Is(err, errBegin) || g.Uses(blueprints.Counters) {
		t.Error(err)
	}
	update(t, g, declare)
}

package blueprints_test

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/indexhost"
)

func declareIndex(t *testing.T, g *blueprints.Graph, s blueprints.IndexSpec) {
	t.Helper()
	indexhost.Declare(t, g, s)
}

func sound(t *testing.T, g *blueprints.Graph, name string) blueprints.IndexReport {
	t.Helper()
	return indexhost.Verified(t, g, name)
}

// What indexes of every kind promise.
func TestDeclareIndex(t *testing.T) { indexhost.Run(t) }

// TestDeclareIndex_Lost: a graph that loses the feature is without the indexes, beside somebody
// who declares one again and again: it has the feature as long as it has one.
func TestDeclareIndex_Lost(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
	s := blueprints.IndexSpec{Name: "k", Class: blueprints.VertexClass, Keys: []string{"k"}}
	declareIndex(t, g, s)
	if keeps := must[string](t)(g.Keeps(ctx, blueprints.CompositeIndexes)); keeps != "1 composite index: k" {
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

// TestDeclareIndex_RefusedLeavesNoFeature: an index that the elements do not allow, or whose name
// is taken, leaves a graph that older programs can read.
func TestDeclareIndex_RefusedLeavesNoFeature(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error {
		addVertex(t, tx, "p", "k", 1)
		addVertex(t, tx, "p", "k", 1)
		return nil
	})
	if err := g.CreateIndex(ctx, "taken", blueprints.VertexClass); err != nil {
		t.Fatal(err)
	}
	for _, s := range []blueprints.IndexSpec{
		{Name: "u", Class: blueprints.VertexClass, Keys: []string{"k"}, Unique: true},
		{Name: "taken", Class: blueprints.VertexClass, Keys: []string{"k"}},
		{Name: "g", Class: blueprints.VertexClass, Keys: []string{"k"}, Analyzer: "geo"},
	} {
		if _, err := g.DeclareIndex(ctx, ctx, s); err == nil {
			t.Errorf("%s is made", s.Name)
		}
		if got := g.Options().Features(); len(got) > 0 {
			t.Errorf("%s leaves %v", s.Name, got)
		}
	}
}

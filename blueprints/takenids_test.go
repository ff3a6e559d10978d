package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// addNumbered adds n vertices with generated ids and returns these.
func addNumbered(t testing.TB, g *blueprints.Graph, n int) (ids []int64) {
	t.Helper()
	update(t, g, func(tx *blueprints.Tx) error {
		ids = nil
		for range n {
			v, err := tx.AddVertex("w", value.Null)
			if err != nil {
				return err
			}
			ids = append(ids, must[value.Value](t)(tx.VertexUserID(v)).Int64())
		}
		return nil
	})
	return ids
}

func addWithID(t testing.TB, g *blueprints.Graph, ids ...int64) {
	t.Helper()
	update(t, g, func(tx *blueprints.Tx) error {
		for _, id := range ids {
			if _, err := tx.AddVertex("w", value.Long(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

func wantNone(t testing.TB, ids []int64, taken ...int64) {
	t.Helper()
	for _, id := range ids {
		for _, other := range taken {
			if id == other {
				t.Errorf("%d was given before and generated now", id)
			}
		}
	}
}

// Ids that users give later lie above those that were looked for first.
func TestTx_GeneratedIDsPassWhatComesLater(t *testing.T) {
	g := newGraph(t, blueprints.Options{VertexIDs: ids.Long})
	addWithID(t, g, 3)
	first := addNumbered(t, g, 10)
	wantNone(t, first, 3)
	next := first[9] + 1
	addWithID(t, g, next, next+1, next+7)
	wantNone(t, addNumbered(t, g, 10), append(first, next, next+1, next+7)...)
}

// Ids that a load brings are nobody's notes.
func TestTx_GeneratedIDsPassWhatWasLoaded(t *testing.T) {
	g := newGraph(t, blueprints.Options{VertexIDs: ids.Long})
	addWithID(t, g, 0)
	last := addNumbered(t, g, 1)[0]
	update(t, g, func(tx *blueprints.Tx) error {
		for _, id := range []int64{0, last} {
			v, _, err := tx.FindVertex(value.Long(id))
			if err != nil {
				return err
			}
			if err := tx.RemoveVertex(v); err != nil {
				return err
			}
		}
		return nil
	})
	loaded := []int64{last + 5, last + 6, last + 9}
	if _, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for _, id := range loaded {
			if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Long(id), Label: "w"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ids := addNumbered(t, g, 20)
	wantNone(t, ids, loaded...)
	if ids[0] > last+5 {
		t.Errorf("generated %d first, behind the loaded ids: the test shows nothing", ids[0])
	}
}

// A generated id conflicts with a user's that comes first, be it of the other class.
func TestTx_GeneratedIDsConflict(t *testing.T) {
	g := newGraph(t, blueprints.Options{VertexIDs: ids.Long, EdgeIDs: ids.Long})
	addWithID(t, g, 0)
	addNumbered(t, g, 1)
	tx := begin(t, g)
	defer tx.Close()
	v, err := tx.AddVertex("w", value.Null)
	if err != nil {
		t.Fatal(err)
	}
	id := must[value.Value](t)(tx.VertexUserID(v))
	update(t, g, func(tx *blueprints.Tx) error {
		end, _, err := tx.FindVertex(value.Long(0))
		if err == nil {
			_, err = tx.AddEdge("e", end, end, id)
		}
		return err
	})
	if err := tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("commit: %v, want a conflict over id %v", err, id)
	}
}

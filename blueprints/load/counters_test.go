package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/value"
)

// TestGraph_Counters: what is loaded under the counters of a label can be counted on, of vertices
// and of edges, and nothing else can.
func TestGraph_Counters(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	classes := []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass}
	update(t, g, func(tx *blueprints.Tx) error {
		for _, c := range classes {
			if err := tx.DeclareCounter(c, "counts", "hits"); err != nil {
				return err
			}
		}
		return nil
	})
	_, err := load.Graph(ctx, g, load.Options{}, func(s blueprints.RecordSink) error {
		for i, label := range []string{"counts", "plain"} {
			id, props := value.Int(int32(i)), []blueprints.PropertyRecord{{Key: "hits", Value: value.Int(7)}}
			if err := s.Vertex(&blueprints.VertexRecord{ID: id, Label: label, Properties: props}); err != nil {
				return err
			}
			if err := s.Edge(&blueprints.EdgeRecord{ID: id, Label: label, Out: id, In: id, Properties: props}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantSound(t, g)
	find := func(tx *blueprints.Tx, c blueprints.ElementClass, id value.Value) uint64 {
		v, _, err := tx.FindVertex(id)
		e, _, err2 := tx.FindEdge(id)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		return map[blueprints.ElementClass]uint64{blueprints.VertexClass: uint64(v), blueprints.EdgeClass: uint64(e)}[c]
	}
	for _, c := range classes {
		update(t, g, func(tx *blueprints.Tx) error {
			if err := tx.Increment(c, find(tx, c, value.Int(1)), "hits", 1); err == nil {
				t.Errorf("a property of a %s of another label counts", c)
			}
			return tx.Increment(c, find(tx, c, value.Int(0)), "hits", 3)
		})
	}
	view(t, g, func(tx *blueprints.Tx) {
		hits, _ := tx.Symbol("hits")
		of, _, err := tx.VertexValue(blueprints.VertexID(find(tx, blueprints.VertexClass, value.Int(0))), hits)
		too, _, err2 := tx.EdgeValue(blueprints.EdgeID(find(tx, blueprints.EdgeClass, value.Int(0))), hits)
		if got := fmt.Sprint(of.Brief(), too.Brief(), err, err2); got != fmt.Sprint("10", "10", nil, nil) {
			t.Error(got)
		}
	})
	wantSound(t, g)
}

// TestGraph_ManyProperties: an element has as many properties as their count takes two bytes, and
// not one more.
func TestGraph_ManyProperties(t *testing.T) {
	const most = 1<<16 - 1
	props := make([]blueprints.PropertyRecord, most+1)
	for i := range props {
		props[i] = blueprints.PropertyRecord{Key: "k", Value: value.Int(int32(i))}
	}
	for n, want := range map[int]string{most: "", most + 1: fmt.Sprintf("an element has %d properties, a load is limited to %d", most+1, most)} {
		g := newGraph(t, blueprints.Options{})
		_, err := load.Graph(ctx, g, load.Options{}, func(s blueprints.RecordSink) error {
			return s.Vertex(&blueprints.VertexRecord{ID: value.Int(1), Label: "a", Properties: props[:n]})
		})
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d properties: %v", n, err)
		}
	}
}

package load_test

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/value"
)

// TestLoad_LabelTTL: what is loaded is added, so it ends when elements of its label do, as what
// transactions add does.
func TestLoad_LabelTTL(t *testing.T) {
	for name, o := range map[string]blueprints.Options{"plain": {TTL: true}, "all": {TTL: true, Stamps: true, History: blueprints.Forever}} {
		t.Run(name, func(t *testing.T) {
			g := newGraph(t, o)
			indexKey(t, g, blueprints.VertexClass, "n")
			for _, x := range []struct {
				class blueprints.ElementClass
				label string
				ttl   time.Duration
			}{{blueprints.VertexClass, "hour", time.Hour}, {blueprints.VertexClass, "also", time.Hour}, {blueprints.VertexClass, "soon", time.Minute},
				{blueprints.EdgeClass, "hour", time.Hour}, {blueprints.EdgeClass, "none", time.Minute}} {
				if err := g.SetLabelTTL(ctx, x.class, x.label, x.ttl); err != nil {
					t.Fatal(err)
				}
			}
			_, err := load.Graph(ctx, g, load.Options{}, func(s blueprints.RecordSink) error {
				labels := []string{"hour", "stays", "soon", "also", "hour"}
				for i := range 50 {
					props := []blueprints.PropertyRecord{{Key: "n", Value: value.Long(int64(i))}}
					if err := s.Vertex(&blueprints.VertexRecord{ID: value.Long(int64(i)), Label: labels[i%5], Properties: props}); err != nil {
						return err
					}
				}
				for i := range 40 { // of what stays to itself
					v := value.Long(int64(i%10*5 + 1))
					if err := s.Edge(&blueprints.EdgeRecord{Label: []string{"hour", "stays"}[i%2], Out: v, In: v, Properties: []blueprints.PropertyRecord{{Key: "n", Value: v}}}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			wantSound(t, g)
			began := time.Now()
			for _, row := range []struct {
				at              time.Duration
				vertices, edges int64
			}{{0, 50, 40}, {2 * time.Minute, 40, 40}, {2 * time.Hour, 10, 20}, {1000 * time.Hour, 10, 20}} {
				if _, err := g.DropExpired(ctx, began.Add(row.at)); err != nil {
					t.Fatal(err)
				}
				err := g.View(ctx, func(tx *blueprints.Tx) error {
					vertices, err := tx.VertexCount()
					if err != nil {
						return err
					}
					edges, err := tx.EdgeCount()
					if vertices != row.vertices || edges != row.edges {
						t.Errorf("after %v: %d vertices and %d edges, want %d and %d", row.at, vertices, edges, row.vertices, row.edges)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				wantSound(t, g)
			}
		})
	}
}

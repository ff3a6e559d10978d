package engine

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// BenchmarkDenied evaluates for users who are denied nothing, keys and an edge label, and a
// vertex label. The bars: of the second 0.95 of the first, of the third hops at 3 times.
func BenchmarkDenied(b *testing.B) {
	denied := func(d blueprints.Denied) *traversal.Identity {
		return &traversal.Identity{Name: "ann", Roles: []traversal.Role{{Name: "r", Allow: traversal.ReadRight, Denied: d}}}
	}
	users := []struct {
		name string
		id   *traversal.Identity
	}{
		{"nothing", denied(blueprints.Denied{})},
		{"keys", denied(blueprints.Denied{Keys: []string{"songType", "id"}, EdgeLabels: []string{"writtenBy"}})},
		{"vertices", denied(blueprints.Denied{VertexLabels: []string{"artist"}})},
	}
	e := open(b)
	g, err := e.o.Database.CreateGraph("grateful", blueprints.NewOptions())
	if err == nil {
		_, err = sample.Load(context.Background(), g, "grateful")
	}
	if err == nil {
		err = g.CreateKeyIndex(context.Background(), blueprints.VertexClass, "name")
	}
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range []string{
		"V().count()", "V(1).values('name')", "V().has('name','DARK STAR').values('performances')", "V().values('name').count()",
		"V().hasLabel('song').valueMap().count()", "V().out().count()", "V().out('followedBy').count()", "V().outE().count()", "V().outE('followedBy').values('weight').sum()",
		"V().out('followedBy').out('followedBy').dedup().count()", "V().out('followedBy').values('performances').sum()",
		"V().hasLabel('song').groupCount().by('performances')", "V().both().groupCount().by(label)", "V().order().by(outE().count()).limit(5)", "V().repeat(out('followedBy')).times(3).count()",
		"E().count()", "E().hasLabel('followedBy').count()", "E().values('weight').sum()",
	} {
		for _, u := range users {
			b.Run(text+"/"+u.name, func(b *testing.B) {
				b.ReportAllocs()
				var buf []value.Bulked
				for range b.N {
					w := e.Open(contract.WorkOptions{Identity: u.id})
					q := query(languageLang, "x."+text)
					q.Aliases = map[string]string{"x": "grateful"}
					r, err := w.Run(b.Context(), q)
					if err != nil {
						b.Fatal(err)
					}
					for {
						if buf, err = r.Next(buf[:0], 64); err != nil {
							b.Fatal(err)
						}
						if len(buf) == 0 {
							break
						}
					}
					r.Close()
					w.Close()
				}
			})
		}
	}
}

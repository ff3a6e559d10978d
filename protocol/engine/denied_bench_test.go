package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// deniedUsers are denied nothing, nothing either, keys and an edge label, and a vertex label.
var deniedUsers = [...]struct {
	name   string
	denied blueprints.Denied
}{
	{"nothing", blueprints.Denied{}},
	{"again", blueprints.Denied{}},
	{"keys", blueprints.Denied{Keys: []string{"songType", "id"}, EdgeLabels: []string{"writtenBy"}}},
	{"vertices", blueprints.Denied{VertexLabels: []string{"artist"}}},
}

// BenchmarkDenied evaluates for each of these users in turn, and reports how many times as
// long as the first one the others take, by the lower quartile: what else the machine does
// only makes it more. The second one says how exact that is. The bars: the third 1.05, the
// fourth 3 for hops.
func BenchmarkDenied(b *testing.B) {
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
	var ids [len(deniedUsers)]*traversal.Identity
	for i, u := range deniedUsers {
		ids[i] = &traversal.Identity{Name: u.name, Roles: []traversal.Role{{Name: "r", Allow: traversal.ReadRight, Denied: u.denied}}}
	}
	for _, text := range []string{
		"V().count()", "V(1).values('name')", "V().has('name','DARK STAR').values('performances')", "V().values('name').count()",
		"V().hasLabel('song').valueMap().count()", "V().out().count()", "V().out('followedBy').count()", "V().outE().count()", "V().outE('followedBy').values('weight').sum()",
		"V().out('followedBy').out('followedBy').dedup().count()", "V().out('followedBy').values('performances').sum()",
		"V().hasLabel('song').groupCount().by('performances')", "V().both().groupCount().by(label)", "V().order().by(outE().count()).limit(5)", "V().repeat(out('followedBy')).times(3).count()",
		"V().out().out().count()", "V().out().in().out().count()", "V().both().both().both().count()", "V().repeat(__.out()).times(4).dedup().count()",
		"V().groupCount().by(label)", "V().out().out().path().limit(1000).count()", "V(1).out('followedBy')", "V(1).out().out().dedup().count()",
		"V().match(__.as('a').out().as('b'), __.as('b').out().as('c'), __.as('c').out().as('a')).count()",
		"V().order().by('performances').limit(10).values('name')", "V().order().by('name').limit(10).values('name')", "V().has('name',within('DARK STAR','BERTHA','LOSER')).values('name')", "E().count()", "E().hasLabel('followedBy').count()", "E().values('weight').sum()",
	} {
		b.Run(text, func(b *testing.B) {
			var took [len(deniedUsers)][]float64
			r := rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				for _, i := range r.Perm(len(deniedUsers)) { // or the collector always meets the same one
					took[i] = append(took[i], askOften(b, e, ids[i], "x."+text))
				}
			}
			quartile := func(i int) float64 {
				slices.Sort(took[i])
				return took[i][len(took[i])/4]
			}
			for i, u := range deniedUsers {
				b.ReportMetric(quartile(i)/quartile(0), u.name+"-times")
			}
			b.ReportMetric(quartile(0)/1000, "us")
		})
	}
}

// askOften evaluates a text for some milliseconds and returns the nanoseconds of processor time
// of each time.
func askOften(b *testing.B, e *Engine, id *traversal.Identity, text string) float64 {
	var buf []value.Bulked
	began, until, n := cputime.Own(), time.Now().Add(2*time.Millisecond), 0
	for ; n == 0 || time.Now().Before(until); n++ {
		w := e.Open(contract.WorkOptions{Identity: id})
		q := query(languageLang, text)
		q.Aliases = map[string]string{"x": "grateful"}
		r, err := w.Run(b.Context(), q)
		for more := true; more && err == nil; more = len(buf) > 0 {
			buf, err = r.Next(buf[:0], 64)
		}
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
		w.Close()
	}
	return float64(cputime.Own()-began) / float64(n)
}

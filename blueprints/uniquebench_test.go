package blueprints_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
)

// BenchmarkUnique has clients add vertices with an address under a unique index, under a key
// index and under none, in turns, each in a transaction of its own that is synced, and says
// how many times the processor time of the second the others take. The bar of the first is 1/0.9.
func BenchmarkUnique(b *testing.B) {
	const clients, each = 16, 64
	names := [3]string{"unique", "key", "none"}
	var gs [3]*blueprints.Graph
	for i := range gs {
		gs[i] = diskGraph(b)
	}
	must[blueprints.IndexInfo](b)(gs[0].DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "email", Class: blueprints.VertexClass, Label: "person", Keys: []string{"email"}, Unique: true}))
	createKeyIndex(b, gs[1], blueprints.VertexClass, "email")
	var took [3][]float64
	r := rand.New(rand.NewPCG(1, 1))
	n := 0
	for b.Loop() {
		for _, i := range r.Perm(len(gs)) {
			n++
			began := cputime.Own()
			var wg sync.WaitGroup
			for c := range clients {
				wg.Go(func() {
					for k := range each {
						update(b, gs[i], func(tx *blueprints.Tx) error {
							addVertex(b, tx, "person", "email", fmt.Sprintf("name %012d@example", (n*clients+c)*each+k))
							return nil
						})
					}
				})
			}
			wg.Wait()
			took[i] = append(took[i], float64(cputime.Own()-began)/(clients*each))
		}
	}
	quartile := func(i int) float64 {
		slices.Sort(took[i])
		return took[i][len(took[i])/4]
	}
	for i, name := range names {
		b.ReportMetric(quartile(i)/1000, name+"-us")
	}
	b.ReportMetric(quartile(0)/quartile(1), "unique-times")
}

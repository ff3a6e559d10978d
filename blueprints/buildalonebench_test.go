package blueprints_test

import "testing"

// BenchmarkBuildAlone says how many elements a second builders of indexes go through alone.
func BenchmarkBuildAlone(b *testing.B) {
	const n = 200_000
	for _, s := range builtKinds {
		b.Run(s.Name, func(b *testing.B) {
			g := diskGraph(b)
			loadBuilt(b, g, n)
			b.ResetTimer()
			for range b.N {
				if _, err := g.DeclareIndex(ctx, ctx, s); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := g.DropIndex(ctx, s.Name); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "elements/s")
		})
	}
}

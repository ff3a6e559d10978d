package steps

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The nearest doubles to the true values.
func TestTrigonometry(t *testing.T) {
	for _, c := range []struct{ x, sin, cos, tan float64 }{
		{2, 0.9092974268256817, -0.4161468365471424, -2.185039863261519},
		{3, 0.1411200080598672, -0.9899924966004454, -0.1425465430742778},
		{0.5, 0.479425538604203, 0.8775825618903728, 0.5463024898437905},
		{-6, 0.27941549819892586, 0.960170286650366, 0.29100619138474915},
		{100000, 0.03574879797201651, -0.9993608074382124, -0.035771662952898776},
	} {
		if s, cs, tn := javaSin(c.x), javaCos(c.x), javaTan(c.x); s != c.sin || cs != c.cos || tn != c.tan {
			t.Errorf("%v: got %v %v %v, want %v %v %v", c.x, s, cs, tn, c.sin, c.cos, c.tan)
		}
	}
}

// TestTrigonometry_OtherThanMath counts where package math gives a neighbour of the nearest
// double: this is what the own functions are for.
func TestTrigonometry_OtherThanMath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 20_000
	others := map[string]int{}
	for range n {
		x := (r.Float64() - 0.5) * 200
		for name, f := range map[string][2]float64{"sin": {javaSin(x), math.Sin(x)}, "cos": {javaCos(x), math.Cos(x)}, "tan": {javaTan(x), math.Tan(x)}} {
			if f[0] != f[1] {
				others[name]++
			}
			if math.Abs(f[0]-f[1]) > 1e-13*math.Max(1, math.Abs(f[1])) {
				t.Errorf("%s of %v: %v and %v are no neighbours", name, x, f[0], f[1])
			}
		}
	}
	t.Logf("of %d numbers: %v", n, others)
	for _, name := range []string{"sin", "cos", "tan"} {
		if others[name] < n/100 {
			t.Errorf("package math gives %s as Java does but for %d of %d numbers: use it", name, others[name], n)
		}
	}
}

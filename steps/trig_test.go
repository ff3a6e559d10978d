package steps

import "testing"

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

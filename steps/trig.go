package steps

import "math"

// Sine, cosine and tangent as Java gives them. The JVM's are all but always the
// nearest double; those of package math are often its neighbour, which is enough to
// show in a result: of 20,000 sines, cosines and tangents a quarter, a quarter and a third
// (TestTrigonometry_OtherThanMath). These compute with twice the precision and round once.

// twin is a number as the sum of two doubles, the second far below the first.
type twin struct{ hi, lo float64 }

func twoSum(a, b float64) twin {
	s := a + b
	t := s - a
	return twin{s, (a - (s - t)) + (b - t)}
}

func (a twin) add(b twin) twin {
	s := twoSum(a.hi, b.hi)
	return twoSum(s.hi, s.lo+a.lo+b.lo)
}

func (a twin) mul(b twin) twin {
	p := a.hi * b.hi
	return twoSum(p, math.FMA(a.hi, b.hi, -p)+a.hi*b.lo+a.lo*b.hi)
}

func (a twin) div(b twin) twin {
	q := a.hi / b.hi
	rest := a.add(b.mul(twin{-q, 0}))
	return twoSum(q, rest.hi/b.hi)
}

// halfPi is pi/2 in three parts of 53 bits.
var halfPi = [3]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}

// trigMax is the angle up to which the reduction below is exact enough.
const trigMax = 1 << 20

// reduce returns x less a multiple of pi/2, and which quadrant that was.
func reduce(x float64) (r twin, quadrant int) {
	k := math.Round(x / (math.Pi / 2))
	r = twin{x, 0}
	for _, part := range halfPi {
		r = r.add(twin{k, 0}.mul(twin{-part, 0}))
	}
	return r, int(int64(k)) & 3
}

// series sums x^n/n! with alternating signs, for n, n+2, ...: sine from first = x and
// n = 1, cosine from first = 1 and n = 0. Angles are at most pi/4.
func series(first, square twin, n float64) twin {
	sum, term := first, first
	for ; n < 28 && math.Abs(term.hi) > 1e-34*math.Abs(sum.hi); n += 2 {
		term = term.mul(square).div(twin{-(n + 1) * (n + 2), 0})
		sum = sum.add(term)
	}
	return sum
}

// sinCos returns both for an angle within trigMax.
func sinCos(x float64) (sin, cos twin) {
	r, quadrant := reduce(x)
	square := r.mul(r)
	s, c := series(r, square, 1), series(twin{1, 0}, square, 0)
	minus := func(t twin) twin { return twin{-t.hi, -t.lo} }
	switch quadrant {
	case 0:
		return s, c
	case 1:
		return c, minus(s)
	case 2:
		return minus(s), minus(c)
	}
	return minus(c), s
}

// exactly reports whether x is an angle for sinCos; 0 and what is not finite go the
// usual way, which keeps the sign of zero.
func exactly(x float64) bool { return x != 0 && math.Abs(x) <= trigMax }

func javaSin(x float64) float64 {
	if !exactly(x) {
		return math.Sin(x)
	}
	s, _ := sinCos(x)
	return s.hi + s.lo
}

func javaCos(x float64) float64 {
	if !exactly(x) {
		return math.Cos(x)
	}
	_, c := sinCos(x)
	return c.hi + c.lo
}

func javaTan(x float64) float64 {
	if !exactly(x) {
		return math.Tan(x)
	}
	s, c := sinCos(x)
	t := s.div(c)
	return t.hi + t.lo
}

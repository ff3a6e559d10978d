package value_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/value"
)

// randomDecimal has up to so many bits, some of them a power of ten or beside one.
func randomDecimal(r *rand.Rand, bits, scales int) value.Decimal {
	n := new(big.Int)
	for range bits / 32 {
		n.Lsh(n, 32).Add(n, big.NewInt(int64(r.Uint32())))
	}
	n.Rsh(n, uint(r.IntN(bits)))
	if r.IntN(3) == 0 {
		n.Exp(big.NewInt(10), big.NewInt(int64(r.IntN(bits/4))), nil)
		n.Add(n, big.NewInt(int64(r.IntN(3)-1)))
	}
	if r.IntN(2) == 0 {
		n.Neg(n)
	}
	return value.Decimal{Unscaled: n, Scale: int32(r.IntN(2*scales) - scales)}
}

// TestDecimal_Cmp compares as fractions are compared, near and far from each other.
func TestDecimal_Cmp(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	const scales = 80
	whole := func(d value.Decimal) *big.Int { // at the largest scale
		return new(big.Int).Mul(d.Int(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scales-d.Scale)), nil))
	}
	for range 50_000 {
		a, b := randomDecimal(r, 256, scales), randomDecimal(r, 256, scales)
		if r.IntN(4) == 0 {
			b = a.Rounded(a.Scale + int32(r.IntN(5))) // equal, of another scale
			b.Scale = min(b.Scale, scales)
		}
		if got, want := a.Cmp(b), whole(a).Cmp(whole(b)); got != want {
			t.Fatalf("seed %d: %v, %v: %d, want %d", seed, a, b, got, want)
		}
	}
}

// TestDecimal_CmpIsBrief: comparing never takes longer than the digits of both are long,
// however far their scales are from each other.
func TestDecimal_CmpIsBrief(t *testing.T) {
	const times, most = 200_000, 500 * time.Millisecond // writing the digits of each takes two seconds
	r := rand.New(rand.NewPCG(1, 1))
	list := make([]value.Decimal, 64)
	for i := range list {
		list[i] = randomDecimal(r, 2048, 1<<20)
		list[i].Scale = []int32{math.MaxInt32, math.MinInt32, 1 << 20, 0}[i%4]
	}
	began := cputime.Own()
	for i := range times {
		list[i%64].Cmp(list[(i/64+1)%64])
	}
	if took := cputime.Own() - began; took > most {
		t.Errorf("%d comparisons took %v", times, took)
	}
}

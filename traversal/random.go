package traversal

import (
	"math/rand/v2"

	"github.com/gremlind/gremlind/storage/value"
)

// Random reproduces java.util.Random, the 48-bit linear congruential generator that
// its documentation specifies, because SeedStrategy promises its very sequence.
type Random struct{ seed int64 }

const (
	lcgMultiplier = 0x5DEECE66D
	lcgIncrement  = 0xB
	lcgMask       = 1<<48 - 1
)

// seeded starts the sequence of a seed.
func seeded(seed int64) *Random { return &Random{seed: (seed ^ lcgMultiplier) & lcgMask} }

// NewRandom returns the source of one step: under SeedStrategy every step starts the
// same sequence, as in the reference; otherwise any.
func (r *Run) NewRandom() *Random {
	if seed, ok := r.Plan.Options.seed(); ok {
		return seeded(seed)
	}
	return seeded(rand.Int64())
}

// Seeded reports whether what is chosen at random, and so the order of edges, is what a seed
// makes it.
func (o *SourceOptions) Seeded() bool {
	_, ok := o.seed()
	return ok
}

// seed returns what SeedStrategy was given.
func (o *SourceOptions) seed() (int64, bool) {
	if o == nil {
		return 0, false
	}
	for _, s := range o.Strategies {
		if s.SimpleName() != "SeedStrategy" || s.Config == nil {
			continue
		}
		if v, ok := s.Config.Get(value.String("seed")); ok {
			return v.Int64(), true
		}
	}
	return 0, false
}

func (r *Random) next(bits uint) int32 {
	r.seed = (r.seed*lcgMultiplier + lcgIncrement) & lcgMask
	return int32(r.seed >> (48 - bits))
}

// Float64 is nextDouble(): uniform in [0, 1).
func (r *Random) Float64() float64 {
	hi := int64(r.next(26))
	return float64(hi<<27+int64(r.next(27))) / (1 << 53)
}

// Intn is nextInt(n): uniform in [0, n); n must be positive.
func (r *Random) Intn(n int32) int32 {
	if n&(-n) == n {
		return int32(int64(n) * int64(r.next(31)) >> 31)
	}
	for {
		bits := r.next(31)
		if v := bits % n; bits-v+(n-1) >= 0 {
			return v
		}
	}
}

// Int64 is nextLong().
func (r *Random) Int64() int64 {
	hi := int64(r.next(32))
	return hi<<32 + int64(r.next(32))
}

// Shuffle is Collections.shuffle over n items.
func (r *Random) Shuffle(n int, swap func(i, j int)) {
	for i := n; i > 1; i-- {
		swap(i-1, int(r.Intn(int32(i))))
	}
}

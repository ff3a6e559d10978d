package methods

import (
	"math"
	"math/rand/v2"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// javaRandom is java.util.Random: the same numbers for the same seed.
type javaRandom struct {
	seed     int64
	gaussian float64
	has      bool
}

const (
	randomFactor = 0x5DEECE66D
	randomMask   = 1<<48 - 1
)

// NewRandom is new Random(), or of a seed: the same numbers as in Java.
func NewRandom(args []value.Value) *javaRandom {
	seed := int64(rand.Uint64())
	if len(args) == 1 {
		seed = value.AsInt64(args[0])
	}
	return &javaRandom{seed: (seed ^ randomFactor) & randomMask}
}

func (r *javaRandom) bits(n uint) int32 {
	r.seed = (r.seed*randomFactor + 0xB) & randomMask
	return int32(r.seed >> (48 - n))
}

// below returns a number from 0 to before n, which is positive.
func (r *javaRandom) below(n int32) int32 {
	if n&-n == n {
		return int32(int64(n) * int64(r.bits(31)) >> 31)
	}
	for {
		bits := r.bits(31)
		if v := bits % n; bits-v+(n-1) >= 0 {
			return v
		}
	}
}

func (r *javaRandom) long() int64 { return int64(r.bits(32))<<32 + int64(r.bits(32)) }

func (r *javaRandom) double() float64 {
	return float64(int64(r.bits(26))<<27+int64(r.bits(27))) * 0x1p-53
}

func (r *javaRandom) nextGaussian() float64 {
	if r.has {
		r.has = false
		return r.gaussian
	}
	for {
		a, b := 2*r.double()-1, 2*r.double()-1
		if s := a*a + b*b; s < 1 && s != 0 {
			f := math.Sqrt(-2 * math.Log(s) / s)
			r.gaussian, r.has = b*f, true
			return a * f
		}
	}
}

func (r *javaRandom) ClassName() string { return "java.util.Random" }

func (r *javaRandom) Text(*machine.Machine) string { return "java.util.Random" }

func (r *javaRandom) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (r *javaRandom) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "nextInt" && len(args) > 0 && len(args) <= 2:
		from, to := int64(0), value.AsInt64(args[len(args)-1])
		if len(args) == 2 {
			from = value.AsInt64(args[0])
		}
		if to-from <= 0 || to-from > math.MaxInt32 {
			return value.Null, true, machine.Fail(machine.ArgumentException, "bound must be positive")
		}
		return value.Int(int32(from) + r.below(int32(to-from))), true, nil
	case name == "setSeed" && len(args) == 1:
		*r = *NewRandom(args)
		return value.Null, true, nil
	case len(args) > 0:
		return value.Null, false, nil
	}
	switch name {
	case "nextInt":
		return value.Int(r.bits(32)), true, nil
	case "nextLong":
		return value.Long(r.long()), true, nil
	case "nextDouble":
		return value.Double(r.double()), true, nil
	case "nextFloat":
		return value.Float(float32(r.bits(24)) / (1 << 24)), true, nil
	case "nextBoolean":
		return value.Bool(r.bits(1) != 0), true, nil
	case "nextGaussian":
		return value.Double(r.nextGaussian()), true, nil
	}
	return value.Null, false, nil
}

// randomBelow takes its numbers from a Random, if one is given.
func randomBelow(args []value.Value) func(int32) int32 {
	if len(args) == 1 {
		if r, ok := machine.Foreign(args[0]).(*javaRandom); ok {
			return r.below
		}
	}
	return rand.Int32N
}

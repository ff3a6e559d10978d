package storagetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seeds runs fn for the seeds 1 to n, or for the one in the environment variable SEED.
// The seed is the name of the subtest, so that a failure says what to run again.
func Seeds(t *testing.T, n int, fn func(t *testing.T, seed uint64)) {
	t.Helper()
	first, last := uint64(1), uint64(n)
	if text := os.Getenv("SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("SEED: %v", err)
		}
		first, last = seed, seed
	}
	for seed := first; seed <= last; seed++ {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { fn(t, seed) })
	}
}

// Rand returns the random numbers of a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6772656d6c696e64)) }

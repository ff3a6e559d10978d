package spool

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorter sorts random strings, some of them equal or the beginning of others, in one
// piece and in runs.
func TestSorter(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	type pair struct {
		key    string
		number uint32
	}
	for _, memory := range []int64{0, 1000, 20_000} {
		s := &Sorter{Options: Options{Memory: memory, Dir: t.TempDir()}}
		defer s.Close()
		var want []pair
		for i := range uint32(5000) {
			p := pair{fmt.Sprintf("id %d%s", r.IntN(3000), bytes.Repeat([]byte{0}, r.IntN(3))), i}
			want = append(want, p)
			if err := s.Add([]byte(p.key), i); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b pair) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
		var got []pair
		if err := s.Each(func(key []byte, n uint32) error { got = append(got, pair{string(key), n}); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("memory %d: %d strings are not in order", memory, len(got))
		}
		if runs := len(s.runs); (runs > 0) != (memory > 0) {
			t.Errorf("memory %d: %d runs", memory, runs)
		}
	}
}

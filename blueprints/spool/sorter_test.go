package spool

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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

// TestSorter_Close: a sorter that is closed has closed its files, and is as good as a new one.
func TestSorter_Close(t *testing.T) {
	s := &Sorter{Options: Options{Memory: 100, Dir: t.TempDir()}}
	for round := range 2 {
		for i := range uint32(50) {
			if err := s.Add([]byte(fmt.Sprint("key", i, "of round", round)), i); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		if err := s.Each(func([]byte, uint32) error { n++; return nil }); err != nil || n != 50 {
			t.Errorf("%d strings, %v", n, err)
		}
		var files []*os.File
		for _, run := range s.runs {
			files = append(files, run.file)
		}
		if s.Close(); len(files) == 0 {
			t.Fatal("it has no files")
		}
		for _, f := range files {
			if _, err := f.Stat(); !errors.Is(err, os.ErrClosed) {
				t.Error("a file is open:", err)
			}
		}
	}
}
